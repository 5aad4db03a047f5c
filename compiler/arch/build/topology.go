package build

import (
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// topology is a kind of arrangement: which switches there are, how they are
// linked, and where the PEs stand. Everything else of a fabric (memories, their
// bridges, boundary ports, FIFOs, connectivity tables, IR) is made from the
// network that it plans. A kind is one file that registers itself in topologies.
type topology interface {
	// keys are the keys of 'topology' that this kind has besides the common ones,
	// in the order in which messages list them.
	keys() []string
	// read takes their values, reporting faults at their positions.
	read(o *object)
	// size is the number of rows and columns of PEs: the grid that 'pattern' fills.
	size() (rows, columns int)
	// pePorts are the numbers of ports that a PE has.
	pePorts() pePorts
	// twoNetworks reports whether tokens have a network of their own.
	twoNetworks() bool
	// plan adds the switches, the links between them and the PEs, in the order of
	// their instances, and lists the edge of the network.
	plan(n *network)
}

// pePorts are numbers of ports of a PE, corners of it: at the network of words, or the only
// one, and at that of tokens.
type pePorts struct{ inputs, outputs, tokenInputs, tokenOutputs int }

// topologies are the kinds, by their name in architecture files.
var topologies = map[string]func() topology{}

// plannedTopologies are names of kinds that a file may hope for.
var plannedTopologies = []string{"ring", "chess", "crossbar", "instances"}

// topology reads the key of that name. A file of an unknown kind is read on as a
// mesh, so that its other faults show as well.
func (r *reader) topology(a *architecture, n *yaml.Node) {
	n = deref(n)
	a.kind = peek(n, "kind")
	known := topologies[a.kind] != nil
	if known {
		a.topology = topologies[a.kind]()
	} else {
		a.topology = topologies["mesh"]()
	}
	keys := append(append([]string{"kind"}, a.topology.keys()...), "fan_in", "link_fifo", "token_link_fifo", "input_fifo", "operand_fifo", "result_fifo", "access_units")
	o := r.object(n, "'topology'", keys...)
	if !o.require("kind") {
		return
	}
	if kind := o.text("kind", ""); !known {
		d := "unknown topology " + what(deref(o.at("kind")))
		if contains(plannedTopologies, kind) {
			d = "topology '" + kind + "' is not supported yet"
		}
		r.errorf(o.at("kind"), "%s", d).
			WithHelp("supported so far: %s", strings.Join(slices.Sorted(maps.Keys(topologies)), ", "))
	}
	a.topology.read(o)
	a.rows, a.columns = a.topology.size()
	a.fanIn = o.integer("fan_in", 0, 0, maxSwitchPorts)
	if a.fanIn > 0 && a.fanIn < corners {
		r.errorf(o.at("fan_in"), "a 'fan_in' of %d leaves PEs without a way to each other", a.fanIn).
			WithHelp("an output chooses among %d or more inputs; 0: among all", corners)
	}
	// It takes two slots to register both directions of a channel.
	a.linkFIFO, a.inputFIFO = o.integer("link_fifo", 2, 2, maxFIFO), o.integer("input_fifo", 2, 2, maxFIFO)
	a.tokenLinkFIFO = o.integer("token_link_fifo", a.linkFIFO, 2, maxFIFO)
	a.accessUnits = o.boolean("access_units", false)
	a.resultFIFO = o.integer("result_fifo", 0, 0, maxFIFO)
	if a.operandFIFO = o.integer("operand_fifo", 0, 0, maxFIFO); a.operandFIFO == 1 {
		r.errorf(o.at("operand_fifo"), "'operand_fifo' is 1").
			WithHelp("2 is the least that registers both directions, 0 puts FIFOs of 'input_fifo' slots in front of the inputs of PEs")
	}
}

// peek is the text of a key of a mapping that is not checked yet, "" where there is
// none.
func peek(n *yaml.Node, key string) string {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if deref(n.Content[i]).Value == key {
			return deref(n.Content[i+1]).Value
		}
	}
	return ""
}
