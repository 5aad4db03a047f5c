package tech

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// report explains an incomplete assignment: the nodes that no site can execute, and
// the sets of other nodes that compete for too few sites. By the theorem of Hall
// the nodes that alternating paths reach from an unassigned one are such a set,
// and the shortage is exact.
func (t *Tech) report(m *matching) error {
	var errs diag.List
	if ops, nodes := t.withoutHardware(); len(ops) > 0 {
		t.explainWithoutHardware(ops, nodes, &errs)
		return &Misfit{List: &errs}
	}
	if bits, at, name := t.tooWide(); bits > 0 {
		// Everything else that is missing follows from this.
		errs.Errorf(at, "kernel '%s' needs a %d-bit fabric, width: %d: %s has %d bits, the channels of fabric '%s' have %d",
			t.Fn.SymName(), bits, bits, name, bits, t.Fabric.Name, channelWidth(t.Fabric)).
			WithHelp("the architecture file needs units and memories of such types, too")
		return &Misfit{&errs, []Lack{{Kind: LackWidth, N: bits}}}
	}
	var lacks []Lack
	impossible := map[string][]*Node{}
	var keys []string
	var short []int
	for _, id := range m.unmatched {
		if len(t.Cand[id]) > 0 {
			short = append(short, id)
		}
	}
	for id, nd := range t.Nodes {
		if len(t.Cand[id]) > 0 || nd.Kind == Access || t.Follows[id] {
			continue // of the last the array lacks a memory
		}
		k := t.need(nd)
		if impossible[k] == nil {
			keys = append(keys, k)
		}
		impossible[k] = append(impossible[k], nd)
	}
	t.explainSimplified(impossible, &errs)
	for _, k := range keys {
		lacks = append(lacks, t.explainImpossible(k, impossible[k], &errs))
	}
	reported := map[int]bool{}
	for _, id := range short {
		if reported[id] {
			continue
		}
		nodes, sites := t.hall(m, id)
		for _, nd := range nodes {
			reported[nd] = true
		}
		lacks = append(lacks, t.explainShort(nodes, sites, &errs))
	}
	lacks = append(lacks, t.reportArrays(&errs)...)
	return &Misfit{&errs, lacks}
}

// explainSimplified reports that a graph holds what the fabric cannot, because it was simplified. The
// remedy is in the message: it is another than what each of the operations would need.
func (t *Tech) explainSimplified(impossible map[string][]*Node, errs *diag.List) {
	if t.Fn.Attr(dataflow.SimplifiedAttr) == nil {
		return
	}
	for _, nodes := range impossible {
		if nd := nodes[0]; nd.Kind == Unit && t.unheld(nd) >= 0 {
			errs.Errorf(t.Fn.Pos, "graph '%s' was simplified and holds values for which fabric '%s' has no immediates: compile the kernel with --simplify off", t.Fn.SymName(), t.Fabric.Name).
				WithHelp("or list operands of the PEs under 'immediates' in the architecture file, which takes fewer PEs")
			return
		}
	}
}

// explainWithoutHardware reports operations for which there is no hardware at all.
func (t *Tech) explainWithoutHardware(ops []string, nodes map[string][]*Node, errs *diag.List) {
	first := nodes[ops[0]][0]
	d := errs.Errorf(first.Pos, "kernel '%s' uses '%s', and LOOM has no hardware for it yet", t.Fn.SymName(), ops[0])
	for _, name := range ops {
		d.WithNote(nodes[name][0].Pos, "'%s' is needed %s", name, times(len(nodes[name])))
	}
	d.WithHelp("loom sim runs the kernel without a fabric")
}

// need names the class of a node: operation and widths.
func (t *Tech) need(nd *Node) string {
	switch nd.Kind {
	case ArgIn:
		return fmt.Sprintf("boundary input of %s", bitCount(t.outWidth(nd, 0)))
	case ResOut:
		return fmt.Sprintf("boundary output of %s", bitCount(t.inWidth(nd, 0)))
	}
	op := t.Ops[nd.Ops[0]]
	return fmt.Sprintf("'%s' %s", op.Name, opTypes(op))
}

func bitCount(n int) string { return diag.Plural(max(n, 1), "bit") }

// opTypes spells the signature of op with its structural attributes.
func opTypes(op *ir.Operation) string {
	var ins, outs []string
	for _, v := range op.Operands() {
		ins = append(ins, v.Type.String())
	}
	for _, v := range op.Results() {
		outs = append(outs, v.Type.String())
	}
	s := fmt.Sprintf("(%s) -> (%s)", strings.Join(ins, ", "), strings.Join(outs, ", "))
	if so := op.StrAttr("step_op"); so != "" {
		s = fmt.Sprintf("{step_op = %q} %s", so, s)
	}
	if op.Name == opname.DataflowAccumulate {
		s = fmt.Sprintf("{operation = %q, parts = %d} %s", op.StrAttr("operation"), dataflow.Parts(op), s)
	}
	return s
}

