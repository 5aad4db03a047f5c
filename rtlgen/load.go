package rtlgen

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"loom/compiler/diag"
)

// LoadDirect reads the design of a direct circuit from the directory with its files: those that
// filelist.f lists, and the signature of its outermost module. It has what simulations of the ports
// need; Wrapper is nil. Where the directory has no signature of a direct circuit the error is
// fs.ErrNotExist.
func LoadDirect(dir string) (*Output, error) {
	list := filepath.Join(dir, FileList)
	text, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	out := &Output{Files: map[string]string{FileList: string(text)}}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".signature.json") {
			continue
		}
		file := filepath.Join(dir, e.Name())
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var s DirectSignature
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, diag.New(diag.Pos{File: file}, "is no signature: %v", err)
		}
		if s.Format == DirectFormat {
			out.Direct, out.Top, out.Files[e.Name()] = &s, s.Module, string(raw)
		}
	}
	if out.Direct == nil {
		return nil, fmt.Errorf("%s: no signature of a direct circuit: %w", dir, fs.ErrNotExist)
	}
	for n, line := range strings.Split(string(text), "\n") {
		name := strings.TrimSpace(line)
		if name == "" || strings.HasPrefix(name, "//") {
			continue
		}
		if name != filepath.Base(name) {
			return nil, diag.New(diag.Pos{File: list, Line: n + 1, Col: 1}, "'%s' is no file of this directory", name)
		}
		source, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, diag.New(diag.Pos{File: list, Line: n + 1, Col: 1}, "there is no file '%s' beside the list", name)
		}
		if err != nil {
			return nil, err
		}
		out.Files[name] = string(source)
		out.Sources = append(out.Sources, name)
	}
	out.Reset = Reset{Name: out.Direct.Reset, High: out.Direct.ResetActive == "high"}
	if out.Direct.Control == ControlAXI4Lite {
		out.HostTop = out.Top
	}
	return out, nil
}
