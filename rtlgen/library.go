package rtlgen

import (
	"fmt"
	"io/fs"
	"regexp"
	"sort"
	"strings"

	"loom/rtl"
)

// moduleUse finds instantiations (loom_x #( or loom_x name () and package uses
// (loom_x::) in SystemVerilog text. Comments are cut before.
var (
	moduleUse   = regexp.MustCompile(`\b(loom_[a-z0-9_]+)\s*(?:#\s*\(|::|[A-Za-z_][A-Za-z0-9_]*\s*\()`)
	lineComment = regexp.MustCompile(`//[^\n]*`)
)

// libraryUses lists the library modules a text instantiates, sorted.
func libraryUses(text string) []string {
	seen := map[string]bool{}
	for _, m := range moduleUse.FindAllStringSubmatch(lineComment.ReplaceAllString(text, ""), -1) {
		seen[m[1]] = true
	}
	names := make([]string, 0, len(seen))
	for n := range seen {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// addLibrary copies the library modules that the generated files use, directly or
// through each other, and returns all source files, used before user.
func (g *generator) addLibrary() ([]string, error) {
	var order []string
	state := map[string]int{} // 1 in progress, 2 done
	var visit func(module, user string) error
	visit = func(module, user string) error {
		file := module + ".sv"
		switch state[module] {
		case 1:
			return fmt.Errorf("rtlgen: library module %s instantiates itself through %s", module, user)
		case 2:
			return nil
		}
		text, err := fs.ReadFile(rtl.FS, file)
		if err != nil {
			return fmt.Errorf("rtlgen: %s uses the library module %s: %w", user, module, err)
		}
		state[module] = 1
		for _, used := range libraryUses(string(text)) {
			if used != module {
				if err := visit(used, module); err != nil {
					return err
				}
			}
		}
		state[module] = 2
		g.files[file] = string(text)
		order = append(order, file)
		return nil
	}
	for _, file := range g.generated {
		for _, used := range libraryUses(g.files[file]) {
			if g.files[used+".sv"] != "" && state[used] == 0 {
				continue // a generated module whose name starts like the library's
			}
			if err := visit(used, strings.TrimSuffix(file, ".sv")); err != nil {
				return nil, err
			}
		}
	}
	return append(order, g.generated...), nil
}
