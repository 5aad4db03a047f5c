package build

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"loom/compiler/diag"
	"loom/internal/yamlnode"
)

// reader turns YAML nodes into values, reporting each fault with the position of
// its node. Methods return zero values for faulty input and let reading go on.
type reader struct {
	file string
	errs *diag.List
}

func (r *reader) pos(n *yaml.Node) diag.Pos {
	return yamlnode.Pos(r.file, n)
}

func (r *reader) errorf(n *yaml.Node, format string, args ...any) *diag.Diagnostic {
	return r.errs.Errorf(r.pos(n), format, args...)
}

// parse reads one YAML document and returns its root node, nil after an error.
func (r *reader) parse(src []byte) *yaml.Node {
	return yamlnode.Parse(r.file, "an architecture file", src, r.errs)
}

func deref(n *yaml.Node) *yaml.Node { return yamlnode.Follow(n) }
func what(n *yaml.Node) string      { return yamlnode.Describe(n) }
func shorten(s string) string       { return yamlnode.Shorten(s) }

// object is a mapping whose keys are looked up by name.
type object struct {
	r    *reader
	node *yaml.Node
	name string // for messages
	keys []string
	vals map[string]*yaml.Node
}

// object reads a mapping. Keys that are not among the known ones are errors; nil
// known accepts any key.
func (r *reader) object(n *yaml.Node, name string, known ...string) *object {
	o := &object{r: r, node: deref(n), name: name}
	o.keys, o.vals = yamlnode.Mapping(r.file, n, name, known, r.errs)
	return o
}

func (o *object) has(key string) bool { return o.vals[key] != nil }

// at is the node of a key, or the mapping itself where the key is absent.
func (o *object) at(key string) *yaml.Node {
	if n := o.vals[key]; n != nil {
		return n
	}
	return o.node
}

// require reports an absent key.
func (o *object) require(keys ...string) bool {
	ok := o.node.Kind == yaml.MappingNode
	for _, k := range keys {
		if ok && !o.has(k) {
			o.r.errorf(o.node, "%s needs the key '%s'", o.name, k)
			ok = false
		}
	}
	return ok
}

// integer reads a number within bounds; absent keys give def.
func (o *object) integer(key string, def, lo, hi int) int {
	if !o.has(key) {
		return def
	}
	return o.r.integer(o.vals[key], "'"+key+"' of "+o.name, def, lo, hi)
}

// optional is the number at a key, nil where it has none.
func (o *object) optional(key string, lo, hi int) *int {
	if !o.has(key) {
		return nil
	}
	n := o.integer(key, lo, lo, hi)
	return &n
}

func (r *reader) integer(n *yaml.Node, name string, def, lo, hi int) int {
	n = deref(n)
	v, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || err != nil {
		r.errorf(n, "%s must be a whole number, found %s", name, what(n))
		return def
	}
	if v < lo || v > hi {
		r.errorf(n, "%s must be between %d and %d, found %d", name, lo, hi, v)
		return def
	}
	return v
}

func (o *object) boolean(key string, def bool) bool {
	if !o.has(key) {
		return def
	}
	n := deref(o.vals[key])
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		o.r.errorf(n, "'%s' of %s must be true or false, found %s", key, o.name, what(n))
		return def
	}
	return strings.EqualFold(n.Value, "true")
}

func (o *object) text(key, def string) string {
	if !o.has(key) {
		return def
	}
	return o.r.text(o.vals[key], "'"+key+"' of "+o.name)
}

// text reads a plain scalar.
func (r *reader) text(n *yaml.Node, name string) string {
	n = deref(n)
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		r.errorf(n, "%s must be a text, found %s", name, what(n))
		return ""
	}
	return n.Value
}

// identifier reads a name: a letter or underscore, then letters, digits and
// underscores.
func (r *reader) identifier(n *yaml.Node, name string) string {
	s := r.text(n, name)
	if s != "" && !isIdentifier(s) {
		r.errorf(deref(n), "%s must be a name of letters, digits and underscores, found %s", name, strconv.Quote(shorten(s)))
		return ""
	}
	return s
}

func isIdentifier(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// list reads a sequence.
func (r *reader) list(n *yaml.Node, name string) []*yaml.Node {
	n = deref(n)
	if n.Kind != yaml.SequenceNode {
		r.errorf(n, "%s must be a list, found %s", name, what(n))
		return nil
	}
	return n.Content
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func closest(s string, candidates []string) string { return yamlnode.Closest(s, candidates) }

func quoteList(names []string) string { return fmt.Sprintf("'%s'", strings.Join(names, "', '")) }
