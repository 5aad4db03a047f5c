package mlir_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"loom/compiler/diag"
	"loom/compiler/mlir"
)

var update = flag.Bool("update", os.Getenv("LOOM_UPDATE") != "", "rewrite the expected findings")

// TestErrors: each archive holds malformed modules and, under the same name
// with .err, all that is reported about them, with the source line and caret.
func TestErrors(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(corpus, "errors", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for _, f := range archive.Files {
			want[f.Name] = string(f.Data)
		}
		rewritten := &txtar.Archive{Comment: archive.Comment}
		for _, f := range archive.Files {
			if !strings.HasSuffix(f.Name, ".mlir") {
				continue
			}
			errName := strings.TrimSuffix(f.Name, ".mlir") + ".err"
			ran := false
			t.Run(filepath.Base(path)+"/"+f.Name, func(t *testing.T) {
				ran = true
				src := string(f.Data)
				_, err := mlir.ParseAndVerify(f.Name, src)
				if err == nil {
					t.Fatal("accepted")
				}
				list := diag.FromError(err)
				for _, d := range list.All {
					if d.Severity == diag.Internal || !d.Pos.IsValid() || d.Pos.Col == 0 {
						t.Errorf("a finding without position or an internal one: %v", d)
					}
				}
				got := diag.Render(list, func(string) (string, bool) { return src, true })
				rewritten.Files = append(rewritten.Files, f, txtar.File{Name: errName, Data: []byte(got)})
				if diff := cmp.Diff(want[errName], got); diff != "" && !*update {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
			if !ran { // -run selected others
				rewritten.Files = append(rewritten.Files, f, txtar.File{Name: errName, Data: []byte(want[errName])})
			}
		}
		if *update && !t.Failed() {
			if err := os.WriteFile(path, txtar.Format(rewritten), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
