package randctest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/frontend"
)

// TestDirectory compiles every function of the C and C++ files below the directory
// that LOOM_C_KERNELS names and runs it at levels 0, 1 and 2: kernels of other people.
// A first line "// flags: -DX -I." gives options to clang; LOOM_C_LEVEL its level of
// optimisation.
func TestDirectory(t *testing.T) {
	dir := os.Getenv("LOOM_C_KERNELS")
	if dir == "" {
		t.Skip("LOOM_C_KERNELS names no directory")
	}
	need(t)
	functions, failed := 0, 0
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !frontend.Reads(file) {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text := string(data)
		s := Setting{Level: os.Getenv("LOOM_C_LEVEL"), IndexWidth: 32, Order: "serial"}
		first, _, _ := strings.Cut(text, "\n")
		options, _ := strings.CutPrefix(first, "// flags:")
		if options == first {
			options = ""
		}
		unit, err := frontend.Open(t.Context(), file, text, frontend.Options{Level: s.Level, Flags: strings.Fields(options), Verify: true})
		if err != nil {
			t.Errorf("%s: %s", file, messages(err))
			return nil
		}
		for _, name := range unit.Functions() {
			functions++
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) {
				res, err := unit.Function(name)
				if err == nil {
					err = compare(t.Context(), file, res, "", s)
				} else {
					t.Fatalf("front end: %s", messages(err))
				}
				if err != nil {
					failed++
					t.Error(err)
				}
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d functions, %d of them differ or are not lowered", functions, failed)
}
