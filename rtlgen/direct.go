package rtlgen

import (
	"fmt"
	"path/filepath"
	"strings"

	"loom/compiler/circuit"
	"loom/compiler/diag"
	"loom/compiler/opname"
	"loom/templates"
)

// GenerateDirect makes the RTL of a direct circuit: a module named after the kernel, one per
// local array, where meta.Ports wants other ports than these have a wrapper, and the library
// modules they use. Output.Top is the outermost module. A choice of ports that cannot be had is a
// PortsError.
func GenerateDirect(c *circuit.Circuit, meta Meta) (*Output, error) {
	g := &generator{meta: meta, errs: &diag.List{}, files: map[string]string{}}
	d := &directBuilder{c: c, wiring: c.Wiring(), names: newScope(c.Name), modules: newScope(c.Name, wrapperName(c))}
	wrapper, err := wrap(c, meta.Ports, meta)
	if err != nil {
		return nil, err
	}
	view, err := d.view(meta)
	if err != nil {
		return nil, err
	}
	for _, m := range view.Memories {
		g.emit(m.Module+".sv", "direct_array.sv.tmpl", m)
	}
	g.emit(c.Name+".sv", "direct.sv.tmpl", view)
	top, instance := c.Name, "direct_instance.sv.tmpl"
	if wrapper != nil {
		top, instance = wrapper.Name, "direct_wrapper_instance.sv.tmpl"
		g.emit(top+".sv", "direct_wrapper.sv.tmpl", wrapper)
	}
	if err := g.errs.Err(); err != nil {
		return nil, err
	}
	sources, err := g.addLibrary()
	if err != nil {
		return nil, err
	}
	out := &Output{Top: top, Files: g.files, Sources: sources, Signature: d.signature(), Wrapper: wrapper}
	if out.Files[FileList], err = templates.Render("direct_filelist.f.tmpl", map[string]any{"Name": top, "Meta": meta, "Sources": sources}); err != nil {
		return nil, err
	}
	var pasted any = view
	if wrapper != nil {
		pasted = wrapper
	}
	if out.Files[top+".inst.sv"], err = templates.Render(instance, pasted); err != nil {
		return nil, err
	}
	out.Direct = directSignatureOf(c, wrapper)
	if wrapper != nil {
		out.Reset = wrapper.Reset
		if wrapper.Control.Style == ControlAXI4Lite {
			out.HostTop = top
		}
	}
	out.Files[top+".signature.json"], err = out.Direct.json()
	return out, err
}

// directView is a circuit for the templates.
type directView struct {
	Meta     Meta
	Name     string
	Circuit  *circuit.Circuit
	Accesses []*circuit.Unit // of external arrays
	Channels []directSignal  // declared in the module
	Units    []*directUnit
	Buffers  []directBuffer
	Memories []*directMemory
	Shares   []*directShare
	Outputs  []directOutput
	// Unread is data that nothing reads, Open are inputs that nothing reads.
	Unread []string
	Open   []*circuit.Port
}

// directSignal is a channel: Stem_valid, Stem_ready and, unless Width is 0, Stem_data.
type directSignal struct {
	Stem  string
	Width int
}

// directOperand is what a unit reads: a channel, which it takes or only looks at (Held), or a
// number.
type directOperand struct {
	Port string // of the module
	// Bare is set where the module has no data port there.
	Bare bool
	directSignal
	Held      bool
	Immediate bool
	Value     uint64
	// Reads is how many bits the unit reads; Unused names a wire for a ready that nothing takes.
	Reads  int
	Unused string
}

// Token reports whether the unit takes a token at the operand.
func (o directOperand) Token() bool { return !o.Held && !o.Immediate }

// directResult is a result; Open is set where nothing reads it. Unused names a wire for what
// has no reader.
type directResult struct {
	Port string
	directSignal
	Open bool
	// Drop is the stem of the channel that decides when an open result is taken, "" where it always is.
	Drop   string
	Bits   int // of the data port, 0 where the module has none
	Unused string
}

// directUnit is a unit and the module that it is.
type directUnit struct {
	Unit    *circuit.Unit
	Name    string
	What    string // for the comment
	Module  string
	Params  []param
	Clocked bool
	Config  []pin
	Errors  []directSignal // outputs that nothing reads, by port
	In      []directOperand
	Out     []directResult
	Vector  int // from which operand on the operands are one vector; -1 for none
	// Issue is the stem between the join of the operands and the registers of a Compute, or the
	// shared unit.
	Issue string
	// Inside is set for a Compute whose registers stand in its module.
	Inside bool
	// Unused names the wire of an idle output.
	Unused string
	// Decides is the stem of the channel that ready of a fork comes from that is wires alone. Late are
	// its results that are offered when the others, AtOnce, are taken.
	Decides      string
	Late, AtOnce []directResult
}

