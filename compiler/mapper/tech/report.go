package tech

import (
	"fmt"
	"sort"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// report explains an incomplete assignment: the nodes that no site can execute, and
// the sets of other nodes that compete for too few sites. By the theorem of Hall
// the nodes that alternating paths reach from an unassigned one are such a set,
// and the shortage is exact.
func (t *Tech) report(m *matching) error {
	var errs diag.List
	impossible := map[string][]*Node{}
	var keys []string
	var short []int
	for _, id := range m.unmatched {
		if len(t.Cand[id]) > 0 {
			short = append(short, id)
		}
	}
	for id, nd := range t.Nodes {
		if len(t.Cand[id]) > 0 || nd.Kind == Access {
			continue
		}
		k := t.need(nd)
		if impossible[k] == nil {
			keys = append(keys, k)
		}
		impossible[k] = append(impossible[k], nd)
	}
	for _, k := range keys {
		t.explainImpossible(k, impossible[k], &errs)
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
		t.explainShort(nodes, sites, &errs)
	}
	t.reportArrays(&errs)
	return errs.Err()
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

func (t *Tech) explainImpossible(need string, nodes []*Node, errs *diag.List) {
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
		if c.PE == nil {
			continue
		}
		for _, fu := range c.PE.FUs {
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
		if c.PE == nil {
			continue
		}
		for _, fu := range c.PE.FUs {
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
		if c.PE != nil {
			if _, ok := t.matchNode(c.PE, nd); ok {
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

func (t *Tech) explainShort(ids, sites []int, errs *diag.List) {
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
		d = errs.Errorf(nodes[0].Pos, "fabric '%s' has %d suitable %s for %d operations (%d short)",
			t.Fabric.Name, len(sites), plural, len(ids), missing)
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
}
