package opkit

import (
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
)

// Flags is an attribute that holds a set of words, such as
// #arith.overflow<nsw, nuw>, with its own spelling in the assembly:
// "overflow<nsw, nuw>". The empty set is the default and never stored. A nil
// Flags is no attribute at all.
type Flags struct {
	Attr    string // attribute name
	Keyword string // in the assembly
	Prefix  string // of the attribute's text, "#arith.overflow"
	Sep     string
	Words   []string
	// All is a word for all of Words, "" for none.
	All string
}

// The flags of arith and math operations.
var (
	Overflow = &Flags{Attr: "overflowFlags", Keyword: "overflow", Prefix: "#arith.overflow", Sep: ", ",
		Words: []string{"nsw", "nuw"}}
	FastMath = &Flags{Attr: "fastmath", Keyword: "fastmath", Prefix: "#arith.fastmath", Sep: ",",
		Words: []string{"reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"}, All: "fast"}
)

// Name is the attribute's name, "" for nil.
func (f *Flags) Name() string {
	if f == nil {
		return ""
	}
	return f.Attr
}

// Parse reads the flags if they come next.
func (f *Flags) Parse(p *mlir.OpParser, st *mlir.OpState) {
	if f == nil || !p.ParseOptionalKeyword(f.Keyword) {
		return
	}
	p.ParsePunct("<")
	words := append([]string{"none"}, f.Words...)
	if f.All != "" {
		words = append(words, f.All)
	}
	var have []string
	for first := true; first || p.ParseOptionalComma(); first = false {
		have = append(have, words[p.ParseOneOf("a flag", words...)])
	}
	p.ParsePunct(">")
	st.Set(f.Attr, &ir.OpaqueAttr{Text: f.Prefix + "<" + strings.Join(have, f.Sep) + ">"})
}

// Print writes the flags if there are any.
func (f *Flags) Print(p *mlir.OpPrinter, op *ir.Operation) {
	if f == nil {
		return
	}
	if a, ok := op.Attr(f.Attr).(*ir.OpaqueAttr); ok {
		p.Printf(" %s%s", f.Keyword, strings.TrimPrefix(a.Text, f.Prefix))
	}
}

// words splits the attribute; ok is false where it is something else.
func (f *Flags) words(a ir.Attr) (words []string, ok bool) {
	o, isOpaque := a.(*ir.OpaqueAttr)
	if !isOpaque {
		return nil, false
	}
	text, found := strings.CutPrefix(o.Text, f.Prefix+"<")
	text, closed := strings.CutSuffix(text, ">")
	if !found || !closed {
		return nil, false
	}
	for _, w := range strings.Split(text, ",") {
		w = strings.TrimSpace(w)
		switch {
		case w == "none":
		case w == f.All && w != "":
			words = append(words, f.Words...)
		case slices.Contains(f.Words, w):
			words = append(words, w)
		default:
			return nil, false
		}
	}
	return words, true
}

// Normalizer returns the function that drops empty sets and gives the others one
// spelling.
func (f *Flags) Normalizer() func(op *ir.Operation) {
	if f == nil {
		return nil
	}
	return func(op *ir.Operation) {
		a := op.Attr(f.Attr)
		if a == nil {
			return
		}
		words, ok := f.words(a)
		if !ok {
			return // the verifier reports it
		}
		var sorted []string
		for _, w := range f.Words {
			if slices.Contains(words, w) {
				sorted = append(sorted, w)
			}
		}
		switch {
		case len(sorted) == 0:
			op.SetAttr(f.Attr, nil)
			return
		case len(sorted) == len(f.Words) && f.All != "":
			sorted = []string{f.All}
		}
		op.SetAttr(f.Attr, &ir.OpaqueAttr{Text: f.Prefix + "<" + strings.Join(sorted, f.Sep) + ">"})
	}
}

// Verify checks that the attribute, if present, is a set of known words.
func (f *Flags) Verify(op *ir.Operation, errs *diag.List) {
	if f == nil {
		return
	}
	if a := op.Attr(f.Attr); a != nil {
		if _, ok := f.words(a); !ok {
			Errorf(op, errs, "attribute '%s' is %s, expected %s<…> of %s", f.Attr, a, f.Prefix, strings.Join(f.Words, ", "))
		}
	}
}
