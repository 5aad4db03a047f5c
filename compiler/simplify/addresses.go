package simplify

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// dropAddresses takes the address from accesses to arrays that are streams, so that nothing is
// left of what computes it: the elements come and go in order.
//
//	%x, %a_addr = load [%i] %a_read, %go    =>    %next = constant %go {value = 0}
//	                                               %x, %a_addr = load [%next] %a_read, %go
//
// The memory gets the attribute handshake.StreamAttr, which says that its addresses have no
// meaning. Which arrays are streams is decided before; their accesses are known to be in order.
func dropAddresses(s *state, _ *diag.List) {
	if s.opts.Fabric != nil {
		return
	}
	for _, mem := range append([]*ir.Operation(nil), s.body.Ops...) {
		if mem.Name != opname.HandshakeExtmemory || !s.streams(mem.Operand(0)) {
			continue
		}
		mem.SetAttr(handshake.StreamAttr, &ir.UnitAttr{})
		p := handshake.PortsOf(mem)
		for i := range p.Loads {
			s.dropAddress(mem.Operand(p.LoadAddr(i)).Def)
		}
		for i := range p.Stores {
			s.dropAddress(mem.Operand(p.StoreAddr(i)).Def)
		}
	}
}

func (s *state) streams(array *ir.Value) bool {
	for _, i := range s.opts.Streams {
		if array == s.body.Args[i] {
			return true
		}
	}
	return false
}

func (s *state) dropAddress(op *ir.Operation) {
	next := ir.NewOp(opname.HandshakeConstant, op.Pos, []*ir.Value{op.Operand(access(op))}, []ir.Type{op.Operand(0).Type})
	next.SetAttr("value", &ir.IntegerAttr{Type: op.Operand(0).Type})
	op.SetOperand(0, s.insert(next))
}
