package mlir

import (
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

func TestSourcePos(t *testing.T) {
	for _, c := range []struct {
		loc  string
		want diag.Pos
	}{
		{`loc("a.c":3:7)`, diag.Pos{File: "a.c", Line: 3, Col: 7}},
		{`loc("a.c":3:0)`, diag.Pos{File: "a.c", Line: 3, Col: 1}},
		{`loc(callsite("inc.h":1:2 at "a.c":9:4))`, diag.Pos{File: "inc.h", Line: 1, Col: 2}},
		{`loc(fused["f", "a \22b\22.c":5:6])`, diag.Pos{File: `a "b".c`, Line: 5, Col: 6}},
		{`loc(unknown)`, diag.Pos{}},
		{`loc("a.c":0:0)`, diag.Pos{}},
		{`loc("name"("a.c":2:1))`, diag.Pos{File: "a.c", Line: 2, Col: 1}},
		{`loc("open`, diag.Pos{}},
	} {
		got, ok := SourcePos(c.loc)
		if got != c.want || ok != (c.want != diag.Pos{}) {
			t.Errorf("%s: %v, %v", c.loc, got, ok)
		}
		if back, _ := SourcePos(FileLoc(got)); ok && back != got {
			t.Errorf("%s: %v becomes %v", c.loc, got, back)
		}
	}
}

// TestLocationsOfTheDebugInformation: information of another dialect about a
// location may name aliases; the location is read all the same.
func TestLocationsOfTheDebugInformation(t *testing.T) {
	const text = `#file = #llvm.di_file<"k.c" in "/src">
#sub = #llvm.di_subprogram<id = distinct[0]<>, file = #file, name = "f">
#loc3 = loc("k.c":3:9)
#loc4 = loc(fused<#sub>[#loc3])
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32 loc(#loc4)
  return %0 : i32 loc(callsite(#loc4 at #loc3))
}
`
	m, err := Parse("k.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	if !AdoptLocations(m) {
		t.Fatal("no location found")
	}
	var positions []string
	m.Walk(func(op *ir.Operation) bool {
		positions = append(positions, op.Pos.String())
		return true
	})
	if got, want := strings.Join(positions, " "), "k.mlir:1:1 k.mlir:5:1 k.c:3:9 k.c:3:9"; got != want {
		t.Errorf("positions %s, want %s", got, want)
	}
	KeepLocations(m)
	again, err := Parse("again.mlir", Print(m, Options{Debuginfo: true}))
	if err != nil {
		t.Fatal(err)
	}
	AdoptLocations(again)
	if got := Print(again, Options{Debuginfo: true}); got != Print(m, Options{Debuginfo: true}) {
		t.Errorf("the locations do not survive:\n%s", got)
	}
}
