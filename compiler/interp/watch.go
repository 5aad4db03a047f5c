package interp

import (
	"loom/compiler/ir"
	"loom/sim/vector"
)

// Watch observes every call of one function.
type Watch struct {
	// Function is the symbol of the function.
	Function string
	// Called receives the arguments as they were before the call, and the number of
	// operations that the call executed. Memories are copies.
	Called func(in *vector.Inputs, steps int64)
}

// watched wraps the calls of a function that Options.Watch names.
func (c *compiler) watched(callee *ir.Operation, run func(fr *frame) *fault) func(fr *frame) *fault {
	w := c.m.opts.Watch
	if w == nil || callee.SymName() != w.Function {
		return run
	}
	sig, err := vector.SignatureOf(callee)
	if err != nil {
		return run // it cannot be called from outside
	}
	fn := c.m.function(callee)
	return func(fr *frame) *fault {
		in := &vector.Inputs{}
		for i, p := range sig.Params {
			a := vector.Arg{Name: p.Name, Type: p.Type}
			if mt, ok := p.Type.(*ir.MemRefType); ok {
				v := fr.m[fn.params[i].index]
				a.Mem = &vector.Memory{Name: p.Name, Elem: mt.Elem, Shape: append([]int64{}, v.shape...)}
				v.each(func(at int64) {
					x := uint64(0)
					if at >= 0 && at < int64(len(v.buf.data)) {
						x = v.buf.data[at]
					}
					a.Mem.Data = append(a.Mem.Data, x)
				})
			} else {
				a.Scalar = fr.v[fn.params[i].index]
			}
			in.Args = append(in.Args, a)
		}
		before := fr.st.steps
		f := run(fr)
		w.Called(in, fr.st.steps-before)
		return f
	}
}
