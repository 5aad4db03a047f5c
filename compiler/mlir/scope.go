package mlir

import (
	"sort"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// scope holds the value names of one isolated region. Nested regions that see
// the names around them share the scope: names they define disappear at their
// end, names they use before anyone defined them are handed to the region
// around them.
type scope struct {
	up      *scope
	names   map[string]entry
	defined []string // in order of definition, for leaving a nested region
	frames  []frame
}

// frame is one region within a scope.
type frame struct {
	mark    int // length of scope.defined at its start
	pending map[string][]pending
}

// entry is what a name stands for: all results of one group, or one argument.
type entry struct {
	values []*ir.Value
	pos    diag.Pos
	// poison marks the results of an operation that could not be parsed. Any
	// use of them is accepted so that one mistake is reported once.
	poison bool
}

// pending is a value used before its definition.
type pending struct {
	number int
	value  *ir.Value // placeholder
	pos    diag.Pos  // first use
}

func newScope(up *scope) *scope {
	return &scope{up: up, names: map[string]entry{}, frames: make([]frame, 1, 4)}
}

func (s *scope) push() { s.frames = append(s.frames, frame{mark: len(s.defined)}) }

// pop leaves the innermost region; names that are still undefined are passed to the
// region around it.
func (s *scope) pop() {
	f := s.frames[len(s.frames)-1]
	for _, name := range s.defined[f.mark:] {
		delete(s.names, name)
	}
	s.defined = s.defined[:f.mark]
	s.frames = s.frames[:len(s.frames)-1]
	if len(f.pending) == 0 {
		return
	}
	outer := &s.frames[len(s.frames)-1]
	if outer.pending == nil {
		outer.pending = f.pending
		return
	}
	for name, list := range f.pending {
		outer.pending[name] = append(outer.pending[name], list...)
	}
}

// unwind drops frames down to the given number after an error.
func (s *scope) unwind(frames int) {
	for len(s.frames) > frames {
		s.frames[len(s.frames)-1].pending = nil
		s.pop()
	}
}

// define binds a name and settles the uses that came before. It reports a name
// that is visible already.
func (p *parser) define(name string, values []*ir.Value, pos diag.Pos) {
	s := p.scope
	if old, ok := s.names[name]; ok {
		p.errorf(pos, "redefinition of value '%%%s'", name).WithNote(old.pos, "first defined here")
		return
	}
	s.names[name] = entry{values: values, pos: pos}
	s.defined = append(s.defined, name)
	f := &s.frames[len(s.frames)-1]
	if len(f.pending) == 0 {
		return
	}
	for _, u := range f.pending[name] {
		if u.number >= len(values) {
			p.errorf(u.pos, "'%%%s' has %s, there is no #%d", name, diag.Plural(len(values), "result"), u.number).
				WithNote(pos, "defined here")
			continue
		}
		v := values[u.number]
		if v.Type != u.value.Type {
			p.errorf(u.pos, "'%%%s' is used as %s but is defined as %s", name, u.value.Type, v.Type).
				WithNote(pos, "defined here")
			continue
		}
		u.value.ReplaceAllUsesWith(v)
	}
	delete(f.pending, name)
}

// poison binds the results of an operation that failed to parse.
func (p *parser) poison(name string, pos diag.Pos) {
	s := p.scope
	if _, ok := s.names[name]; ok {
		return
	}
	s.names[name] = entry{pos: pos, poison: true}
	s.defined = append(s.defined, name)
	delete(s.frames[len(s.frames)-1].pending, name)
}

// resolve returns the value an operand names. A name that is not defined
// yet becomes a placeholder that the definition replaces.
func (p *parser) resolve(u UnresolvedOperand, t ir.Type) *ir.Value {
	s := p.scope
	if e, ok := s.names[u.Name]; ok {
		if e.poison {
			return &ir.Value{Type: t}
		}
		if u.Number >= len(e.values) {
			p.errorf(u.Pos, "'%%%s' has %s, there is no #%d", u.Name, diag.Plural(len(e.values), "result"), u.Number).
				WithNote(e.pos, "defined here")
			return &ir.Value{Type: t}
		}
		v := e.values[u.Number]
		if v.Type != t {
			p.errorf(u.Pos, "'%%%s' is used as %s but is defined as %s", u.Name, t, v.Type).
				WithNote(e.pos, "defined here")
			return &ir.Value{Type: t}
		}
		return v
	}
	f := &s.frames[len(s.frames)-1]
	for _, w := range f.pending[u.Name] {
		if w.number != u.Number {
			continue
		}
		if w.value.Type != t {
			p.errorf(u.Pos, "'%%%s' is used as %s here and as %s before", u.Name, t, w.value.Type).
				WithNote(w.pos, "used before here")
			return &ir.Value{Type: t}
		}
		return w.value
	}
	v := &ir.Value{Type: t, Name: u.Name}
	if f.pending == nil {
		f.pending = map[string][]pending{}
	}
	f.pending[u.Name] = append(f.pending[u.Name], pending{u.Number, v, u.Pos})
	return v
}

// leaveScope ends an isolated region: what is still undefined stays so.
func (p *parser) leaveScope() {
	f := p.scope.frames[0]
	names := make([]string, 0, len(f.pending))
	for name := range f.pending {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		p.errorf(f.pending[name][0].pos, "use of undefined value '%%%s'", name)
	}
	p.scope = p.scope.up
}
