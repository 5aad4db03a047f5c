package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
)

// TestNames: outside of tests, operations are named by the constants of compiler/opname.
func TestNames(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "opname" || e.Name() == "testdata" || len(e.Name()) > 2 && e.Name()[0] == '.'):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if name, err := strconv.Unquote(l.Value); err == nil && ir.Lookup(name) != nil {
					t.Errorf("%s: write the constant of compiler/opname for %s", files.Position(l.Pos()), l.Value)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
