package space

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Path is a place in an architecture file: keys and, in lists, numbers from 0: extmemories[1].loads.
type Path []step

type step struct {
	key   string
	index int // with key "": an element of a list
}

var pathPart = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)((?:\[\d+\])*)$`)

// parsePath reads a path as it is written.
func parsePath(text string) (Path, error) {
	var p Path
	for part := range strings.SplitSeq(text, ".") {
		m := pathPart.FindStringSubmatch(part)
		if m == nil {
			return nil, fmt.Errorf("%q is no path such as topology.rows or extmemories[0].loads", text)
		}
		p = append(p, step{key: m[1]})
		for n := range strings.SplitSeq(strings.Trim(m[2], "[]"), "][") {
			if n == "" {
				continue
			}
			i, err := strconv.Atoi(n)
			if err != nil {
				return nil, fmt.Errorf("%q has an index that is too large", text)
			}
			p = append(p, step{index: i})
		}
	}
	return p, nil
}

// String is the path as it is written.
func (p Path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.key == "":
			fmt.Fprintf(&b, "[%d]", s.index)
		case i > 0:
			b.WriteString("." + s.key)
		default:
			b.WriteString(s.key)
		}
	}
	return b.String()
}

// Last is the key at the end, "" of an element of a list.
func (p Path) Last() string { return p[len(p)-1].key }

// below reports whether a path is another one or leads on from it.
func (p Path) below(other string) bool {
	rest, ok := strings.CutPrefix(p.String(), other)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// find is the node at a path, nil where the file has none. The last key may be absent from a mapping that is
// there: then parent is that mapping, and the key has its default. why says how far the path leads.
func (p Path) find(root *yaml.Node) (n, parent *yaml.Node, why string) {
	n = root
	for i, s := range p {
		n = follow(n)
		switch {
		case s.key == "" && n.Kind != yaml.SequenceNode:
			return nil, nil, fmt.Sprintf("'%s' is no list", p[:i])
		case s.key == "" && s.index >= len(n.Content):
			return nil, nil, fmt.Sprintf("'%s' has %d entries, which count from 0", p[:i], len(n.Content))
		case s.key == "":
			n = n.Content[s.index]
			continue
		case n.Kind != yaml.MappingNode:
			return nil, nil, fmt.Sprintf("'%s' is no mapping", p[:i])
		}
		next := value(n, s.key)
		if next == nil && i == len(p)-1 {
			return nil, n, ""
		}
		if next == nil {
			return nil, nil, fmt.Sprintf("there is no '%s'", p[:i+1])
		}
		n = next
	}
	return follow(n), nil, ""
}

// value is the node at a key of a mapping, nil where it has none.
func value(m *yaml.Node, key string) *yaml.Node {
	m = follow(m)
	for i := 0; m.Kind == yaml.MappingNode && i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

// put sets the node at a path, for which find has a node or a parent.
func (p Path) put(root, to *yaml.Node) {
	n, parent, _ := p.find(root)
	switch {
	case n != nil:
		head, line := n.HeadComment, n.LineComment
		*n = *clone(to)
		n.HeadComment, n.LineComment = head, line
	case parent != nil:
		parent.Content = append(parent.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: p[len(p)-1].key}, clone(to))
	}
}

// clone is a deep copy without aliases: a value may stand in several places.
func clone(n *yaml.Node) *yaml.Node {
	n = follow(n)
	c := *n
	c.Anchor = ""
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, x := range n.Content {
		c.Content[i] = clone(x)
	}
	return &c
}
