package circuit

import (
	"fmt"
	"strings"
)

// String lists the circuit: ports, arrays, units with operands and results, and the channels
// that have a buffer.
func (c *Circuit) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "circuit %s, index of %d bits\n", c.Name, c.IndexWidth)
	for _, p := range c.Inputs {
		fmt.Fprintf(&b, "input %s : %s -> %s\n", p.Name, p.Type, channelName(p.Channel))
	}
	for _, a := range c.Arrays {
		what, size := "array", "?"
		if !a.External() {
			what = "local array"
		}
		if a.Elements > 0 {
			size = fmt.Sprint(a.Elements)
		}
		fmt.Fprintf(&b, "%s %s : %s x %s, loads [%s], stores [%s]\n", what, a.Name, size, a.Elem, unitNames(a.Loads), unitNames(a.Stores))
	}
	for _, u := range c.Units {
		var in, out []string
		for _, o := range u.In {
			switch {
			case o.Channel == nil:
				in = append(in, fmt.Sprintf("%d", o.Value))
			case o.Held:
				in = append(in, "held "+o.Channel.Name)
			default:
				in = append(in, o.Channel.Name)
			}
		}
		for _, ch := range u.Out {
			out = append(out, channelName(ch))
		}
		what := string(u.Kind)
		if u.Kind == Compute || u.Kind == Divide {
			what = u.Op.Name
			if u.Pipelined() {
				what += ", pipelined"
			}
		}
		if u.Share != nil {
			what += " by " + u.Share.Name
		}
		fmt.Fprintf(&b, "%s = %s(%s) -> %s\n", u.Name, what, strings.Join(in, ", "), strings.Join(out, ", "))
	}
	for _, s := range c.Shares {
		fmt.Fprintf(&b, "shared %s\n", s)
	}
	for _, p := range c.Outputs {
		fmt.Fprintf(&b, "output %s : %s <- %s\n", p.Name, p.Type, channelName(p.Channel))
	}
	for _, ch := range c.Channels {
		if ch.Buffer.Kind != None {
			fmt.Fprintf(&b, "buffer %s : %s, %d x %d bits: %s\n", ch.Name, ch.Buffer.Kind, ch.Buffer.Slots, ch.Width, ch.Buffer.Reason)
		}
	}
	return b.String()
}

func channelName(ch *Channel) string {
	if ch == nil {
		return "-"
	}
	return ch.Name
}

func unitNames(us []*Unit) string {
	var out []string
	for _, u := range us {
		out = append(out, u.Name)
	}
	return strings.Join(out, " ")
}

// Dot draws the circuit as Graphviz text: units as boxes, tokens without data dashed, buffers
// as labels of their channels.
func (c *Circuit) Dot() string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %q {\n  node [shape=box, fontname=\"Helvetica\", fontsize=10];\n  edge [fontname=\"Helvetica\", fontsize=8];\n", c.Name)
	for i, p := range c.Inputs {
		fmt.Fprintf(&b, "  in%d [label=%q, shape=ellipse];\n", i, p.Name)
	}
	for i, p := range c.Outputs {
		fmt.Fprintf(&b, "  out%d [label=%q, shape=ellipse];\n", i, p.Name)
	}
	for _, u := range c.Units {
		label := u.Name + "\n" + string(u.Kind)
		if u.Kind == Compute {
			label = u.Name + "\n" + u.Op.Name
		}
		for i, o := range u.In {
			if o.Channel == nil {
				label += fmt.Sprintf("\noperand %d = %d", i, o.Value)
			}
		}
		if u.Array != nil {
			label += " " + u.Array.Name
		}
		if u.Share != nil {
			label += "\nby " + u.Share.Name
		}
		fmt.Fprintf(&b, "  u%d [label=%q];\n", u.ID, label)
	}
	for _, ch := range c.Channels {
		from, to := fmt.Sprintf("in%d", ch.From.Port), fmt.Sprintf("out%d", ch.To.Port)
		if ch.From.Unit != nil {
			from = fmt.Sprintf("u%d", ch.From.Unit.ID)
		}
		if ch.To.Unit != nil {
			to = fmt.Sprintf("u%d", ch.To.Unit.ID)
		}
		var attrs []string
		if ch.Width == 0 {
			attrs = append(attrs, "style=dashed")
		}
		if ch.Buffer.Kind != None {
			attrs = append(attrs, fmt.Sprintf("label=%q", fmt.Sprintf("%s %d", ch.Buffer.Kind, ch.Buffer.Slots)))
		}
		fmt.Fprintf(&b, "  %s -> %s [%s];\n", from, to, strings.Join(attrs, ", "))
	}
	b.WriteString("}\n")
	return b.String()
}
