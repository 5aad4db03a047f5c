package cheader

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/internal/tools/toolstest"
)

// sample is a fabric whose external memories' base addresses cross words, the
// second region's even two boundaries; the second memory has tags. Of its four on-chip
// memories the one of 16 bits is private.
func sample(name string) *config.Image {
	f := &arch.Fabric{Name: name, IndexWidth: 32}
	for i, ports := range []int{5, 2} {
		sw := &arch.Component{ID: 2 * i, Kind: arch.SpatialSwitch, Name: fmt.Sprintf("sw_%d", i),
			In: make([]arch.Port, ports), Out: make([]arch.Port, ports), Switch: &arch.SwitchSpec{}}
		for o := range ports {
			sw.Switch.Connect = append(sw.Switch.Connect, make([]bool, ports))
			for in := range ports {
				sw.Switch.Connect[o][in] = in != o
			}
			sw.In[o].Type, sw.Out[o].Type = ir.Bits(32), ir.Bits(32)
		}
		mem := &arch.Component{ID: 2*i + 1, Kind: arch.ExtMemory, Name: fmt.Sprintf("mem_%d", i),
			Mem: &arch.MemorySpec{LdCount: 1, NumRegion: i + 1, ElemWidth: 32, MemPort: i, Type: ir.MemRef([]int64{ir.Dynamic}, ir.I32)}}
		mem.Mem.TagWidth = 3 * i
		f.Comps = append(f.Comps, sw, mem)
	}
	for k, width := range []int{8, 16, 32, 64} {
		f.Comps = append(f.Comps, &arch.Component{ID: len(f.Comps), Kind: arch.Memory, Name: fmt.Sprintf("ram_%d", width),
			Mem: &arch.MemorySpec{LdCount: 1, NumRegion: 1, ElemWidth: width, Elements: 100, MemPort: -1, Private: k == 1,
				Type: ir.MemRef([]int64{100}, ir.Bits(width))}})
	}
	img := config.New(config.NewLayout(f))
	img.Settings[0].Switch.Route[0] = 3
	for _, m := range []int{1, 3} {
		for r := range img.Settings[m].Regions {
			img.Settings[m].Regions[r].Valid = true
		}
	}
	return img
}

