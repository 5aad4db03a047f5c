package randctest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/compiler/analysis/ranges"
	"loom/compiler/frontend"
	"loom/internal/randc"
)

// TestNotices: a native run that left one bit else is a difference, wherever the bit
// is; what the levels agree on is none. An interval that is too small is noticed too.
func TestNotices(t *testing.T) {
	need(t)
	file := filepath.Join(t.TempDir(), "batch.c")
	var programs []*randc.Program
	for seed := range uint64(4) {
		programs = append(programs, randc.Generate(seed, prefix(int(seed))))
	}
	text := randc.Source(programs)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	exe, err := randc.Build(t.Context(), programs, file, "gcc", "-O1")
	if err != nil {
		t.Fatal(err)
	}
	unit, err := frontend.Open(t.Context(), file, text, frontend.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	short := 0
	for k, p := range programs {
		runs := []randc.NativeRun{{Program: k, Inputs: p.Inputs(1)}}
		native, err := randc.Run(t.Context(), exe, programs, runs)
		if err != nil {
			t.Fatal(err)
		}
		s := setting(uint64(k))
		if f := climb(p, unit, runs, native, s); f != nil {
			t.Fatalf("program %d: %v", k, f)
		}
		broken := s
		broken.Ranges = ranges.ShortInduction
		if f := climb(p, unit, runs, native, broken); f != nil && f.Stage == "analyses" {
			short++
		}
		flip := func(what string, b []byte) {
			if len(b) == 0 {
				return
			}
			b[0] ^= 1
			if f := climb(p, unit, runs, native, s); f == nil || !strings.HasPrefix(f.Stage, "level 1") {
				t.Errorf("program %d: %s has changed, and that gives %v", k, what, f)
			}
			b[0] ^= 1
		}
		flip("the result", native[0].Result)
		for i, v := range p.Variables() {
			// What the kernel writes is a parameter of it.
			if !bytes.Equal(native[0].Variables[i], runs[0].Inputs[i]) {
				flip(v.Name, native[0].Variables[i])
			}
		}
	}
	if short == 0 {
		t.Error("no program notices that the largest value of an induction variable is forgotten")
	}
}

// TestShrinkKeeps: a failure is shrunk to a smaller one of the same kind and kept with
// all that is needed to run it again.
func TestShrinkKeeps(t *testing.T) {
	need(t)
	p := randc.Generate(3, "p_")
	original := &Failure{Program: p, Setting: Setting{Level: "2", IndexWidth: 32, Order: "serial"}, Stage: "level 1", Text: "made up"}
	// Nothing fails: the program stays as it is.
	small := Shrink(t.Context(), t.TempDir(), original, 3, 2*time.Second)
	if small != original {
		t.Errorf("a program that does not fail became %s", small.Program.Text())
	}
	dir := t.TempDir()
	if err := Keep(dir, original, original); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "program.c")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, inputs, err := kept(string(text))
	if err != nil || s != original.Setting {
		t.Fatalf("read back as %v, %v", s, err)
	}
	if err := Replay(t.Context(), file, string(text), inputs, s); err != nil {
		t.Error(err)
	}
}
