package build

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"loom/compiler/diag"
)

// Edit is an architecture description that is changed step by step, in the search for one
// that hosts a kernel. Each change is one of the text, so the result is a description that
// a user could have written.
type Edit struct {
	root *yaml.Node
	// order lists what was changed, in the terms of Changes; from and to are the values.
	order    []string
	from, to map[string]string
}

// NewEdit reads a description that Build accepts.
func NewEdit(text []byte) (*Edit, error) {
	var errs diag.List
	root := (&reader{errs: &errs}).parse(text)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if root = deref(root); root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("the description is no mapping")
	}
	return &Edit{root: root, from: map[string]string{}, to: map[string]string{}}, nil
}

// Text is the description with the changes.
func (e *Edit) Text() ([]byte, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	err := enc.Encode(e.root)
	return b.Bytes(), err
}

// Changes lists the changes in the order in which they were first made: "rows 4 -> 5".
func (e *Edit) Changes() []string {
	var out []string
	for _, what := range e.order {
		if e.from[what] == "" {
			out = append(out, strings.TrimSuffix(what+" "+e.to[what], " "))
		} else {
			out = append(out, fmt.Sprintf("%s %s -> %s", what, e.from[what], e.to[what]))
		}
	}
	return out
}

// changed notes that what was from and is to; from is "" for what is new.
func (e *Edit) changed(what, from, to string) {
	if _, again := e.to[what]; !again {
		e.order = append(e.order, what)
		e.from[what] = from
	}
	e.to[what] = to
}

// at returns the value of a key of a mapping, nil where it has none.
func at(mapping *yaml.Node, key string) *yaml.Node {
	mapping = deref(mapping)
	for i := 0; mapping.Kind == yaml.MappingNode && i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return deref(mapping.Content[i+1])
		}
	}
	return nil
}

// number is an integer of a mapping.
func number(mapping *yaml.Node, key string, otherwise int) int {
	if n := at(mapping, key); n != nil {
		if v, err := strconv.Atoi(n.Value); err == nil {
			return v
		}
	}
	return otherwise
}

func scalar(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: text} }

// set gives a key of a mapping a value.
func set(mapping *yaml.Node, key, value string) {
	if n := at(mapping, key); n != nil {
		*n = *scalar(value)
		return
	}
	m := deref(mapping)
	m.Content = append(m.Content, scalar(key), scalar(value))
}

// list returns the sequence of a key of the root, which is added where there is none.
func (e *Edit) list(key string) *yaml.Node {
	if n := at(e.root, key); n != nil {
		return n
	}
	n := &yaml.Node{Kind: yaml.SequenceNode}
	e.root.Content = append(e.root.Content, scalar(key), n)
	return n
}

// grow adds n to an integer of a mapping; it is false beyond the limit.
func (e *Edit) grow(mapping *yaml.Node, what, key string, otherwise, n, limit int) bool {
	if mapping == nil {
		return false
	}
	v := number(mapping, key, otherwise)
	if v+n > limit {
		return false
	}
	set(mapping, key, strconv.Itoa(v+n))
	e.changed(what, strconv.Itoa(v), strconv.Itoa(v+n))
	return true
}

// Inputs adds boundary inputs, Outputs boundary outputs. Like all changes they return
// false, and change nothing, where no description can have that many.
func (e *Edit) Inputs(n int) bool {
	return e.grow(at(e.root, "boundary"), "boundary inputs", "inputs", 1, n, maxBoundary)
}

// Outputs adds boundary outputs.
func (e *Edit) Outputs(n int) bool {
	return e.grow(at(e.root, "boundary"), "boundary outputs", "outputs", 1, n, maxBoundary)
}

// Tracks adds a track to every link, of tokens or of words.
func (e *Edit) Tracks(tokens bool) bool {
	if tokens {
		return e.grow(at(e.root, "topology"), "token_tracks", "token_tracks", 0, 1, maxTracks)
	}
	return e.grow(at(e.root, "topology"), "tracks", "tracks", 2, 1, maxTracks)
}

// Grid adds rows and columns until there are n more PEs.
func (e *Edit) Grid(n int) bool {
	t := at(e.root, "topology")
	if t == nil {
		return false
	}
	rows, columns := number(t, "rows", 1), number(t, "columns", 1)
	for want := rows*columns + n; rows*columns < want; {
		key, side := "rows", &rows
		if columns < rows {
			key, side = "columns", &columns
		}
		if !e.grow(t, key, key, 1, 1, maxSide) {
			return false
		}
		*side++
	}
	return true
}

// Need is what an array, or several together, take of a memory.
type Need struct {
	// External is set for arguments of the kernel.
	External bool
	// Element is the element type.
	Element                string
	Loads, Stores, Regions int
	// Elements is the capacity needed on chip, Host whether the host must reach it.
	Elements int64
	Host     bool
}

// key is the list that memories for the need are in, and what its entries are called.
func (n Need) key() (list, noun string) {
	if n.External {
		return "extmemories", "extmemory"
	}
	return "memories", "memory"
}

