package clang

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Between clang's front end and its optimiser there is a module in which every function
// is still itself. There it is decided which functions may be kernels, because
// afterwards they may be removed: a static function that main calls with constants would
// be inlined into it, or specialised on them, or be dropped as unused; a function that
// another one calls would stay although it is not called any more, and look like a
// kernel. So kernels become external, their helpers internal, and what neither needs,
// such as main with its printing, is taken out. Static variables of the file become
// external too: main may have filled them.
//
// This works on LLVM's text, of which only the outline is read: the lines on which
// functions and variables are defined, and the debug information that names them.

// symbolDef is the definition of a function or variable: a line, or lines to a '}'.
type symbolDef struct {
	name    string
	text    []byte
	fn      bool
	uses    []string
	callers int // other functions and variables that refer to it, without main
	keep    bool
	// source is the name in the source, file whether it is in a file of the user's.
	source string
	user   bool
	mine   bool // in the file that is compiled
}

type outline struct {
	defs  []*symbolDef
	by    map[string]*symbolDef
	meta  map[string]string // !12 to what it is
	order []any             // *symbolDef or []byte
	file  string            // that is compiled
}

var (
	symbolName = regexp.MustCompile(`@("[^"]*"|[-\w$.]+)`)
	debugRef   = regexp.MustCompile(`!dbg (!\d+)`)
	metaField  = func(name string) *regexp.Regexp { return regexp.MustCompile(`[(,] ?` + name + `: ("[^"]*"|!\d+)`) }
	nameField  = metaField("name")
	fileField  = metaField("file")
	fileName   = metaField("filename")
	dirName    = metaField("directory")
	varField   = metaField("var")
	typeField  = metaField("type")
	baseField  = metaField("baseType")
	scopeField = metaField("scope")
	annotation = regexp.MustCompile(`\{ ptr @("[^"]*"|[-\w$.]+), ptr @([-\w$.]+),`)
	accelText  = regexp.MustCompile(` c"loom\.accel(?:=[^"]*)?\\00"`)
)

func field(re *regexp.Regexp, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return strings.Trim(m[1], `"`)
	}
	return ""
}

// readOutline finds the definitions of a module.
func readOutline(ll []byte) *outline {
	o := &outline{by: map[string]*symbolDef{}, meta: map[string]string{}}
	var open *symbolDef
	unit := ""
	for line := range bytes.Lines(ll) {
		switch {
		case open != nil:
			open.text = append(open.text, line...)
			if line[0] == '}' {
				open = nil
			}
			continue
		case bytes.HasPrefix(line, []byte("define ")):
			if m := symbolName.FindSubmatch(line); m != nil {
				open = &symbolDef{name: string(m[1]), text: append([]byte(nil), line...), fn: true}
				o.add(open)
				continue
			}
		case line[0] == '@':
			if m := symbolName.FindSubmatch(line); m != nil {
				o.add(&symbolDef{name: string(m[1]), text: append([]byte(nil), line...)})
				continue
			}
		case line[0] == '!':
			if id, def, ok := strings.Cut(string(line), " = "); ok {
				o.meta[id] = strings.TrimSpace(def)
				if strings.Contains(def, "!DICompileUnit(") {
					unit = def
				}
			}
		}
		o.order = append(o.order, append([]byte(nil), line...))
	}
	o.file = field(fileName, o.meta[field(fileField, unit)])
	for _, d := range o.defs {
		o.describe(d)
	}
	return o
}

func (o *outline) add(d *symbolDef) {
	o.defs, o.by[d.name] = append(o.defs, d), d
	o.order = append(o.order, d)
}

// describe reads what a definition refers to and where the source has it.
func (o *outline) describe(d *symbolDef) {
	seen := map[string]bool{d.name: true}
	for _, m := range symbolName.FindAllSubmatch(d.text, -1) {
		if n := string(m[1]); !seen[n] && o.by[n] != nil {
			seen[n] = true
			d.uses = append(d.uses, n)
			if d.name != "main" && !strings.HasPrefix(d.name, "llvm.") && o.by[n].fn {
				o.by[n].callers++
			}
		}
	}
	if !d.fn {
		return
	}
	head, _, _ := bytes.Cut(d.text, []byte("\n"))
	m := debugRef.FindSubmatch(head)
	if m == nil {
		return
	}
	sub := o.meta[string(m[1])]
	d.source, _, _ = strings.Cut(field(nameField, sub), "<")
	file := o.meta[field(fileField, sub)]
	path := field(fileName, file)
	if dir := field(dirName, file); !strings.HasPrefix(path, "/") && strings.HasPrefix(dir, "/") {
		path = dir + "/" + path
	}
	d.user = path != "" && !IsSystem(path)
	d.mine = field(fileName, file) == o.file
}

