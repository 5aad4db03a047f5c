package vector

import (
	"fmt"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/sizes"
)

// Param is one parameter of a kernel.
type Param struct {
	Name string
	Type ir.Type
	// Unsigned is set where the number, or the elements, have no sign in the source.
	Unsigned bool
}

// Signature is what a kernel takes and yields, without the control token of a
// DFG: the same for a func.func and for the handshake.func lowered from it.
type Signature struct {
	Name    string
	Params  []Param
	Results []ir.Type
	// UnsignedResults are the positions of results without a sign in the source.
	UnsignedResults []int
	// Pos is where the kernel stands in its source.
	Pos diag.Pos
	// Sizes are the parameters that hold the sizes of memories: an input file need not give
	// them.
	Sizes []sizes.Size
	// Unused are parameters of the source that the kernel does not look at: an input
	// file may give them.
	Unused []string
}

// SignatureOf reads the signature of a func.func or handshake.func. Parameters
// are named as in the text (%n is "n") or by argNames; a parameter without a
// name is "arg" and its position. Memories have the type of their storage
// (StorageType). The trailing control token (type none) of a handshake.func is
// left out on both sides.
func SignatureOf(fn *ir.Operation) (*Signature, error) {
	if fn.Name != opname.FuncFunc && fn.Name != opname.HandshakeFunc {
		return nil, diag.New(fn.Pos, "'%s' is no function", fn.Name)
	}
	sig := &Signature{Name: fn.SymName(), Pos: fn.Pos}
	attr, ok := fn.Attr("function_type").(*ir.TypeAttr)
	if !ok {
		return nil, diag.New(fn.Pos, "function %s has no function_type", ir.SymbolText(sig.Name))
	}
	ft, ok := attr.Type.(*ir.FunctionType)
	if !ok {
		return nil, diag.New(fn.Pos, "the type of function %s is %s, which is no function type", ir.SymbolText(sig.Name), attr.Type)
	}
	inputs, results := ft.Inputs, ft.Results
	if fn.Name == opname.HandshakeFunc {
		inputs, results = dropControl(inputs), dropControl(results)
	}
	names := paramNames(fn)
	seen := map[string]bool{}
	for i, t := range inputs {
		name := fmt.Sprintf("arg%d", i)
		if i < len(names) && names[i] != "" {
			name = names[i]
		}
		if seen[name] {
			return nil, diag.New(fn.Pos, "function %s has two parameters named %q", ir.SymbolText(sig.Name), name)
		}
		seen[name] = true
		if m, ok := t.(*ir.MemRefType); ok {
			t = StorageType(m)
		}
		sig.Params = append(sig.Params, Param{Name: name, Type: t})
	}
	sig.Sizes = sizes.Of(fn)
	sig.Results = append([]ir.Type(nil), results...)
	if c, ok := cabi.Of(fn); ok {
		sig.signs(c)
		for _, p := range c.Params {
			if len(p.Pieces) == 0 && p.Name != "" && !seen[p.Name] {
				sig.Unused = append(sig.Unused, p.Name)
			}
		}
	}
	return sig, nil
}

// signs notes what has no sign in the source.
func (sig *Signature) signs(c *cabi.Function) {
	for _, p := range c.Params {
		for _, q := range p.Pieces {
			if q.Index >= 0 && q.Index < len(sig.Params) {
				sig.Params[q.Index].Unsigned = p.Unsigned || q.Unsigned
			}
		}
	}
	if c.Result == nil {
		return
	}
	for _, q := range c.Result.Pieces {
		if c.Result.Unsigned || q.Unsigned {
			sig.UnsignedResults = append(sig.UnsignedResults, q.Index)
		}
	}
}

// Sign notes in an outcome of the kernel what has no sign in its source, so that it is printed
// without. What is compared are bits.
func (sig *Signature) Sign(o *Outcome) {
	for _, i := range sig.UnsignedResults {
		if i >= 0 && i < len(o.Results) {
			o.Results[i].Unsigned = true
		}
	}
	at := 0
	for _, p := range sig.Params {
		if _, mem := p.Type.(*ir.MemRefType); mem && at < len(o.Memories) {
			o.Memories[at].Unsigned = p.Unsigned
			at++
		}
	}
}

func dropControl(ts []ir.Type) []ir.Type {
	if n := len(ts); n > 0 && ts[n-1] == ir.Type(ir.None) {
		return ts[:n-1]
	}
	return ts
}

// paramNames prefers argNames, then the names of the entry block's arguments.
func paramNames(fn *ir.Operation) []string {
	var out []string
	if names, ok := fn.Attr("argNames").(*ir.ArrayAttr); ok {
		for _, e := range names.Elems {
			s, _ := e.(*ir.StringAttr)
			if s == nil {
				s = &ir.StringAttr{}
			}
			out = append(out, s.Value)
		}
		return out
	}
	if len(fn.Regions) == 0 || fn.Regions[0].Entry() == nil {
		return nil
	}
	for _, a := range fn.Regions[0].Entry().Args {
		out = append(out, a.Name)
	}
	return out
}
