package prove

import (
	"fmt"
	"hash/fnv"
	"slices"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// matcher matches the nodes of the kernel with those of the fabric. Every operand has one
// source, so that matched nodes match what feeds them; a value whose readers can be told
// apart matches them, too. Where that leaves a choice (operands that may be exchanged,
// readers that look alike), the nodes are told apart by everything around them, and what is
// then still alike is tried.
type matcher struct {
	kernel, fabric *graph
	indexWidth     int
	state
	steps int
}

// state is what has been matched: the partner of a node by its number, -1 for none, and the
// array of the kernel that a region of the fabric holds.
type state struct {
	partner, of []int
	array       map[*array]*array
	queue       []int // nodes of the kernel whose surroundings have not been matched
}

func (s *state) clone() state {
	c := state{slices.Clone(s.partner), slices.Clone(s.of), map[*array]*array{}, slices.Clone(s.queue)}
	for a, b := range s.array {
		c.array[a] = b
	}
	return c
}

// difference is the first thing that does not match: k of the kernel, h of the fabric, nil
// where one of them is missing.
type difference struct {
	k, h  *node
	text  string
	place string
}

// maxSteps bounds the pairs that are tried where nodes look alike.
const maxSteps = 200_000

func newMatcher(kernel, fabric *graph, indexWidth int) *matcher {
	m := &matcher{kernel: kernel, fabric: fabric, indexWidth: indexWidth}
	m.state = state{make([]int, len(kernel.nodes)), make([]int, len(fabric.nodes)), map[*array]*array{}, nil}
	for i := range m.partner {
		m.partner[i] = -1
	}
	for i := range m.of {
		m.of[i] = -1
	}
	return m
}

// run matches everything, and verifies the match. It returns the first difference, nil for
// none.
func (m *matcher) run() *difference {
	if d := m.anchors(); d != nil {
		return d
	}
	if d := m.solve(); d != nil {
		return d
	}
	return m.verify()
}

// anchors matches what the host knows by name: arguments and results.
func (m *matcher) anchors() *difference {
	type name struct{ op, field string }
	have := map[name]*node{}
	for _, h := range m.fabric.nodes {
		if h.op == argument || h.op == result {
			have[name{h.op, h.fields[0]}] = h
		}
	}
	for _, k := range m.kernel.nodes {
		if k.op != argument && k.op != result {
			continue
		}
		h := have[name{k.op, k.fields[0]}]
		if h == nil {
			if k.op == argument && len(k.out[0].readers) == 0 {
				continue // the host does not send it
			}
			return &difference{k: k, text: k.what + " has no place at the boundary"}
		}
		if d := m.pair(k, h); d != nil {
			return d
		}
	}
	return nil
}

// pair matches two nodes unless something speaks against it.
func (m *matcher) pair(k, h *node) *difference {
	if have := m.partner[k.id]; have >= 0 || m.of[h.id] >= 0 {
		if have == h.id {
			return nil
		}
		if have >= 0 {
			return &difference{k, h, fmt.Sprintf("%s would be executed at two places", k.what), "also at " + m.fabric.nodes[have].place}
		}
		return &difference{k, h, fmt.Sprintf("%s is executed by what executes %s as well", k.what, m.kernel.nodes[m.of[h.id]].what), ""}
	}
	m.steps++
	if k.key != h.key {
		return &difference{k, h, fmt.Sprintf("%s should be executed there", k.what), "which has " + describe(h)}
	}
	if k.ir != nil && h.ir != nil {
		if why := sameMeaning(h.ir, k.ir, m.indexWidth); why != "" {
			return &difference{k, h, fmt.Sprintf("%s is not what is executed there", k.what), why}
		}
	}
	if k.mem != nil || h.mem != nil {
		if why := m.sameArray(k.mem, h.mem); why != "" {
			return &difference{k, h, fmt.Sprintf("%s goes to another array", k.what), why}
		}
	}
	m.partner[k.id], m.of[h.id] = h.id, k.id
	m.queue = append(m.queue, k.id)
	return nil
}

// describe names what a node of the fabric executes.
func describe(h *node) string {
	return h.what + fieldText(h)
}

// sameArray reports why a region of the fabric does not hold an array of the kernel, "" if
// it does, and notes that it does.
func (m *matcher) sameArray(k, h *array) string {
	switch {
	case k == nil || h == nil:
		return "it reaches no region"
	case m.array[h] == k:
		return ""
	case m.array[h] != nil:
		return fmt.Sprintf("%s holds %s", h.what, m.array[h].what)
	}
	constant := k.data != nil && !k.stores
	switch {
	case k.argument >= 0 && h.argument != k.argument:
		return fmt.Sprintf("the host does not have argument %d in %s", k.argument, h.what)
	case k.argument < 0 && h.argument >= 0:
		return fmt.Sprintf("the host has argument %d in %s", h.argument, h.what)
	case k.argument < 0 && h.external && !constant:
		return h.what + " is outside of the chip"
	case h.elemBits != k.elemBits && !(constant && h.elemBits > k.elemBits):
		return fmt.Sprintf("%s has elements of %d bits, the kernel's have %d", h.what, h.elemBits, k.elemBits)
	case (k.data == nil) != (h.data == nil) || !slices.Equal(k.data, h.data):
		return fmt.Sprintf("the host does not give %s the contents of the kernel's", h.what)
	case !h.external && k.elements > h.elements-h.first:
		return fmt.Sprintf("%s has room for %d elements, the kernel needs %d", h.what, h.elements-h.first, k.elements)
	}
	for o, other := range m.array {
		if other == k && k.argument < 0 && !constant {
			return fmt.Sprintf("%s holds it already", o.what)
		}
		if !h.external && o.component == h.component && o.first < h.first+k.elements && h.first < o.first+other.elements {
			return fmt.Sprintf("%s and %s share elements", h.what, o.what)
		}
	}
	m.array[h] = k
	return ""
}

// solve matches everything that the matches so far determine, then what is left by trial.
func (m *matcher) solve() *difference {
	if d := m.propagate(); d != nil {
		return d
	}
	for {
		choice, progress, d := m.refine()
		if d != nil {
			return d
		}
		if progress {
			if d := m.propagate(); d != nil {
				return d
			}
			continue
		}
		if choice == nil {
			return m.left()
		}
		// Alike in all that surrounds them: most often any choice is right.
		var first *difference
		for _, h := range choice.candidates {
			if m.steps > maxSteps {
				return &difference{k: choice.k, text: fmt.Sprintf("%s cannot be told from other operations like it", choice.k.what)}
			}
			before := m.state.clone()
			d := m.pair(choice.k, h)
			if d == nil {
				d = m.solve()
			}
			if d == nil {
				return nil
			}
			if first == nil {
				first = d
			}
			m.state = before
		}
		return first
	}
}

// propagate matches the surroundings of the nodes in the queue until nothing new follows.
func (m *matcher) propagate() *difference {
	for {
		for len(m.queue) > 0 {
			k := m.kernel.nodes[m.queue[0]]
			m.queue = m.queue[1:]
			if d := m.around(k, m.fabric.nodes[m.partner[k.id]]); d != nil {
				return d
			}
		}
		// What was open when its node was matched may be determined now.
		for _, k := range m.kernel.nodes {
			if m.partner[k.id] < 0 {
				continue
			}
			if d := m.around(k, m.fabric.nodes[m.partner[k.id]]); d != nil {
				return d
			}
		}
		if len(m.queue) == 0 {
			return nil
		}
	}
}

// around matches what feeds two matched nodes and what reads their results, as far as it is
// determined.
func (m *matcher) around(k, h *node) *difference {
	if k.symmetric {
		if d := m.anyOrder(k, h); d != nil {
			return d
		}
	} else {
		for i := range k.in {
			if d := m.operand(k.in[i], h.in[i]); d != nil {
				return d
			}
		}
	}
	for i := range k.out {
		if d := m.readers(k.out[i], h.out[i]); d != nil {
			return d
		}
	}
	return nil
}

// operand compares an operand with its counterpart and matches what feeds them.
func (m *matcher) operand(k, h *input) *difference {
	if why := m.differs(k, h); why != "" {
		return m.operandDiffers(k, h, why)
	}
	if k.from == nil {
		return nil
	}
	if d := m.pair(k.from.node, h.from.node); d != nil {
		return m.operandDiffers(k, h, "")
	}
	return nil
}

// operandDiffers is the difference that an operand is fed by something else.
func (m *matcher) operandDiffers(k, h *input, why string) *difference {
	d := &difference{k: k.node, h: h.node, text: fmt.Sprintf("operand %d of %s is %s", k.k, k.node.what, feedText(k))}
	if k.node.op == result {
		d.text = fmt.Sprintf("%s is %s", k.node.what, feedText(k))
	}
	if why == "" {
		why = "what arrives there is " + feedText(h)
	}
	if h.via != "" {
		why += ", by way of " + h.via
	}
	d.place = why
	return d
}

// feedText names what feeds an operand.
func feedText(in *input) string {
	switch {
	case in.constant && in.held:
		return fmt.Sprintf("the constant %#x, held", in.word)
	case in.constant && in.from != nil:
		return fmt.Sprintf("the constant %#x at the pace of %s", in.word, valueText(in.from))
	case in.held:
		return "a held token"
	case in.from == nil:
		return "fed by nothing"
	}
	return valueText(in.from)
}

func valueText(v *value) string {
	if v.node.place != "" {
		return resultText(v) + " in " + v.node.place
	}
	return resultText(v)
}

// differs compares two operands without what feeds them, and the result number of that.
func (m *matcher) differs(k, h *input) string {
	switch {
	case k.held && h.held && !k.constant && k.width == 0:
		return "" // a token, whatever data stands beside it
	case k.held != h.held || k.constant != h.constant && (k.constant || k.width > 0) || (k.from == nil) != (h.from == nil):
		return "what arrives there is " + feedText(h)
	case k.constant && (k.width <= h.width && (k.word^h.word)&mask(k.width) != 0 || h.word&^mask(k.bits) != 0):
		return "what arrives there is " + feedText(h)
	case k.from != nil && k.from.port != h.from.port:
		return "what arrives there is " + feedText(h)
	}
	need := k.width
	if k.k == 0 && h.node.addressBits > 0 {
		// The memory looks at all bits of its address port.
		if h.node.addressBits > k.full {
			return fmt.Sprintf("the address port has %d bits, the kernel's address %d", h.node.addressBits, k.full)
		}
		if !k.extended {
			need = h.node.addressBits
		}
	}
	if h.width < need {
		return fmt.Sprintf("%d of its %d bits arrive there", h.width, need)
	}
	return ""
}

// possible reports whether two operands may be counterparts, for all that is known.
func (m *matcher) possible(k, h *input) bool {
	if m.differs(k, h) != "" {
		return false
	}
	if k.from == nil {
		return true
	}
	a, b := k.from.node, h.from.node
	switch {
	case m.partner[a.id] >= 0 || m.of[b.id] >= 0:
		return m.partner[a.id] == b.id
	}
	return a.key == b.key
}

// anyOrder matches operands that may stand in any order as far as they can be told apart:
// an operand with one possible counterpart has that.
func (m *matcher) anyOrder(k, h *node) *difference {
	taken := make([]bool, len(h.in))
	open := slices.Clone(k.in)
	for progress := true; progress && len(open) > 0; {
		progress = false
		for at := 0; at < len(open); at++ {
			in := open[at]
			var fits []int
			for j, o := range h.in {
				if !taken[j] && m.possible(in, o) {
					fits = append(fits, j)
				}
			}
			switch {
			case len(fits) == 0:
				return m.orderDiffers(k, h, in, taken)
			case len(fits) > 1 && !m.same(h, fits):
				continue
			}
			taken[fits[0]] = true
			open = slices.Delete(open, at, at+1)
			at--
			progress = true
			if d := m.operand(in, h.in[fits[0]]); d != nil {
				return d
			}
		}
	}
	return nil
}

// same reports whether some operands of a node are fed by the same: then it does not matter
// which is which.
func (m *matcher) same(h *node, operands []int) bool {
	first := h.in[operands[0]]
	for _, j := range operands[1:] {
		o := h.in[j]
		if o.from != first.from || o.constant != first.constant || o.word != first.word || o.held != first.held {
			return false
		}
	}
	return true
}

// orderDiffers is the difference that nothing at a node with operands in any order is fed
// as the operand in.
func (m *matcher) orderDiffers(k, h *node, in *input, taken []bool) *difference {
	for j, o := range h.in {
		if !taken[j] && (len(h.in) == 1 || !slices.ContainsFunc(k.in, func(x *input) bool { return x != in && m.possible(x, o) })) {
			return m.operandDiffers(in, o, m.differs(in, o))
		}
	}
	for j, o := range h.in {
		if !taken[j] {
			return m.operandDiffers(in, o, m.differs(in, o))
		}
	}
	return &difference{k: k, h: h, text: fmt.Sprintf("operand %d of %s is %s", in.k, k.what, feedText(in)), place: "no operand there is"}
}

// readers matches the readers of two matched values that can be told apart.
func (m *matcher) readers(k, h *value) *difference {
	if len(k.readers) != len(h.readers) {
		return m.readerCount(k, h)
	}
	open := map[string][2][]*node{}
	var order []string
	collect := func(v *value, side int, done func(*node) bool) {
		for _, in := range v.readers {
			if done(in.node) {
				continue
			}
			sig := readerKey(in)
			if _, known := open[sig]; !known {
				order = append(order, sig)
			}
			pair := open[sig]
			pair[side] = append(pair[side], in.node)
			open[sig] = pair
		}
	}
	collect(k, 0, func(n *node) bool { return m.partner[n.id] >= 0 })
	collect(h, 1, func(n *node) bool { return m.of[n.id] >= 0 })
	for _, sig := range order {
		ks, hs := open[sig][0], open[sig][1]
		switch {
		case len(ks) > len(hs):
			return m.readerMissing(ks[len(ks)-1], k, h)
		case len(hs) > len(ks):
			return &difference{k: k.node, h: hs[len(hs)-1], text: fmt.Sprintf("%s is read by something that the kernel does not have", resultText(k)),
				place: describe(hs[len(hs)-1])}
		case len(ks) == 1:
			if d := m.pair(ks[0], hs[0]); d != nil {
				return d
			}
		}
	}
	return nil
}

// readerMissing is the difference that n reads the value k in the kernel, and nothing like it
// reads its counterpart h in the fabric; what reads it in its place explains it.
func (m *matcher) readerMissing(n *node, k, h *value) *difference {
	d := &difference{k: n, h: h.node, text: fmt.Sprintf("%s reads %s", n.what, resultText(k)),
		place: "nothing there reads it so"}
	mine := map[string]bool{}
	for _, in := range k.readers {
		mine[readerKey(in)] = true
	}
	at := -1
	for _, in := range k.readers {
		if in.node == n {
			at = in.k
		}
	}
	for _, in := range h.readers {
		if m.of[in.node.id] >= 0 || mine[readerKey(in)] || d.h != h.node && in.node.op != n.op {
			continue
		}
		d.h, d.place = in.node, fmt.Sprintf("its operand %d reads it: %s", in.k, describe(in.node))
		d.text = fmt.Sprintf("operand %d of %s%s is %s", at, n.what, fieldText(n), resultText(k))
	}
	return d
}

// fieldText lists the fields of a node.
func fieldText(n *node) string {
	text := ""
	for _, f := range n.fields {
		text += ", " + f
	}
	return text
}

// resultText names a value of the kernel.
func resultText(v *value) string {
	if v.node.op == argument {
		return v.node.what
	}
	return fmt.Sprintf("result %d of %s", v.port, v.node.what)
}

// readerKey is what a reader looks like by itself.
func readerKey(in *input) string {
	k := in.k
	if in.node.symmetric {
		k = -1
	}
	return fmt.Sprintf("%s|%d|%t", in.node.key, k, in.constant)
}

func (m *matcher) readerCount(k, h *value) *difference {
	names := func(v *value) string {
		if len(v.readers) == 0 {
			return "nothing"
		}
		text := ""
		for i, in := range v.readers[:min(4, len(v.readers))] {
			if i > 0 {
				text += ", "
			}
			if text += in.node.what; in.node.place != "" {
				text += " in " + in.node.place
			}
		}
		if len(v.readers) > 4 {
			text += ", …"
		}
		return text
	}
	return &difference{k: k.node, h: h.node,
		text:  fmt.Sprintf("%s has %s: %s", resultText(k), diag.Plural(len(k.readers), "reader"), names(k)),
		place: fmt.Sprintf("there it has %d: %s", len(h.readers), names(h))}
}

// choice is a node of the kernel with the nodes of the fabric that look the same.
type choice struct {
	k          *node
	candidates []*node
}

// refine tells the nodes that are not matched apart by their surroundings, and matches those
// that are unique then. Without any, it returns the smallest choice, nil if nothing is left.
func (m *matcher) refine() (c *choice, progress bool, d *difference) {
	kc, hc := m.colours()
	ks, hs := map[uint64][]*node{}, map[uint64][]*node{}
	for _, n := range m.kernel.nodes {
		if m.partner[n.id] < 0 {
			ks[kc[n.id]] = append(ks[kc[n.id]], n)
		}
	}
	for _, n := range m.fabric.nodes {
		if m.of[n.id] < 0 {
			hs[hc[n.id]] = append(hs[hc[n.id]], n)
		}
	}
	for _, n := range m.kernel.nodes {
		if m.partner[n.id] >= 0 || n.op == argument {
			continue
		}
		col := kc[n.id]
		switch {
		case len(ks[col]) > len(hs[col]):
			return nil, false, &difference{k: n, text: fmt.Sprintf("nothing in the fabric does what %s does, on what feeds it", n.what)}
		case len(ks[col]) == 1 && len(hs[col]) == 1:
			if d := m.pair(n, hs[col][0]); d != nil {
				return nil, false, d
			}
			progress = true
		case c == nil || len(hs[col]) < len(c.candidates):
			c = &choice{n, hs[col]}
		}
	}
	return c, progress, nil
}

// colours are the same for nodes that cannot be told apart by anything around them. They
// hash the surroundings, round by round, until that tells no more nodes apart.
func (m *matcher) colours() (kernel, fabric []uint64) {
	start := func(g *graph, matched func(n *node) int) []uint64 {
		c := make([]uint64, len(g.nodes))
		for i, n := range g.nodes {
			if at := matched(n); at >= 0 {
				c[i] = mix(1, uint64(at))
				continue
			}
			h := fnv.New64a()
			h.Write([]byte(n.key))
			c[i] = mix(2, h.Sum64())
		}
		return c
	}
	kernel = start(m.kernel, func(n *node) int {
		if m.partner[n.id] >= 0 {
			return n.id
		}
		return -1
	})
	fabric = start(m.fabric, func(n *node) int { return m.of[n.id] })
	for classes := 0; ; {
		kernel, fabric = spread(m.kernel, kernel), spread(m.fabric, fabric)
		distinct := map[uint64]bool{}
		for _, c := range kernel {
			distinct[c] = true
		}
		if len(distinct) <= classes {
			return kernel, fabric
		}
		classes = len(distinct)
	}
}

// spread is one round of colours.
func spread(g *graph, c []uint64) []uint64 {
	next := make([]uint64, len(c))
	for i, n := range g.nodes {
		sum := mix(3, c[i])
		for k, in := range n.in {
			of := uint64(k)
			if n.symmetric {
				of = 0
			}
			feed := mix(of, flags(in))
			if in.from != nil {
				feed = mix(feed, mix(c[in.from.node.id], uint64(in.from.port)))
			}
			sum += mix(4, feed) // in any order: symmetric operands have one number
		}
		for _, v := range n.out {
			for _, in := range v.readers {
				k := uint64(in.k)
				if in.node.symmetric {
					k = 0
				}
				sum += mix(5, mix(uint64(v.port), mix(c[in.node.id], mix(k, flags(in)))))
			}
		}
		next[i] = mix(6, sum)
	}
	return next
}

// flags are what an operand is by itself. Words are left out: the fabric's may be wider.
func flags(in *input) uint64 {
	switch {
	case in.held:
		return 2 // a constant or a token, which may have data beside it in the fabric
	case in.constant:
		return 1
	}
	return 0
}

// mix hashes two words.
func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 ^ b + 0x632be59bd9b4e019
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// left reports what is in one of the graphs alone, after everything else was matched.
func (m *matcher) left() *difference {
	for _, h := range m.fabric.nodes {
		if m.of[h.id] < 0 {
			return &difference{h: h, text: fmt.Sprintf("%s is active, and the kernel has no such operation", h.place), place: describe(h)}
		}
	}
	return nil
}

// verify checks the match by itself: it is one to one between all nodes, of which each has
// the meaning, the fields and the operands of its partner, and every value has as many
// readers. It relies on nothing of how the match was found.
func (m *matcher) verify() *difference {
	seen := map[int]bool{}
	for _, k := range m.kernel.nodes {
		at := m.partner[k.id]
		if at < 0 && k.op == argument && len(k.out[0].readers) == 0 {
			continue
		}
		if at < 0 || at >= len(m.fabric.nodes) || seen[at] {
			return &difference{k: k, text: fmt.Sprintf("%s is executed nowhere", k.what)}
		}
		seen[at] = true
		h := m.fabric.nodes[at]
		if k.key != h.key || k.ir != nil && (h.ir == nil || sameMeaning(h.ir, k.ir, m.indexWidth) != "") {
			return &difference{k, h, fmt.Sprintf("%s is not what is executed there", k.what), describe(h)}
		}
		if (k.mem == nil) != (h.mem == nil) || k.mem != nil && m.array[h.mem] != k.mem {
			return &difference{k, h, fmt.Sprintf("%s goes to another array", k.what), ""}
		}
		for i := range k.out {
			if len(k.out[i].readers) != len(h.out[i].readers) {
				return m.readerCount(k.out[i], h.out[i])
			}
		}
		free := make([]bool, len(h.in))
		for i, in := range k.in {
			found := false
			for j, o := range h.in {
				if free[j] || !k.symmetric && i != j || m.differs(in, o) != "" {
					continue
				}
				if in.from != nil && m.partner[in.from.node.id] != o.from.node.id {
					continue
				}
				free[j], found = true, true
				break
			}
			if !found {
				return m.operandDiffers(in, h.in[min(i, len(h.in)-1)], "")
			}
		}
	}
	for _, h := range m.fabric.nodes {
		if !seen[h.id] {
			return &difference{h: h, text: fmt.Sprintf("%s is active, and the kernel has no such operation", h.place), place: describe(h)}
		}
	}
	return nil
}

// explain makes the report of the first difference: in the order of the kernel's
// operations, what gets lost on its way before what is connected wrongly. It is nil if there
// is none.
func (m *matcher) explain(fn *ir.Operation, faults []fault, diff *difference) *diag.Diagnostic {
	report := func(pos diag.Pos, format string, args ...any) *diag.Diagnostic {
		d := diag.New(pos, "the configured fabric is not %s: %s", ir.SymbolText(fn.SymName()), fmt.Sprintf(format, args...)).WithHelp("%s", help)
		d.Severity = diag.Internal
		return d
	}
	if len(faults) > 0 {
		order := func(f fault) (int, *node) {
			if f.of != nil && f.of.id < len(m.of) && m.fabric.nodes[f.of.id] == f.of && m.of[f.of.id] >= 0 {
				k := m.kernel.nodes[m.of[f.of.id]]
				return k.order, k
			}
			return len(m.kernel.nodes) + len(fn.Regions[0].Entry().Ops), nil
		}
		first := slices.MinFunc(faults, func(a, b fault) int {
			x, _ := order(a)
			y, _ := order(b)
			return x - y
		})
		pos := fn.Pos
		_, k := order(first)
		if k != nil {
			pos = k.pos
		}
		d := report(pos, "%s", first.text)
		if k != nil {
			d.WithNote(first.pos, "the tokens are those of %s", k.what)
		} else if first.pos != (diag.Pos{}) {
			d.WithNote(first.pos, "the component is described here")
		}
		if len(faults) > 1 {
			d.WithNote(diag.Pos{}, "there are %d more differences", len(faults)-1)
		}
		return d
	}
	if diff == nil {
		return nil
	}
	pos := fn.Pos
	if diff.k != nil {
		pos = diff.k.pos
	}
	d := report(pos, "%s", diff.text)
	if diff.h != nil {
		d.WithNote(diff.h.pos, "in the fabric: %s%s", diff.h.place, prefixed(": ", diff.place))
	} else if diff.place != "" {
		d.WithNote(diag.Pos{}, "in the fabric: %s", diff.place)
	}
	return d
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
