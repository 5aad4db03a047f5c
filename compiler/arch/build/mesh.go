package build

// The mesh: R × C PEs in the cells of a grid of (R+1) × (C+1) switches, with
// memories and boundary ports at the switches of the rim.
type mesh struct{ grid }

func init() { topologies["mesh"] = func() topology { return &mesh{} } }

func (m *mesh) plan(n *network) { m.place(n, m.switches(n, m.rows+1, m.columns+1, false), 0) }
