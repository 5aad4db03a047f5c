// Package build turns an architecture file (YAML) into Fabric MLIR: function
// units and PE templates from lists, a network of PEs and switches of the given
// topology, memory interfaces and boundary ports along its edge. The schema is described
// in docs/architecture.md. The result is ordinary Fabric MLIR: later
// stages do not distinguish fabrics that were built from those written by hand.
//
// Source: design page "The Fabric dialect", "Architecture files".
package build

import (
	"slices"

	"gopkg.in/yaml.v3"

	"loom/compiler/arch"
	"loom/compiler/diag"
	_ "loom/compiler/dialect/arith" // the operations that are built
	_ "loom/compiler/dialect/builtin"
	_ "loom/compiler/dialect/dataflow"
	_ "loom/compiler/dialect/fabric"
	_ "loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Limits of an architecture file. They bound the hardware that a few lines of text
// can describe; hardware of that size is far beyond what the other stages handle.
const (
	maxSide     = 64
	maxTracks   = 8
	maxFIFO     = 1024
	maxBoundary = 256
	maxMemories = 256
	maxLanes    = 32 // ports of a switch
	maxElements = 1 << 24
)

// Build reads an architecture file and returns a verified builtin.module with
// the fabric. file names it in messages.
func Build(file string, yamlSrc []byte) (*ir.Operation, error) {
	var errs diag.List
	a := (&reader{file: file, errs: &errs}).architecture(yamlSrc)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	n := newNetwork(a, &errs)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	module := n.emit()
	ir.Verify(module, &errs)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return module, nil
}

// architecture is a checked architecture file.
type architecture struct {
	file       string
	pos        diag.Pos
	name       string
	width      int
	indexWidth int
	deadlock   int // deadlock_timeout, in cycles

	kind          string // of the topology
	topology      topology
	rows, columns int // of PEs
	// tokenLinkFIFO is of links between switches of the network of tokens.
	linkFIFO, tokenLinkFIFO, inputFIFO int
	// fanIn is the number of links and PEs that an output of a switch chooses among, 0: all.
	fanIn int
	// Those of PEs, 0 for none. With operand queues their inputs have no FIFOs in front.
	operandFIFO, resultFIFO int

	// axi is what external memories have that do not say it: AXI4 master, data width of its port, and burst; "" and 0 for none.
	axi struct {
		master           string
		dataWidth, burst int
	}

	// accessUnits puts a load or store unit at every port of a memory.
	accessUnits bool

	inputs, outputs int // boundary channels; the last tokens of them belong to the token network
	tokens          int
	boundaryPos     diag.Pos
	memories        []*memory
	units           []*unit // those that PEs use, in order of first use
	pes             []*peKind
	grid            [][]*peKind // [row][column]
}

// tokenPort reports whether boundary port i of n has one bit.
func (a *architecture) tokenPort(i, n int) bool { return i >= n-a.tokens }

// channel is the type of boundary port i of n.
func (a *architecture) channel(i, n int) ir.Type {
	if a.tokenPort(i, n) {
		return ir.Bits(tokenWidth)
	}
	return ir.Bits(a.width)
}

// peKind is a PE template.
type peKind struct {
	name       string
	pos        diag.Pos
	units      []*unit
	immediates ir.Attr // operands that have one; nil without the key
	resultFIFO int     // slots behind each result
	share      int     // how many PEs have their iterative units together at most; 0: each has its own
	ports      pePorts
	// Of a temporal PE: how many instructions it has, 0 for a spatial one, and how many constants.
	instructions, constants int
}

// needs reports of a template whether its units take or give more than one bit, and whether
// they take or give one bit or control tokens: at which networks the PE has ports.
func (k *peKind) needs() (words, tokens bool) {
	for _, u := range k.units {
		t := u.op.Attr("function_type").(*ir.TypeAttr).Type.(*ir.FunctionType)
		for _, p := range slices.Concat(t.Inputs, t.Results) {
			if w, _ := ir.BitWidth(p, 64); w > tokenWidth {
				words = true
			} else {
				tokens = true
			}
		}
	}
	return words, tokens
}

// accesses reports whether units of the template access memory.
func (k *peKind) accesses() bool {
	return slices.ContainsFunc(k.units, func(u *unit) bool {
		return slices.ContainsFunc(u.op.Regions[0].Entry().Ops, func(op *ir.Operation) bool {
			return op.Name == opname.HandshakeLoad || op.Name == opname.HandshakeStore
		})
	})
}

func (r *reader) architecture(src []byte) *architecture {
	root := r.parse(src)
	if root == nil {
		return nil
	}
	o := r.object(root, "the architecture", "name", "width", "index_width", "deadlock_timeout", "topology", "boundary",
		"axi", "extmemories", "memories", "function_units", "pes", "pattern", "overrides")
	if !o.require("name", "topology", "boundary", "pes", "pattern") {
		return nil
	}
	a := &architecture{file: r.file, pos: r.pos(deref(root)), name: r.identifier(o.at("name"), "'name'")}
	a.width = o.integer("width", 32, 1, 64)
	a.indexWidth = o.integer("index_width", max(32, a.width), 32, 64)
	a.deadlock = o.integer("deadlock_timeout", arch.DefaultDeadlockTimeout, 1, arch.MaxDeadlockTimeout)
	if a.indexWidth > a.width && !r.errs.HasErrors() {
		at := o.at("width")
		if !o.has("width") {
			at = o.at("index_width")
		}
		r.errorf(at, "index has %d bits, the channels carry only %d", a.indexWidth, a.width).
			WithHelp("'width' must be at least 'index_width', which is at least 32")
	}
	r.topology(a, o.at("topology"))
	b := r.object(o.at("boundary"), "'boundary'", "inputs", "outputs", "tokens")
	a.boundaryPos = r.pos(b.node)
	if b.require("inputs", "outputs") {
		a.inputs, a.outputs = b.integer("inputs", 1, 1, maxBoundary), b.integer("outputs", 1, 1, maxBoundary)
		switch most := min(a.inputs, a.outputs); {
		case a.topology.twoNetworks():
			a.tokens = b.integer("tokens", 1, 0, most)
		case b.has("tokens"):
			r.errorf(b.at("tokens"), "there is no token network for 'tokens'").WithHelp("give 'topology' a number of 'token_tracks', or leave 'tokens' out")
		}
	}
	if o.has("axi") {
		r.axi(a, o.at("axi"))
	}
	if o.has("extmemories") {
		r.memories(a, o.at("extmemories"), true)
	}
	if o.has("memories") {
		r.memories(a, o.at("memories"), false)
	}
	kinds := r.pes(a, o)
	if r.errs.HasErrors() {
		return nil
	}
	r.pattern(a, o, kinds)
	return a
}

// axi reads what the entries of extmemories have where they do not say it.
func (r *reader) axi(a *architecture, n *yaml.Node) {
	o := r.object(n, "'axi'", "master", "data_width", "burst")
	if o.has("master") {
		a.axi.master = r.master(o, "master")
	}
	a.axi.dataWidth = r.power(o, "data_width", 0, 8, arch.MaxAXIDataWidth)
	a.axi.burst = r.power(o, "burst", 1, 1, arch.MaxBurst)
}

// power is a number that must be a power of two, def where the key is absent.
func (r *reader) power(o *object, key string, def, lo, hi int) int {
	n := o.integer(key, def, lo, hi)
	if n&(n-1) != 0 {
		r.errorf(deref(o.at(key)), "'%s' of %s must be a power of two, found %d", key, o.name, n)
	}
	return n
}

// master is the name of an AXI4 master.
func (r *reader) master(o *object, key string) string {
	name := r.identifier(o.at(key), "'"+key+"' of "+o.name)
	if name != "" && arch.LegalName(name) != name {
		r.errorf(deref(o.at(key)), "'%s' cannot be part of a name in SystemVerilog", name).WithHelp("use single underscores between letters and digits")
	}
	return name
}

// pes reads the PE templates and with them the function units.
func (r *reader) pes(a *architecture, o *object) map[string]*peKind {
	u := &unitReader{reader: r, width: a.width, indexWidth: a.indexWidth, groups: map[string]*yaml.Node{},
		done: map[string][]*unit{}, byName: map[string]*unit{}}
	if o.has("function_units") {
		groups := r.object(o.at("function_units"), "'function_units'")
		u.groups = groups.vals
		for _, name := range groups.keys {
			if !isIdentifier(name) {
				r.errorf(groups.at(name), "a function-unit template must be named by letters, digits and underscores")
				continue
			}
			u.group(name, groups.at(name)) // also what no PE uses must be right
		}
	}
	kinds := map[string]*peKind{}
	list := r.object(o.at("pes"), "'pes'")
	used := map[*unit]bool{}
	for _, name := range list.keys {
		n := deref(list.at(name))
		if !isIdentifier(name) {
			r.errorf(n, "a PE template must be named by letters, digits and underscores")
			continue
		}
		k := &peKind{name: name, pos: r.pos(n)}
		po := r.object(n, "PE template '"+name+"'", "units", "immediates", "result_fifo", "share", "ports", "instructions", "constants")
		if !po.require("units") {
			continue
		}
		seen := map[*unit]bool{}
		var at []*yaml.Node // where the units are named
		for _, e := range r.list(po.at("units"), "'units' of PE template '"+name+"'") {
			e = deref(e)
			var units []*unit
			if e.Kind == yaml.ScalarNode {
				units = u.group(e.Value, e)
			} else {
				units = u.entry(e)
			}
			for _, one := range units {
				if one == nil || seen[one] {
					continue // the same unit through two templates counts once
				}
				seen[one] = true
				k.units, at = append(k.units, one), append(at, e)
				if !used[one] {
					used[one] = true
					a.units = append(a.units, one)
				}
			}
		}
		k.ports = r.ports(a, po, name)
		r.temporal(a, po, k)
		for i, one := range k.units {
			if k.instructions > 0 {
				continue // an operand of an instruction needs no port of its own
			}
			r.fits(at[i], a, k, one)
		}
		if len(k.units) == 0 && !r.errs.HasErrors() {
			r.errorf(deref(po.at("units")), "PE template '%s' has no function unit", name)
		}
		k.resultFIFO = po.integer("result_fifo", a.resultFIFO, 0, maxFIFO)
		k.share = po.integer("share", 0, 2, arch.MaxSharing)
		if po.has("immediates") && k.instructions == 0 {
			k.immediates = r.immediates(po.at("immediates"), k)
		}
		if len(k.units) > maxUnits {
			r.errorf(n, "PE template '%s' has %d function units, more than %d", name, len(k.units), maxUnits)
		}
		kinds[name] = k
		a.pes = append(a.pes, k)
	}
	u.root = o.node
	r.accessUnits(a, u)
	return kinds
}

// ports reads the numbers of ports of a PE template: those of the topology, but for what it states itself.
func (r *reader) ports(a *architecture, po *object, name string) pePorts {
	p := a.topology.pePorts()
	if !po.has("ports") {
		return p
	}
	o := r.object(po.at("ports"), "'ports' of PE template '"+name+"'", "inputs", "outputs", "token_inputs", "token_outputs")
	p = pePorts{o.integer("inputs", p.inputs, 1, corners), o.integer("outputs", p.outputs, 1, corners),
		o.integer("token_inputs", p.tokenInputs, 1, corners), o.integer("token_outputs", p.tokenOutputs, 1, corners)}
	if n := o.at("token_inputs"); (o.has("token_inputs") || o.has("token_outputs")) && !a.topology.twoNetworks() {
		r.errorf(n, "the ports of tokens need a network of tokens").WithHelp("'token_tracks' of the topology makes one")
	}
	return p
}

// temporal reads what makes a PE template a temporal one.
func (r *reader) temporal(a *architecture, po *object, k *peKind) {
	if !po.has("instructions") {
		if po.has("constants") {
			r.errorf(po.at("constants"), "'constants' are of temporal PEs: the template has no 'instructions'").
				WithHelp("operands of a spatial PE have 'immediates'")
		}
		return
	}
	k.instructions, k.constants = po.integer("instructions", 8, 2, 16), po.integer("constants", 4, 0, 16)
	if !arch.LegalInstructions(int64(k.instructions), int64(k.constants)) && !r.errs.HasErrors() {
		r.errorf(po.at("instructions"), "'instructions' is %d", k.instructions).WithHelp("2, 4, 8 or 16: their numbers fill some bits")
	}
	for _, key := range []string{"immediates", "result_fifo", "share"} {
		if po.has(key) {
			r.errorf(po.at(key), "'%s' is of spatial PEs, and the template has 'instructions'", key)
		}
	}
}

// fits reports a unit with more operands than the PE has inputs, or more results than it has
// outputs. Where tokens have a network of their own, words need ports at that of words; a PE has ports
// at the networks alone that its units need.
func (r *reader) fits(n *yaml.Node, a *architecture, k *peKind, u *unit) {
	ports := k.ports
	hasWords, hasTokens := k.needs()
	two := a.topology.twoNetworks()
	check := func(types []ir.Type, what, side string, words, tokens int) {
		wide := 0
		for _, t := range types {
			if w, _ := ir.BitWidth(t, a.indexWidth); w > tokenWidth && two {
				wide++
			}
		}
		if two && !hasWords {
			words = 0
		}
		if !two || !hasTokens {
			tokens = 0
		}
		switch {
		case wide > words:
			r.errorf(n, "function unit '%s' has %d %s of words, a PE of the %s has %s of words for %d", u.name, wide, what, a.kind, side, words).
				WithHelp("'pe_%s' of the topology is the number of corners at which a PE has %s of words, up to %d", side, side, corners)
		case len(types) > words+tokens && two:
			r.errorf(n, "function unit '%s' has %d %s, PE template '%s' has %s for %d", u.name, len(types), what, k.name, side, words+tokens).
				WithHelp("'pe_%s' and 'pe_token_%s' of the topology are the numbers of corners at which a PE has them, up to %d each", side, side, corners)
		case len(types) > words+tokens:
			r.errorf(n, "function unit '%s' has %d %s, a PE of the %s has %s for %d", u.name, len(types), what, a.kind, side, words+tokens).
				WithHelp("'pe_%s' of the topology is the number of corners at which a PE has them, up to %d", side, corners)
		}
	}
	t := u.op.Attr("function_type").(*ir.TypeAttr).Type.(*ir.FunctionType)
	check(t.Inputs, "operands", "inputs", ports.inputs, ports.tokenInputs)
	check(t.Results, "results", "outputs", ports.outputs, ports.tokenOutputs)
}

// immediates reads the operands of a PE template that have an immediate.
func (r *reader) immediates(n *yaml.Node, k *peKind) ir.Attr {
	reads := map[int]bool{} // operands that some unit reads as data
	most := 0
	for _, u := range k.units {
		for i, arg := range u.op.Regions[0].Entry().Args {
			reads[i] = reads[i] || arg.Type != ir.Type(ir.None)
			most = max(most, i)
		}
	}
	list := &ir.DenseArrayAttr{Elem: ir.I64}
	for _, e := range r.list(n, "'immediates' of PE template '"+k.name+"'") {
		i := r.integer(e, "an operand", 0, 0, 63)
		switch {
		case r.errs.HasErrors():
			return nil
		case !reads[i]:
			r.errorf(deref(e), "no function unit of PE template '%s' reads data at operand %d", k.name, i).
				WithHelp("operands count from 0, in the order of docs/operations.md; those of '%s' go up to %d", k.name, most)
			return nil
		case slices.Contains(list.Values, int64(i)):
			r.errorf(deref(e), "operand %d is named twice", i)
			return nil
		}
		list.Values = append(list.Values, int64(i))
	}
	slices.Sort(list.Values)
	return list
}

// pattern fills the grid: the pattern repeated over all rows and columns, then
// the overrides in order.
func (r *reader) pattern(a *architecture, o *object, kinds map[string]*peKind) {
	var names []string
	for _, k := range a.pes {
		names = append(names, k.name)
	}
	kind := func(n *yaml.Node) *peKind {
		s := r.text(n, "a PE kind")
		k := kinds[s]
		if k == nil && s != "" {
			d := r.errorf(deref(n), "there is no PE template '%s'", shorten(s))
			if c := closest(s, names); c != "" {
				d.WithHelp("did you mean '%s'?", c)
			} else {
				d.WithHelp("templates: %s", quoteList(names))
			}
		}
		return k
	}
	var rows [][]*peKind
	for _, rn := range r.list(o.at("pattern"), "'pattern'") {
		var row []*peKind
		for _, e := range r.list(rn, "a row of 'pattern'") {
			row = append(row, kind(e))
		}
		if len(row) == 0 || len(rows) > 0 && len(row) != len(rows[0]) {
			r.errorf(deref(rn), "the rows of 'pattern' must be equally long and not empty")
			return
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		if !r.errs.HasErrors() {
			r.errorf(deref(o.at("pattern")), "'pattern' is empty")
		}
		return
	}
	if len(rows) > a.rows || len(rows[0]) > a.columns {
		r.errorf(deref(o.at("pattern")), "'pattern' has %d rows of %d PEs, the %s only %d rows of %d",
			len(rows), len(rows[0]), a.kind, a.rows, a.columns)
		return
	}
	for y := range a.rows {
		var row []*peKind
		for x := range a.columns {
			row = append(row, rows[y%len(rows)][x%len(rows[0])])
		}
		a.grid = append(a.grid, row)
	}
	if !o.has("overrides") {
		return
	}
	for _, e := range r.list(o.at("overrides"), "'overrides'") {
		ov := r.object(e, "an entry of 'overrides'", "pe", "at")
		if !ov.require("pe", "at") {
			continue
		}
		k := kind(ov.at("pe"))
		for _, p := range r.list(ov.at("at"), "'at' of an override") {
			xy := r.list(p, "a position")
			if len(xy) != 2 {
				r.errorf(deref(p), "a position is [row, column]")
				continue
			}
			y, x := r.integer(xy[0], "the row", 0, 0, a.rows-1), r.integer(xy[1], "the column", 0, 0, a.columns-1)
			a.grid[y][x] = k
		}
	}
}
