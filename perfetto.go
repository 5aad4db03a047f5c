package loom

import (
	"fmt"
	"io"
	"strings"

	"loom/compiler/mapping"
	"loom/sim/trace"
)

// Perfetto converts a trace of the cycle simulator or of a co-simulation (.sim.trace), read
// from in and called name in messages, to the JSON format that ui.perfetto.dev and
// chrome://tracing show. If a mapping (.map.json) is given, the tracks of its components
// name the operations on them.
func Perfetto(out io.Writer, name string, in io.Reader, m *Source) error {
	t, err := trace.NewReader(name, in)
	if err != nil {
		return err
	}
	labels := map[string]string{}
	if m != nil {
		data, err := mapping.Read(m.Name, []byte(m.Text))
		if err != nil {
			return err
		}
		for _, o := range data.Ops {
			if o.Comp == "" {
				continue
			}
			what := fmt.Sprintf("#%d %s", o.Index, o.Name[strings.IndexByte(o.Name, '.')+1:])
			if o.Label != "" {
				what += " %" + o.Label
			}
			if labels[o.Comp] != "" {
				what = labels[o.Comp] + ", " + what
			}
			labels[o.Comp] = what
		}
	}
	return trace.Perfetto(out, t, labels)
}
