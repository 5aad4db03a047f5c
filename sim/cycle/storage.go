package cycle

import (
	"loom/compiler/arch"
	"loom/compiler/config"
)

// ring is a queue that holds a fixed number of entries and never allocates after
// it was made.
type ring[T any] struct {
	buf   []T
	head  int
	count int
}

// queue is a ring of words.
type queue = ring[uint64]

func newRing[T any](depth int) ring[T] { return ring[T]{buf: make([]T, depth)} }

func newQueue(depth int) queue { return newRing[uint64](depth) }

func (q *ring[T]) empty() bool { return q.count == 0 }
func (q *ring[T]) full() bool  { return q.count == len(q.buf) }
func (q *ring[T]) peek() T     { return q.buf[q.head] }

// at is the entry behind i older ones.
func (q *ring[T]) at(i int) T {
	if i += q.head; i >= len(q.buf) {
		i -= len(q.buf)
	}
	return q.buf[i]
}

func (q *ring[T]) push(v T) {
	i := q.head + q.count
	if i >= len(q.buf) {
		i -= len(q.buf)
	}
	q.buf[i] = v
	q.count++
}

func (q *ring[T]) pop() {
	q.head++
	if q.head == len(q.buf) {
		q.head = 0
	}
	q.count--
}

// fifo is loom_fifo, loom_stage (depth 1) and an unbypassed loom_fifo_bypass:
// first-word fall-through from registers. With two or more slots ready depends
// on the state alone; with one it also rises when the token leaves.
type fifo struct {
	node
	q      queue
	tagged bool
	tags   ring[uint16] // beside q on tagged channels
}

func newFIFO(n node, depth int) *fifo {
	n.regFwd, n.regBwd = true, depth >= 2
	return &fifo{node: n, q: newQueue(depth)}
}

func newTaggedFIFO(n node, depth int) *fifo {
	f := newFIFO(n, depth)
	f.tagged, f.tags = true, newRing[uint16](depth)
	return f
}

func (f *fifo) forward(e *engine) {
	switch {
	case f.q.empty():
		e.driveTagged(f.out[0], false, 0, 0)
	case f.tagged:
		e.driveTagged(f.out[0], true, f.q.peek(), f.tags.peek())
	default:
		e.drive(f.out[0], true, f.q.peek())
	}
}

func (f *fifo) backward(e *engine) {
	e.accept(f.in[0], !f.q.full() || len(f.q.buf) == 1 && e.nets[f.out[0]].ready)
}

func (f *fifo) clock(e *engine) wake {
	in := e.moved(f.in[0].net)
	if e.moved(f.out[0]) {
		f.q.pop()
		if f.tagged {
			f.tags.pop()
		}
	}
	if in {
		f.q.push(e.val(f.in[0]))
		if f.tagged {
			f.tags.push(e.tag(f.in[0]))
		}
	}
	return dirty
}

func (f *fifo) idle() bool { return f.q.empty() }

func (f *fifo) needs(_ *engine, buf []wire) []wire {
	if f.q.empty() {
		buf = append(buf, f.in[0])
	}
	return buf
}

func init() {
	models[arch.FIFO] = model{declare: (*builder).declareFIFO, connect: (*builder).connectFIFO}
}

// declareFIFO makes a wire of a bypassed FIFO.
func (b *builder) declareFIFO(c *arch.Component, set *config.Setting) []feed {
	if set.Bypassed && c.FIFO.Bypassable {
		return []feed{{-1, 0, nil}}
	}
	return []feed{{b.newNet(), -1, nil}}
}

func (b *builder) connectFIFO(c *arch.Component, set *config.Setting) {
	f := b.feeds[c.ID][0]
	if f.net < 0 {
		return // bypassed
	}
	n := node{comp: c, what: "FIFO '" + c.Name + "'", in: []wire{b.input(c, 0)}, out: []int32{f.net}}
	if c.In[0].TagWidth > 0 {
		b.add(newTaggedFIFO(n, c.FIFO.Depth))
	} else {
		b.add(newFIFO(n, c.FIFO.Depth))
	}
}
