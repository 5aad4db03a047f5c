package host

import (
	"embed"
	"fmt"
	"strings"
	"text/template"

	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapping"
)

//go:embed *.tmpl
var templates embed.FS

var parsed = template.Must(template.New("host").Option("missingkey=error").ParseFS(templates, "*.tmpl"))

func render(name string, data any) ([]byte, error) {
	var b strings.Builder
	if err := parsed.ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("host: template %s: %w", name, err)
	}
	return []byte(b.String()), nil
}

// Driver returns loom_accel.h and loom_accel.c. They are the same for every
// fabric: what differs is in config.h.
func Driver() (header, source []byte, err error) {
	data := map[string]any{"Registers": Registers, "Version": Version, "MaxPorts": MaxPorts, "MaxRegions": MaxRegions}
	if header, err = render("loom_accel.h.tmpl", data); err != nil {
		return nil, nil, err
	}
	source, err = render("loom_accel.c.tmpl", data)
	return header, source, err
}

// param is one parameter of the host function.
type param struct {
	Name, CType, Doc string
	// Scalar arguments and results have a boundary port; memories a place for
	// their base address in the image.
	Memory, Unused bool
	Port           int
	Word, Bit      int
}

// Function returns <dfg>_host.c: a C function with the kernel's parameters that
// configures the fabric, loads the initial contents of the kernel's own memories, runs
// the kernel once and returns what loom_accel returned. configHeader is the file name of the mapping's config.h.
func Function(b *mapping.Binding, l *config.Layout, fabric, configHeader string) ([]byte, error) {
	names := &namer{used: map[string]bool{"dev": true, "base": true, "status": true, "bits": true}}
	var args, results []param
	for _, a := range b.Args {
		p := param{Name: names.pick(a.Name), Port: a.Input, Doc: a.Type.String()}
		if m, ok := a.Type.(*ir.MemRefType); ok {
			p.Memory = true
			p.CType = CType(m.Elem) + " *"
			p.Unused = a.Mem < 0
			if !p.Unused {
				var ok bool
				if p.Word, p.Bit, ok = regionAddress(a, l); !ok {
					return nil, fmt.Errorf("host: argument %s has no region in the image", a.Name)
				}
			}
		} else {
			p.CType = CType(a.Type) + " "
			p.Unused = a.Input < 0
		}
		args = append(args, p)
	}
	for i, r := range b.Results {
		name := r.Name
		if name == "" {
			name = fmt.Sprintf("result%d", i)
		}
		results = append(results, param{Name: names.pick(name), CType: CType(r.Type), Port: r.Output, Doc: r.Type.String()})
	}
	return render("host.c.tmpl", map[string]any{
		"Kernel": inComment(b.Kernel), "Function": cIdent(b.Kernel) + "_accel", "Fabric": inComment(fabric), "ConfigHeader": configHeader,
		"Hash": fmt.Sprintf("UINT64_C(0x%016x)", l.Hash), "Args": args, "Results": results,
		"Start": b.Start, "Done": b.Done, "Contents": len(b.Contents) > 0,
	})
}

// CType is the C type that holds a value of type t: the next standard width for
// integers, 64 bits for index.
func CType(t ir.Type) string {
	switch t := t.(type) {
	case *ir.IntegerType:
		for _, w := range []int{8, 16, 32, 64} {
			if t.Width <= w {
				return fmt.Sprintf("int%d_t", w)
			}
		}
	case *ir.IndexType:
		return "uint64_t"
	case *ir.FloatType:
		switch t.Name {
		case "f32":
			return "float"
		case "f64":
			return "double"
		}
		return "uint16_t"
	}
	return "uint64_t"
}

type namer struct{ used map[string]bool }

// pick returns a C identifier like name that no other parameter has.
func (n *namer) pick(name string) string {
	base := cIdent(name)
	id := base
	for i := 2; n.used[id]; i++ {
		id = fmt.Sprintf("%s_%d", base, i)
	}
	n.used[id] = true
	return id
}

// inComment makes a name, which may be any string in MLIR, safe in a C comment:
// nothing ends the comment or, as a trigraph or at the end of a line, continues it.
func inComment(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '\\' || r == '?' {
			return '_'
		}
		return r
	}, strings.ReplaceAll(strings.ReplaceAll(s, "*/", "* /"), "/*", "/ *"))
}

// taken are the words that mean something else in the C and C++ that a host
// function is compiled as: keywords, and what its headers declare.
var taken = map[string]bool{}

func init() {
	for _, k := range strings.Fields(`auto break case char const continue default do double else enum extern
		float for goto if inline int long register restrict return short signed sizeof static struct switch
		typedef union unsigned void volatile while bool class delete new private protected public template
		this throw try using virtual namespace operator catch true false alignas alignof and and_eq asm bitand
		bitor char16_t char32_t compl const_cast constexpr decltype dynamic_cast explicit export friend mutable
		noexcept not not_eq nullptr or or_eq reinterpret_cast static_assert static_cast thread_local typeid
		typename wchar_t xor xor_eq
		int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t size_t
		memcpy main loom loom_accel linux unix`) {
		taken[k] = true
	}
}

// reserved tells whether an identifier is taken, or of a form that belongs to the
// implementation, to macros or to LOOM.
func reserved(id string) bool {
	macro := len(id) > 1 && strings.ToUpper(id) == id && id[0] != '_'
	return taken[id] || macro || strings.HasPrefix(id, "loom_") ||
		len(id) > 1 && id[0] == '_' && (id[1] == '_' || 'A' <= id[1] && id[1] <= 'Z')
}

// cIdent turns a name into a C identifier.
func cIdent(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			b.WriteRune(r)
		case '0' <= r && r <= '9':
			if i == 0 {
				b.WriteString("v")
			}
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	id := b.String()
	if id == "" || reserved(id) {
		id = "v_" + id
	}
	return id
}