func binding() *mapping.Binding {
	vec := ir.MemRef([]int64{ir.Dynamic}, ir.I32)
	return &mapping.Binding{Kernel: "k*/ernel", Start: 4, Done: 1,
		Args: []mapping.ArgBinding{
			{Name: "a", Type: vec, Input: -1, Mem: 1, Region: 0},
			{Name: "int", Type: vec, Input: -1, Mem: 3, Region: 1},
			{Name: "unread", Type: vec, Input: -1, Mem: -1},
			{Name: "n", Type: ir.Index, Input: 2, Mem: -1},
			{Name: "N", Type: ir.I64, Input: 3, Mem: -1},
			{Name: "flag?", Type: ir.I1, Input: -1, Mem: -1},
			{Name: "f", Type: ir.F32, Input: 0, Mem: -1},
		},
		Results: []mapping.ResultBinding{{Name: "result", Type: ir.I16, Output: 0}},
		Tables: []mapping.Table{
			{Name: "a b", Elem: ir.I8, ElemBytes: 4, Data: []uint64{255, 1}, Mem: 3, Region: 0},
			{Name: "long", Elem: ir.I64, ElemBytes: 8, Data: []uint64{0x123456789}, Mem: 1, Region: 0},
		},
		Contents: []mapping.Contents{
			{Name: "a/b", Mem: 7, First: 90, Elem: ir.I64, Data: []uint64{1, 0xFEDCBA9876543210}},
			{Name: "a b", Mem: 4, First: 0, Elem: ir.I8, Data: []uint64{0, 255, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
			{Name: "w", Mem: 6, First: 1, Elem: ir.I32, Data: []uint64{0xFFFFFFFF}},
		},
	}
}

func write(t *testing.T, img *config.Image, info Info) string {
	t.Helper()
	var b bytes.Buffer
	bind := binding()
	if len(img.Layout.Fabric.Comps) == 0 {
		bind.Args, bind.Contents, bind.Tables = nil, nil, nil
	}
	if err := Write(&b, img, info, bind); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHeaderNames checks the slot constants of every argument and result.
func TestHeaderNames(t *testing.T) {
	text := write(t, sample("fab"), Info{DFG: "ker-nel", ADG: "6x6", Tool: "loom test"})
	for _, want := range []string{
		"#define LOOM_KER_NEL_6X6_START_SLOT 4u\n", "#define LOOM_KER_NEL_6X6_DONE_SLOT 1u\n",
		"#define LOOM_KER_NEL_6X6_ARG_N_SLOT 2u\n", "#define LOOM_KER_NEL_6X6_ARG_N_WIDTH 32u\n", "#define LOOM_KER_NEL_6X6_ARG_N_CTYPE int32_t\n",
		"#define LOOM_KER_NEL_6X6_ARG_N_2_SLOT 3u\n", "#define LOOM_KER_NEL_6X6_ARG_N_2_TYPE \"i64\"\n",
		"#define LOOM_KER_NEL_6X6_ARG_FLAG_SLOT LOOM_CONFIG_NO_SLOT", "#define LOOM_KER_NEL_6X6_ARG_F_CTYPE float\n",
		"#define LOOM_KER_NEL_6X6_RESULT_RESULT_SLOT 0u\n", "#define LOOM_KER_NEL_6X6_RESULT_RESULT_CTYPE int16_t\n",
		"#define LOOM_KER_NEL_6X6_MEM_INT_SLOT 1u\n", "#define LOOM_KER_NEL_6X6_MEM_INT_BASE_REGISTER 2u\n",
		"#define LOOM_KER_NEL_6X6_MEM_INT_REGION 1u\n", "#define LOOM_KER_NEL_6X6_MEM_INT_ELEM_WIDTH 32u\n",
		"#define LOOM_KER_NEL_6X6_MEM_UNREAD_SLOT LOOM_CONFIG_NO_SLOT",
		"#define loom_runtime_config_words loom_ker_nel_6x6_config_words\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the header lacks %q", want)
		}
	}
	if strings.Contains(text, "k*/ernel") {
		t.Error("the kernel's name ends the comment")
	}
}

// TestGolden holds the text of a header: it reads as it is meant to.
func TestGolden(t *testing.T) {
	path := filepath.Join("testdata", "k.config.h")
	got := write(t, sample("fab"), Info{DFG: "k", ADG: "fab", Tool: "loom test"})
	if os.Getenv("LOOM_UPDATE") != "" {
		put(t, "testdata", "k.config.h", got)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs (rewrite with LOOM_UPDATE=1):\n%s", path, d)
	}
}

func TestPrivateContents(t *testing.T) {
	b := binding()
	b.Contents[2].Mem = 5
	if err := Write(io.Discard, sample("fab"), Info{DFG: "k", ADG: "fab"}, b); err == nil {
		t.Error("contents of a private memory were accepted")
	}
}

// compile runs a compiler with every warning as an error; it skips the test when
// the compiler is missing.
func compile(t *testing.T, dir, compiler string, args ...string) {
	t.Helper()
	toolstest.Need(t, compiler)
	cmd := exec.Command(compiler, append([]string{"-Wall", "-Wextra", "-pedantic", "-Werror"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestImageInC prints the image and the base address registers, in C and in C++.
func TestImageInC(t *testing.T) {
	dir := t.TempDir()
	img := sample("fab")
	put(t, dir, "k.config.h", write(t, img, Info{DFG: "k", ADG: "fab", Tool: "loom"}))
	put(t, dir, "main.c", `#include "k.config.h"
#include <stdio.h>
int main(void)
{
    uint32_t i;
    for (i = 0; i < loom_runtime_config_word_count; i++) {
        printf("%08x\n", (unsigned)loom_runtime_config_words[i]);
    }
    printf("%u %u\n", (unsigned)LOOM_K_FAB_MEM_A_BASE_REGISTER, (unsigned)LOOM_K_FAB_MEM_INT_BASE_REGISTER);
    return loom_runtime_config_layout_hash == 0;
}
`)
	var want strings.Builder
	for _, w := range img.Encode() {
		fmt.Fprintf(&want, "%08x\n", w)
	}
	want.WriteString("0 2\n") // regions in component order
	for _, c := range [][]string{{"gcc", "-std=c99"}, {"g++", "-std=c++11", "-x", "c++"}} {
		exe := "run-" + c[0]
		compile(t, dir, c[0], append(c[1:], "-O1", "-o", exe, "main.c")...)
		out, err := exec.Command(filepath.Join(dir, exe)).Output()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want.String(), string(out)); d != "" {
			t.Errorf("%s: %s", c[0], d)
		}
	}
}

// TestContentsInC loads the initial contents with the header's function into a driver
// that prints what it is given, in C and in C++.
func TestContentsInC(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "k.config.h", write(t, sample("fab"), Info{DFG: "k", ADG: "fab", Tool: "loom"}))
	put(t, dir, "main.c", `#include <stdint.h>
#include <stdio.h>
#define LOOM_ACCEL_H
#define LOOM_ACCEL_OK 0
typedef struct loom_accel { int calls; } loom_accel;
static int loom_accel_write_memory(loom_accel *dev, uint32_t memory, uint32_t first, uint32_t elem_width, const void *data, uint32_t count)
{
    uint32_t i;
    printf("%u %u %u:", (unsigned)memory, (unsigned)first, (unsigned)elem_width);
    for (i = 0; i < count; i++) {
        if (elem_width == 8)
            printf(" %x", (unsigned)((const uint8_t *)data)[i]);
        else if (elem_width == 32)
            printf(" %x", (unsigned)((const uint32_t *)data)[i]);
        else
            printf(" %lx", (unsigned long)((const uint64_t *)data)[i]);
    }
    printf("\n");
    return dev->calls++ == 2 ? -3 : LOOM_ACCEL_OK;
}
#include "k.config.h"
int main(void)
{
    loom_accel dev = {0};
    uint32_t i;
    for (i = 0; i < LOOM_K_FAB_MEMORY_COUNT; i++)
        printf("%s %u %u %u\n", loom_k_fab_memories[i].memory, (unsigned)loom_k_fab_memories[i].slot,
               (unsigned)loom_k_fab_memories[i].elem_width, (unsigned)loom_k_fab_memories[i].elements);
    for (i = 0; i < LOOM_K_FAB_TABLE_COUNT; i++) {
        const loom_config_table *t = &loom_runtime_tables[i];
        printf("table %u %u %u %lx\n", (unsigned)t->base, (unsigned)t->elem_width, (unsigned)t->count,
               t->elem_width == 32 ? (unsigned long)((const uint32_t *)t->data)[0] : (unsigned long)((const uint64_t *)t->data)[0]);
    }
    i = (uint32_t)loom_runtime_load_contents(&dev);
    printf("status %d\n", (int)i);
    return 0;
}
`)
	want := "ram_8 0 8 100\nram_32 1 32 100\nram_64 2 64 100\ntable 1 32 2 ff\ntable 0 64 1 123456789\n2 90 64: 1 fedcba9876543210\n" +
		"0 0 8: 0 ff 3 4 5 6 7 8 9 a b c d e f\n1 1 32: ffffffff\nstatus -3\n"
	for _, c := range [][]string{{"gcc", "-std=c99"}, {"g++", "-std=c++11", "-x", "c++"}} {
		exe := "run-" + c[0]
		compile(t, dir, c[0], append(c[1:], "-O1", "-o", exe, "main.c")...)
		out, err := exec.Command(filepath.Join(dir, exe)).Output()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, string(out)); d != "" {
			t.Errorf("%s: %s", c[0], d)
		}
	}
}

// TestSeveralHeaders includes two images at once, uses both by their own names,
// and checks that the names without prefix are gone.
func TestSeveralHeaders(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.h", write(t, sample("one"), Info{DFG: "a", ADG: "one", Tool: "loom"}))
	put(t, dir, "b.h", write(t, sample("two"), Info{DFG: "b", ADG: "two", Tool: "loom"}))
	put(t, dir, "c.h", write(t, config.New(config.NewLayout(&arch.Fabric{Name: "empty"})), Info{DFG: "c", ADG: "empty", Tool: "loom"}))
	src := "#include \"a.h\"\n#include \"b.h\"\n#include \"c.h\"\n#include \"a.h\"\n#ifdef loom_runtime_config_words\n#error ambiguous\n#endif\n" +
		"uint32_t f(void);\nuint32_t f(void) { return loom_a_one_config_words[0] + loom_b_two_config_words[1] + loom_c_empty_config_word_count; }\n"
	put(t, dir, "m.c", src)
	put(t, dir, "only.c", "#include \"a.h\"\n#include \"b.h\"\n")
	for _, c := range [][]string{{"gcc", "-std=c99"}, {"gcc", "-std=c11"}, {"g++", "-std=c++11", "-x", "c++"}, {"clang-19", "-std=c99"}} {
		compile(t, dir, c[0], append(c[1:], "-c", "m.c", "-o", "m.o")...)
		compile(t, dir, c[0], append(c[1:], "-c", "only.c", "-o", "only.o")...)
	}
}