// lastName is the plain name at the end of a C++ spelling: dot of
// ns::dot<int, 4>(int const*).
func lastName(s string) string {
	depth, end := 0, len(s)
	for i, c := range s { // parameters begin behind the first '(' outside of <>
		switch {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case c == '(' && depth == 0 && i > 0:
			end = i
		}
		if end < len(s) {
			break
		}
	}
	s = s[:end]
	if strings.HasSuffix(s, ">") {
		depth = 0
		for i := len(s) - 1; i >= 0; i-- {
			if s[i] == '>' {
				depth++
			} else if s[i] == '<' {
				if depth--; depth == 0 {
					s = s[:i]
					break
				}
			}
		}
	}
	if i := strings.LastIndex(s, "::"); i >= 0 {
		s = s[i+2:]
	}
	return strings.TrimSpace(s)
}

// kernels are the functions that may be meant: those of the wanted name, those that are
// annotated as kernels, or those that no other function but main calls. In the file that
// is compiled, functions of other files do not count as callers: benchmarks call their
// kernels from headers. Of several, those that are called as kernels are count, too.
func (o *outline) kernels(want string, all bool) []*symbolDef {
	if want == "" {
		if out := o.annotated(); len(out) > 0 {
			return out
		}
	}
	var out, named, others []*symbolDef
	last := lastName(want)
	helpers := o.helpers()
	for _, d := range o.defs {
		switch {
		case !d.fn:
		case want != "":
			if d.name == want || d.source != "" && d.source == last {
				out = append(out, d)
			}
		case d.name == "main" || !d.user || all && !d.mine:
		case d.callers == 0 || d.mine && !helpers[d]:
			out = append(out, d)
		case d.mine && LikeKernel(d.source, o.file):
			named = append(named, d)
			others = append(others, d)
		default:
			others = append(others, d)
		}
	}
	switch len(out) {
	case 0:
		return others // they call each other
	case 1:
		return out
	}
	return append(out, named...) // a kernel that a harness beside others calls
}

// helpers are what functions of the compiled file, without main, call in the end.
func (o *outline) helpers() map[*symbolDef]bool {
	out := map[*symbolDef]bool{}
	for _, d := range o.defs {
		if !d.fn || !d.mine || d.name == "main" {
			continue
		}
		seen := map[*symbolDef]bool{d: true}
		for work := []*symbolDef{d}; len(work) > 0; {
			for _, u := range work[0].uses {
				if v := o.by[u]; v != nil && !seen[v] {
					seen[v], out[v] = true, true
					work = append(work, v)
				}
			}
			work = work[1:]
		}
	}
	return out
}

// annotated are the functions with the attribute annotate("loom.accel"), by which the
// sources of PolyArch LOOM mark their kernels.
func (o *outline) annotated() (out []*symbolDef) {
	list := o.by["llvm.global.annotations"]
	if list == nil {
		return nil
	}
	for _, m := range annotation.FindAllSubmatch(list.text, -1) {
		d, text := o.by[string(m[1])], o.by[string(m[2])]
		if d != nil && d.fn && text != nil && accelText.Match(text.text) {
			out = append(out, d)
		}
	}
	return out
}

// expose prepares a module for the optimiser. found is false where no function may be
// meant; the module is then unchanged. With all, the module has functions that nothing
// uses, of which those in other files do not count.
func expose(ll []byte, want string, all bool) (out []byte, found bool) {
	o := readOutline(ll)
	roots := o.kernels(want, all)
	if len(roots) == 0 {
		return ll, false
	}
	isRoot := map[*symbolDef]bool{}
	var mark func(d *symbolDef)
	mark = func(d *symbolDef) {
		if d == nil || d.keep {
			return
		}
		d.keep = true
		for _, u := range d.uses {
			mark(o.by[u])
		}
	}
	for _, d := range roots {
		isRoot[d] = true
		mark(d)
	}
	// Metadata and aliases may name functions too; what initialises a variable of the
	// kernel when the program starts is needed.
	for _, x := range o.order {
		if line, ok := x.([]byte); ok && !bytes.HasPrefix(line, []byte("declare ")) {
			for _, m := range symbolName.FindAllSubmatch(line, -1) {
				mark(o.by[string(m[1])])
			}
		}
	}
	if o.initialises() {
		mark(o.by["llvm.global_ctors"])
	}
	var b bytes.Buffer
	for _, x := range o.order {
		switch x := x.(type) {
		case []byte:
			b.Write(x)
		case *symbolDef:
			switch {
			case !x.keep:
			case isRoot[x]:
				b.Write(external(x.text))
			case x.fn:
				b.Write(internal(x.text))
			default:
				b.Write(o.variable(x))
			}
		}
	}
	return b.Bytes(), true
}

