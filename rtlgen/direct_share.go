package rtlgen

import (
	"fmt"

	"loom/compiler/circuit"
)

// directShare is a shared unit: loom_share and the multiplier or divider behind it.
type directShare struct {
	*circuit.Share
	// Stem begins the names of its signals.
	Stem    string
	Clients []*directClient
	Credits uint64 // as the parameter, 8 bits per client
	Bypass  uint64
}

// directClient is a client of a shared unit.
type directClient struct {
	*circuit.Client
	// Ask is the stem of its requests, Width that of its operands and result.
	Ask    string
	Width  int
	Result directResult
	// Rest names a wire for the bits of the result that it does not want.
	Rest string
}

// share makes a shared unit of its clients, which are in view.
func (d *directBuilder) share(s *circuit.Share, view *directView) *directShare {
	x := &directShare{Share: s, Stem: d.names.name(s.Name, "_req", "_rsp", "_turn")}
	for i, c := range s.Clients {
		u := view.Units[c.Unit.ID]
		y := &directClient{Client: c, Ask: u.Issue, Width: c.Unit.In[0].Width, Result: u.Out[0]}
		if y.Width < s.Width {
			y.Rest = d.names.name("unused_" + u.Name + "_rest")
		}
		x.Clients = append(x.Clients, y)
		x.Credits |= uint64(c.Credits) << (8 * i)
		if c.Bypass {
			x.Bypass |= 1 << i
		}
	}
	return x
}

// client completes a unit that a shared one does the work of.
func (d *directBuilder) client(x *directUnit) {
	x.What += ", by " + x.Unit.Share.Name
	x.Issue = d.names.name(x.Name+"_ask", "_a", "_b")
	for i, port := range []string{"a", "b"} {
		x.In = append(x.In, d.operand(x.Unit, i, port))
	}
	x.Out = append(x.Out, d.result(x.Unit, 0, "y", x.Unit.In[0].Width))
}

// Operand is an operand of a request, extended to the width of the unit.
func (c *directClient) Operand(port string) string {
	name, rest := c.Ask+"_"+port, c.Unit.Share.Width-c.Width
	switch {
	case rest == 0:
		return name
	case c.Unit.Share.Divider() && c.Signed():
		return fmt.Sprintf("{{%d{%s[%d]}}, %s}", rest, name, c.Width-1, name)
	}
	return fmt.Sprintf("{%d'd0, %s}", rest, name)
}
