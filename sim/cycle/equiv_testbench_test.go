package cycle

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
)

// testbench is a component on a Bench beside the module that implements it.
type testbench struct {
	c   *arch.Component
	set config.Setting
	// module with params, and connections of what no channel carries.
	module, params, fixed string
	beside                string // what else the bench has
	flat                  bool   // channels are vectors in_… and out_…
	clocked, errs         bool
	timeout               int // DEADLOCK_TIMEOUT of a memory
	// token makes a token for an input port.
	token func(port int) Token
	// around adds signals beside the channels, and drives them in each cycle; after
	// sees what the component has shown.
	around func(g *bench, in *BenchIn)
	after  func(g *bench, in *BenchIn, out *BenchOut)
	// quiet holds inputs back while it is true, so that others get ahead of them.
	quiet func(cycle, port int) bool
}

// port makes a port of a component; none has no data.
func port(name string, width, tag int) arch.Port {
	p := arch.Port{Name: name, Type: ir.Int(max(width, 1)), Width: width, TagWidth: tag}
	if width == 0 {
		p.Type = ir.None
		if tag == 0 {
			p.Width = 1
		}
	}
	return p
}

// put appends this cycle's value of a signal.
func (s *signal) put(v uint64) { s.at = append(s.at, v) }

// lines are the signals of one channel.
type lines struct{ valid, ready, data, tag *signal }

