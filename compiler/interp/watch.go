package interp

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/sim/vector"
)

// Watch observes every call of one function, or takes its place.
type Watch struct {
	// Function is the symbol of the function.
	Function string
	// Called receives the arguments as they were before the call, and the work of the call
	// (Profile). Memories are copies.
	Called func(in *vector.Inputs, work int64)
	// Replace, when not nil, executes the call instead of the interpreter; it may keep and
	// change the arguments. Outcome.Memories are those of the memory arguments, in their
	// order. A status other than done ends the run with it; an error is Run's error.
	Replace func(in *vector.Inputs) (*vector.Outcome, error)
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
		in := arguments(fr, fn, sig)
		if w.Replace != nil {
			return replaced(fr, fn, sig, in, w.Replace)
		}
		before := fr.st.work
		f := run(fr)
		w.Called(in, fr.st.work-before)
		return f
	}
}

// arguments are those of the call that fr is the frame of, as a run of the function alone
// takes them: memories are copied, those that overlap into one array.
func arguments(fr *frame, fn *function, sig *vector.Signature) *vector.Inputs {
	in := &vector.Inputs{}
	copies := map[*buffer][]uint64{}
	for i, p := range sig.Params {
		a := vector.Arg{Name: p.Name, Type: p.Type}
		if mt, ok := p.Type.(*ir.MemRefType); ok {
			v := fr.m[fn.params[i].index]
			if copies[v.buf] == nil {
				copies[v.buf] = append(make([]uint64, 0, len(v.buf.data)), v.buf.data...)
			}
			a.Mem = &vector.Memory{Name: p.Name, Elem: mt.Elem, Shape: append([]int64{}, v.shape...)}
			if first, n, all := window(&v, fn, i, mt); all {
				a.Mem.Data = copies[v.buf][first : first+n]
				if fn.op.Regions[0].Entry().Args[i].Type != p.Type {
					a.Mem.Shape = []int64{n}
				}
			} else {
				v.each(func(at int64) {
					x := uint64(0)
					if at >= 0 && at < int64(len(v.buf.data)) { // else the memory has been freed
						x = v.buf.data[at]
					}
					a.Mem.Data = append(a.Mem.Data, x)
				})
			}
		} else {
			a.Scalar = fr.v[fn.params[i].index]
		}
		in.Args = append(in.Args, a)
	}
	return in
}

// window is the part of its buffer that argument i is: of a parameter with a layout all that
// the layout may reach (vector.StorageType). It reports whether the elements are all there,
// one after the other.
func window(v *view, fn *function, i int, storage *ir.MemRefType) (first, n int64, all bool) {
	have := int64(len(v.buf.data))
	if fn.op.Regions[0].Entry().Args[i].Type != ir.Type(storage) {
		if n = have; storage.Shape[0] != ir.Dynamic {
			n = storage.Shape[0]
		}
		return 0, n, n <= have
	}
	step := int64(1)
	all = true
	for d := len(v.shape) - 1; d >= 0; d-- {
		all = all && (v.strides[d] == step || v.shape[d] == 1)
		step *= v.shape[d]
	}
	return v.offset, step, all && v.offset >= 0 && v.offset+step <= have
}

// replaced lets run execute a call and stores what it returns: memories, as far as the call
// has changed them, and results.
func replaced(fr *frame, fn *function, sig *vector.Signature, in *vector.Inputs, run func(*vector.Inputs) (*vector.Outcome, error)) *fault {
	pos := fn.op.Pos
	before := in.Clone()
	out, err := run(in)
	switch {
	case err != nil:
		return &fault{err: err, pos: pos}
	case out.Status != vector.Done:
		return &fault{status: out.Status, code: out.ErrorCode, pos: pos, message: fmt.Sprintf("this call ends in status %s", out.Status)}
	case len(out.Results) != len(fn.results):
		return &fault{err: diag.New(pos, "%s has %d results, the call has returned %d", ir.SymbolText(sig.Name), len(fn.results), len(out.Results)), pos: pos}
	}
	for i, r := range fn.results {
		fr.v[r.index] = out.Results[i].Bits
	}
	next := 0
	for i := range sig.Params {
		old := before.Args[i].Mem
		if old == nil {
			continue
		}
		if next >= len(out.Memories) || len(out.Memories[next].Data) != len(old.Data) {
			return &fault{err: diag.New(pos, "the call of %s returns no memory for argument %q", ir.SymbolText(sig.Name), sig.Params[i].Name), pos: pos}
		}
		data := out.Memories[next].Data
		next++
		v, k := fr.m[fn.params[i].index], 0
		store := func(at int64) {
			if data[k] != old.Data[k] && at >= 0 && at < int64(len(v.buf.data)) {
				v.buf.data[at] = data[k]
				if v.buf.written != nil {
					v.buf.written[at] = true
				}
			}
			k++
		}
		if first, n, all := window(&v, fn, i, sig.Params[i].Type.(*ir.MemRefType)); all {
			for at := first; at < first+n; at++ {
				store(at)
			}
		} else {
			v.each(store)
		}
	}
	return nil
}