// Waits are the operands that have to be there before the unit fires.
func (u *directUnit) Waits() []directOperand {
	var out []directOperand
	for _, o := range u.In {
		if !o.Immediate {
			out = append(out, o)
		}
	}
	return out
}

type directBuffer struct {
	*circuit.Channel
	Module string
	Params []param
	Idle   string // a wire for an idle output, "" where the module has none
	Unused string // a wire for the data of a token
}

type directOutput struct {
	*circuit.Port
	From directSignal
}

// directMemory is a local array.
type directMemory struct {
	*circuit.Array
	Meta      Meta
	Module    string
	Kernel    string
	IndexBits int
	// Ends is the stem of the valid and ready with which a run ends, for an array that is
	// restored then.
	Ends string
}

type directBuilder struct {
	c       *circuit.Circuit
	wiring  *circuit.Wiring
	names   *scope
	modules *scope
}

// direct modules of kinds that are no operation's.
var directModules = map[circuit.Buffering]string{
	circuit.Pipe: "loom_pipe", circuit.Elastic: "loom_fifo", circuit.Queue: "loom_fifo", circuit.Loop: "loom_loop_register",
	circuit.Transparent: "loom_fifo_transparent",
}

func (d *directBuilder) view(meta Meta) (*directView, error) {
	c := d.c
	v := &directView{Meta: meta, Name: c.Name, Circuit: c}
	for _, p := range append(append([]*circuit.Port(nil), c.Inputs...), c.Outputs...) {
		d.names.name(p.Name)
	}
	read := map[*circuit.Channel]bool{}
	for _, u := range c.Units {
		for _, o := range u.In {
			if o.Channel != nil && o.Width > 0 {
				read[o.Channel] = true
			}
		}
		if u.Array != nil {
			d.names.name(u.Access+"_req", "_addr")
			d.names.name(u.Access + "_rsp")
			if u.Array.External() {
				v.Accesses = append(v.Accesses, u)
			}
		}
	}
	for _, ch := range c.Channels {
		if ch.From.Unit != nil {
			v.Channels = append(v.Channels, directSignal{ch.Name, ch.Width})
			d.names.name(ch.Name)
		}
		if ch.Buffer.Kind != circuit.None {
			v.Channels = append(v.Channels, directSignal{ch.After, ch.Width})
			d.names.name(ch.After)
		}
		if ch.To.Unit == nil && c.Outputs[ch.To.Port].Width > 0 {
			read[ch] = true
		}
	}
	for _, ch := range c.Channels {
		if ch.Width > 0 && !read[ch] {
			v.Unread = append(v.Unread, after(ch).Stem)
		}
		if b := ch.Buffer; b.Kind != circuit.None {
			x := directBuffer{Channel: ch, Module: directModules[b.Kind], Params: []param{{"W", fmt.Sprint(max(ch.Width, 1))}}}
			switch b.Kind {
			case circuit.Pipe:
				x.Params = append(x.Params, param{"LATENCY", fmt.Sprint(b.Slots)})
			case circuit.Elastic, circuit.Queue, circuit.Transparent:
				if b.Kind == circuit.Elastic && b.Slots > 2 {
					x.Module = "loom_pipe_skid"
					x.Params = append(x.Params, param{"LATENCY", fmt.Sprint(b.Slots - 1)})
					break
				}
				x.Params = append(x.Params, param{"DEPTH", fmt.Sprint(b.Slots)})
			}
			if b.Kind != circuit.Loop && b.Kind != circuit.Transparent {
				x.Idle = d.names.name("unused_" + ch.Name + "_idle")
			}
			if ch.Width == 0 {
				x.Unused = d.names.name("unused_" + ch.Name + "_data")
			}
			v.Buffers = append(v.Buffers, x)
		}
	}
	for _, a := range c.Arrays {
		if !a.External() {
			v.Memories = append(v.Memories, &directMemory{Array: a, Meta: meta, Module: d.modules.name(c.Name + "_" + a.Name), Kernel: c.Name,
				IndexBits: indexBits(a.Elements)})
		}
	}
	for _, u := range c.Units {
		x, err := d.unit(u)
		if err != nil {
			return nil, err
		}
		v.Units = append(v.Units, x)
		for _, m := range v.Memories {
			if u == c.Finish && m.Restored() {
				m.Ends = x.Issue
			}
		}
	}
	for _, s := range c.Shares {
		v.Shares = append(v.Shares, d.share(s, v))
	}
	for _, p := range c.Inputs {
		if p.Channel == nil {
			v.Open = append(v.Open, p)
		}
	}
	for _, p := range c.Outputs {
		v.Outputs = append(v.Outputs, directOutput{p, after(p.Channel)})
	}
	return v, nil
}

// indexBits is the width of an index below n.
func indexBits(n int64) int {
	w := 1
	for int64(1)<<w < n {
		w++
	}
	return w
}

