// Package yamlnode reads YAML documents node by node for files whose faults are reported all at once, each with its
// position: what package arch/build (architecture files) and package explore/space (descriptions of
// explorations) have in common.
package yamlnode

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"loom/compiler/diag"
	"loom/internal/edit"
)

var (
	line = regexp.MustCompile(`line (\d+): (.*)`)
	// grammar matches the messages for which the YAML library counts lines from 0 (those of its
	// grammar; those of its scanner count from 1).
	grammar = regexp.MustCompile(`^did not find expected ('|key|node content|<)`)
)

// Pos is the position of a node in a file.
func Pos(file string, n *yaml.Node) diag.Pos {
	return diag.Pos{File: file, Line: n.Line, Col: n.Column}
}

// Parse reads the one document of a file and returns its root, nil after an error. Kind names files of its sort in
// messages, as in "an architecture file".
func Parse(file, kind string, src []byte, errs *diag.List) *yaml.Node {
	var doc, second yaml.Node
	top := diag.Pos{File: file, Line: 1, Col: 1}
	dec := yaml.NewDecoder(strings.NewReader(string(src)))
	if err := dec.Decode(&doc); err != nil {
		msg := strings.TrimPrefix(err.Error(), "yaml: ")
		if m := line.FindStringSubmatch(msg); m != nil {
			top.Line, _ = strconv.Atoi(m[1])
			msg = m[2]
			if grammar.MatchString(msg) {
				top.Line++
			}
		}
		if msg == "EOF" {
			errs.Errorf(top, "the file is empty")
			return nil
		}
		errs.Errorf(top, "this is not YAML that can be read: %s", msg)
		return nil
	}
	if len(doc.Content) != 1 {
		errs.Errorf(top, "the file is empty")
		return nil
	}
	if dec.Decode(&second) == nil {
		errs.Errorf(Pos(file, &second), "%s holds one YAML document, this is the second", kind)
		return nil
	}
	return doc.Content[0]
}

// Follow is the node behind aliases.
func Follow(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// Describe names what a node is, for messages.
func Describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	}
	return strconv.Quote(Shorten(n.Value))
}

// Shorten cuts what would make a message too long.
func Shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// Mapping returns the keys of a mapping in the order of the file, and its values. Name is that of the mapping in
// messages. Keys that are not among the known ones are errors; nil known accepts any. Of a node that is no
// mapping, which is an error, there are none.
func Mapping(file string, n *yaml.Node, name string, known []string, errs *diag.List) (keys []string, values map[string]*yaml.Node) {
	n = Follow(n)
	values = map[string]*yaml.Node{}
	if n.Kind != yaml.MappingNode {
		errs.Errorf(Pos(file, n), "%s must be a mapping, found %s", name, Describe(n))
		return nil, values
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := Follow(n.Content[i])
		at := Pos(file, k)
		switch {
		case k.Kind != yaml.ScalarNode:
			errs.Errorf(at, "a key of %s must be a name, found %s", name, Describe(k))
		case k.Tag == "!!merge":
			errs.Errorf(at, "merge keys ('<<') are not supported in %s", name)
		case values[k.Value] != nil:
			errs.Errorf(at, "key '%s' occurs twice in %s", Shorten(k.Value), name).WithNote(Pos(file, values[k.Value]), "first given here")
		case known != nil && !slices.Contains(known, k.Value):
			d := errs.Errorf(at, "unknown key '%s' in %s", Shorten(k.Value), name)
			if s := Closest(k.Value, known); s != "" {
				d.WithHelp("did you mean '%s'?", s)
			} else {
				d.WithHelp("known keys: %s", strings.Join(known, ", "))
			}
		default:
			keys = append(keys, k.Value)
			values[k.Value] = n.Content[i+1]
		}
	}
	return keys, values
}

// Closest is the candidate that a misspelled name may stand for, "" for none.
func Closest(name string, candidates []string) string {
	if len(name) > 64 {
		return ""
	}
	best, least := "", max(1, len(name)/3)+1
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if d := edit.Distance(strings.ToLower(name), strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	return best
}
