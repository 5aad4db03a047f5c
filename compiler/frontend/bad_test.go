package frontend_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"loom/compiler/diag"
	_ "loom/compiler/dialect/all"
	"loom/compiler/frontend"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// TestBad compares what is reported about code that cannot be accelerated: the position, the
// reason, the help.
func TestBad(t *testing.T) {
	toolstest.Need(t, tools.Clang, tools.MLIRTranslate, tools.MLIROpt)
	golden, err := filepath.Abs("testdata/bad.txtar")
	if err != nil {
		t.Fatal(err)
	}
	old, err := txtar.ParseFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	want := map[string]string{}
	now := &txtar.Archive{Comment: old.Comment}
	for _, f := range old.Files {
		if strings.HasSuffix(f.Name, ".txt") {
			want[f.Name] = string(f.Data)
		} else if err := os.WriteFile(f.Name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range old.Files {
		if strings.HasSuffix(f.Name, ".txt") {
			continue
		}
		now.Files = append(now.Files, f)
		if !frontend.Reads(f.Name) {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			o := frontend.Options{Verify: true}
			if first, ok := strings.CutPrefix(string(f.Data), "// function: "); ok {
				o.Function, _, _ = strings.Cut(first, "\n")
			}
			_, err := frontend.Run(context.Background(), f.Name, string(f.Data), o)
			if err == nil {
				t.Fatal("accepted")
			}
			got := diag.Render(diag.FromError(err), frontend.Text)
			now.Files = append(now.Files, txtar.File{Name: f.Name + ".txt", Data: []byte(got)})
			if d := cmp.Diff(want[f.Name+".txt"], got); d != "" && os.Getenv("LOOM_UPDATE") == "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
	if os.Getenv("LOOM_UPDATE") != "" && !t.Failed() {
		if err := os.WriteFile(golden, txtar.Format(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