// Memory enlarges the entry of memories that comes closest to the need, or adds one if no
// entry has such elements.
func (e *Edit) Memory(n Need) bool {
	list, noun := n.key()
	entries := e.list(list)
	best, least := -1, 0
	for i, m := range entries.Content {
		el := at(m, "element")
		if el == nil || el.Value != n.Element || !n.External && n.Host && !shared(m) {
			continue
		}
		more := max(0, n.Loads-number(m, "loads", 1)) + max(0, n.Stores-number(m, "stores", 1))
		if best < 0 || more < least {
			best, least = i, more
		}
	}
	if best < 0 {
		return e.addMemory(entries, noun, n)
	}
	m, what := entries.Content[best], noun
	if len(entries.Content) > 1 {
		what = fmt.Sprintf("%s %d", list, best+1)
	}
	raise := func(key string, otherwise, want, limit int) bool {
		d := want - number(m, key, otherwise)
		return d <= 0 || e.grow(m, what+" "+key, key, otherwise, d, limit)
	}
	ok := raise("loads", 1, n.Loads, maxLanes) && raise("stores", 1, n.Stores, maxLanes)
	if n.Regions > 1 {
		ok = ok && raise("regions", 1, n.Regions, maxLanes)
	}
	if n.Elements > 0 {
		ok = ok && raise("elements", defaultCapacity*8/elementBits(n.Element), int(min(n.Elements, maxElements+1)), maxElements)
	}
	return ok
}

// shared reports whether the host reaches the memory of an entry.
func shared(entry *yaml.Node) bool {
	p := at(entry, "private")
	return p != nil && p.Value == "false"
}

// elementBits is the width of an element type in memory.
func elementBits(t string) int {
	n, err := strconv.Atoi(t[min(1, len(t)):])
	if err != nil {
		return 8
	}
	return max(n, 8)
}

func (e *Edit) addMemory(entries *yaml.Node, noun string, n Need) bool {
	m := &yaml.Node{Kind: yaml.MappingNode}
	set(m, "element", n.Element)
	set(m, "loads", strconv.Itoa(n.Loads))
	set(m, "stores", strconv.Itoa(n.Stores))
	to := fmt.Sprintf("(loads %d, stores %d", n.Loads, n.Stores)
	if n.Regions > 1 {
		set(m, "regions", strconv.Itoa(n.Regions))
	}
	if n.Elements > 0 {
		set(m, "elements", strconv.FormatInt(n.Elements, 10))
		to += fmt.Sprintf(", elements %d", n.Elements)
	}
	if n.Host {
		set(m, "private", "false")
		to += ", private false"
	}
	entries.Content = append(entries.Content, m)
	e.changed(fmt.Sprintf("one more %s of %s", noun, n.Element), "", to+")")
	return max(n.Loads, n.Stores) <= maxLanes && n.Elements <= maxElements
}

// Another adds a memory like that of the first entry with such elements.
func (e *Edit) Another(n Need) bool {
	list, noun := n.key()
	entries := e.list(list)
	for i, m := range entries.Content {
		if el := at(m, "element"); el == nil || el.Value != n.Element || !n.External && n.Host && !shared(m) {
			continue
		}
		what := noun
		if len(entries.Content) > 1 {
			what = fmt.Sprintf("%s %d", list, i+1)
		}
		return e.grow(m, what+" count", "count", 1, 1, maxMemories)
	}
	return e.addMemory(entries, noun, n)
}

// TemplateSymbol is the symbol of a template of PEs in Fabric MLIR.
func TemplateSymbol(name string) string { return "pe_" + name }

// Templates counts the PEs of each template.
func (e *Edit) Templates() (names []string, count map[string]int) {
	text, err := e.Text()
	if err != nil {
		return nil, nil
	}
	var errs diag.List
	a := (&reader{errs: &errs}).architecture(text)
	if errs.HasErrors() || a == nil {
		return nil, nil
	}
	count = map[string]int{}
	for _, k := range a.pes {
		names = append(names, k.name)
	}
	for _, row := range a.grid {
		for _, k := range row {
			count[k.name]++
		}
	}
	return names, count
}

// Replace makes the PE at a row and column one of the template.
func (e *Edit) Replace(template string, row, column int) bool {
	_, count := e.Templates()
	one := &yaml.Node{Kind: yaml.MappingNode}
	set(one, "pe", template)
	position := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{scalar(strconv.Itoa(row)), scalar(strconv.Itoa(column))}}
	one.Content = append(one.Content, scalar("at"), &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{position}})
	list := e.list("overrides")
	list.Content = append(list.Content, one)
	_, now := e.Templates()
	if now[template] != count[template]+1 {
		list.Content = list.Content[:len(list.Content)-1]
		return false
	}
	e.changed("PEs "+template, strconv.Itoa(count[template]), strconv.Itoa(now[template]))
	return true
}

// Unit adds a function unit to a template of PEs, as an architecture file writes it:
// "addi: i32".
func (e *Edit) Unit(template, entry string) bool {
	var doc yaml.Node
	pes := at(e.root, "pes")
	if pes == nil || at(pes, template) == nil || yaml.Unmarshal([]byte(entry), &doc) != nil || len(doc.Content) != 1 {
		return false
	}
	units := at(at(pes, template), "units")
	if units == nil {
		return false
	}
	units.Content = append(units.Content, doc.Content[0])
	if names, _ := e.Templates(); names == nil { // the description is wrong now
		units.Content = units.Content[:len(units.Content)-1]
		return false
	}
	e.changed("unit "+entry+" of PEs "+template, "", "")
	return true
}

// Elements are the element types of the entries of a list of memories, extmemories or memories.
func (e *Edit) Elements(list string) []string {
	n := at(e.root, list)
	if n == nil {
		return nil
	}
	var out []string
	for _, m := range n.Content {
		text := ""
		if el := at(m, "element"); el != nil {
			text = el.Value
		}
		out = append(out, text)
	}
	return out
}
