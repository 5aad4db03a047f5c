package check

import (
	"slices"

	"loom/compiler/ir"
	"loom/compiler/mapping"
)

// boundary checks the binding of arguments and results.
func (c *checker) boundary() {
	args := append(append([]mapping.Arg(nil), c.m.Args...), mapping.Arg{Port: c.m.Start.Port, Type: c.m.Start.Type})
	if len(args) != len(c.g.args) {
		c.fail(-1, "it binds %d arguments, the kernel has %d", len(args), len(c.g.args))
		return
	}
	used := map[string]int{}
	for i, a := range args {
		v := c.g.args[i]
		if a.Type != v.Type.String() {
			c.fail(-1, "argument %d has type %s, in the mapping %s", i, v.Type, a.Type)
		}
		_, isMem := v.Type.(*ir.MemRefType)
		needed := len(c.g.readers[terminal{-1, i}]) > 0 || i == len(args)-1
		switch {
		case isMem:
			var want, have []mapping.Place
			for _, mem := range c.m.Memories {
				if mem.Arg == i {
					want = append(want, mapping.Place{Comp: mem.Comp, Region: mem.Region})
				}
			}
			if a.Comp != "" || a.Region != 0 || len(a.Also) > 0 {
				have = append([]mapping.Place{{Comp: a.Comp, Region: a.Region}}, a.Also...)
			}
			if a.Port != "" || !slices.Equal(want, have) {
				c.fail(-1, "memref argument %d is bound to %v, its memories are %v", i, have, want)
			}
			continue
		case a.Comp != "" || a.Region != 0 || len(a.Also) > 0:
			c.fail(-1, "scalar argument %d is bound to region %d of memory '%s'", i, a.Region, a.Comp)
			continue
		case a.Port == "":
			if needed {
				c.fail(-1, "argument %d is read but bound to no boundary input", i)
			}
			continue
		}
		p, ok := c.inputs[a.Port]
		if !ok {
			c.fail(-1, "the fabric has no boundary input '%s'", a.Port)
			continue
		}
		if other, taken := used[a.Port]; taken {
			c.fail(-1, "arguments %d and %d share boundary input '%s'", other, i, a.Port)
		}
		used[a.Port] = i
		if c.f.Inputs[p].Width < c.needed(terminal{-1, i}) {
			c.fail(-1, "boundary input '%s' is too narrow for argument %d", a.Port, i)
		}
	}
	c.results()
}

// needed is the widest use of a value.
func (c *checker) needed(src terminal) int {
	w := 0
	for _, r := range c.g.readers[src] {
		w = max(w, c.g.source[r].width)
	}
	return w
}

func (c *checker) results() {
	results := append(append([]mapping.Port(nil), c.m.Results...), c.m.Done)
	ret := c.g.ops[c.g.ret]
	if len(results) != ret.NumOperands() {
		c.fail(c.g.ret, "it binds %d results, the kernel has %d", len(results), ret.NumOperands())
		return
	}
	used := map[string]int{}
	for i, r := range results {
		p, ok := c.outputs[r.Port]
		if !ok {
			c.fail(c.g.ret, "the fabric has no boundary output '%s'", r.Port)
			continue
		}
		if other, taken := used[r.Port]; taken {
			c.fail(c.g.ret, "results %d and %d share boundary output '%s'", other, i, r.Port)
		}
		used[r.Port] = i
		if r.Type != ret.Operand(i).Type.String() {
			c.fail(c.g.ret, "result %d has type %s, in the mapping %s", i, ret.Operand(i).Type, r.Type)
		}
		if c.f.Outputs[p].Width < c.g.source[terminal{c.g.ret, i}].width {
			c.fail(c.g.ret, "boundary output '%s' is too narrow for result %d", r.Port, i)
		}
	}
}
