package structure

import (
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/pass"
)

const located = `func.func @f(%n: i32, %x: memref<?xi32>) -> i32 {
  %zero = arith.constant 0 : i32 loc("k.c":1:1)
  %one = arith.constant 1 : i32 loc("k.c":1:1)
  %g = arith.cmpi sgt, %n, %zero : i32 loc("k.c":3:21)
  cf.cond_br %g, ^body(%zero, %zero : i32, i32), ^exit(%zero : i32) loc("k.c":3:3)
^body(%i: i32 loc("k.c":3:12), %s: i32 loc("k.c":2:7)):
  %t = arith.index_cast %i : i32 to index loc("k.c":4:10)
  %v = memref.load %x[%t] : memref<?xi32> loc("k.c":4:8)
  %c = arith.cmpi slt, %v, %zero : i32 loc("k.c":5:11)
  cf.cond_br %c, ^then, ^latch(%v : i32) loc("k.c":5:5)
^then:
  memref.store %zero, %x[%t] : memref<?xi32> loc("k.c":6:12)
  %d = arith.divsi %s, %v : i32 loc("k.c":6:30)
  cf.br ^latch(%d : i32) loc("k.c":7:5)
^latch(%a: i32 loc("k.c":8:1)):
  %sum = arith.addi %s, %a : i32 loc("k.c":8:7)
  %next = arith.addi %i, %one : i32 loc("k.c":3:25)
  %end = arith.cmpi eq, %next, %n : i32 loc("k.c":3:21)
  cf.cond_br %end, ^exit(%sum : i32), ^body(%next, %sum : i32, i32) {loom.accel} loc("k.c":3:3)
^exit(%r: i32 loc("k.c":9:10)):
  return %r : i32 loc("k.c":9:3)
} loc("k.c":1:5)
`

// TestPositions: every operation has a source position, also those that the
// structuring makes; a loop has that of its keyword, and its marks.
func TestPositions(t *testing.T) {
	m := parse(t, located)
	m.Walk(func(op *ir.Operation) bool {
		if pos, ok := mlir.SourcePos(op.Loc); ok {
			op.Pos = pos
		}
		return true
	})
	if err := Run(m, &diag.List{}, pass.Options{Verify: true}); err != nil {
		t.Fatal(err)
	}
	fn := theFunction(m)
	lines := map[string]int{}
	fn.Walk(func(op *ir.Operation) bool {
		pos, ok := mlir.SourcePos(op.Loc)
		if !ok || op.Pos.File != "k.c" || pos.Line != op.Pos.Line {
			t.Errorf("%s is at %s with location %s", op.Name, op.Pos, op.Loc)
		}
		lines[op.Name] = op.Pos.Line
		if op.Name == "scf.for" && op.Attr(accelAttr) == nil {
			t.Error("the loop has lost its attribute")
		}
		if op.Name != "scf.for" && op.Attr(accelAttr) != nil {
			t.Errorf("%s has the loop's attribute", op.Name)
		}
		return true
	})
	for name, line := range map[string]int{"scf.for": 3, "scf.if": 5, "memref.store": 6, "func.return": 9} {
		if lines[name] != line {
			t.Errorf("%s stands in line %d, want %d\n%s", name, lines[name], line, mlir.Print(m, mlir.Options{}))
		}
	}
}

// TestErrors: what cannot be structured is reported where it stands.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"endless", "  cf.br ^a\n^a:\n  memref.store %p, %x[] : memref<i32>\n  cf.br ^a\n", "this loop never ends"},
		{"two endless", "  cf.cond_br %c, ^a, ^b\n^a:\n  cf.br ^a\n^b:\n  cf.br ^c\n^c:\n  cf.br ^b\n", "never"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := parse(t, "func.func @f(%p: i32, %c: i1, %x: memref<i32>) {\n"+c.body+"}\n")
			err := Run(m, &diag.List{}, pass.Options{Verify: true})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "f.cf.mlir:") {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			for _, d := range diag.FromError(err).All {
				if d.Help == "" {
					t.Errorf("no help: %v", d)
				}
			}
		})
	}
}

// TestConstantBranches: a path that is never taken leaves nothing behind,
// independent of what is on it.
func TestConstantBranches(t *testing.T) {
	m := parse(t, `func.func @f(%p: i32) -> i32 {
  %no = arith.constant false
  %two = arith.constant 2 : i32
  cf.cond_br %no, ^never, ^switch
^never:
  cf.br ^never
^switch:
  cf.switch %two : i32, [default: ^never, 1: ^never, 2: ^end]
^end:
  return %p : i32
}
`)
	if err := Run(m, &diag.List{}, pass.Options{Verify: true}); err != nil {
		t.Fatal(err)
	}
	if n := size(theFunction(m)); n != 2 {
		t.Errorf("%d operations are left:\n%s", n, mlir.Print(m, mlir.Options{}))
	}
}
