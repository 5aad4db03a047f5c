package normalise

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/frontend/clang"
	"loom/compiler/opname"
)

// choose finds the kernel. Without a name it is the only function that no other one
// calls; main is no candidate, and its calls do not count.
// Functions of the file that was compiled come before those it includes.
func (m *module) choose(want string, notes *diag.List) (*function, error) {
	if len(m.funcs) == 0 {
		d := diag.New(m.filePos(), "no function is defined here")
		return nil, d.WithHelp("a kernel is a function over arrays and scalars: void scale(int n, float *x) { … }")
	}
	if want != "" {
		return m.named(want)
	}
	all := m.candidates()
	switch len(all) {
	case 0:
		d := diag.New(m.funcs[0].op.Pos, "main is the only function here")
		return nil, d.WithHelp("put the loops to accelerate into a function of their own, or take main: --function main")
	case 1:
		return all[0], nil
	}
	if f := m.obvious(all); f != nil {
		d := notes.Remarkf(f.op.Pos, "taking %s, the most likely kernel of %d functions", f.shown, len(all))
		others := slices.DeleteFunc(slices.Clone(all), func(g *function) bool { return g == f })
		d.WithHelp("another one is chosen with --function %s", m.likeliest(others).option(all))
		for _, g := range others {
			d.WithNote(g.op.Pos, "--function %s", g.option(all))
		}
		return f, nil
	}
	d := diag.New(m.filePos(), "there are %d functions, of which one must be chosen", len(all))
	d.WithHelp("choose with --function %s%s", m.likeliest(all).option(all), m.inside(all))
	m.list(d, all)
	return nil, d
}

// list notes the functions with their spellings for the command line.
func (m *module) list(d *diag.Diagnostic, all []*function) {
	const most = 20
	for i, f := range all {
		if i == most {
			d.WithNote(diag.Pos{}, "… and %d more", len(all)-most)
			break
		}
		d.WithNote(f.op.Pos, "--function %s is this one", f.option(all))
	}
}

// filePos names the file without a line.
func (m *module) filePos() diag.Pos {
	for _, mine := range []bool{true, false} {
		for _, f := range m.funcs {
			if f.op.Pos.File != "" && (f.mine || !mine) {
				return diag.Pos{File: f.op.Pos.File}
			}
		}
	}
	return diag.Pos{File: m.op.Pos.File}
}