// word spells the channel's data as the module sees it, tag above payload; "" for
// channels of control alone, whose ports have no data.
func word(p *arch.Port, prefix string) string {
	var parts []string
	if p.TagWidth > 0 {
		parts = append(parts, prefix+"_tag")
	}
	if p.Width > 0 && p.Type != ir.Type(ir.None) {
		parts = append(parts, prefix+"_data")
	}
	if len(parts) == 0 {
		return ""
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// channel adds the signals of a channel; what the component drives is observed.
func (g *bench) channel(p *arch.Port, prefix string, input bool) (l lines) {
	drives, sees := g.addStim, func(name string, width int) *signal { return g.addObs(name, width, -1) }
	if !input {
		drives, sees = sees, drives
	}
	l.valid = drives(prefix+"_valid", 1)
	l.ready = sees(prefix+"_ready", 1)
	if w := word(p, prefix); strings.Contains(w, "_data") {
		l.data = drives(prefix+"_data", p.Width)
	}
	if p.TagWidth > 0 {
		l.tag = drives(prefix+"_tag", p.TagWidth)
	}
	if input {
		l.ready.when = l.valid
		return l
	}
	for _, s := range []*signal{l.data, l.tag} {
		if s != nil {
			s.when = l.valid
		}
	}
	return l
}

// connect spells the instance.
func (x *testbench) connect(g *bench) {
	var parts []string
	side := func(ports []arch.Port, prefix, name string) {
		var valid, ready, data []string
		for i := range ports {
			p, s := &ports[i], fmt.Sprint(prefix, i)
			if !x.flat {
				parts = append(parts, fmt.Sprintf(".%s_valid(%s_valid), .%s_ready(%s_ready)", p.Name, s, p.Name, s))
				if w := word(p, s); w != "" {
					parts = append(parts, fmt.Sprintf(".%s_data(%s)", p.Name, w))
				}
				continue
			}
			valid, ready, data = append(valid, s+"_valid"), append(ready, s+"_ready"), append(data, word(p, s))
		}
		if x.flat {
			parts = append(parts, fmt.Sprintf(".%s_valid(%s), .%s_ready(%s), .%s_data(%s)",
				name, concat(valid, ""), name, concat(ready, ""), name, concat(data, "")))
		}
	}
	side(x.c.In, "i", "in")
	side(x.c.Out, "o", "out")
	if x.fixed != "" {
		parts = append(parts, x.fixed)
	}
	if x.clocked {
		parts = append(parts, ".clk(clk), .rst(rst), .idle(idle)")
	} else if x.errs {
		parts = append(parts, ".rst(rst)")
	}
	if x.errs {
		parts = append(parts, ".err_valid(err_valid), .err_code(err_code)")
	}
	params := ""
	if x.params != "" {
		params = "#(" + x.params + ") "
	}
	g.sv = fmt.Sprintf("  %s %sdut (%s);\n%s", x.module, params, strings.Join(parts, ", "), x.beside)
}

// run drives random traffic through the model and records its signals.
func (x *testbench) run(name string, r *rand.Rand, cycles int) (*bench, error) {
	b, err := NewBench(x.c, x.set, 64)
	if err != nil {
		return nil, err
	}
	if x.timeout > 0 {
		b.SetDeadlockTimeout(x.timeout)
	}
	g := &bench{name: name, rng: r}
	in := &BenchIn{In: make([]Token, len(x.c.In)), Ready: make([]bool, len(x.c.Out))}
	var ins, outs []lines
	for i := range x.c.In {
		ins = append(ins, g.channel(&x.c.In[i], fmt.Sprint("i", i), true))
	}
	for o := range x.c.Out {
		outs = append(outs, g.channel(&x.c.Out[o], fmt.Sprint("o", o), false))
	}
	var idle, errValid, errCode *signal
	if x.clocked {
		idle = g.addObs("idle", 1, -1)
	}
	if x.errs {
		errValid = g.addObs("err_valid", 1, -1)
		errCode = g.addObs("err_code", 16, -1)
		errCode.when = errValid
	}
	x.connect(g)
	put := func(s *signal, v uint64) {
		if s != nil {
			s.put(v)
		}
	}
	rates := []float64{0, 0.1, 0.5, 0.9, 1}
	rate := make([]float64, len(ins)+len(outs))
	taken, held := make([]bool, len(ins)), make([]Token, len(outs))
	for c := range cycles {
		if c%40 == 0 {
			for i := range rate {
				if rate[i] = rates[r.IntN(len(rates))]; c%200 == 0 { // everything at full speed for a while
					rate[i] = 1
				}
			}
		}
		for i := range ins {
			t := &in.In[i]
			if t.Valid && !taken[i] {
				continue
			}
			*t = x.token(i)
			t.Valid = r.Float64() < rate[i] && (x.quiet == nil || !x.quiet(c, i))
		}
		for o := range outs {
			in.Ready[o] = r.Float64() < rate[len(ins)+o]
		}
		if x.around != nil {
			x.around(g, in)
		}
		out := b.Step(in)
		for o := range outs {
			if was := held[o]; was.Valid && was != out.Out[o] {
				return nil, fmt.Errorf("%s: cycle %d: output %d offered %+v, and %+v before that was taken", name, c, o, was, out.Out[o])
			}
			if held[o] = out.Out[o]; in.Ready[o] {
				held[o] = Token{}
			}
		}
		for i, l := range ins {
			t := &in.In[i]
			taken[i] = out.Ready[i]
			put(l.valid, bit(t.Valid))
			put(l.data, t.Data&mask(x.c.In[i].Width))
			put(l.tag, uint64(t.Tag)&mask(x.c.In[i].TagWidth))
			put(l.ready, bit(out.Ready[i]))
		}
		for o, l := range outs {
			t := &out.Out[o]
			put(l.ready, bit(in.Ready[o]))
			put(l.valid, bit(t.Valid))
			put(l.data, t.Data)
			put(l.tag, uint64(t.Tag))
		}
		put(idle, bit(out.Idle))
		put(errValid, bit(out.Err != 0))
		put(errCode, uint64(out.Err))
		if x.after != nil {
			x.after(g, in, out)
		}
	}
	return g, nil
}

// fields writes configuration bits, the first field lowest.
type fields struct{ parts []string }

func (f *fields) add(width int, v uint64) {
	if width > 0 {
		f.parts = append([]string{fmt.Sprintf("%d'h%x", width, v&mask(width))}, f.parts...)
	}
}

func (f *fields) String() string { return "{" + strings.Join(f.parts, ", ") + "}" }

// randomToken fills a port with anything.
func randomToken(r *rand.Rand, p *arch.Port) Token {
	t := Token{Tag: uint16(r.Uint64() & mask(p.TagWidth))}
	if p.Type != ir.Type(ir.None) {
		t.Data = randomBits(r, p.Width)
	}
	return t
}
