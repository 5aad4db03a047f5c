package mlir

import (
	"strconv"
	"strings"

	"loom/compiler/ir"
)

// namer hands out names within one isolated region. Like MLIR it names all of
// a region before what is nested in it, so that a nested name never hides one
// that is defined further down.
type namer struct {
	names   map[*ir.Value]string
	labels  map[*ir.Block]string
	used    map[string]bool
	order   []string // of used, for leaving nested regions
	nextVal int
	nextArg int
	suffix  map[string]int // where to go on looking for a free name_N
}

// groupSize is how many results belong to the name of the first: it and the
// nameless ones behind it.
func groupSize(rs []*ir.Value) int {
	n := 1
	for n < len(rs) && rs[n].Name == "" {
		n++
	}
	return n
}

// nameAll names everything inside op, and op's own results.
func (p *OpPrinter) nameAll(op *ir.Operation) {
	n := &namer{names: p.names, labels: p.labels, used: map[string]bool{}}
	n.results(op)
	n.regions(op)
}

// regions names what is inside op.
func (n *namer) regions(op *ir.Operation) {
	if len(op.Regions) == 0 {
		return
	}
	if op.Is(ir.IsolatedFromAbove) {
		for _, r := range op.Regions {
			inner := &namer{names: n.names, labels: n.labels, used: map[string]bool{}}
			inner.region(r)
		}
		return
	}
	for _, r := range op.Regions {
		mark, val, arg := len(n.order), n.nextVal, n.nextArg
		n.region(r)
		for _, name := range n.order[mark:] {
			delete(n.used, name)
		}
		n.order, n.nextVal, n.nextArg = n.order[:mark], val, arg
	}
}

func (n *namer) region(r *ir.Region) {
	labels := map[string]bool{}
	for _, b := range r.Blocks {
		labels[b.Label] = true
	}
	taken := map[string]bool{}
	next := 0
	for _, b := range r.Blocks {
		label := sanitize(b.Label)
		if label == "" || taken[label] {
			for label == "" || taken[label] || labels[label] {
				label = "bb" + strconv.Itoa(next)
				next++
			}
		}
		taken[label] = true
		n.labels[b] = label
		for _, a := range b.Args {
			name := sanitize(a.Name)
			if name == "" {
				for name == "" || n.used[name] {
					name = "arg" + strconv.Itoa(n.nextArg)
					n.nextArg++
				}
			}
			n.names[a] = n.take(name)
		}
		for _, o := range b.Ops {
			n.results(o)
		}
	}
	for _, b := range r.Blocks {
		for _, o := range b.Ops {
			n.regions(o)
		}
	}
}

// results names the results of one operation, group by group.
func (n *namer) results(op *ir.Operation) {
	rs := op.Results()
	for i := 0; i < len(rs); {
		size := groupSize(rs[i:])
		name := sanitize(rs[i].Name)
		if name == "" {
			name = strconv.Itoa(n.nextVal)
			n.nextVal++
		} else {
			name = n.take(name)
		}
		if size == 1 {
			n.names[rs[i]] = name
		} else {
			for k := range size {
				n.names[rs[i+k]] = name + "#" + strconv.Itoa(k)
			}
		}
		i += size
	}
}

// take makes a name unique and marks it used.
func (n *namer) take(name string) string {
	if n.used[name] {
		if n.suffix == nil {
			n.suffix = map[string]int{}
		}
		for k := n.suffix[name]; ; k++ {
			if try := name + "_" + strconv.Itoa(k); !n.used[try] {
				n.suffix[name] = k + 1
				name = try
				break
			}
		}
	}
	n.used[name] = true
	n.order = append(n.order, name)
	return name
}

// sanitize makes a hint a legal identifier; numbers are no names.
func sanitize(name string) string {
	if name == "" || strings.Trim(name, "0123456789") == "" {
		return ""
	}
	legal := class[name[0]]&cDigit == 0
	for i := 0; i < len(name) && legal; i++ {
		legal = class[name[i]]&(cLetter|cDigit|cSpecial|cDash) != 0
	}
	if legal {
		return name
	}
	b := []byte(name)
	for i, c := range b {
		if class[c]&(cLetter|cDigit|cSpecial|cDash) == 0 {
			b[i] = '_'
		}
	}
	if class[b[0]]&cDigit != 0 {
		return "_" + string(b)
	}
	return string(b)
}

// ValueNames returns the name, without %, that Print gives to every value inside
// op, for listings that stand beside the printed text.
func ValueNames(op *ir.Operation) map[*ir.Value]string {
	p := &OpPrinter{names: map[*ir.Value]string{}, labels: map[*ir.Block]string{}}
	p.nameAll(op)
	return p.names
}
