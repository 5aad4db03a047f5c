package check

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/compiler/opname"
)

// access is a load or a store of a memory operation, counted per kind.
type access struct {
	op    int
	kind  mapping.AccessKind
	index int
}

// String names the access in a complaint.
func (a access) String() string {
	return fmt.Sprintf("%s %d of memory operation %d", a.kind, a.index, a.op)
}

// memShape is the port arrangement of memory operation i: loads, stores, and the
// number of operands before the ports.
func (g *graph) memShape(i int) (loads, stores, first int, typ *ir.MemRefType, ok bool) {
	op := g.ops[i]
	if op.Name == opname.HandshakeExtmemory {
		first = 1
		if op.NumOperands() == 0 {
			return
		}
		typ, _ = op.Operand(0).Type.(*ir.MemRefType)
	} else {
		for _, a := range op.Attrs {
			if t, isType := a.Value.(*ir.TypeAttr); isType {
				if mt, isMem := t.Type.(*ir.MemRefType); isMem {
					typ = mt
				}
			}
		}
	}
	// Every store has two operands and one result, every load one and two.
	for stores = 0; 2*stores <= op.NumOperands()-first; stores++ {
		loads = op.NumOperands() - first - 2*stores
		if 2*loads+stores == op.NumResults() {
			return loads, stores, first, typ, typ != nil
		}
	}
	return 0, 0, first, typ, false
}

// accessOf is the access that an operand or result of memory i belongs to, and
// the port family it stands for.
func (g *graph) accessOf(i int, result bool, port int) (access, string) {
	loads, stores, first, _, _ := g.memShape(i)
	if !result {
		k := port - first
		if k >= 2*stores {
			return access{i, mapping.Load, k - 2*stores}, "ldaddr"
		}
		return access{i, mapping.Store, k / 2}, [2]string{"stdata", "staddr"}[k%2]
	}
	switch {
	case port < loads:
		return access{i, mapping.Load, port}, "lddata"
	case port < loads+stores:
		return access{i, mapping.Store, port - loads}, "stdone"
	}
	return access{i, mapping.Load, port - loads - stores}, "lddone"
}

// accesses lists the accesses of memory i, loads first.
func (g *graph) accesses(i int) []access {
	loads, stores, _, _, _ := g.memShape(i)
	var out []access
	for k := range loads {
		out = append(out, access{i, mapping.Load, k})
	}
	for k := range stores {
		out = append(out, access{i, mapping.Store, k})
	}
	return out
}

// operands lists the operands of an access.
func (g *graph) operands(a access) []terminal {
	_, stores, first, _, _ := g.memShape(a.op)
	if a.kind == mapping.Load {
		return []terminal{{a.op, first + 2*stores + a.index}}
	}
	return []terminal{{a.op, first + 2*a.index}, {a.op, first + 2*a.index + 1}}
}

// dataWidth is the number of bits of an element of memory i on a channel.
func (g *graph) dataWidth(i int) int {
	_, _, _, typ, _ := g.memShape(i)
	return g.width(typ.Elem)
}

// addrWidth is the number of bits of the addresses of an access.
func (g *graph) addrWidth(a access) int {
	ops := g.operands(a)
	return g.width(g.ops[a.op].Operand(ops[len(ops)-1].Port).Type)
}

// initialized reports whether memory i starts with contents of its own.
func (g *graph) initialized(i int) bool { return g.ops[i].Attr(handshake.InitAttr) != nil }

// divisible reports whether several memories may serve memory i: outside of the chip all of
// them reach the same elements; on the chip, or of a table, each has a copy, so the kernel must
// not write it and the host must know what it holds.
func (g *graph) divisible(i int) bool {
	_, stores, _, _, ok := g.memShape(i)
	return ok && (g.ops[i].Name == opname.HandshakeExtmemory || stores == 0 && g.initialized(i))
}

// sitePort is the port that connects a port family of an access to the routed part
// of the fabric: of a lane, or of a memory without tags. It is -1 where the
// component has none.
func sitePort(x *arch.Component, family string) int {
	ports := map[string]int{}
	switch {
	case x.Kind == arch.LoadLane:
		ports = map[string]int{"ldaddr": arch.LoadAddr, "lddata": arch.LoadData, "lddone": arch.LoadDone}
	case x.Kind == arch.StoreLane:
		ports = map[string]int{"staddr": arch.StoreAddr, "stdata": arch.StoreData, "stdone": arch.StoreDone}
	case x.Mem != nil && x.Mem.TagWidth == 0:
		m := x.Mem
		ports = map[string]int{"ldaddr": m.LdAddr, "staddr": m.StAddr, "stdata": m.StData,
			"lddata": m.LdData, "lddone": m.LdDone, "stdone": m.StDone}
	}
	if p, ok := ports[family]; ok {
		return p
	}
	return -1
}

// bridgePath is one of the paths that the tokens of an access take between a lane
// and its memory.
type bridgePath struct {
	what     string
	from, to arch.Endpoint
}

// bridgePaths lists the paths between a lane and a memory: of the requests, then of
// the responses. Ports that the memory does not have are -1.
func bridgePaths(lane, mem *arch.Component) []bridgePath {
	m := mem.Mem
	at := func(c *arch.Component, port int) arch.Endpoint { return arch.Endpoint{Comp: c, Port: port} }
	if lane.Kind == arch.LoadLane {
		return []bridgePath{
			{"addresses", at(lane, arch.LoadReq), at(mem, m.LdAddr)},
			{"data", at(mem, m.LdData), at(lane, arch.LoadRsp)},
			{"done tokens", at(mem, m.LdDone), at(lane, arch.LoadDoneRsp)},
		}
	}
	return []bridgePath{
		{"addresses", at(lane, arch.StoreReqAddr), at(mem, m.StAddr)},
		{"data", at(lane, arch.StoreReqData), at(mem, m.StData)},
		{"done tokens", at(mem, m.StDone), at(lane, arch.StoreDoneRsp)},
	}
}

// laneKind is the kind of access that a component can serve as a lane.
func laneKind(x *arch.Component) (mapping.AccessKind, bool) {
	switch x.Kind {
	case arch.LoadLane:
		return mapping.Load, true
	case arch.StoreLane:
		return mapping.Store, true
	}
	return "", false
}

// portCount is the number of logical ports of a memory for a kind of access.
func portCount(m *arch.MemorySpec, kind mapping.AccessKind) int {
	if kind == mapping.Load {
		return m.LdCount
	}
	return m.StCount
}

// array is the part of a memory that serves one memory of the kernel.
type array struct {
	op          int
	first, size int64 // elements
}

// overlaps reports whether two arrays share an element.
func (a array) overlaps(b array) bool {
	return a.first < b.first+b.size && b.first < a.first+a.size
}
