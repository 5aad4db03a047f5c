package space

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"loom/compiler/diag"
	"loom/internal/yamlnode"
)

// reader turns YAML nodes into values and reports each fault with the position of its node. Its
// methods return zero values for faulty input, so that reading goes on and finds all faults.
type reader struct {
	file string
	errs diag.List
}

func (r *reader) pos(n *yaml.Node) diag.Pos {
	return yamlnode.Pos(r.file, n)
}

func (r *reader) errorf(n *yaml.Node, format string, args ...any) *diag.Diagnostic {
	return r.errs.Errorf(r.pos(n), format, args...)
}

// document returns the root of the one YAML document of a text, nil where it has none.
func (r *reader) document(text []byte) *yaml.Node {
	n := yamlnode.Parse(r.file, "the description of an exploration", text, &r.errs)
	if n == nil {
		return nil
	}
	return follow(n)
}

func follow(n *yaml.Node) *yaml.Node { return yamlnode.Follow(n) }
func describe(n *yaml.Node) string   { return yamlnode.Describe(n) }

// mapping is a YAML mapping by key, in the order of the file.
type mapping struct {
	r    *reader
	node *yaml.Node
	name string
	keys []string
	at   map[string]*yaml.Node
}

// mapping reads a mapping; keys that are not known are errors, nil knows all.
func (r *reader) mapping(n *yaml.Node, name string, known []string) *mapping {
	m := &mapping{r: r, node: follow(n), name: name}
	m.keys, m.at = yamlnode.Mapping(r.file, n, name, known, &r.errs)
	for k, v := range m.at {
		m.at[k] = follow(v)
	}
	return m
}

// need reports keys that are absent.
func (m *mapping) need(keys ...string) {
	for _, k := range keys {
		if m.at[k] == nil && m.node.Kind == yaml.MappingNode {
			m.r.errorf(m.node, "%s needs the key '%s'", m.name, k)
		}
	}
}

func (m *mapping) text(key string) string {
	n := m.at[key]
	if n == nil {
		return ""
	}
	return m.r.text(n, "'"+key+"' of "+m.name)
}

func (r *reader) text(n *yaml.Node, name string) string {
	n = follow(n)
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Value == "" {
		r.errorf(n, "%s must be a text, found %s", name, describe(n))
		return ""
	}
	return n.Value
}

func (m *mapping) integer(key string, otherwise, least, most int) int {
	if m.at[key] == nil {
		return otherwise
	}
	return m.r.integer(m.at[key], "'"+key+"' of "+m.name, least, most)
}

func (r *reader) integer(n *yaml.Node, name string, least, most int) int {
	n = follow(n)
	v, err := strconv.Atoi(n.Value)
	switch {
	case n.Kind != yaml.ScalarNode || n.Tag != "!!int" || err != nil:
		r.errorf(n, "%s must be a whole number, found %s", name, describe(n))
	case v < least || v > most:
		r.errorf(n, "%s must be between %d and %d, found %d", name, least, most, v)
	default:
		return v
	}
	return least
}

func (m *mapping) number(key string, otherwise, least, most float64) float64 {
	n := m.at[key]
	if n == nil {
		return otherwise
	}
	v, err := strconv.ParseFloat(n.Value, 64)
	switch {
	case n.Kind != yaml.ScalarNode || err != nil:
		m.r.errorf(n, "'%s' of %s must be a number, found %s", key, m.name, describe(n))
	case !(v >= least && v <= most):
		m.r.errorf(n, "'%s' of %s must be between %g and %g, found %g", key, m.name, least, most, v)
	default:
		return v
	}
	return otherwise
}

func (m *mapping) boolean(key string) bool {
	n := m.at[key]
	if n == nil {
		return false
	}
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		m.r.errorf(n, "'%s' of %s must be true or false, found %s", key, m.name, describe(n))
		return false
	}
	return strings.EqualFold(n.Value, "true")
}

func (r *reader) list(n *yaml.Node, name string) []*yaml.Node {
	n = follow(n)
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		r.errorf(n, "%s must be a list that is not empty, found %s", name, describe(n))
		return nil
	}
	return n.Content
}

func closest(name string, candidates []string) string { return yamlnode.Closest(name, candidates) }
