package rtl

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// PackageFile is the file of loom_pkg, which every list of sources starts with.
const PackageFile = "loom_pkg.sv"

// Module is the interface of one library module, read from its own source.
type Module struct {
	Name   string
	File   string
	Params []Param
	Ports  []Port
	// Uses names the library modules it instantiates, sorted.
	Uses []string
}

// Param is a parameter with its default, both as written.
type Param struct {
	Name, Type, Default string
}

// Port is a port; Range is the packed dimension as written, without brackets
// ("N*W-1:0"), empty for a single bit.
type Port struct {
	Name   string
	Output bool
	Range  string
}

var (
	moduleHead = regexp.MustCompile(`(?m)^module (\w+)`)
	paramLine  = regexp.MustCompile(`^\s*parameter\s+(.*?)\s*(\w+)\s*=\s*(.*?),?$`)
	portLine   = regexp.MustCompile(`^\s*(input|output)\s+logic\s+(?:\[(.*)\]\s+)?(\w+),?$`)
	instance   = regexp.MustCompile(`(?m)^\s*(loom_\w+) (?:#\(|u_)`)
)

// Modules reads the interfaces of all modules from the embedded sources, sorted
// by name. The library keeps one parameter or port per line, which is all the
// reader understands; it reports anything else.
func Modules() ([]Module, error) {
	names, err := fs.Glob(FS, "*.sv")
	if err != nil {
		return nil, err
	}
	var out []Module
	for _, name := range names {
		if name == PackageFile {
			continue
		}
		src, err := FS.ReadFile(name)
		if err != nil {
			return nil, err
		}
		m, err := parseModule(name, string(src))
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// parseModule reads the header of a module in the library's layout.
func parseModule(file, src string) (Module, error) {
	head := moduleHead.FindStringSubmatchIndex(src)
	if head == nil {
		return Module{}, fmt.Errorf("%s: no module", file)
	}
	m := Module{Name: src[head[2]:head[3]], File: file}
	text, body, ok := strings.Cut(src[head[3]:], "\n);\n")
	if !ok {
		return Module{}, fmt.Errorf("%s: the port list has no end", file)
	}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimRight(line, "\n"), "//")
		line = strings.TrimRight(line, " ")
		if p := paramLine.FindStringSubmatch(line); p != nil {
			m.Params = append(m.Params, Param{Name: p[2], Type: p[1], Default: p[3]})
			continue
		}
		if p := portLine.FindStringSubmatch(line); p != nil {
			m.Ports = append(m.Ports, Port{Name: p[3], Output: p[1] == "output", Range: p[2]})
			continue
		}
		if s := strings.Trim(line, " #()"); s != "" {
			return Module{}, fmt.Errorf("%s: cannot read the header line %q", file, line)
		}
	}
	for _, u := range instance.FindAllStringSubmatch(body, -1) {
		if !slices.Contains(m.Uses, u[1]) {
			m.Uses = append(m.Uses, u[1])
		}
	}
	slices.Sort(m.Uses)
	return m, nil
}

// Closure lists the files that a design instantiating the given modules needs:
// the package first, then the modules and all they use, sorted. Unknown names
// are an error.
func Closure(modules ...string) ([]string, error) {
	all, err := Modules()
	if err != nil {
		return nil, err
	}
	byName := map[string]Module{}
	for _, m := range all {
		byName[m.Name] = m
	}
	seen := map[string]bool{}
	var files []string
	var visit func(name string) error
	visit = func(name string) error {
		if seen[name] {
			return nil
		}
		seen[name] = true
		m, ok := byName[name]
		if !ok {
			return fmt.Errorf("the library has no module %s", name)
		}
		files = append(files, m.File)
		for _, u := range m.Uses {
			if err := visit(u); err != nil {
				return err
			}
		}
		return nil
	}
	for _, name := range modules {
		if err := visit(name); err != nil {
			return nil, err
		}
	}
	slices.Sort(files)
	return append([]string{PackageFile}, files...), nil
}
