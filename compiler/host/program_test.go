package host

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/cabi"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/internal/tools/toolstest"
)

// echo is a driver that prints what it is given, adds 1 to the first int of every array and
// returns 7 as every result.
const echo = `
#include <stdio.h>
#include "loom_accel.h"
static const void *arrays[8];
static size_t sizes[8];
static unsigned count;
int loom_accel_load(loom_accel *dev, const loom_accel_image *image) { (void)dev; printf("load "); count = image->array_count; return 0; }
int loom_accel_set_array(loom_accel *dev, uint32_t array, const void *data, size_t bytes) {
  (void)dev; arrays[array] = data; sizes[array] = bytes; return 0; }
int loom_accel_set_arg(loom_accel *dev, uint32_t port, uint64_t value) { (void)dev; printf("%u=%llx ", (unsigned)port, (unsigned long long)value); return 0; }
int loom_accel_expect(loom_accel *dev, uint32_t port) { (void)dev; printf("expect %u ", (unsigned)port); return 0; }
int loom_accel_start(loom_accel *dev) {
  unsigned i;
  (void)dev;
  for (i = 0; i < count; i++) { printf("[%d:%u] ", *(const int *)arrays[i], (unsigned)sizes[i]); ++*(int *)(uintptr_t)arrays[i]; }
  return 0;
}
int loom_accel_wait(loom_accel *dev, uint64_t cycles) { (void)dev; (void)cycles; return 0; }
int loom_accel_run(loom_accel *dev) { return loom_accel_start(dev); }
uint64_t loom_accel_get_result(const loom_accel *dev, uint32_t port) { (void)dev; (void)port; return 7; }
static char memory[64];
static size_t used;
void *loom_accel_scratch(loom_accel *dev, size_t bytes) {
  void *p = memory + used;
  (void)dev;
  if (bytes > sizeof memory - used) return NULL;
  used += bytes;
  return p;
}
void loom_accel_release(loom_accel *dev) { (void)dev; used = 0; }
`

