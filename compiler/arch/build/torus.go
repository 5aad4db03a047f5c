package build

// A torus: R × C PEs in the cells between R × C switches, the first and the last
// of each row and column being neighbours as well. Every switch looks like every
// other but for what hangs at the rim of the drawing: memories and boundary ports.
// A torus of one row is a ring. The wrap-around links have FIFOs as all links do,
// which cut the cycles along rows and columns.
type torus struct{ grid }

func init() { topologies["torus"] = func() topology { return &torus{} } }

func (t *torus) plan(n *network) { t.place(n, t.switches(n, t.rows, t.columns, true), 0) }
