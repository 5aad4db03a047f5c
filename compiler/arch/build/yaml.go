package build

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"loom/compiler/diag"
	"loom/internal/edit"
)

// reader turns YAML nodes into values, reporting each fault with the position of
// its node. Methods return zero values for faulty input and let reading go on.
type reader struct {
	file string
	errs *diag.List
}

func (r *reader) pos(n *yaml.Node) diag.Pos {
	return diag.Pos{File: r.file, Line: n.Line, Col: n.Column}
}

func (r *reader) errorf(n *yaml.Node, format string, args ...any) *diag.Diagnostic {
	return r.errs.Errorf(r.pos(n), format, args...)
}

var (
	yamlLine = regexp.MustCompile(`line (\d+): (.*)`)
	// yamlParser matches the messages for which the YAML library counts lines
	// from 0 (those of its grammar; those of its scanner count from 1).
	yamlParser = regexp.MustCompile(`^did not find expected ('|key|node content|<)`)
)

// parse reads one YAML document and returns its root node, nil after an error.
func (r *reader) parse(src []byte) *yaml.Node {
	var doc yaml.Node
	dec := yaml.NewDecoder(strings.NewReader(string(src)))
	if err := dec.Decode(&doc); err != nil {
		msg := strings.TrimPrefix(err.Error(), "yaml: ")
		pos := diag.Pos{File: r.file, Line: 1, Col: 1}
		if m := yamlLine.FindStringSubmatch(msg); m != nil {
			pos.Line, _ = strconv.Atoi(m[1])
			msg = m[2]
			if yamlParser.MatchString(msg) {
				pos.Line++
			}
		}
		if msg == "EOF" {
			msg = "the file is empty"
		}
		r.errs.Errorf(pos, "this is not YAML that can be read: %s", msg)
		return nil
	}
	if len(doc.Content) != 1 {
		r.errs.Errorf(diag.Pos{File: r.file, Line: 1, Col: 1}, "the file is empty")
		return nil
	}
	var second yaml.Node
	if dec.Decode(&second) == nil {
		r.errorf(&second, "an architecture file holds one YAML document, this is the second")
		return nil
	}
	return doc.Content[0]
}

// deref follows aliases.
func deref(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// what describes a node, for messages.
func what(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	if n.Tag == "!!null" {
		return "nothing"
	}
	return strconv.Quote(shorten(n.Value))
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

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
	n = deref(n)
	o := &object{r: r, node: n, name: name, vals: map[string]*yaml.Node{}}
	if n.Kind != yaml.MappingNode {
		r.errorf(n, "%s must be a mapping, found %s", name, what(n))
		return o
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := deref(n.Content[i])
		switch {
		case k.Kind != yaml.ScalarNode:
			r.errorf(k, "a key of %s must be a name, found %s", name, what(k))
		case k.Tag == "!!merge":
			r.errorf(k, "merge keys ('<<') are not supported in %s", name)
		case o.vals[k.Value] != nil:
			r.errorf(k, "key '%s' occurs twice in %s", shorten(k.Value), name).WithNote(r.pos(o.vals[k.Value]), "first given here")
		case known != nil && !contains(known, k.Value):
			d := r.errorf(k, "unknown key '%s' in %s", shorten(k.Value), name)
			if s := closest(k.Value, known); s != "" {
				d.WithHelp("did you mean '%s'?", s)
			} else {
				d.WithHelp("known keys: %s", strings.Join(known, ", "))
			}
		default:
			o.keys = append(o.keys, k.Value)
			o.vals[k.Value] = n.Content[i+1]
		}
	}
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

// closest returns the candidate that looks like a misspelling, "" for none.
func closest(s string, candidates []string) string {
	if len(s) > 64 {
		return ""
	}
	best, bestDist := "", max(1, len(s)/3)+1
	sorted := append([]string(nil), candidates...)
	sort.Strings(sorted)
	for _, c := range sorted {
		if d := edit.Distance(strings.ToLower(s), strings.ToLower(c)); d < bestDist {
			best, bestDist = c, d
		}
	}
	return best
}

func quoteList(names []string) string { return fmt.Sprintf("'%s'", strings.Join(names, "', '")) }
