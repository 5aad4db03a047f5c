package interp_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	_ "loom/compiler/dialect/all"

	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/internal/tools/toolstest"
	"loom/sim/native"
	"loom/sim/vector"
)

// parse reads and verifies a module and returns its first function.
func parse(t testing.TB, file, text string) *ir.Operation {
	t.Helper()
	m, err := mlir.ParseAndVerify(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return randprog.Function(m)
}

func inputs(t testing.TB, fn *ir.Operation, text string) *vector.Inputs {
	t.Helper()
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.ParseInputs("in.json", []byte(text), sig, 64)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestCorpus runs every archive of testdata and compares with its out.json and,
// where the tools are there, with native code.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	var batch native.Batch
	var outcomes []*vector.Outcome
	for _, f := range files {
		a, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		sections := map[string]string{}
		for _, s := range a.Files {
			sections[s.Name] = string(s.Data)
		}
		fn := parse(t, filepath.Base(f), sections["prog.mlir"])
		in := inputs(t, fn, sections["in.json"])
		before := in.JSON()
		out, err := interp.Run(fn, in, interp.Options{})
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		if !bytes.Equal(before, in.JSON()) {
			t.Errorf("%s: the run changed its inputs", f)
		}
		got := string(out.JSON(nil)) + "\n"
		if d := cmp.Diff(sections["out.json"], got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", f, d)
		}
		id, err := batch.Add(fn)
		if err != nil {
			t.Fatal(err)
		}
		batch.Run(id, in)
		outcomes = append(outcomes, out)
	}
	toolstest.Need(t, native.Tools...)
	want, err := batch.Execute(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		if d := vector.Diff(want[i], outcomes[i]); d != nil {
			t.Errorf("%s: native code and the interpreter disagree: %s", f, strings.Join(d, "; "))
		}
	}
}
