package frontend

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// TestFences: every way to write a fence in C and C++ arrives where the accesses are, at every
// level of optimisation; fences for the compiler alone, and relaxed ones, order nothing.
func TestFences(t *testing.T) {
	toolstest.Need(t, tools.Clang, tools.MLIRTranslate, tools.MLIROpt)
	for _, c := range []struct {
		file, fence string
		kept        bool
	}{
		{"k.c", "atomic_thread_fence(memory_order_seq_cst)", true},
		{"k.c", "atomic_thread_fence(memory_order_acq_rel)", true},
		{"k.c", "atomic_thread_fence(memory_order_acquire)", true},
		{"k.c", "atomic_thread_fence(memory_order_consume)", true},
		{"k.c", "atomic_thread_fence(memory_order_release)", true},
		{"k.c", "__atomic_thread_fence(__ATOMIC_SEQ_CST)", true},
		{"k.c", "__sync_synchronize()", true},
		{"k.c", "helper()", true},
		{"k.cpp", "std::atomic_thread_fence(std::memory_order_release)", true},
		{"k.c", "atomic_thread_fence(memory_order_relaxed)", false},
		{"k.c", "atomic_signal_fence(memory_order_seq_cst)", false},
		{"k.c", "__asm__ volatile (\"\" ::: \"memory\")", false},
		{"k.cpp", "std::atomic_signal_fence(std::memory_order_seq_cst)", false},
	} {
		text := "#include <stdatomic.h>\nstatic void helper(void) { atomic_thread_fence(memory_order_seq_cst); }\nvoid k(int n, int *restrict a, int *restrict b) {\n"
		if c.file == "k.cpp" {
			text = "#include <atomic>\nvoid k(int n, int *__restrict a, int *__restrict b) {\n"
		}
		text += "  for (int i = 0; i < n; i++) {\n    a[i] = i;\n    " + c.fence + ";\n    b[i] = 1;\n  }\n}\n"
		file := filepath.Join(t.TempDir(), c.file)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, level := range []string{"0", "2"} {
			res, err := Run(context.Background(), file, text, Options{Function: "k", Level: level, Verify: true})
			if err != nil {
				t.Errorf("%s at -O%s: %v", c.fence, level, err)
				continue
			}
			var order []string
			res.Module.Walk(func(op *ir.Operation) bool {
				if op.Name == opname.MemRefStore || op.Name == opname.LLVMFence {
					order = append(order, op.Name)
				}
				return true
			})
			want := []string{opname.MemRefStore, opname.MemRefStore}
			if c.kept {
				want = []string{opname.MemRefStore, opname.LLVMFence, opname.MemRefStore}
			}
			if !slices.Equal(order, want) {
				t.Errorf("%s at -O%s: %v, expected %v", c.fence, level, order, want)
			}
		}
	}
}
