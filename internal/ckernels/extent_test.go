package ckernels

import (
	"testing"

	"loom/compiler/analysis/extent"
	"loom/compiler/analysis/ranges"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/internal/facttest"
	"loom/internal/testkit"
	"loom/sim/inputs"
)

// TestExtents: the extents of most arrays are known, and what a run of a kernel whose pointers may overlap touches
// lies within.
func TestExtents(t *testing.T) {
	needTools(t)
	arrays, bounded, runs := 0, 0, 0
	for _, k := range load(t) {
		module := k.mustCompile(t).Module
		fn := testkit.Function(module)
		e := extent.Of(fn, ranges.Analyse(fn, ranges.Options{IndexWidth: indexWidth}), indexWidth, "")
		for i, a := range e.Arrays {
			if a.Range >= 0 {
				bounded++
			} else if a.Read || a.Write {
				t.Logf("%s: array %d: the access at %s %s", k.name, i, a.At.Pos, a.Why)
			}
			if a.Read || a.Write {
				arrays++
			}
		}
		if copied, _ := lower.Disjoint(module, fn); copied == nil || len(k.sizes) == 0 {
			continue
		}
		low, err := lower.Lower(module, lower.Options{IndexWidth: indexWidth})
		if err != nil {
			t.Fatal(err)
		}
		in, err := inputs.Random(low.Func, inputs.Options{Seed: 1, Size: k.sizes[0], IndexWidth: indexWidth})
		if err != nil {
			t.Fatal(err)
		}
		runs++
		// The calls that watch the run go into a copy: other tests read the kernel, too.
		watched := testkit.Function(module.Clone(map[*ir.Value]*ir.Value{}))
		f := facttest.Of(watched, facttest.Options{IndexWidth: indexWidth, OnlyExtents: true})
		if bad, err := f.Run(in.Inputs, 10_000_000); bad != "" || err != nil {
			t.Errorf("%s: %s %v", k.name, bad, err)
		}
	}
	t.Logf("%d of %d arrays have known extents; %d kernels were run", bounded, arrays, runs)
	if bounded < arrays*3/4 || runs < 20 {
		t.Errorf("few are known: %d of %d, in %d runs", bounded, arrays, runs)
	}
}
