package frontend_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/frontend"
	"loom/internal/testkit"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// TestDumpsAreMLIR: what --dump-after shows of every pass of the front end is MLIR that
// other tools read, where the pass guarantees valid IR.
func TestDumpsAreMLIR(t *testing.T) {
	t.Parallel()
	tool := toolstest.Path(t, tools.MLIROpt)
	toolstest.Need(t, tools.Clang, tools.MLIRTranslate)
	files, err := filepath.Glob(testkit.Testdata(t, "kernels", "c", "*.c*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	for i := 0; i < len(files); i += 12 {
		text, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		var all bytes.Buffer
		if _, err := frontend.Run(context.Background(), files[i], string(text), frontend.Options{DumpAfter: "all", DumpTo: &all}); err != nil {
			t.Fatal(err)
		}
		var passes []string
		var valid strings.Builder
		for _, part := range strings.Split(all.String(), "// after ")[1:] {
			name, body, _ := strings.Cut(part, "\n")
			passes = append(passes, name)
			switch name {
			case "emit", "dead-values", "retype":
				// Neither the signature nor the segments of branches are written yet, or
				// casts that nothing reads are still there.
			default:
				if strings.Contains(body, "res_attrs = [{loom.coerced") {
					// A struct that comes back in registers is several results until the function is one of func, and an
					// llvm.func has one.
					continue
				}
				valid.WriteString(body + "// -----\n")
			}
		}
		want := 0
		for _, table := range frontend.Tables("") {
			want += len(table.Passes)
		}
		if len(passes) != want {
			t.Errorf("%s: %d dumps of %d passes", files[i], len(passes), want)
		}
		cmd := exec.Command(tool, "-split-input-file", "-allow-unregistered-dialect", "-o", os.DevNull)
		cmd.Stdin = strings.NewReader(valid.String())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", files[i], err, out[:min(len(out), 3000)])
		}
	}
}
