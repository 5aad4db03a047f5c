package cgen_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"loom/compiler/host/cgen"
	"loom/compiler/ir"
	"loom/sim/vector"
)

// warnings are the options under which generated C has to be silent.
var warnings = []string{"-Wall", "-Wextra", "-pedantic", "-Werror"}

// batch collects functions as C and runs of them, so that one compilation serves all.
type batch struct {
	width  int
	units  []string
	sigs   []*vector.Signature
	params [][]cgen.Param
	names  []string
	runs   []batchRun
}

type batchRun struct {
	program int
	in      *vector.Inputs
}

// add takes over a function of a module. Every program is a file of its own, as the
// helpers of one may be those of another.
func (b *batch) add(module, fn *ir.Operation) (int, error) {
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		return 0, err
	}
	u := cgen.New(module, cgen.Options{IndexWidth: b.width})
	name := fmt.Sprintf("prog_%d", len(b.units))
	if err := u.Function(fn, name, false); err != nil {
		return 0, err
	}
	params, err := u.Params(fn)
	if err != nil {
		return 0, err
	}
	var text strings.Builder
	for _, h := range u.Headers() {
		fmt.Fprintf(&text, "#include %s\n", h)
	}
	text.WriteString(u.Text())
	b.units = append(b.units, text.String())
	b.sigs, b.params, b.names = append(b.sigs, sig), append(b.params, params), append(b.names, name)
	return len(b.units) - 1, nil
}

func (b *batch) run(program int, in *vector.Inputs) { b.runs = append(b.runs, batchRun{program, in}) }

// ctype is the type of raw data of an element.
func ctype(t ir.Type, width int) string { return cgen.CType(t, width) }

// main writes the program that runs everything and prints bit patterns.
func (b *batch) main() string {
	var w strings.Builder
	w.WriteString("#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n")
	raw := func(t ir.Type) string {
		switch ctype(t, b.width) {
		case "float":
			return "uint32_t"
		case "double":
			return "uint64_t"
		}
		return ctype(t, b.width)
	}
	for k := range b.units {
		var decls []string
		for _, p := range b.params[k] {
			decls = append(decls, p.Decl)
		}
		if len(decls) == 0 {
			decls = []string{"void"}
		}
		fmt.Fprintf(&w, "int %s(%s);\n", b.names[k], strings.Join(decls, ", "))
	}
	w.WriteString("static void show(uint64_t v) { printf(\"%llu\\n\", (unsigned long long)v); }\n")
	for r, run := range b.runs {
		sig := b.sigs[run.program]
		fmt.Fprintf(&w, "static void run_%d(void) {\n", r)
		for i, p := range sig.Params {
			a := run.in.Args[i]
			if a.Mem != nil {
				c := ctype(a.Mem.Elem, b.width)
				fmt.Fprintf(&w, "  static const %s d%d[] = {", raw(a.Mem.Elem), i)
				for _, v := range a.Mem.Data {
					fmt.Fprintf(&w, "(%s)%dULL, ", raw(a.Mem.Elem), v)
				}
				fmt.Fprintf(&w, "0};\n  static %s a%d[%d];\n  memcpy(a%d, d%d, sizeof a%d);\n", c, i, len(a.Mem.Data)+1, i, i, i)
				continue
			}
			fmt.Fprintf(&w, "  %s d%d = (%s)%dULL; %s a%d; memcpy(&a%d, &d%d, sizeof a%d);\n", raw(p.Type), i, raw(p.Type), a.Scalar, ctype(p.Type, b.width), i, i, i, i)
		}
		var args []string
		for _, p := range b.params[run.program] {
			switch {
			case p.Result >= 0:
				fmt.Fprintf(&w, "  %s r%d; %s x%d = 0;\n", ctype(sig.Results[p.Result], b.width), p.Result, raw(sig.Results[p.Result]), p.Result)
				args = append(args, fmt.Sprintf("&r%d", p.Result))
			case p.Dim >= 0:
				args = append(args, fmt.Sprint(run.in.Args[p.Arg].Mem.Shape[p.Dim]))
			default:
				args = append(args, fmt.Sprintf("a%d", p.Arg))
			}
		}
		fmt.Fprintf(&w, "  if (%s(%s)) printf(\"failed\\n\");\n", b.names[run.program], strings.Join(args, ", "))
		for i := range sig.Results {
			fmt.Fprintf(&w, "  memcpy(&x%d, &r%d, sizeof r%d); show(x%d);\n", i, i, i, i)
		}
		for i := range sig.Params {
			if m := run.in.Args[i].Mem; m != nil {
				fmt.Fprintf(&w, "  for (int i = 0; i < %d; i++) { %s v; memcpy(&v, a%d + i, sizeof v); show(v); }\n", len(m.Data), raw(m.Elem), i)
			}
		}
		w.WriteString("}\n")
	}
	w.WriteString("int main(void) {\n")
	for r := range b.runs {
		fmt.Fprintf(&w, "  run_%d();\n", r)
	}
	w.WriteString("  return 0;\n}\n")
	return w.String()
}

