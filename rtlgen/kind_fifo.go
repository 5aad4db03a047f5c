package rtlgen

import "loom/compiler/arch"

func init() { kinds[arch.FIFO] = kind{Idle: true, connect: (*generator).fifo} }

// fifo connects a queue, whose module has one width: that of its input.
func (g *generator) fifo(x *component) { g.through(x, x.Component.In[0].Width) }
