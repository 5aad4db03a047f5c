package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"loom/compiler/diag"
	"loom/compiler/frontend"
)

// sources are the texts read so far by file name, for diagnostics.
type sources map[string]string

func (s sources) text(file string) (string, bool) {
	if t, ok := s[file]; ok {
		return t, true
	}
	// A header, or the source behind an intermediate file.
	return frontend.Text(file)
}

// maxInput bounds input files: anything larger is a mistake, not a kernel.
const maxInput = 64 << 20

// read returns a file's text and keeps it for diagnostics.
func (a *app) read(file string) (string, error) {
	data, err := readLimited(file)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		if errors.Is(err, syscall.EISDIR) {
			return "", diag.New(diag.Pos{File: file}, "is a directory, expected a file")
		}
		return "", diag.New(diag.Pos{File: file}, "cannot read the file: %v", err)
	}
	a.sources[file] = string(data)
	return string(data), nil
}

// readLimited reads a file, which may also be a pipe or a device.
func readLimited(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxInput+1))
	if err == nil && len(data) > maxInput {
		err = fmt.Errorf("it is larger than the %d MiB that LOOM reads", maxInput>>20)
	}
	return data, err
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
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' || r == '\\' || r == 0x7f {
			return '_' // C cannot include a file of such a name
		}
		return r
	}, s)
}