// execute compiles and runs everything. All programs are included into a few files.
func (b *batch) execute(t *testing.T, cc string, flags ...string) []*vector.Outcome {
	t.Helper()
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ext := ".c"
	if strings.HasSuffix(cc, "++") {
		ext = ".cc"
	}
	files := []string{put("main.c", b.main())}
	// A helper may stand in several programs: a file holds one of each program, its
	// static names set apart by macros.
	const perFile = 40
	for at := 0; at < len(b.units); at += perFile {
		var text strings.Builder
		seen := map[string]bool{}
		for k := at; k < min(at+perFile, len(b.units)); k++ {
			unit := b.units[k]
			for _, name := range staticNames(unit) {
				if !seen[name] {
					seen[name] = true
				}
				fmt.Fprintf(&text, "#undef %s\n#define %s %s_%d\n", name, name, name, k)
			}
			text.WriteString(unit)
			for _, name := range staticNames(unit) {
				fmt.Fprintf(&text, "#undef %s\n", name)
			}
		}
		files = append(files, put(fmt.Sprintf("p%d%s", at, ext), text.String()))
	}
	objects := make([]string, len(files))
	faults := make([]string, len(files))
	var wait sync.WaitGroup
	for i, f := range files {
		objects[i] = f + ".o"
		args := append(append([]string{}, flags...), "-c", f, "-o", objects[i])
		if ext == ".cc" && strings.HasSuffix(f, "main.c") {
			args = append([]string{"-x", "c++"}, args...)
		}
		if !strings.HasSuffix(f, "main.c") {
			args = append(args, warnings...)
		}
		wait.Add(1)
		go func() {
			defer wait.Done()
			if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
				faults[i] = fmt.Sprintf("%s %v: %v\n%s", cc, args, err, head(out))
			}
		}()
	}
	if wait.Wait(); strings.Join(faults, "") != "" {
		t.Fatal(strings.Join(faults, ""))
	}
	exe := filepath.Join(dir, "run")
	if out, err := exec.Command(cc, append(append(append([]string{}, flags...), objects...), "-o", exe, "-lm")...).CombinedOutput(); err != nil {
		t.Fatalf("linking: %v\n%s", err, head(out))
	}
	var stderr bytes.Buffer
	cmd := exec.Command(exe)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("running: %v\n%s", err, head(stderr.Bytes()))
	}
	scan := bufio.NewScanner(bytes.NewReader(out))
	next := func() uint64 {
		if !scan.Scan() {
			t.Fatal("the programs print too little")
		}
		v, err := strconv.ParseUint(scan.Text(), 10, 64)
		if err != nil {
			t.Fatalf("the programs print %q", scan.Text())
		}
		return v
	}
	var outs []*vector.Outcome
	for _, r := range b.runs {
		o := &vector.Outcome{Status: vector.Done}
		for _, rt := range b.sigs[r.program].Results {
			o.Results = append(o.Results, vector.Scalar{Type: rt, Bits: next()})
		}
		in := r.in.Clone()
		for i, p := range b.sigs[r.program].Params {
			m := in.Args[i].Mem
			if m == nil {
				continue
			}
			m.Name = p.Name
			for k := range m.Data {
				m.Data[k] = next()
			}
			o.Memories = append(o.Memories, m)
		}
		outs = append(outs, o)
	}
	return outs
}

// staticNames are the names of the static functions and tables of a file.
func staticNames(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, l := range strings.Split(text, "\n") {
		if !strings.HasPrefix(l, "static ") {
			continue
		}
		end := strings.IndexAny(l, "([")
		if end < 0 {
			continue
		}
		words := strings.Fields(strings.ReplaceAll(l[:end], "*", " "))
		name := words[len(words)-1]
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

func head(b []byte) string {
	if len(b) > 6000 {
		b = b[:6000]
	}
	return string(b)
}
