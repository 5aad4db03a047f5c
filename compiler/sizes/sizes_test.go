package sizes_test

import (
	"reflect"
	"testing"

	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/compiler/sizes"
)

// functions parses a module and returns it with its functions.
func functions(t *testing.T, text string) (module *ir.Operation, fns []*ir.Operation) {
	t.Helper()
	module, err := mlir.ParseAndVerify("k.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range module.Regions[0].Entry().Ops {
		if op.Name == opname.FuncFunc {
			fns = append(fns, op)
		}
	}
	return module, fns
}

func TestAdd(t *testing.T) {
	for _, c := range []struct {
		name, params, body string
		want               []sizes.Size
		names              []string
	}{
		{"nothing dynamic", "%a: memref<4x5xi32>", "", nil, []string{"a"}},
		{"the first size of what is only accessed", "%a: memref<?xi32>", "memref.store %v, %a[%c0] : memref<?xi32>", nil, []string{"a"}},
		{"the first size is read", "%a: memref<?xi32>", "%d = memref.dim %a, %c0 : memref<?xi32>",
			[]sizes.Size{{Param: 1, Of: 0, Dim: 0}}, []string{"a", "a.dim0"}},
		{"addresses need the others", "%n: index, %a: memref<?x3x?xi8>", "",
			[]sizes.Size{{Param: 2, Of: 1, Dim: 2}}, []string{"n", "a", "a.dim2"}},
		{"a copy reads all sizes", "%a: memref<?xi32>, %b: memref<?xi32>", "memref.copy %a, %b : memref<?xi32> to memref<?xi32>",
			[]sizes.Size{{Param: 2, Of: 0, Dim: 0}, {Param: 3, Of: 1, Dim: 0}}, []string{"a", "b", "a.dim0", "b.dim0"}},
		{"a name that is taken", "%a: memref<?x?xi32>, %a.dim1: index", "",
			[]sizes.Size{{Param: 2, Of: 0, Dim: 1}}, []string{"a", "a.dim1", "a.dim1_"}},
		{"a layout decides by itself", "%a: memref<?x?xi32, strided<[8, 1]>>", "", nil, []string{"a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			module, fns := functions(t, "func.func @f("+c.params+") {\n%c0 = arith.constant 0 : index\n%v = arith.constant 0 : i32\n"+c.body+"\nreturn\n}\n")
			for range 2 { // the second time adds nothing
				sizes.Add(module, fns[0])
				if got := sizes.Of(fns[0]); !reflect.DeepEqual(got, c.want) {
					t.Errorf("sizes %v, want %v", got, c.want)
				}
			}
			var names []string
			for _, a := range fns[0].Regions[0].Entry().Args {
				names = append(names, a.Name)
			}
			if !reflect.DeepEqual(names, c.names) {
				t.Errorf("parameters %q, want %q", names, c.names)
			}
			// The text says the same.
			_, again := functions(t, mlir.Print(module, mlir.Options{}))
			if got := sizes.Of(again[0]); !reflect.DeepEqual(got, c.want) {
				t.Errorf("read again: %v, want %v", got, c.want)
			}
		})
	}
}

// TestCalls: what calls the function passes the sizes.
func TestCalls(t *testing.T) {
	module, fns := functions(t, `func.func @f(%a: memref<?x?xi32>) {
  return
}
func.func @g(%a: memref<?x?xi32>) {
  func.call @f(%a) : (memref<?x?xi32>) -> ()
  return
}
`)
	sizes.Add(module, fns[0])
	functions(t, mlir.Print(module, mlir.Options{})) // verifies the call
	call := fns[1].Regions[0].Entry().Ops[2]
	if call.NumOperands() != 2 || call.Operand(1).Def.Name != opname.MemRefDim {
		t.Errorf("the call is %s", mlir.Print(call, mlir.Options{}))
	}
}

// TestOf: entries that name no parameters of the right types are left out.
func TestOf(t *testing.T) {
	_, fns := functions(t, `func.func @f(%a: memref<?xi32>, %n: index, %x: i32, %s: memref<?x?xi32, strided<[8, 1]>>) attributes {loom.sizes = [[1 : i64, 0 : i64, 0 : i64], [1 : i64, 3 : i64, 1 : i64],
  [2 : i64, 0 : i64, 0 : i64], [1 : i64, 1 : i64, 0 : i64], [1 : i64, 0 : i64, 1 : i64], [7 : i64, 0 : i64, 0 : i64], [-1 : i64, 0 : i64, 0 : i64], [1 : i64], "n"]} {
  return
}
`)
	if got, want := sizes.Of(fns[0]), []sizes.Size{{Param: 1, Of: 0, Dim: 0}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
