package cycle

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// model is how the components of a kind become nets and units.
type model struct {
	// declare finds out where each output port gets its tokens; nil where each has a
	// net of its own.
	declare func(b *builder, c *arch.Component, set *config.Setting) []feed
	// connect makes the units. All components are declared by then.
	connect func(b *builder, c *arch.Component, set *config.Setting)
}

// models are the models of all component kinds; the file of each adds its own.
var models = map[arch.Kind]model{}

func (b *builder) declare(c *arch.Component) {
	if declare := models[c.Kind].declare; declare != nil {
		b.feeds[c.ID] = declare(b, c, &b.img.Settings[c.ID])
		return
	}
	fs := make([]feed, len(c.Out))
	for o := range fs {
		fs[o] = feed{b.newNet(), -1, nil}
	}
	b.feeds[c.ID] = fs
}

func (b *builder) connect(c *arch.Component) {
	models[c.Kind].connect(b, c, &b.img.Settings[c.ID])
}

// node is what a unit needs that has all ports of its component.
func (b *builder) node(c *arch.Component) node {
	n := node{comp: c, what: fmt.Sprintf("%s '%s'", c.Kind, c.Name)}
	for i := range c.In {
		n.in = append(n.in, b.input(c, i))
	}
	for _, f := range b.feeds[c.ID] {
		n.out = append(n.out, f.net)
	}
	return n
}
