package cost

import (
	"math/bits"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// ClassOf is the class of a component.
func ClassOf(c *arch.Component) Class {
	switch {
	case c.GeneralPE():
		return PE
	case c.PE != nil:
		return Bridge
	case c.Switch != nil:
		return Switch
	case c.FIFO != nil:
		return Queue
	case c.Mem != nil:
		return Memory
	}
	return Bridge
}

// FeaturesOf are the features of a component.
func FeaturesOf(c *arch.Component) Features {
	switch {
	case c.TPE != nil:
		return instructionFeatures(c)
	case c.GeneralPE():
		return peFeatures(c)
	case c.PE != nil:
		return fixedFeatures(c)
	case c.Switch != nil:
		return switchFeatures(c)
	case c.FIFO != nil:
		return queueFeatures(c.FIFO.Depth, c.In[0].Bits())
	case c.Mem != nil:
		return memoryFeatures(c.Mem, addressBits(c))
	case c.Temporal != nil:
		return temporalFeatures(c)
	case c.Lane != nil:
		return Features{"lane " + string(c.Kind): 1, "lane word " + string(c.Kind): float64(c.In[0].Bits())}
	}
	return Features{"tag": 1, "tag entries": float64(entries(c))}
}

func entries(c *arch.Component) int {
	if c.Map != nil {
		return c.Map.TableSize
	}
	return 0
}

// tables are the look-up tables of six inputs that a multiplexer of n takes per bit: one for
// four inputs, and one for every three more (loom_choose).
func tables(n int) float64 {
	switch {
	case n <= 1:
		return 0
	case n <= 4:
		return 1
	}
	return float64((n + 1) / 3)
}

func switchFeatures(c *arch.Component) Features {
	routes, data, narrow := 0, 0.0, 0
	taken := make([]int, len(c.In))
	for _, row := range c.Switch.Connect {
		n := 0
		for i, on := range row {
			if on {
				n++
				taken[i]++
			}
		}
		routes += n
		data += tables(n)
		if n <= 1 {
			narrow++
		}
	}
	return Features{"switch": 1, "outputs": float64(len(c.Out)), "inputs": float64(len(c.In)), "routes": float64(routes),
		"multiplexers": data * float64(c.In[0].Bits()), "fixed outputs": float64(narrow)}
}

func temporalFeatures(c *arch.Component) Features {
	routes, data := 0, 0.0
	for _, row := range c.Temporal.Connect {
		n := 0
		for _, on := range row {
			if on {
				n++
			}
		}
		routes += n
		data += tables(n)
	}
	slots := float64(c.Temporal.Slots)
	return Features{"temporal": 1, "temporal routes": float64(routes), "slots": slots * float64(c.Temporal.TagWidth),
		"slot routes": slots * float64(routes), "temporal multiplexers": data * float64(c.In[0].Bits())}
}

// queueFeatures: of two slots they are registers, deeper ones LUT RAM with two pointers.
func queueFeatures(depth, width int) Features {
	w := float64(width)
	switch {
	case depth <= 1:
		return Features{"slot": 1, "slot bits": w}
	case depth == 2:
		return Features{"two slots": 1, "two slots bits": w}
	}
	return Features{"ring": 1, "ring pointers": float64(bits.Len(uint(depth - 1))), "ring bits": w}
}

func addressBits(c *arch.Component) int {
	w := 1
	for _, k := range []int{c.Mem.LdAddr, c.Mem.StAddr} {
		if k >= 0 {
			w = max(w, c.In[k].Width)
		}
	}
	return w
}

func memoryFeatures(m *arch.MemorySpec, address int) Features {
	kind := "on chip"
	if m.MemPort >= 0 {
		kind = "external"
	}
	f := Features{}
	one := func(name string, v float64) { f[kind+" "+name] = v }
	if m.TagWidth > 0 {
		kind = "tagged " + kind
	}
	one("memory", 1)
	if m.LdCount > 0 {
		one("loads", 1)
		one("load bits", float64(m.ElemWidth))
	}
	if m.StCount > 0 {
		one("stores", 1)
		one("store bits", float64(m.ElemWidth))
		one("queues", float64(m.StCount*m.LSQDepth))
	}
	one("regions", float64(m.NumRegion))
	one("region address", float64(m.NumRegion*address))
	if m.TagWidth > 0 {
		one("tags", float64(m.LdCount+m.StCount))
		one("region tags", float64(m.NumRegion*m.TagWidth))
	}
	return f
}

// fixedFeatures are those of a PE without selectors: words that can be held, and the two results of a store.
func fixedFeatures(c *arch.Component) Features {
	f := Features{"fixed ports": 1}
	for _, u := range c.PE.FUs {
		for k, p := range u.In {
			if c.PE.Held(k) {
				f["fixed bits"] += float64(dataBits(p))
			}
		}
		for _, o := range u.Ops {
			if o.Op.Name == opname.HandshakeStore {
				f["fixed store"]++
			}
		}
	}
	return f
}

// peFeatures: what carries words, by bits, what the units have of their own, and their control.
func peFeatures(c *arch.Component) Features {
	f := Features{}
	words, tokens := 0, 0
	for _, p := range c.In {
		if p.Width > 1 {
			words++
		} else {
			tokens++
		}
	}
	wordsOut := 0
	for _, p := range c.Out {
		if p.Width > 1 {
			wordsOut++
		}
	}
	operands, results := make([]int, c.PE.MaxInputs()), make([]int, c.PE.MaxOutputs())
	sources := make([]map[string]bool, len(results))
	widest := 0
	for _, u := range c.PE.FUs {
		for k, p := range u.In {
			operands[k] = max(operands[k], dataBits(p))
		}
		for k, p := range u.Out {
			results[k] = max(results[k], dataBits(p))
			if sources[k] == nil {
				sources[k] = map[string]bool{}
			}
			for _, s := range comesFrom(u, k) {
				sources[k][s] = true
			}
		}
	}
	for _, w := range results {
		widest = max(widest, w)
	}
	f["pe"] = 1
	f["ports"] = float64(len(c.In) + len(c.Out))
	f["units"] = float64(len(c.PE.FUs))
	for _, w := range operands {
		if w > 1 {
			f["operand bits"] += float64(w) * tables(words+min(tokens, 1))
		}
		f["operand ports"] += float64(len(c.In))
	}
	for k, w := range results {
		f["result ports"] += float64(len(c.Out))
		if w > 1 {
			f["result sources"] += float64(w) * tables(len(sources[k]))
			if k > 0 {
				f["output bits"] += float64(w * wordsOut)
			}
		}
	}
	for k := range operands {
		f["immediate bits"] += float64(c.PE.Immediate(k))
	}
	if c.PE.Holds() {
		f["holding operands"] = float64(len(operands))
	}
	if d := c.PE.OperandFIFO; d > 0 {
		queues(f, d, operands)
	}
	if d := c.PE.ResultFIFO; d > 0 {
		queues(f, d, results)
	}
	parts := map[string]float64{}
	heads := map[int]float64{} // by operand, the bits of a word in a register
	for k, u := range c.PE.FUs {
		outside := c.SharedUnits != "" && c.PE.IterativeOf(k) != nil
		if computes(u) {
			for k, p := range u.In {
				heads[k] = max(heads[k], float64(dataBits(p)))
			}
		}
		if late(u) {
			parts["late"] = float64(widest)
		}
		if x := u.Fused(); x != nil {
			for name, n := range fusedParts(u, x) {
				parts[name] = max(parts[name], n)
			}
			f["state machines"]++
			continue
		}
		for _, op := range u.Ops {
			if outside {
				continue
			}
			for name, n := range partsOf(op.Op, u, widest) {
				if shared(u) {
					parts[name] = max(parts[name], n)
				} else {
					parts["own "+name] += n
				}
			}
		}
	}
	for name, n := range parts {
		f[name] += n
	}
	if c.PE.OperandFIFO >= 4 {
		for _, bits := range heads {
			if bits > 1 {
				f["head bits"] += bits
			}
		}
	}
	return f
}

// queues adds the queues of a PE, of a depth and of some widths.
func queues(f Features, depth int, widths []int) {
	for _, w := range widths {
		for name, v := range queueFeatures(depth, max(w, 1)) {
			f["queue "+name] += v
		}
	}
}

// fusedParts are the pieces of hardware of a body that is one state machine.
func fusedParts(u *arch.FunctionUnit, x *arch.Fused) map[string]float64 {
	w := 1.0
	for _, p := range u.Out {
		w = max(w, float64(p.Width))
	}
	switch x.Kind {
	case arch.FusedCounter:
		return map[string]float64{"stream": w}
	case arch.FusedAccumulate:
		return map[string]float64{"accumulator": w}
	case arch.FusedPresent:
		return map[string]float64{"accumulator": w, "extremes": w}
	}
	return nil
}

// dataBits is the width of a port's data, 0 of a token.
func dataBits(p arch.FUPort) int {
	if p.Type == ir.Type(ir.None) {
		return 0
	}
	return p.Width
}

// late reports whether an operation uses the register that shifts and extremes of latency 1 share.
func late(u *arch.FunctionUnit) bool {
	if len(u.Ops) != 1 || u.Latency != 1 {
		return false
	}
	switch u.Ops[0].Op.Name {
	case opname.ArithShLI, opname.ArithShRSI, opname.ArithShRUI, opname.ArithMaxSI, opname.ArithMaxUI, opname.ArithMinSI, opname.ArithMinUI:
		return true
	}
	return false
}

// shared reports whether units of one PE use the same hardware for an operation: that of a unit
// with this operation alone, without latency or in the register of late ones.
func shared(u *arch.FunctionUnit) bool { return len(u.Ops) == 1 && u.Latency <= 0 || late(u) }

// computes reports whether a unit computes with words, and does not only pass them on: the queues of
// its operands hold their oldest word in a register.
func computes(u *arch.FunctionUnit) bool {
	for _, op := range u.Ops {
		switch row := u.Row(op); {
		case row.Class == units.Iterative, op.Op.Name == opname.DataflowStream:
			return true
		case strings.HasPrefix(op.Op.Name, "arith.") && op.Op.Name != opname.ArithSelect:
			return true
		}
	}
	return false
}

// comesFrom are the words that a result takes, of which one multiplexer chooses.
func comesFrom(u *arch.FunctionUnit, k int) []string {
	if len(u.Ops) != 1 {
		return []string{u.Name}
	}
	if late(u) {
		return []string{"late"}
	}
	switch name := u.Ops[0].Op.Name; name {
	case opname.HandshakeCondBr, opname.DataflowCarry, opname.HandshakeStore, opname.HandshakeLoad, opname.HandshakeMux, opname.ArithSelect,
		opname.ArithMaxSI, opname.ArithMaxUI, opname.ArithMinSI, opname.ArithMinUI:
		return []string{"operand 0", "operand 1"}
	case opname.DataflowInvariant:
		return []string{"operand 1", "held"}
	case opname.DataflowAccumulate: // what its operation makes
		return []string{"arith." + u.Ops[0].Op.StrAttr("operation")}
	case opname.ArithAddI, opname.ArithSubI:
		return []string{"sum"}
	case opname.ArithAndI, opname.ArithOrI, opname.ArithXOrI:
		return []string{"bitwise"}
	case opname.ArithShLI, opname.ArithShRSI, opname.ArithShRUI:
		return []string{"shifted"}
	case opname.ArithExtSI, opname.ArithExtUI, opname.ArithTruncI, opname.ArithIndexCast, opname.ArithIndexCastUI:
		return []string{"cast"}
	default:
		return []string{name}
	}
}

// partsOf are the pieces of hardware that an operation needs.
func partsOf(op *ir.Operation, u *arch.FunctionUnit, widest int) map[string]float64 {
	w := 1.0
	for _, p := range append(append([]arch.FUPort(nil), u.In...), u.Out...) {
		w = max(w, float64(p.Width))
	}
	switch op.Name {
	case opname.ArithAddI, opname.ArithSubI, opname.ArithCmpI, opname.ArithMaxSI, opname.ArithMaxUI, opname.ArithMinSI, opname.ArithMinUI:
		return map[string]float64{"adder": w}
	case opname.ArithAndI, opname.ArithOrI, opname.ArithXOrI:
		return map[string]float64{"logic": w}
	case opname.ArithShLI, opname.ArithShRSI, opname.ArithShRUI:
		return map[string]float64{"shifter": w * float64(bits.Len(uint(w)-1))}
	case opname.ArithExtSI, opname.ArithExtUI, opname.ArithTruncI, opname.ArithIndexCast, opname.ArithIndexCastUI:
		return map[string]float64{"casts": float64(widest)}
	case opname.ArithMulI:
		return map[string]float64{"multiplier": w}
	case opname.DataflowInvariant:
		return map[string]float64{"held": w}
	case opname.DataflowStream:
		return map[string]float64{"stream": w}
	case opname.DataflowInterlock:
		return map[string]float64{"interlock": 1}
	}
	switch row, _ := units.Lookup(op.Name); {
	case row.Types.Float():
		return nil // measured, not estimated
	case row.Class == units.Iterative:
		return map[string]float64{"divider": w}
	}
	return map[string]float64{"handshake": 1}
}

// GlueOf are the features of what stands around the components: bus masters, the collection of
// errors, the loader.
func GlueOf(f *arch.Fabric) Features {
	g := Features{"glue": 1}
	for _, c := range f.Comps {
		if c.FIFO == nil {
			g["sources of errors"]++
		}
		if c.External() {
			if c.Mem.TagWidth > 0 {
				g["tagged masters"]++
				g["tagged bus bits"] += float64(c.Mem.BusWidth)
			} else {
				g["masters"]++
				g["bus bits"] += float64(c.Mem.BusWidth)
			}
			g["base registers"] += float64(c.Mem.NumRegion)
		}
	}
	return g
}

// instructionFeatures are those of a temporal PE: places and readers of every instruction, its words, and the datapath.
func instructionFeatures(c *arch.Component) Features {
	p := c.TPE
	sources := p.Sources(c)
	f := Features{"temporal": 1,
		"instructions":          float64(p.Instructions),
		"temporal readers bits": float64((arch.InstructionOperands*p.Instructions + len(c.Out)) * bits.Len(uint(sources-1))),
		"temporal words":        float64(p.Width),
		"temporal constants":    float64(p.Width) * tables(p.Constants),
		"temporal inputs":       float64(p.Width) * tables(len(c.In)),
		"temporal units":        float64(len(p.FUs)),
	}
	for _, o := range c.Out {
		f["temporal outputs"] += float64(o.Width)
	}
	for _, in := range c.In {
		f["temporal places"] += float64(in.Width)
	}
	return f
}
