package tech

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/ir"
)

// MemPorts is the port arrangement of a DFG memory: per store data then
// address, then the load addresses; results are load data, store dones, load
// dones (design page "Handshake text that CIRCT reads").
type MemPorts struct {
	Loads, Stores int
	// First is the number of operands before the ports: 1 for extmemory.
	First int
	Elem  ir.Type
	Type  *ir.MemRefType
}

// MemPortsOf reads the port counts from the shape of the operation.
func MemPortsOf(op *ir.Operation) (MemPorts, error) {
	p := MemPorts{}
	if op.Name == "handshake.extmemory" {
		p.First = 1
		if op.NumOperands() > 0 {
			p.Type, _ = op.Operand(0).Type.(*ir.MemRefType)
		}
	} else {
		for _, a := range op.Attrs {
			if ta, ok := a.Value.(*ir.TypeAttr); ok {
				if mt, ok := ta.Type.(*ir.MemRefType); ok {
					p.Type = mt
				}
			}
		}
	}
	if p.Type == nil {
		return p, fmt.Errorf("it has no memref type")
	}
	p.Elem = p.Type.Elem
	// operands = 2·stores + loads, results = 2·loads + stores
	o, r := op.NumOperands()-p.First, op.NumResults()
	l3, s3 := 2*r-o, 2*o-r
	if l3 < 0 || s3 < 0 || l3%3 != 0 || s3%3 != 0 {
		return p, fmt.Errorf("%d operands and %d results are no arrangement of load and store ports", o, r)
	}
	p.Loads, p.Stores = l3/3, s3/3
	return p, nil
}

// Family names the port family and index of operand or result k (memref
// excluded) of a DFG memory.
func (p MemPorts) Family(result bool, k int) (family string, index int) {
	switch {
	case !result && k < 2*p.Stores && k%2 == 0:
		return "stdata", k / 2
	case !result && k < 2*p.Stores:
		return "staddr", k / 2
	case !result:
		return "ldaddr", k - 2*p.Stores
	case k < p.Loads:
		return "lddata", k
	case k < p.Loads+p.Stores:
		return "stdone", k - p.Loads
	}
	return "lddone", k - p.Loads - p.Stores
}

// CompPort is the component port of a family, -1 where it has none.
func CompPort(m *arch.MemorySpec, family string) int {
	switch family {
	case "ldaddr":
		return m.LdAddr
	case "staddr":
		return m.StAddr
	case "stdata":
		return m.StData
	case "lddata":
		return m.LdData
	case "lddone":
		return m.LdDone
	case "stdone":
		return m.StDone
	}
	return -1
}

// memoryFits tells why a memory component cannot serve a DFG memory, "" when it
// can.
func (t *Tech) memoryFits(c *arch.Component, nd *Node) string {
	op := t.Ops[nd.Ops[0]]
	p, err := MemPortsOf(op)
	if err != nil {
		return err.Error()
	}
	switch {
	case op.Name == "handshake.extmemory" && c.Kind != arch.ExtMemory:
		return "it is on chip, the kernel's memory is an argument"
	case op.Name == "handshake.memory" && c.Kind != arch.Memory:
		return "it is external, the kernel's memory is local"
	case c.Mem.Type == nil || c.Mem.NumRegion < 1:
		return "it has no region"
	case c.Mem.TagWidth > 0:
		return "its ports are tagged, which needs lanes that this mapper does not build"
	}
	have, ok1 := ir.BitWidth(c.Mem.Type.Elem, t.IndexWidth)
	need, ok2 := ir.BitWidth(p.Elem, t.IndexWidth)
	switch {
	case !ok1 || !ok2 || have != need:
		return fmt.Sprintf("its elements are %s", c.Mem.Type.Elem)
	case p.Loads > c.Mem.LdCount:
		return fmt.Sprintf("it has %s", count(c.Mem.LdCount, "load port"))
	case p.Stores > c.Mem.StCount:
		return fmt.Sprintf("it has %s", count(c.Mem.StCount, "store port"))
	case p.Loads > 1 || p.Stores > 1:
		return "several accesses would share one untagged port"
	}
	if c.Kind == arch.Memory {
		elems, ok := p.Type.NumElements()
		if !ok || elems > c.Mem.Elements {
			return fmt.Sprintf("it holds %d elements", c.Mem.Elements)
		}
	}
	for k := range nd.Ins {
		fam, _ := p.Family(false, k)
		port := CompPort(c.Mem, fam)
		if port < 0 || c.In[port].Chan == nil || c.In[port].Width < t.inWidth(nd, k) {
			return fmt.Sprintf("its port %s is missing, unconnected or too narrow", fam)
		}
		// A wider address port would read bits that nothing defines.
		if fam != "stdata" && c.In[port].Width > Width(op.Operand(k+p.First).Type, t.IndexWidth) {
			return fmt.Sprintf("its port %s is wider than the kernel's addresses", fam)
		}
	}
	for k := range nd.Outs {
		fam, _ := p.Family(true, k)
		port := CompPort(c.Mem, fam)
		w := t.outWidth(nd, k)
		if port < 0 || c.Out[port].Chan == nil && w > 0 {
			return fmt.Sprintf("its port %s is missing or unconnected", fam)
		}
		if w > 0 && min(c.Out[port].Width, c.Out[port].Chan.Width) < w {
			return fmt.Sprintf("its port %s is too narrow", fam)
		}
	}
	return ""
}

// count spells "1 load port", "2 load ports".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