// noteNodes adds the positions of the nodes, the first few in full.
func noteNodes(d *diag.Diagnostic, nodes []*Node) {
	const most = 8
	for i, nd := range nodes {
		if i == most {
			d.WithNote(diag.Pos{}, "… and %d more", len(nodes)-most)
			return
		}
		d.WithNote(nd.Pos, "%s", nd.Name)
	}
}

func (t *Tech) explainImpossible(need string, nodes []*Node, errs *diag.List) Lack {
	nd := nodes[0]
	f := t.Fabric
	var d *diag.Diagnostic
	switch nd.Kind {
	case ArgIn, ResOut:
		d = errs.Errorf(nd.Pos, "fabric '%s' has no %s for %s", f.Name, need, nd.Name)
		d.WithHelp("the fabric needs %d × %s", len(nodes), need)
	default:
		op := t.Ops[nd.Ops[0]]
		offers := t.offers(op)
		if len(offers) == 0 {
			d = errs.Errorf(nd.Pos, "no function unit of fabric '%s' executes '%s' (needed %s)", f.Name, op.Name, times(len(nodes)))
			d.WithHelp("the fabric needs %s with %s", diag.Plural(len(nodes), "PE"), need)
		} else if held := t.unheld(nd); held >= 0 {
			what := "can hold its operand"
			if t.Imm[nd.Ins[held]].Const >= 0 {
				what = "has an immediate for its operand"
			}
			d = errs.Errorf(nd.Pos, "no PE of fabric '%s' that executes '%s' %s #%d, which is the same for the whole run (needed %s)",
				f.Name, op.Name, what, nd.Ins[held].Port, times(len(nodes)))
			d.WithHelp("the fabric needs %s that executes %s, with that operand under 'immediates'; or fire what is held by tokens", diag.Plural(len(nodes), "PE"), need)
		} else if t.late(nd) && t.matchesSomewhere(nd) {
			d = errs.Errorf(nd.Pos, "only temporal PEs of fabric '%s' execute '%s' (needed %s), and its condition comes from a gate: it takes its next value an iteration late, and would hold up other instructions",
				f.Name, op.Name, times(len(nodes)))
			d.WithHelp("the fabric needs %s with %s that are not temporal", diag.Plural(len(nodes), "PE"), need)
		} else if t.matchesSomewhere(nd) {
			d = errs.Errorf(nd.Pos, "no PE of fabric '%s' that executes '%s' has enough connected ports of the needed width (needed %s)",
				f.Name, op.Name, times(len(nodes)))
			d.WithHelp("the operation needs %s and %s at its PE", diag.Plural(len(nd.Ins), "input"), diag.Plural(len(nd.Outs), "output"))
		} else {
			d = errs.Errorf(nd.Pos, "no function unit of fabric '%s' executes '%s' with these types: %s (needed %s)",
				f.Name, op.Name, opTypes(op), times(len(nodes)))
			for _, o := range offers {
				d.WithNote(diag.Pos{}, "the fabric offers '%s' %s", op.Name, o)
			}
			d.WithHelp("the fabric needs %s with %s%s", diag.Plural(len(nodes), "PE"), need, t.wideningHelp(op))
		}
	}
	if len(nodes) > 1 {
		noteNodes(d, nodes)
	}
	switch nd.Kind {
	case ArgIn:
		return Lack{Kind: LackInputs, N: len(nodes)}
	case ResOut:
		return Lack{Kind: LackOutputs, N: len(nodes)}
	}
	return Lack{Kind: LackUnit, N: len(nodes), Op: t.Ops[nd.Ops[0]]}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// offers lists the signatures in which the fabric offers an operation.
func (t *Tech) offers(op *ir.Operation) []string {
	seen := map[string]bool{}
	for _, c := range t.Fabric.Comps {
		for _, fu := range c.Units() {
			if len(fu.Ops) == 1 && class(fu.Ops[0].Op) == class(op) {
				seen[opTypes(fu.Ops[0].Op)] = true
			}
		}
	}
	var out []string
	for s := range seen {
		out = append(out, s)
	}
	sort.Strings(out)
	return out
}

// wideningHelp describes how the kernel itself can use a wider unit of the fabric, ""
// when there is none. The mapper does not widen operands by itself: that costs
// units, and the author of the program decides whether it is worth them.
func (t *Tech) wideningHelp(op *ir.Operation) string {
	if !strings.HasPrefix(op.Name, "arith.") || op.NumOperands() != 2 {
		return ""
	}
	have, ok := ir.BitWidth(op.Operand(0).Type, t.Fabric.IndexWidth)
	if !ok || !ir.IsInt(op.Operand(0).Type) {
		return ""
	}
	var best ir.Type
	least := 65
	for _, c := range t.Fabric.Comps {
		for _, fu := range c.Units() {
			if len(fu.Ops) != 1 || class(fu.Ops[0].Op) != class(op) {
				continue
			}
			to := fu.Ops[0].Op.Operand(0).Type
			if w, ok := ir.BitWidth(to, t.Fabric.IndexWidth); ok && ir.IsInt(to) && w > have && w < least {
				best, least = to, w
			}
		}
	}
	if best == nil {
		return ""
	}
	return fmt.Sprintf("; or compute in %s in the kernel: arith.extsi or arith.extui on the operands", best)
}

// matchesSomewhere reports whether some unit executes the node, ports aside.
func (t *Tech) matchesSomewhere(nd *Node) bool {
	for _, c := range t.Fabric.Comps {
		if c.Units() != nil {
			if _, ok := t.matchNode(c, nd); ok {
				return true
			}
		}
	}
	return false
}

// hall returns the nodes that alternating paths reach from an unassigned node,
// and the sites that are open to them.
func (t *Tech) hall(m *matching, start int) (nodes, sites []int) {
	seenN, seenS := map[int]bool{start: true}, map[int]bool{}
	nodes = []int{start}
	for i := 0; i < len(nodes); i++ {
		for _, s := range t.Cand[nodes[i]] {
			if seenS[s] {
				continue
			}
			seenS[s] = true
			sites = append(sites, s)
			if nd := m.node[s]; nd >= 0 && !seenN[nd] {
				seenN[nd] = true
				nodes = append(nodes, nd)
			}
		}
	}
	// Other unassigned nodes that compete for the same sites belong here too.
	for _, id := range m.unmatched {
		inside := !seenN[id] && len(t.Cand[id]) > 0
		for _, s := range t.Cand[id] {
			inside = inside && seenS[s]
		}
		if inside {
			seenN[id] = true
			nodes = append(nodes, id)
		}
	}
	sort.Ints(nodes)
	return nodes, sites
}

func (t *Tech) explainShort(ids, sites []int, errs *diag.List) Lack {
	var nodes []*Node
	per := map[string]int{}
	var classes []string
	for _, id := range ids {
		nd := t.Nodes[id]
		nodes = append(nodes, nd)
		k := t.need(nd)
		if per[k] == 0 {
			classes = append(classes, k)
		}
		per[k]++
	}
	what := map[Kind]string{Unit: "PE", ArgIn: "boundary input", ResOut: "boundary output"}[nodes[0].Kind]
	missing := len(ids) - len(sites)
	list := make([]string, 0, len(classes))
	sort.SliceStable(classes, func(i, j int) bool { return per[classes[i]] > per[classes[j]] })
	for _, c := range classes {
		list = append(list, fmt.Sprintf("%d × %s", per[c], c))
	}
	plural := what + "s"
	if slices.ContainsFunc(sites, func(s int) bool { return t.Sites[s].Comp != nil && t.Sites[s].Comp.TPE != nil }) {
		what, plural = "PE or instruction", "PEs and instructions"
	}
	var d *diag.Diagnostic
	total := 0
	for _, s := range t.Sites {
		if s.Kind == nodes[0].Kind {
			total++
		}
	}
	if len(sites) == total {
		at := nodes[0].Pos
		if nodes[0].Kind == Unit {
			at = t.Fn.Pos // no single operation is to blame
		}
		d = errs.Errorf(at, "fabric '%s' is too small: the kernel needs %d %s, the fabric has %d (%d short)",
			t.Fabric.Name, len(ids), plural, len(sites), missing)
	} else {
		served := map[Kind]string{Unit: "operations", ArgIn: "arguments", ResOut: "results"}[nodes[0].Kind]
		d = errs.Errorf(nodes[0].Pos, "fabric '%s' has %d suitable %s for %d %s (%d short)",
			t.Fabric.Name, len(sites), plural, len(ids), served, missing)
	}
	for i, l := range list {
		if i == 12 {
			d.WithNote(diag.Pos{}, "… and %d more kinds", len(list)-i)
			break
		}
		d.WithNote(diag.Pos{}, "needed: %s", l)
	}
	noteNodes(d, nodes)
	if missing == 1 {
		plural = what
	}
	d.WithHelp("add at least %d %s of these kinds, or choose a larger fabric", missing, plural)
	switch {
	case nodes[0].Kind == ArgIn:
		return Lack{Kind: LackInputs, N: missing}
	case nodes[0].Kind == ResOut:
		return Lack{Kind: LackOutputs, N: missing}
	case len(sites) == total:
		return Lack{Kind: LackPEs, N: missing}
	}
	l := Lack{Kind: LackUnit, N: missing}
	for _, nd := range nodes {
		if l.Op == nil || t.need(nd) == classes[0] {
			l.Op = t.Ops[nd.Ops[0]]
		}
	}
	for _, s := range sites {
		l.Have = append(l.Have, t.Sites[s].Comp)
	}
	return l
}
