package space

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"loom/compiler/arch/shipped"
	"loom/compiler/diag"
)

// Bounds of a description.
const (
	maxKernels     = 1000
	maxParameters  = 200
	maxValues      = 1000 // of one parameter
	maxPopulation  = 10_000
	maxEvaluations = 10_000_000
	maxSize        = 1 << 20
	maxLatency     = 10_000
	huge           = 1 << 40
)

// Defaults of what a description leaves out.
const (
	defaultPopulation  = 32
	defaultEvaluations = 400
	defaultFinalists   = 4
	defaultSize        = 8
	defaultLatency     = 4
)

// Read reads a description. file names it in messages. base gets what stands at the key base and returns the
// text of that architecture, which has to be one that build accepts. The error is a *diag.List with all faults.
func Read(file string, text []byte, base func(nameOrFile string) (string, error)) (*Space, error) {
	r := &reader{file: file}
	root := r.document(text)
	if root == nil {
		return nil, r.errs.Err()
	}
	m := r.mapping(root, "the exploration", []string{"name", "base", "kernels", "parameters", "fill", "limits", "objectives", "search", "finalists", "memory_latency", "reference"})
	m.need("name", "base", "kernels", "parameters")
	s := &Space{file: file, Name: m.text("name"), Base: m.text("base"), Fill: m.text("fill"), Latency: m.integer("memory_latency", defaultLatency, 1, maxLatency)}
	if s.Name != "" && !identifier(s.Name) {
		r.errorf(m.at["name"], "'name' must consist of letters, digits and underscores, found %q", s.Name)
	}
	if n := m.at["base"]; n != nil && s.Base != "" {
		s.BasePos = r.pos(n)
		if text, err := base(s.Base); err != nil {
			r.errs.All = append(r.errs.All, at(r.pos(n), err)...)
		} else {
			of := &reader{file: s.Base}
			s.base = of.document([]byte(text))
			r.errs.All = append(r.errs.All, of.errs.All...)
		}
	}
	if n := m.at["kernels"]; n != nil {
		s.kernels(r, n)
	}
	if n := m.at["parameters"]; n != nil && s.base != nil {
		s.parameters(r, n)
		s.checkFill(r, m)
	}
	if n := m.at["limits"]; n != nil {
		s.limits(r, n)
	}
	if n := m.at["reference"]; n != nil {
		for _, e := range r.list(n, "'reference'") {
			name := r.text(e, "a fabric of 'reference'")
			if name != "" && !slices.Contains(shipped.Names(), name) {
				r.errorf(follow(e), "'reference' names fabrics that are built in, found '%s'", name).WithHelp("they are %s", strings.Join(shipped.Names(), ", "))
			}
			s.Reference = append(s.Reference, name)
		}
	}
	s.objectives(r, m.at["objectives"])
	s.search(r, m)
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

// at gives findings without a position one.
func at(pos diag.Pos, err error) []*diag.Diagnostic {
	list := diag.FromError(err).All
	for _, d := range list {
		if !d.Pos.IsValid() {
			d.Pos = pos
		}
	}
	return list
}

func identifier(s string) bool {
	for i, c := range s {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

func (s *Space) kernels(r *reader, n *yaml.Node) {
	names := map[string]diag.Pos{}
	list := r.list(n, "'kernels'")
	if len(list) > maxKernels {
		r.errorf(n, "there are %d kernels, more than %d", len(list), maxKernels)
	}
	for _, e := range list {
		if follow(e).Kind == yaml.ScalarNode { // a file alone
			e = &yaml.Node{Kind: yaml.MappingNode, Line: e.Line, Column: e.Column, Content: []*yaml.Node{
				{Kind: yaml.ScalarNode, Value: "file", Line: e.Line, Column: e.Column}, e}}
		}
		m := r.mapping(e, "a kernel", []string{"file", "function", "inputs", "seed", "size", "weight"})
		m.need("file")
		k := Kernel{File: m.text("file"), Function: m.text("function"), Inputs: m.text("inputs"), Pos: r.pos(m.node),
			Seed: uint64(m.integer("seed", 1, 0, 1<<40)), Size: int64(m.integer("size", defaultSize, 1, maxSize)), Weight: m.number("weight", 1, 1e-6, 1e6)}
		if f := m.at["file"]; f != nil {
			k.Pos = r.pos(f)
		}
		for _, x := range []string{"seed", "size"} {
			if k.Inputs != "" && m.at[x] != nil {
				r.errorf(m.at[x], "'%s' is of random arguments, and 'inputs' names a file with arguments", x)
			}
		}
		k.Name, _, _ = strings.Cut(path.Base(k.File), ".")
		if k.Function != "" {
			k.Name += "." + k.Function
		}
		if first, twice := names[k.Name]; twice && k.File != "" {
			r.errs.Errorf(k.Pos, "there are two kernels '%s'", k.Name).WithNote(first, "the first").
				WithHelp("weight counts a kernel more than once")
		}
		names[k.Name] = k.Pos
		s.Kernels = append(s.Kernels, k)
	}
}

func (s *Space) parameters(r *reader, n *yaml.Node) {
	all := r.mapping(n, "'parameters'", nil)
	if len(all.keys) > maxParameters {
		r.errorf(n, "there are %d parameters, more than %d", len(all.keys), maxParameters)
	}
	set := map[string]string{} // the parameter that sets a place
	for _, name := range all.keys {
		m := r.mapping(all.at[name], "parameter '"+name+"'", []string{"at", "mix", "range", "choices"})
		p := Parameter{Name: name, Pos: r.pos(m.node)}
		switch at, mix := m.at["at"], m.at["mix"]; {
		case at == nil && mix == nil:
			r.errorf(m.node, "parameter '%s' needs 'at', a path in the architecture file, or 'mix', a PE template", name).
				WithHelp("such as {at: topology.rows, range: [4, 8]} or {mix: alu, range: [2, 12]}")
		case at != nil && mix != nil:
			r.errorf(mix, "parameter '%s' has both 'at' and 'mix'", name)
		case mix != nil:
			if p.Mix = r.text(mix, "'mix' of parameter '"+name+"'"); p.Mix != "" {
				s.template(r, mix, p.Mix)
				p.Ordered = true
			}
		default:
			paths := []*yaml.Node{at}
			if at.Kind == yaml.SequenceNode {
				paths = r.list(at, "'at' of parameter '"+name+"'")
			}
			for _, x := range paths {
				if path, ok := s.path(r, x, name); ok {
					if other := set[path.String()]; other != "" {
						r.errorf(follow(x), "'%s' is set by parameter '%s' already", path, other)
					}
					set[path.String()] = name
					p.At = append(p.At, path)
				}
			}
		}
		p.domain(r, m)
		if len(p.At) == 0 && p.Mix == "" || len(p.values) == 0 {
			continue // reported
		}
		for _, at := range p.At {
			n, _, _ := at.find(s.base)
			p.Absent = p.Absent || n == nil
		}
		p.Base = s.baseIndex(&p)
		s.Parameters = append(s.Parameters, p)
	}
	if len(s.Parameters) == 0 && len(r.errs.All) == 0 {
		r.errorf(n, "'parameters' must be a mapping that is not empty, found %s", describe(n))
	}
}

// path reads a path that leads somewhere in the base architecture.
func (s *Space) path(r *reader, n *yaml.Node, name string) (Path, bool) {
	n = follow(n)
	text := r.text(n, "'at' of parameter '"+name+"'")
	if text == "" {
		return nil, false
	}
	p, err := parsePath(text)
	if err != nil {
		r.errorf(n, "%v", err)
		return nil, false
	}
	switch p[0].key {
	case "name":
		r.errorf(n, "the name of the architecture is that of the exploration and does not vary")
		return nil, false
	case "topology", "boundary", "axi", "extmemories", "memories", "function_units", "pes", "width", "index_width", "pattern", "overrides", "deadlock_timeout":
	default:
		d := r.errorf(n, "an architecture file has no '%s'", p[0].key)
		if c := closest(p[0].key, []string{"topology", "boundary", "extmemories", "memories", "function_units", "pes", "width", "index_width", "pattern"}); c != "" {
			d.WithHelp("did you mean '%s'?", c)
		}
		return nil, false
	}
	if found, parent, why := p.find(s.base); found == nil && parent == nil {
		r.errorf(n, "'%s' leads nowhere in %s: %s", p, s.Base, why).WithHelp("loom fabrics %s prints the file that the path is in, if it is a fabric that is built in", s.Base)
		return nil, false
	}
	return p, true
}

// template checks the name of a PE template.
func (s *Space) template(r *reader, n *yaml.Node, name string) {
	templates := s.templates()
	if slices.Contains(templates, name) {
		return
	}
	d := r.errorf(n, "%s has no PE template '%s'", s.Base, name)
	if c := closest(name, templates); c != "" {
		d.WithHelp("did you mean '%s'?", c)
	} else {
		d.WithHelp("its templates are %s", strings.Join(templates, ", "))
	}
}

// templates are the names of the PE templates of the base.
func (s *Space) templates() []string {
	var out []string
	if pes := value(s.base, "pes"); pes != nil {
		for i := 0; i+1 < len(follow(pes).Content); i += 2 {
			out = append(out, follow(pes).Content[i].Value)
		}
	}
	return out
}

// domain reads the values of a parameter.
func (p *Parameter) domain(r *reader, m *mapping) {
	rng, choices := m.at["range"], m.at["choices"]
	whole := func(v int) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(v)} }
	switch {
	case rng != nil && choices != nil:
		r.errorf(choices, "%s has both 'range' and 'choices'", m.name)
	case rng != nil:
		e := r.list(rng, "'range' of "+m.name)
		if len(e) != 2 && len(e) != 3 {
			if e != nil {
				r.errorf(rng, "'range' of %s is [least, most] or [least, most, step], found %d numbers", m.name, len(e))
			}
			return
		}
		lo, hi, step := r.integer(e[0], "the least of "+m.name, 0, huge), r.integer(e[1], "the most of "+m.name, 0, huge), 1
		if len(e) == 3 {
			step = r.integer(e[2], "the step of "+m.name, 1, huge)
		}
		switch {
		case lo > hi:
			r.errorf(rng, "'range' of %s goes from %d down to %d", m.name, lo, hi)
			return
		case (hi-lo)/step >= maxValues:
			r.errorf(rng, "'range' of %s has %d values, more than %d", m.name, (hi-lo)/step+1, maxValues)
			return
		}
		p.Ordered = true
		for v := lo; v <= hi; v += step {
			p.values, p.Labels, p.counts = append(p.values, whole(v)), append(p.Labels, strconv.Itoa(v)), append(p.counts, v)
		}
	case choices != nil && choices.Kind == yaml.MappingNode:
		named := r.mapping(choices, "'choices' of "+m.name, nil)
		for _, k := range named.keys {
			p.values, p.Labels = append(p.values, named.at[k]), append(p.Labels, k)
		}
	case choices != nil:
		p.Ordered = true
		seen := map[string]bool{}
		for _, e := range r.list(choices, "'choices' of "+m.name) {
			e = follow(e)
			label := flat(e)
			if seen[label] {
				r.errorf(e, "'%s' occurs twice in 'choices' of %s", label, m.name)
			}
			seen[label] = true
			v, err := strconv.Atoi(e.Value)
			p.Ordered = p.Ordered && err == nil
			p.values, p.Labels, p.counts = append(p.values, e), append(p.Labels, label), append(p.counts, v)
		}
		p.Ordered = p.Ordered && slices.IsSorted(p.counts)
	default:
		r.errorf(m.node, "%s needs 'range' or 'choices'", m.name)
	}
	if p.Mix != "" && !p.Ordered && len(p.values) > 0 {
		r.errorf(m.node, "%s is a number of PEs: give it a 'range'", m.name)
	}
}

// flat is a value on one line.
func flat(n *yaml.Node) string {
	n = follow(n)
	var parts []string
	for i, c := range n.Content {
		text := flat(c)
		if n.Kind == yaml.MappingNode && i%2 == 1 {
			parts[len(parts)-1] += ": " + text
			continue
		}
		parts = append(parts, text)
	}
	switch n.Kind {
	case yaml.MappingNode:
		return "{" + strings.Join(parts, ", ") + "}"
	case yaml.SequenceNode:
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return n.Value
}

// baseIndex finds the value of the base architecture among those of a parameter: the same, or else the number
// next to it, or else the middle one.
func (s *Space) baseIndex(p *Parameter) int {
	want, number, ok := "", 0, false
	if p.Mix != "" {
		number, ok = s.patternCount(p.Mix), true
		want = strconv.Itoa(number)
	} else if n, _, _ := p.At[0].find(s.base); n != nil {
		want = flat(n)
		v, err := strconv.Atoi(want)
		number, ok = v, err == nil
	}
	if i := slices.Index(p.Labels, want); i >= 0 {
		return i
	}
	for i, v := range p.values { // of named choices
		if flat(v) == want {
			return i
		}
	}
	if !ok || !p.Ordered {
		return len(p.values) / 2
	}
	best := 0
	for i, c := range p.counts {
		if max(c-number, number-c) < max(p.counts[best]-number, number-p.counts[best]) {
			best = i
		}
	}
	return best
}

// patternCount is the number of PEs of a template in the pattern of the base.
func (s *Space) patternCount(template string) int {
	n := 0
	if rows := value(s.base, "pattern"); rows != nil {
		for _, row := range follow(rows).Content {
			for _, c := range follow(row).Content {
				if c.Value == template {
					n++
				}
			}
		}
	}
	return n
}

// checkFill checks fill against the parameters with mix.
func (s *Space) checkFill(r *reader, m *mapping) {
	mixed := slices.ContainsFunc(s.Parameters, func(p Parameter) bool { return p.Mix != "" })
	switch {
	case s.Fill != "":
		s.template(r, m.at["fill"], s.Fill)
		if !mixed {
			r.errorf(m.at["fill"], "'fill' has no effect without a parameter with 'mix'")
		} else if s.Mixing(s.Fill) >= 0 {
			r.errorf(m.at["fill"], "'%s' takes what the mix leaves of the grid, so it can be no parameter itself", s.Fill)
		}
	case mixed:
		r.errorf(m.node, "the exploration needs the key 'fill': the PE template of the positions that the mix leaves")
	}
}

func (s *Space) limits(r *reader, n *yaml.Node) {
	m := r.mapping(n, "'limits'", []string{"device", "luts", "ffs", "dsps", "brams", "mhz", "ns"})
	l := Limits{}
	if d := m.at["device"]; d != nil {
		name := m.text("device")
		known, ok := Devices[name]
		if !ok && name != "" {
			r.errorf(d, "there is no device '%s'", name).WithHelp("the devices are %s", strings.Join(slices.Sorted(maps.Keys(Devices)), ", "))
		}
		l = known
		l.Device = name
	}
	least := func(key string, from int) int { return m.integer(key, from, 1, 1<<30) }
	l.LUTs, l.FFs, l.DSPs, l.BRAMs = least("luts", l.LUTs), least("ffs", l.FFs), m.integer("dsps", l.DSPs, 0, 1<<30), m.integer("brams", l.BRAMs, 0, 1<<30)
	l.MHz, l.NS = m.number("mhz", 0, 1e-3, 1e5), m.number("ns", 0, 1e-3, 1e15)
	s.Limits = l
}

func (s *Space) objectives(r *reader, n *yaml.Node) {
	if n == nil {
		s.Objectives = []Objective{LUTTime, LUTs, Time}
		return
	}
	for _, e := range r.list(n, "'objectives'") {
		name := r.text(e, "an objective")
		switch {
		case name == "":
		case name == "bandwidth":
			r.errorf(follow(e), "'bandwidth' is no objective of its own").
				WithHelp("on the same inputs every fabric moves the same bytes, so the one with the least 'ns' has the most bandwidth")
		case !slices.Contains(objectives, name):
			d := r.errorf(follow(e), "there is no objective '%s'", name)
			d.WithHelp("the objectives are %s", strings.Join(objectives, ", "))
		case slices.Contains(s.Objectives, Objective(name)):
			r.errorf(follow(e), "objective '%s' occurs twice", name)
		default:
			s.Objectives = append(s.Objectives, Objective(name))
		}
	}
}

func (s *Space) search(r *reader, root *mapping) {
	s.Search = Search{Seed: 1, Population: defaultPopulation, Evaluations: defaultEvaluations}
	if n := root.at["search"]; n != nil {
		m := r.mapping(n, "'search'", []string{"seed", "population", "evaluations"})
		s.Search = Search{Seed: uint64(m.integer("seed", 1, 0, 1<<40)), Population: m.integer("population", defaultPopulation, 4, maxPopulation),
			Evaluations: m.integer("evaluations", defaultEvaluations, 1, maxEvaluations)}
	}
	s.Finalists = Finalists{Count: defaultFinalists}
	if n := root.at["finalists"]; n != nil {
		m := r.mapping(n, "'finalists'", []string{"count", "cosim", "synthesis", "route"})
		s.Finalists = Finalists{Count: m.integer("count", defaultFinalists, 1, 100), Cosim: m.boolean("cosim"), Synthesis: m.boolean("synthesis"), Route: m.boolean("route")}
	}
}

// Devices are parts by name, with what they hold according to the data sheets of their maker (AMD DS180, DS190).
var Devices = map[string]Limits{
	"xc7a35t":  {LUTs: 20_800, FFs: 41_600, DSPs: 90, BRAMs: 50},
	"xc7a100t": {LUTs: 63_400, FFs: 126_800, DSPs: 240, BRAMs: 135},
	"xc7a200t": {LUTs: 134_600, FFs: 269_200, DSPs: 740, BRAMs: 365},
	"xc7z010":  {LUTs: 17_600, FFs: 35_200, DSPs: 80, BRAMs: 60},
	"xc7z020":  {LUTs: 53_200, FFs: 106_400, DSPs: 220, BRAMs: 140},
	"xc7k325t": {LUTs: 203_800, FFs: 407_600, DSPs: 840, BRAMs: 445},
}

// Exceeded is the first limit that a fabric breaks and by which factor, "" for none. The time of runs is
// compared where ns is above 0.
func (l Limits) Exceeded(luts, ffs, dsps, brams int, mhz, ns float64) (what string, factor float64) {
	for _, x := range []struct {
		name      string
		has, most float64
	}{{"look-up tables", float64(luts), float64(l.LUTs)}, {"flip-flops", float64(ffs), float64(l.FFs)}, {"DSP blocks", float64(dsps), float64(l.DSPs)},
		{"block RAMs", float64(brams), float64(l.BRAMs)}, {"ns per run", ns, l.NS}} {
		if x.most > 0 && x.has > x.most {
			return strconv.FormatFloat(x.has, 'f', -1, 64) + " " + x.name + ", the limit is " + strconv.FormatFloat(x.most, 'f', -1, 64), x.has / x.most
		}
	}
	if cmp.Compare(mhz, l.MHz) < 0 {
		return strconv.FormatFloat(mhz, 'f', 1, 64) + " MHz, the limit is " + strconv.FormatFloat(l.MHz, 'f', -1, 64), l.MHz / mhz
	}
	return "", 1
}