// after is a channel at its consumer.
func after(ch *circuit.Channel) directSignal {
	if ch.Buffer.Kind != circuit.None {
		return directSignal{ch.After, ch.Width}
	}
	return directSignal{ch.Name, ch.Width}
}

func (d *directBuilder) operand(u *circuit.Unit, i int, port string) directOperand {
	o := u.In[i]
	x := directOperand{Port: port, Reads: o.Width, Held: o.Held, Immediate: o.Immediate(), Value: o.Value}
	if o.Channel != nil {
		x.directSignal = after(o.Channel)
	}
	if !x.Token() {
		x.Unused = d.names.name(fmt.Sprintf("unused_%s_ready%d", u.Name, i))
	}
	return x
}

func (d *directBuilder) result(u *circuit.Unit, i int, port string, bits int) directResult {
	x := directResult{Port: port, Bits: bits}
	if ch := u.Out[i]; ch != nil {
		x.directSignal = directSignal{ch.Name, ch.Width}
	} else {
		x.Open = true
	}
	if ch := d.wiring.Drops[u]; ch != nil && i == 1 {
		x.Drop = ch.Name
	}
	if x.Open || x.Width == 0 && bits > 0 {
		x.Unused = d.names.name(fmt.Sprintf("unused_%s_out%d", u.Name, i))
	}
	return x
}

func (d *directBuilder) unit(u *circuit.Unit) (*directUnit, error) {
	x := &directUnit{Unit: u, Name: u.Name, What: d.what(u), Vector: -1}
	idle := func() { x.Unused = d.names.name("unused_" + u.Name + "_idle") }
	plain := func() {
		for i := range u.In {
			x.In = append(x.In, d.operand(u, i, ""))
		}
		for i := range u.Out {
			x.Out = append(x.Out, d.result(u, i, "", 0))
		}
	}
	switch u.Kind {
	case circuit.Constant, circuit.Join, circuit.Load, circuit.Store:
		plain()
		return x, nil
	case circuit.Fork, circuit.Finish:
		plain()
		if decides := d.wiring.Forks[u]; decides != nil {
			x.Decides = decides.Name
			for i, ch := range u.Out {
				if d.wiring.Late[ch] {
					x.Late = append(x.Late, x.Out[i])
				} else {
					x.AtOnce = append(x.AtOnce, x.Out[i])
				}
			}
			return x, nil
		}
		idle()
		if u.Kind == circuit.Finish {
			x.Issue = d.names.name(u.Name)
		}
		return x, nil
	}
	if u.Share != nil {
		d.client(x)
		return x, nil
	}
	if d.elsewhere(x) {
		idle()
		return x, nil
	}
	row := u.Row()
	if !row.Hardware() {
		return nil, diag.New(u.Pos, "no hardware computes '%s'", u.Op.Name)
	}
	x.Module, x.Clocked = row.Module, row.Clocked
	for _, p := range row.Params {
		x.Params = append(x.Params, param{p.Name, p.Text(u.Op, d.c.IndexWidth)})
	}
	if u.Kind == circuit.Carry {
		x.Params = append(x.Params, param{"OVERLAP", "1"})
	}
	if u.Lookahead {
		x.Params = append(x.Params, param{"LOOKAHEAD", "1"})
	}
	if row.Field.Name != "" {
		v, err := directField(u)
		if err != nil {
			return nil, err
		}
		x.Config = append(x.Config, pin{row.Field.Port, fmt.Sprintf("%d'd%d", row.Field.Of(u.Op, d.c.IndexWidth), v)})
	}
	for _, port := range row.Unused {
		x.Errors = append(x.Errors, directSignal{port, 1})
	}
	for _, c := range row.Controls {
		x.Config = append(x.Config, pin{c.Port, c.Text()})
	}
	if x.Inside = row.Inside; x.Inside {
		x.Params = append(x.Params, param{"LATENCY", fmt.Sprint(u.Latency)})
	}
	if row.Error.Valid != "" {
		x.Errors = append(x.Errors, directSignal{row.Error.Valid, 1})
	}
	if row.Error.Code != "" {
		x.Errors = append(x.Errors, directSignal{row.Error.Code, 16})
	}
	for i := range u.In {
		k := min(i, len(row.In)-1)
		if row.In[k].Repeats() && x.Vector < 0 {
			x.Vector = i
		}
		o := d.operand(u, i, row.In[k].Stem)
		o.Bare = row.In[k].Token()
		x.In = append(x.In, o)
	}
	for i, r := range u.Op.Results() {
		x.Out = append(x.Out, d.result(u, i, row.Out[i].Stem, hardWidth(r.Type, d.c.IndexWidth)))
	}
	if i, plus, minus, ok := u.Scale(); ok {
		w := u.In[i].Width
		x.Module, x.In = "loom_scale", x.In[i:i+1]
		x.In[0].Port = "a"
		x.Params = []param{{"W", fmt.Sprint(w)}, {"PLUS", fmt.Sprintf("%d'd%d", w, plus)}, {"MINUS", fmt.Sprintf("%d'd%d", w, minus)}}
	} else if u.Op.Name == opname.ArithMulI {
		x.Module, x.Clocked = "loom_mul", true
	}
	if x.Clocked {
		idle()
	} else if u.Kind == circuit.Compute && u.Latency > 0 {
		x.Issue = d.names.name(u.Name + "_issue")
		idle()
	}
	return x, nil
}

