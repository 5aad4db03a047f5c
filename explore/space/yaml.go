package space

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"loom/compiler/diag"
	"loom/internal/edit"
)

// reader turns YAML nodes into values and reports each fault with the position of its node. Its
// methods return zero values for faulty input, so that reading goes on and finds all faults.
type reader struct {
	file string
	errs diag.List
}

func (r *reader) pos(n *yaml.Node) diag.Pos {
	return diag.Pos{File: r.file, Line: n.Line, Col: n.Column}
}

func (r *reader) errorf(n *yaml.Node, format string, args ...any) *diag.Diagnostic {
	return r.errs.Errorf(r.pos(n), format, args...)
}

var errorLine = regexp.MustCompile(`line (\d+): (.*)`)

// document returns the root of the one YAML document of a text, nil where it has none.
func (r *reader) document(text []byte) *yaml.Node {
	dec := yaml.NewDecoder(strings.NewReader(string(text)))
	top := diag.Pos{File: r.file, Line: 1, Col: 1}
	var doc, second yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) != 1:
		r.errs.Errorf(top, "the file is empty")
		return nil
	case err != nil:
		message := strings.TrimPrefix(err.Error(), "yaml: ")
		if m := errorLine.FindStringSubmatch(message); m != nil {
			top.Line, _ = strconv.Atoi(m[1])
			message = m[2]
		}
		r.errs.Errorf(top, "this is not YAML that can be read: %s", message)
		return nil
	}
	if dec.Decode(&second) == nil {
		r.errorf(&second, "the file holds one YAML document, this is the second")
		return nil
	}
	return follow(doc.Content[0])
}

// follow is the node behind aliases.
func follow(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// describe names what a node is, for messages.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	}
	return strconv.Quote(n.Value)
}

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
	n = follow(n)
	m := &mapping{r: r, node: n, name: name, at: map[string]*yaml.Node{}}
	if n.Kind != yaml.MappingNode {
		r.errorf(n, "%s must be a mapping, found %s", name, describe(n))
		return m
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		switch {
		case k.Kind != yaml.ScalarNode:
			r.errorf(k, "a key of %s must be a name, found %s", name, describe(k))
		case m.at[k.Value] != nil:
			r.errorf(k, "key '%s' occurs twice in %s", k.Value, name).WithNote(r.pos(m.at[k.Value]), "first given here")
		case known != nil && !slices.Contains(known, k.Value):
			d := r.errorf(k, "unknown key '%s' in %s", k.Value, name)
			if s := closest(k.Value, known); s != "" {
				d.WithHelp("did you mean '%s'?", s)
			} else {
				d.WithHelp("known keys: %s", strings.Join(known, ", "))
			}
		default:
			m.keys = append(m.keys, k.Value)
			m.at[k.Value] = follow(n.Content[i+1])
		}
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

// closest is the candidate that a misspelled name may stand for, "" for none.
func closest(name string, candidates []string) string {
	best, least := "", len(name)/3+2
	for _, c := range candidates {
		if d := edit.Distance(strings.ToLower(name), strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	return best
}
