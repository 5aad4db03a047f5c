package cycle

// queue is a ring of words that holds a fixed number of entries and never
// allocates after it was made.
type queue struct {
	buf   []uint64
	head  int
	count int
}

func newQueue(depth int) queue { return queue{buf: make([]uint64, depth)} }

func (q *queue) empty() bool  { return q.count == 0 }
func (q *queue) full() bool   { return q.count == len(q.buf) }
func (q *queue) peek() uint64 { return q.buf[q.head] }

func (q *queue) push(v uint64) {
	i := q.head + q.count
	if i >= len(q.buf) {
		i -= len(q.buf)
	}
	q.buf[i] = v
	q.count++
}

func (q *queue) pop() {
	q.head++
	if q.head == len(q.buf) {
		q.head = 0
	}
	q.count--
}

// fifo is loom_fifo, loom_stage (depth 1) and an unbypassed loom_fifo_bypass:
// first-word fall-through from registers. With two or more places ready depends
// on the state alone; with one it also rises when the token leaves.
type fifo struct {
	node
	q queue
}

func newFIFO(n node, depth int) *fifo {
	n.regFwd, n.regBwd = true, depth >= 2
	return &fifo{node: n, q: newQueue(depth)}
}

func (f *fifo) forward(e *engine) {
	if f.q.empty() {
		e.drive(f.out[0], false, 0)
	} else {
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
	}
	if in {
		f.q.push(e.val(f.in[0]))
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