// TestSignatures compiles host functions of C functions and calls them: parameters of
// every class arrive, and what can be checked is.
func TestSignatures(t *testing.T) {
	dyn := ir.MemRef([]int64{ir.Dynamic}, ir.I32)
	cells := ir.MemRef([]int64{3}, ir.I32)
	scalar := func(name, ctype string, size int64, index int) cabi.Param {
		return cabi.Param{Name: name, Type: ctype, Class: cabi.Scalar, Size: size, Unsigned: strings.HasPrefix(ctype, "unsigned"), Pieces: []cabi.Piece{{Index: index}}}
	}
	array := func(name, ctype string, index int) cabi.Param {
		return cabi.Param{Name: name, Type: ctype, Class: cabi.Pointer, Size: 4, Pieces: []cabi.Piece{{Index: index, Stride: 4}}}
	}
	for _, c := range []struct {
		name     string
		params   []cabi.Param
		args     []ir.Type
		result   *cabi.Param
		results  []ir.Type
		distinct bool
		calls    string
		want     string
	}{
		{"index", []cabi.Param{scalar("n", "long", 8, 0), scalar("u", "unsigned long", 8, 1), scalar("off", "_Bool", 1, 2), scalar("e", "enum color", 4, 3), scalar("h", "double", 8, 4)},
			[]ir.Type{ir.Index, ir.Index, ir.I1, ir.I32, ir.F64}, &cabi.Param{Type: "short", Class: cabi.Scalar, Size: 2, Pieces: []cabi.Piece{{}}}, []ir.Type{ir.I16}, false,
			`short r = 0; int s;
  s = f_accel(&dev, -2, 3, 9, -1, 1.0, &r); printf("status %d result %d\n", s, r);
  s = f_accel(&dev, 3000000000, 3, 0, 0, 0, &r); printf("status %d\n", s);
  s = f_accel(&dev, -3000000000, 3, 0, 0, 0, &r); printf("status %d\n", s);
  s = f_accel(&dev, 2147483647, 2147483648, 0, 0, 0, &r); printf("status %d\n", s);`,
			"load 1=fffffffe 2=3 3=1 4=ffffffff 5=3ff0000000000000 expect 50 status 0 result 7\nstatus -7\nstatus -7\nstatus -7\n"},
		{"overlap", []cabi.Param{array("a", "const int *", 0), array("b", "const int *", 1), array("c", "int *restrict", 2), array("d", "int (*)[3]", 3)},
			[]ir.Type{dyn, dyn, dyn, cells}, nil, nil, true,
			`int x[4] = {1, 2, 3, 4}, y[4] = {5, 6, 7, 8}, z[1][3] = {{9}};
  printf("status %d\n", f_accel(&dev, x, x, y, z));
  printf("status %d\n", f_accel(&dev, x, y, y, z));
  printf("status %d\n", f_accel(&dev, x, (int *)z, y, z));`,
			"load [1:0] [2:0] [5:0] [9:12] status 0\nstatus -8\nstatus -8\n"},
		{"structs", []cabi.Param{
			{Name: "p", Type: "struct pt *", Class: cabi.Pointer, Size: 12, Pieces: []cabi.Piece{{Index: 0, Field: "x", Stride: 12}, {Index: 1, Field: "z", Offset: 8, Stride: 12}}},
			{Name: "q", Type: "const struct pt *", Class: cabi.Pointer, Size: 12, Pieces: []cabi.Piece{{Index: 2, Field: "y", Offset: 4, Stride: 12}}},
			{Name: "s", Type: "struct pt", Class: cabi.Struct, Size: 12, Pieces: []cabi.Piece{{Index: 3, Field: "y", Offset: 4}}},
			{Name: "g", Type: "int (*)[3]", Class: cabi.Global, Size: 12, Pieces: []cabi.Piece{{Index: 4, Stride: 4}}},
			{Name: "unused", Type: "char", Class: cabi.Scalar, Size: 1},
		}, []ir.Type{dyn, dyn, dyn, ir.I32, cells}, &cabi.Param{Type: "struct pt", Class: cabi.Struct, Size: 12, Pieces: []cabi.Piece{{Index: 0, Field: "z", Offset: 8}}}, []ir.Type{ir.I32}, false,
			`struct { int x, y, z; } p[2] = {{1, 2, 3}, {4, 5, 6}}, q[2] = {{11, 12, 13}, {14, 15, 16}}, s = {21, 22, 23}, r = {31, 32, 33}; int g[3] = {41, 42, 43};
  int st = f_accel(&dev, p, q, &s, &g, 'u', 2, 2, &r);
  printf("status %d: %d %d %d, %d %d %d, %d, %d %d\n", st, p[0].x, p[0].y, p[0].z, p[1].x, p[1].y, p[1].z, q[0].y, g[0], r.x + r.z);
  printf("status %d\n", f_accel(&dev, p, q, &s, &g, 'u', 7, 6, &r));
  printf("status %d\n", f_accel(&dev, p, q, &s, &g, 'u', SIZE_MAX / 2, 2, &r));
  printf("status %d\n", f_accel(&dev, p, p + 1, &s, &g, 'u', 2, 1, &r));
  printf("status %d\n", f_accel(&dev, p, q, &s, (int (*)[3])&p[1], 'u', 2, 2, &r));`,
			"load load 4=16 expect 50 [1:0] [3:0] [12:0] [41:12] status 0: 2 2 4, 4 5 6, 12, 42 38\nload status -9\nload status -9\nload status -8\nload status -8\n"},
		// A function that returns nothing that is defined: the kernel has no result.
		{"nothing", []cabi.Param{scalar("n", "int", 4, 0)}, []ir.Type{ir.I32}, &cabi.Param{Type: "int", Class: cabi.Scalar, Size: 4}, nil, false,
			`int r = 5, s = f_accel(&dev, 3, &r); printf("status %d result %d\n", s, r);
  s = f_accel_start(&dev, 3); r = 5; s += f_accel_wait(&dev, 9, &r); printf("status %d result %d\n", s, r);`,
			"load 1=3 status 0 result 0\nload 1=3 status 0 result 0\n"},
		{"halves", []cabi.Param{array("a", "int *", 0), scalar("n", "int", 4, 1)}, []ir.Type{dyn, ir.I32},
			&cabi.Param{Type: "int", Class: cabi.Scalar, Size: 4, Pieces: []cabi.Piece{{}}}, []ir.Type{ir.I32}, false,
			`int a[1] = {4}, r = 5, s = f_accel_start(&dev, a, 3); printf("status %d, ", s); s = f_accel_wait(&dev, 9, &r); printf("status %d result %d\n", s, r);`,
			"load 2=3 expect 50 [4:0] status 0, status 0 result 7\n"},
	} {
		f := &arch.Fabric{Name: "tiny", IndexWidth: 32}
		b := &mapping.Binding{Kernel: "f", Start: 40, Done: 41}
		for i, a := range c.args {
			arg := mapping.ArgBinding{Name: fmt.Sprintf("k%d", i), Type: a, Input: i + 1, Mem: -1}
			if m, ok := a.(*ir.MemRefType); ok {
				arg.Input, arg.Mem = -1, len(f.Comps)
				f.Comps = append(f.Comps, &arch.Component{ID: arg.Mem, Name: arg.Name, Kind: arch.ExtMemory, Mem: &arch.MemorySpec{
					LdCount: 1, NumRegion: 1, Type: ir.MemRef([]int64{ir.Dynamic}, m.Elem), ElemWidth: 32, LdAddr: 0, StAddr: -1, StData: -1, LdData: 0, LdDone: 1, StDone: -1}})
			}
			b.Args = append(b.Args, arg)
		}
		for i, r := range c.results {
			b.Results = append(b.Results, mapping.ResultBinding{Type: r, Output: 50 + i})
		}
		p := &Program{Binding: b, Layout: config.NewLayout(f), Name: "f", Hardware: "fabric tiny", ConfigHeader: "c.h", IndexWidth: 32, Distinct: c.distinct,
			C: &cabi.Function{Name: "f", Params: c.params, Result: c.result}}
		header, source, err := p.Source()
		if err != nil {
			t.Fatal(err)
		}
		h, _, err := Driver()
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for name, data := range map[string]string{"loom_accel.h": string(h), "f_host.h": string(header), "f_host.c": string(source), "echo.c": echo,
			"c.h":    "static const uint32_t loom_runtime_config_words[] = {0};\nstatic const uint32_t loom_runtime_config_word_count = 1u;\n",
			"main.c": "#include <stdio.h>\n#include \"f_host.h\"\nint main(void) {\n  static loom_accel dev;\n  " + c.calls + "\n  return 0;\n}\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		run := func(name string, args ...string) string {
			cmd := exec.Command(name, args...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %s %v: %v\n%s\n%s", c.name, name, args, err, out, source)
			}
			return string(out)
		}
		toolstest.CleanC(t, dir, []string{"f_host.c"})
		run("gcc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", "run", "main.c", "echo.c", "f_host.c")
		if got := run("./run"); got != c.want {
			t.Errorf("%s:\n%swant:\n%s%s", c.name, got, c.want, source)
		}
	}
}