// candidates are the functions that no other calls, except main and themselves: those
// of the file that was compiled, if one of them neither prints nor reads, otherwise
// those of included files too. Where every function is called by another (they are
// recursive), all are candidates.
func (m *module) candidates() []*function {
	own := m.own()
	if slices.ContainsFunc(own, func(f *function) bool { return !m.doesIO(f) }) {
		return own
	}
	var out, others []*function
	for _, f := range m.funcs {
		if f.link == "main" || isStartUp(f.link) {
			continue
		}
		others = append(others, f)
		if f.others == 0 {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, byPosition)
	slices.SortStableFunc(others, byPosition)
	if len(out) == 0 {
		return others
	}
	return withoutEmpty(out)
}

func byPosition(x, y *function) int {
	a, b := x.op.Pos, y.op.Pos
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}

// own are the functions of the compiled file that no other of them, without main,
// refers to in the end.
func (m *module) own() (out []*function) {
	helper := map[*function]bool{}
	for _, f := range m.funcs {
		if f.tables > 0 {
			helper[f] = true
		}
		if !f.mine || f.link == "main" {
			continue
		}
		seen := map[*function]bool{f: true}
		for work := []*function{f}; len(work) > 0; work = work[1:] {
			for _, g := range work[0].refers {
				if !seen[g] {
					seen[g], helper[g] = true, true
					work = append(work, g)
				}
			}
		}
	}
	for _, f := range m.funcs {
		if f.mine && f.link != "main" && !isStartUp(f.link) && !helper[f] {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, byPosition)
	return withoutEmpty(out)
}

// withoutEmpty leaves the functions out that do nothing, unless all are such.
func withoutEmpty(list []*function) []*function {
	if rest := slices.DeleteFunc(slices.Clone(list), (*function).empty); len(rest) > 0 {
		return rest
	}
	return list
}

// empty reports whether a function does nothing.
func (f *function) empty() bool {
	blocks := f.op.Regions[0].Blocks
	if len(blocks) != 1 || f.op.Regions[0].Entry().Terminator() == nil {
		return false
	}
	for _, o := range blocks[0].Ops {
		if o.Name == opname.LLVMReturn && o.NumOperands() > 0 || o.Name != opname.LLVMReturn && !strings.HasPrefix(o.Name, "llvm.intr.dbg.") {
			return false
		}
	}
	return true
}

// isStartUp reports whether a function is one that C++ compilers add.
func isStartUp(link string) bool {
	return strings.HasPrefix(link, "_GLOBAL__") || strings.HasPrefix(link, "__cxx_global_") || strings.HasPrefix(link, "__clang_call_terminate")
}

// likeliest is the first of the functions that are most likely the kernel.
func (m *module) likeliest(list []*function) *function {
	return slices.MaxFunc(list, func(f, g *function) int { return cmp.Compare(m.weight(f), m.weight(g)) })
}

// inside names functions of the source that the candidates call: a kernel in a harness
// is not among them, and may be inlined already.
func (m *module) inside(all []*function) string {
	var names []string
	for _, link := range slices.Sorted(maps.Keys(m.declared)) {
		e := m.declared[link]
		if link == "main" || isStartUp(link) || !inUnit(e) || slices.ContainsFunc(all, func(f *function) bool { return f.link == link }) {
			continue
		}
		if name, _, _ := sourceNames(link, e); !strings.Contains(name, "operator") {
			names = append(names, shellWord(withoutTemplate(name)))
		}
	}
	const most = 8
	switch n := len(names); {
	case n == 0:
		return ""
	case n > most:
		names = append(names[:most], "…")
	}
	return "; a function that is called can be chosen too: " + strings.Join(names, ", ")
}

// weight ranks how likely a function is the kernel, to list the likely ones first: the number of
// its loops, negative where its name suggests that it prepares or checks the data of
// others or where it cannot be accelerated, and still less where it prints.
func (m *module) weight(f *function) int {
	switch {
	case m.doesIO(f):
		return -2
	case aside.MatchString(f.name), m.isUnfit(f):
		return -1
	}
	return m.loops(f)
}

// aside matches the names of functions that benchmarks have beside their kernel.
var aside = regexp.MustCompile(`^(?i:.*_)?(?:[iI]nit|[iI]nitiali[sz]e|[sS]et_?[uU]p|[fF]ill|[vV]erify|[cC]heck|[rR]eturn)(?:[_A-Z0-9].*)?$`)

// loops are the loops of a function and what it calls: the blocks that a branch behind
// them leads to.
func (m *module) loops(f *function) (n int) {
	for _, g := range m.reachable(f) {
		blocks := g.op.Regions[0].Blocks
		for _, b := range blocks {
			if t := b.Terminator(); t != nil {
				for _, s := range t.Succs {
					if slices.Index(blocks, s.Block) <= slices.Index(blocks, b) {
						n++
					}
				}
			}
		}
	}
	return n
}

// obvious is the kernel by the conventions of benchmarks: the only one that neither prints nor
// reads, the only one of these that loops and has no name that suggests otherwise, or the one
// that is called as kernels are, which others may call.
func (m *module) obvious(all []*function) *function {
	var quiet, looping []*function
	for _, f := range all {
		if !m.doesIO(f) {
			quiet = append(quiet, f)
		}
	}
	if len(quiet) == 1 {
		return quiet[0]
	}
	for _, f := range quiet {
		if m.loops(f) > 0 && !aside.MatchString(f.name) {
			looping = append(looping, f)
		}
	}
	if len(looping) == 1 {
		return looping[0]
	}
	named := func(list []*function, loops int) (out []*function) {
		for _, f := range list {
			if !m.doesIO(f) && m.loops(f) >= loops && clang.LikeKernel(f.name, f.op.Pos.File) {
				out = append(out, f)
			}
		}
		return out
	}
	if out := named(quiet, 0); len(out) == 1 {
		return out[0]
	}
	called := slices.DeleteFunc(slices.Clone(m.funcs), func(f *function) bool { return !f.mine })
	if out := named(called, 1); len(out) == 1 {
		return out[0]
	}
	return nil
}

// doesIO reports whether a function or one that it calls prints or reads.
func (m *module) doesIO(f *function) bool {
	return slices.ContainsFunc(m.reachable(f), func(g *function) bool { return g.io })
}

// isUnfit is the same of calls that cannot be accelerated for other reasons.
func (m *module) isUnfit(f *function) bool {
	return slices.ContainsFunc(m.reachable(f), func(g *function) bool { return g.unfit })
}

// named finds a function by any of its spellings: the linker's name, the full one, or
// the end of the full one, with or without the parameters.
func (m *module) named(want string) (*function, error) {
	if f := m.byName[want]; f != nil {
		return f, nil
	}
	key := canonical(want)
	var found []*function
	best := 0
	for _, f := range m.funcs {
		rank := f.matches(key)
		switch {
		case rank == 0 || rank < best:
		case rank > best:
			found, best = []*function{f}, rank
		default:
			found = append(found, f)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, m.unknown(want)
	}
	d := diag.New(m.filePos(), "--function %s fits %d functions", want, len(found))
	d.WithHelp("choose with --function %s", found[0].option(found))
	m.list(d, found)
	return nil, d
}

// matches rates how well a canonical spelling fits: 0 not at all, more for more exact.
func (f *function) matches(key string) int {
	full := canonical(f.full)
	head := full
	if f.full != f.shown {
		head = canonical(f.shown)
	}
	plain := canonical(withoutTemplate(f.shown))
	for i, s := range []string{full, head, plain} {
		if s == key {
			return 8 - i
		}
	}
	for i, s := range []string{full, head, plain} {
		if scopeSuffix(s, key) {
			return 4 - i
		}
	}
	return 0
}

// scopeSuffix reports whether key is what remains of a name after some scopes.
func scopeSuffix(s, key string) bool {
	return strings.HasSuffix(s, "::"+key)
}

// withoutTemplate drops the template arguments at the end of a name.
func withoutTemplate(s string) string {
	if !strings.HasSuffix(s, ">") || strings.Contains(s, "operator") {
		return s
	}
	depth := 0
	for i := len(s) - 1; i > 0; i-- {
		switch s[i] {
		case '>':
			depth++
		case '<':
			depth--
			if depth == 0 {
				return s[:i]
			}
		}
	}
	return s
}

// option is the shortest spelling that names f alone among the functions, quoted for
// the shell where it must be.
func (f *function) option(all []*function) string {
	for _, s := range []string{withoutTemplate(f.shown), f.shown, f.full} {
		alone := true
		for _, g := range all {
			if g != f && g.matches(canonical(s)) > 0 {
				alone = false
			}
		}
		if alone {
			return shellWord(s)
		}
	}
	return shellWord(f.link)
}

func shellWord(s string) string {
	if strings.ContainsAny(s, " <>()&*;'\"$[]?|") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}

// unknown reports that there is no such function, and lists those there are.
func (m *module) unknown(want string) error {
	all := m.candidates()
	d := diag.New(m.filePos(), "there is no function %s with a body here", want)
	if len(all) == 1 {
		d = diag.New(m.filePos(), "there is no function %s with a body here, only %s", want, all[0].option(all))
	}
	help := "unused inline functions and templates are not compiled: call it from a function, or instantiate the template"
	if near := nearest(want, m.names()); near != "" {
		help = fmt.Sprintf("did you mean %s?", near)
	}
	d.WithHelp("%s", help)
	m.list(d, all)
	return d
}
