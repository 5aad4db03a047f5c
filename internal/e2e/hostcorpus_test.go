package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/frontend"
	"loom/compiler/frontend/domain"
	"loom/compiler/lower"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/internal/tools"
	"loom/sim/inputs"
	"loom/sim/level0"
	"loom/sim/vector"
)

// TestHostFunctionsOfCorpus does the same with the kernels of testdata: a few of them
// every day, all of them in a soak run. Inputs are random, or those beside the kernel.
func TestHostFunctionsOfCorpus(t *testing.T) {
	needHostTools(t, tools.Clang, tools.MLIRTranslate, tools.MLIROpt)
	var files []string
	for _, pattern := range []string{"*.c", "*.cpp"} {
		list, err := filepath.Glob(testkit.Testdata(t, "kernels", "c", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	if len(files) == 0 {
		t.Fatal("there are no kernels")
	}
	step := max(1, len(files)/soak.Scale(4, len(files)))
	for i := step / 2; i < len(files); i += step {
		path := files[i]
		if only := os.Getenv("LOOM_KERNEL"); only != "" && !strings.Contains(path, only) {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) { hostCorpus(t, path) })
	}
}

func hostCorpus(t *testing.T, path string) {
	ctx := context.Background()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	res, err := frontend.Run(ctx, path, string(text), frontend.Options{Flags: []string{"-I" + filepath.Join(filepath.Dir(path), "include")}})
	if err != nil {
		t.Skipf("not for the front end yet: %v", err)
	}
	fn, err := lower.Function(res.Module, "")
	if err != nil {
		t.Skipf("%v", err)
	}
	graph, err := lower.Lower(res.Module, lower.Options{Function: fn.SymName(), IndexWidth: hostIndex, MemoryOrder: "pipelined"})
	if err != nil {
		t.Skipf("%v", err)
	}
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	whole := newHostCase(t, "function", res.Module, fn, domain.Whole(res.Module, fn))
	cases := []*hostCase{whole}
	for _, l := range domain.Loops(fn) {
		d, err := domain.Outline(res.Module, fn, l.Number)
		if err != nil {
			t.Logf("loop %d: %v", l.Number, err)
			continue
		}
		cases = append(cases, newHostCase(t, fmt.Sprintf("loop=%d", l.Number), res.Module, fn, d))
	}
	native, err := level0.Build(ctx, whole.c, sig, level0.Options{IndexWidth: hostIndex})
	if err != nil {
		t.Skipf("level 0: %v", err)
	}
	var ins []*vector.Inputs
	beside, _ := filepath.Glob(strings.TrimSuffix(path, filepath.Ext(path)) + ".*.json")
	for _, f := range beside {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		in, err := vector.ParseInputs(f, data, sig, hostIndex)
		if err != nil {
			t.Fatal(err)
		}
		ins = append(ins, in)
	}
	if len(ins) == 0 {
		for seed := range uint64(2) {
			made, err := inputs.Random(graph.Func, inputs.Options{Seed: seed, Size: 6, IndexWidth: hostIndex})
			if err != nil {
				t.Skipf("%v", err)
			}
			ins = append(ins, made.Inputs)
		}
	}
	for n, in := range ins {
		want, err := native.Run(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		if want.Status != vector.Done {
			continue
		}
		for _, h := range cases {
			got, err := h.run(in)
			if err != nil {
				t.Errorf("%s, inputs %d: %v\n%s", h.name, n, err, in.JSON())
				continue
			}
			if diff := vector.DiffTolerance(want, got, level0.Tolerance(res.Module)); diff != nil {
				t.Errorf("%s, inputs %d: %v\n%s", h.name, n, diff, in.JSON())
			}
		}
	}
	launches := 0
	for _, h := range cases {
		launches += h.launch
	}
	t.Logf("%d domains, %d inputs, %d launches", len(cases), len(ins), launches)
}