// initialises reports whether a function that runs before main refers to a variable
// that is kept.
func (o *outline) initialises() bool {
	ctors := o.by["llvm.global_ctors"]
	if ctors == nil {
		return false
	}
	seen := map[*symbolDef]bool{}
	var needed func(d *symbolDef) bool
	needed = func(d *symbolDef) bool {
		if d == nil || seen[d] {
			return false
		}
		seen[d] = true
		for _, u := range d.uses {
			if v := o.by[u]; v != nil && (!v.fn && v.keep || needed(v)) {
				return true
			}
		}
		return false
	}
	return needed(ctors)
}

var (
	staticLinkage = regexp.MustCompile(`^define (?:internal |private )`)
	inlineLinkage = regexp.MustCompile(`^define (?:linkonce_odr |linkonce |available_externally )`)
	plainLinkage  = regexp.MustCompile(`^define (?:external )?(dso_local )?`)
	weakLinkage   = regexp.MustCompile(`^define weak (dso_local )?`)
	otherLinkage  = regexp.MustCompile(`^define (?:internal|private|linkonce|linkonce_odr|weak|weak_odr|available_externally|common|extern_weak) `)
	visibility    = regexp.MustCompile(`^define (?:\w+ )*(?:hidden|protected|dllexport) `)
)

// external makes the linker see a function, so that it is kept as it is.
func external(text []byte) []byte {
	text = staticLinkage.ReplaceAll(text, []byte("define dso_local "))
	return inlineLinkage.ReplaceAll(text, []byte("define weak_odr "))
}

// internal makes a function one that is dropped when every call of it has been inlined.
func internal(text []byte) []byte {
	if inlineLinkage.Match(text) {
		// Inline functions of C may have no other definition.
		return bytes.Replace(text, []byte("define available_externally "), []byte("define linkonce_odr "), 1)
	}
	if head, _, _ := bytes.Cut(text, []byte("\n")); weakLinkage.Match(text) && !bytes.Contains(head, []byte(" comdat")) {
		// No other file is linked that has a stronger one.
		return weakLinkage.ReplaceAll(text, []byte("define internal "))
	}
	if otherLinkage.Match(text) || visibility.Match(text) {
		return text
	}
	return plainLinkage.ReplaceAll(text, []byte("define internal "))
}

// zeroInitial matches a variable that starts as zero.
var zeroInitial = regexp.MustCompile(`global .* (?:zeroinitializer|null|undef|0|0\.0+e\+00)(?:,|$)`)

// variable makes a static variable of the file one that the optimiser takes as changed
// by others: it starts as zero, or a function that is taken out uses it. Static
// variables of functions stay as they are, and so do tables that only the kernel
// reads, and constants that are computed when the program starts.
func (o *outline) variable(d *symbolDef) []byte {
	text := d.text
	head, rest, ok := bytes.Cut(text, []byte(" = internal "))
	if !ok || bytes.Contains(head, []byte(" ")) || !bytes.Contains(rest, []byte("global ")) {
		return text
	}
	others := zeroInitial.Match(rest)
	for _, f := range o.defs {
		others = others || f.fn && !f.keep && slices.Contains(f.uses, d.name)
	}
	if !others {
		return text
	}
	m := debugRef.FindSubmatch(rest)
	if m == nil {
		return text
	}
	v := o.meta[field(varField, o.meta[string(m[1])])]
	scope := o.meta[field(scopeField, v)]
	if v == "" || strings.Contains(scope, "!DISubprogram(") || strings.Contains(scope, "!DILexicalBlock(") || o.isConst(field(typeField, v)) {
		return text
	}
	return bytes.Replace(text, []byte(" = internal "), []byte(" = dso_local "), 1)
}

// isConst reports whether a described type is const, or an array of such a type.
func (o *outline) isConst(id string) bool {
	for range 20 {
		t := o.meta[id]
		switch {
		case strings.Contains(t, "DW_TAG_const_type"):
			return true
		case strings.Contains(t, "DW_TAG_array_type"), strings.Contains(t, "DW_TAG_typedef"), strings.Contains(t, "DW_TAG_volatile_type"):
			id = field(baseField, t)
		default:
			return false
		}
	}
	return false
}