// elsewhere completes a unit that only graphs from elsewhere have; it reports whether x is one.
func (d *directBuilder) elsewhere(x *directUnit) bool {
	u := x.Unit
	width := func(i int) int { return hardWidth(u.Op.Result(i).Type, d.c.IndexWidth) }
	switch u.Kind {
	case circuit.Merge, circuit.ControlMerge:
		x.Module, x.Vector = "loom_merge", 0
		x.Params = []param{{"W", fmt.Sprint(width(0))}, {"N", fmt.Sprint(len(u.In))}}
		if u.Kind == circuit.ControlMerge {
			x.Module = "loom_control_merge"
			x.Params = append(x.Params, param{"INDEX_W", fmt.Sprint(width(1))})
		} else {
			x.Errors = []directSignal{{"out_from", len(u.In)}}
		}
	case circuit.Primed:
		x.Module = "loom_fifo_primed"
		var words []string
		for i := len(u.Words) - 1; i >= 0; i-- {
			words = append(words, fmt.Sprintf("%d'd%d", width(0), u.Words[i]))
		}
		x.Params = []param{{"W", fmt.Sprint(width(0))}, {"DEPTH", fmt.Sprint(u.Slots)}, {"N", fmt.Sprint(len(words))}, {"INIT", "{" + strings.Join(words, ", ") + "}"}}
	default:
		return false
	}
	x.Clocked = true
	for i := range u.In {
		x.In = append(x.In, d.operand(u, i, "in"))
	}
	for i, stem := range []string{"out", "index"}[:len(u.Out)] {
		x.Out = append(x.Out, d.result(u, i, stem, width(i)))
	}
	return true
}

// directField is the configuration of a module: the predicate of a comparison or the condition
// of a stream, one-hot.
func directField(u *circuit.Unit) (uint64, error) {
	switch u.Op.Name {
	case opname.ArithCmpI, opname.ArithCmpF:
		p, _ := u.Op.IntAttr("predicate")
		return uint64(p), nil
	case opname.DataflowStream:
		for k, c := range [...]string{"<", "<=", ">", ">=", "!="} {
			if u.Op.StrAttr("cont_cond") == c {
				return 1 << k, nil
			}
		}
	}
	return 0, diag.New(u.Pos, "'%s' has a setting that is not known", u.Op.Name)
}

// what describes a unit in a comment: what it computes of what, and where that stands in the
// source.
func (d *directBuilder) what(u *circuit.Unit) string {
	var in []string
	for _, o := range u.In {
		switch {
		case o.Channel == nil:
			in = append(in, fmt.Sprint(o.Value))
		default:
			in = append(in, o.Channel.Name)
		}
	}
	op := string(u.Kind)
	if u.Kind == circuit.Compute || u.Kind == circuit.Divide {
		op = u.Op.Name
	}
	if u.Array != nil {
		op += " " + u.Array.Name
	}
	text := fmt.Sprintf("%s: %s of %s", u.Name, op, strings.Join(in, ", "))
	if u.Kind == circuit.Finish {
		text = u.Name + ": offers all outputs together; when they are taken, what is held for the run is released"
	}
	if u.Pos.Line > 0 {
		text += fmt.Sprintf(" (%s:%d)", filepath.Base(u.Pos.File), u.Pos.Line)
	}
	return text
}

// signature describes the module for co-simulation.
func (d *directBuilder) signature() *Signature {
	view := d.c.View()
	s := &Signature{Format: SignatureFormat, Fabric: d.c.Name, Top: d.c.Name, Core: d.c.Name, CoreInstance: CoreInstance}
	for _, p := range d.c.Inputs {
		s.Inputs = append(s.Inputs, PortSignature{p.Name, p.Name, p.Type.String(), p.Width})
	}
	for _, p := range d.c.Outputs {
		s.Outputs = append(s.Outputs, PortSignature{p.Name, p.Name, p.Type.String(), p.Width})
	}
	for i, sig := range view.Signals {
		s.Channels = append(s.Channels, ChannelSignal{ID: i, Name: view.Channels[i].Name, Signal: sig.Stem, Path: sig.Stem, Width: sig.Width, PayloadBits: sig.Width})
	}
	return s
}
