package build

// A mesh with an I/O ring: R × C PEs in the inner cells of a grid of (R+3) × (C+3)
// switches. The switches of the rim serve memories and boundary ports only, those
// next to them the outer PEs: what enters has a ring of its own to travel around
// the core, and large memories take no ports from the switches of PEs.
type meshIORing struct{ grid }

func init() { topologies["mesh_io_ring"] = func() topology { return &meshIORing{} } }

func (m *meshIORing) plan(n *network) { m.place(n, m.switches(n, m.rows+3, m.columns+3, false), 1) }
