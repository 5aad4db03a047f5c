package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"loom/compiler/diag"
)

// sources are the texts read so far by file name, for diagnostics.
type sources map[string]string

func (s sources) text(file string) (string, bool) {
	t, ok := s[file]
	return t, ok
}

// maxInput bounds input files: anything larger is a mistake, not a kernel.
const maxInput = 256 << 20

// read returns a file's text and keeps it for diagnostics.
func (a *app) read(file string) (string, error) {
	info, err := os.Stat(file)
	switch {
	case err == nil && info.IsDir():
		return "", diag.New(diag.Pos{File: file}, "is a directory, expected a file")
	case err == nil && info.Size() > maxInput:
		return "", diag.New(diag.Pos{File: file}, "file of %d bytes is larger than the %d bytes LOOM reads", info.Size(), maxInput)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return "", diag.New(diag.Pos{File: file}, "cannot read the file: %v", err)
	}
	a.sources[file] = string(data)
	return string(data), nil
}

// stem is an artifact's base name: the file name without directory and
// extensions that only tell the stage (design page "Pipeline": file names).
func stem(file string) string {
	s := filepath.Base(file)
	for _, ext := range []string{".mlir", ".yaml", ".yml", ".json", ".cpp", ".cc", ".cxx", ".c", ".ll"} {
		if t, ok := strings.CutSuffix(s, ext); ok && t != "" {
			s = t
			break
		}
	}
	for _, ext := range []string{".dfg", ".scf", ".cf", ".llvm", ".fabric"} {
		if t, ok := strings.CutSuffix(s, ext); ok && t != "" {
			s = t
			break
		}
	}
	return s
}