// TestROMs: arrays that nobody else may write are compared with those that are written, and
// only these.
func TestROMs(t *testing.T) {
	dyn := ir.Type(ir.MemRef([]int64{ir.Dynamic}, ir.I32))
	array := func(name, ctype string, index int) cabi.Param {
		return cabi.Param{Name: name, Type: ctype, Class: cabi.Pointer, Size: 4, Pieces: []cabi.Piece{{Index: index, Stride: 4}}}
	}
	graph := ir.NewOp("handshake.func", diag.Pos{}, nil, nil)
	block := graph.AddRegion().AddBlock()
	b := &mapping.Binding{Kernel: "f"}
	for _, name := range []string{"a", "w", "b", "c"} {
		block.AddArg(dyn, name, diag.Pos{})
		b.Args = append(b.Args, mapping.ArgBinding{Name: name, Type: dyn, Input: -1, Mem: -1})
	}
	cabi.SetROM(graph, []int{1})
	p := &Program{Binding: b, Layout: config.NewLayout(&arch.Fabric{Name: "tiny", IndexWidth: 32}), Name: "f", Hardware: "fabric tiny", ConfigHeader: "c.h", IndexWidth: 32, Graph: graph,
		C: &cabi.Function{Name: "f", Params: []cabi.Param{array("a", "int *", 0), array("w", "int *", 1), array("b", "const int *", 2), array("c", "int *", 3)}}}
	_, source, err := p.Source()
	if err != nil {
		t.Fatal(err)
	}
	checks := regexp.MustCompile(`if \(\(const void \*\)(\w) == \(const void \*\)(\w)\)\n        return LOOM_ACCEL_OVERLAP`)
	var got []string
	for _, m := range checks.FindAllSubmatch(source, -1) {
		got = append(got, string(m[1])+string(m[2]))
	}
	if s := strings.Join(got, " "); s != "aw wc aw wc" { // of the function, and of its start
		t.Errorf("checks %q\n%s", s, source)
	}
}
