package randctest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"loom/compiler/mlir"
	"loom/internal/randc"
)

// Shrink looks for a smaller program that fails at the same stage, for a while.
func Shrink(ctx context.Context, dir string, f *Failure, inputs uint64, limit time.Duration) *Failure {
	deadline := time.Now().Add(limit)
	stage, _, _ := strings.Cut(f.Stage, ",")
	best := f
	randc.Shrink(f.Program, 5000, func(p *randc.Program) bool {
		if time.Now().After(deadline) || ctx.Err() != nil {
			return false
		}
		out, err := Ladder(ctx, dir, []*randc.Program{p}, []uint64{inputs}, f.Setting)
		if err != nil || out[0] == nil || !strings.HasPrefix(out[0].Stage, stage) {
			return false
		}
		// What is not taken must be refused for the same reason.
		if stage != "level 1" && stage != "level 2" && reason(out[0]) != reason(f) {
			return false
		}
		best = out[0]
		return true
	})
	return best
}

// reason is the text of a failure without positions and names.
func reason(f *Failure) string {
	line, _, _ := strings.Cut(f.Text, "\n")
	if _, text, ok := strings.Cut(line, "error: "); ok {
		line = text
	}
	var b strings.Builder
	quoted := false
	for _, c := range line {
		switch {
		case c == '"' || c == '\'':
			quoted = !quoted
		case !quoted && (c < '0' || c > '9'):
			b.WriteRune(c)
		}
	}
	return b.String()
}

// batchFile is where a program stood, in a directory that is gone.
var batchFile = regexp.MustCompile(`\S*/batch\.c`)

// Files are all that is known of a failure, by name; original is the failure before it was shrunk.
func Files(f, original *Failure) map[string]string {
	files := map[string]string{
		"original.c": randc.Source([]*randc.Program{original.Program}),
		"found.txt":  batchFile.ReplaceAllString(f.Error(), "batch.c") + "\n",
	}
	head := fmt.Sprintf("// level %s index %d order %s recent %d", f.Setting.Level, f.Setting.IndexWidth, f.Setting.Order, f.Setting.Recent)
	if f.Setting.Interlocks {
		head += withInterlocks
	}
	if f.Setting.Unroll > 0 {
		head += fmt.Sprintf(withUnroll, f.Setting.Unroll)
	}
	head += "\n"
	if f.Inputs != nil {
		head += "// inputs " + string(f.Inputs.JSON()) + "\n"
	}
	files["program.c"] = head + randc.Source([]*randc.Program{f.Program})
	for _, s := range f.Stages {
		files["program"+s.Ext] = string(s.Text)
	}
	if f.Graph != nil {
		files["program.dfg.mlir"] = mlir.Print(f.Graph, mlir.Options{})
	}
	return files
}

// What the first line of a program says of its lowering: with interlocks, and with so many levels of loops written out.
const (
	withInterlocks = " interlocks"
	withUnroll     = " unroll %d"
)

// Keep writes them to a directory.
func Keep(dir string, f, original *Failure) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range Files(f, original) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
