package speccase

import (
	"fmt"
	"strconv"
	"strings"

	"loom/compiler/ir"
	"loom/sim/vector"
)

// recorder collects the tokens of every value.
type recorder map[*ir.Value][]uint64

func (r recorder) token(v *ir.Value, bits uint64) { r[v] = append(r[v], bits) }

// tokens writes what a value carried.
func (r recorder) tokens(v *ir.Value) string {
	var out []string
	for _, bits := range r[v] {
		out = append(out, tokenText(v.Type, bits))
	}
	return strings.Join(out, " ")
}

func tokenText(t ir.Type, bits uint64) string {
	switch {
	case t == ir.Type(ir.None):
		return "*"
	case t == ir.Type(ir.I1) && bits != 0:
		return "T"
	case t == ir.Type(ir.I1):
		return "F"
	case t == ir.Type(ir.Index):
		return strconv.FormatInt(int64(bits), 10) // streams count with signs
	}
	return vector.FormatScalar(vector.Scalar{Type: t, Bits: bits})
}

// resultNames name the results of the operations that cases speak about.
var resultNames = map[string][]string{
	"dataflow.stream":    {"idx", "cont"},
	"dataflow.gate":      {"value", "cond"},
	"dataflow.carry":     {""},
	"dataflow.invariant": {""},
	"handshake.cond_br":  {"true", "false"},
	"handshake.mux":      {""},
	"handshake.join":     {""},
	"handshake.load":     {"data", "addr"},
	"handshake.store":    {"data", "addr"},
}

// roles names values of a graph by operation and number: "stream#0.cont".
func roles(fn *ir.Operation) (names []string, values map[string]*ir.Value) {
	values = map[string]*ir.Value{}
	count := map[string]int{}
	for _, op := range fn.Regions[0].Entry().Ops {
		parts, ok := resultNames[op.Name]
		if !ok {
			continue
		}
		_, kind, _ := strings.Cut(op.Name, ".")
		for i, part := range parts {
			name := fmt.Sprintf("%s#%d", kind, count[kind])
			if part != "" {
				name += "." + part
			}
			names = append(names, name)
			values[name] = op.Result(i)
		}
		count[kind]++
	}
	return names, values
}

// listing is the tokens of the dataflow operations and of the accesses of a
// graph, in its order.
func (r recorder) listing(fn *ir.Operation) string {
	names, values := roles(fn)
	var b strings.Builder
	for _, name := range names {
		v := values[name]
		if v.Def.Dialect() == "dataflow" || v.Def.Name == "handshake.load" || v.Def.Name == "handshake.store" {
			fmt.Fprintf(&b, "%s = %s\n", name, r.tokens(v))
		}
	}
	return b.String()
}

// wanted is a streams.txt.
type wanted struct {
	feed  map[string][]string
	names []string
	want  map[string]string
}

func (c *specCase) streams() *wanted {
	w := &wanted{feed: map[string][]string{}, want: map[string]string{}}
	for line := range strings.Lines(c.file("streams.txt")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, tokens, ok := strings.Cut(line, "=")
		if !ok {
			c.Fatalf("streams.txt: a line is no comment and has no '=': %s", line)
		}
		name = strings.TrimSpace(name)
		list := strings.Fields(tokens)
		if arg, ok := strings.CutPrefix(name, "feed %"); ok {
			if len(list) == 0 {
				c.Fatalf("streams.txt: %%%s is fed nothing", arg)
			}
			w.feed[arg] = list
			continue
		}
		w.names = append(w.names, name)
		w.want[name] = strings.Join(list, " ")
	}
	return w
}

// check holds the recorded tokens to those of streams.txt.
func (w *wanted) check(c *specCase, what string, fn *ir.Operation, rec recorder) {
	c.Helper()
	_, values := roles(fn)
	for _, op := range fn.Regions[0].Entry().Ops {
		for _, r := range op.Results() {
			if r.Name != "" {
				values["%"+r.Name] = r
			}
		}
	}
	for _, name := range w.names {
		v := values[name]
		if v == nil {
			c.Errorf("%s: streams.txt speaks of %s, which the graph does not have", what, name)
			continue
		}
		if got := rec.tokens(v); got != w.want[name] {
			c.Errorf("%s: %s carries\n  %s\nwhere the specification has\n  %s", what, name, got, w.want[name])
		}
	}
}

// bits reads tokens for a parameter.
func (c *specCase) bits(v *ir.Value, tokens []string) []uint64 {
	var out []uint64
	for _, s := range tokens {
		switch s {
		case "T":
			out = append(out, 1)
			continue
		case "F", "*":
			out = append(out, 0)
			continue
		}
		var n int64
		if _, err := fmt.Sscan(s, &n); err != nil {
			c.Fatalf("streams.txt: %q is no token of %%%s", s, v.Name)
		}
		w, _ := ir.BitWidth(v.Type, 64)
		out = append(out, uint64(n)<<(64-w)>>(64-w))
	}
	return out
}

// lengths checks the length invariants of spec-dataflow-compilation ("The
// following must always hold after lowering") on a run: per activation
// dataflow.stream emits N+1 tokens, dataflow.gate N, invariants behind the gate N,
// carries of iter_args N+1, and memory control inside the body N.
func lengths(c *specCase, what string, fn *ir.Operation, rec recorder) {
	c.Helper()
	expect := func(v *ir.Value, want int, why string) {
		c.Helper()
		if got := len(rec[v]); got != want {
			c.Errorf("%s: '%s' at %s emits %d tokens where %d are right: %s", what, v.Def.Name, v.Def.Pos, got, want, why)
		}
	}
	for _, op := range fn.Regions[0].Entry().Ops {
		if len(op.Results()) == 0 || op.Dialect() != "dataflow" {
			continue
		}
		cond := op.Operand(0)
		switch op.Name {
		case "dataflow.stream":
			continues, ends := count(rec[op.Result(1)])
			expect(op.Result(0), continues+ends, "a stream emits N+1")
		case "dataflow.gate":
			continues, _ := count(rec[op.Operand(1)])
			expect(op.Result(0), continues, "a gate reduces N+1 to N")
			expect(op.Result(1), continues, "after_cond has N")
		case "dataflow.carry", "dataflow.invariant":
			// Behind a gate N per activation, by the raw condition N+1: as many as
			// the condition has tokens.
			expect(op.Result(0), len(rec[cond]), "as many as the condition")
			_, ends := count(rec[cond])
			if seed := op.Operand(1); seed.Def != nil && len(rec[seed]) != ends {
				c.Errorf("%s: '%s' at %s takes %d initial values for %d activations", what, op.Name, op.Pos, len(rec[seed]), ends)
			}
		}
	}
}

// count counts the true and the false tokens of a condition.
func count(tokens []uint64) (continues, ends int) {
	for _, b := range tokens {
		if b != 0 {
			continues++
		} else {
			ends++
		}
	}
	return continues, ends
}
