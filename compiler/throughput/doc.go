// Package throughput predicts how many cycles the iterations of the loops of a mapped
// kernel are apart: the rate of the fabric as it is configured, with the places of every
// FIFO, pipeline and memory.
//
// The fabric is a timed marked graph. Every channel has two events per token: it is offered
// and it is taken. A rule of the cycle contract (rtl/README.md) is an edge between events:
// a FIFO offers a token in the cycle after it was taken (one cycle, no token), and of k
// places takes one in the cycle after the one k before it has left (one cycle, k tokens). The
// interval of a loop is the largest ratio of cycles to tokens over the cycles of the graph
// (package cycleratio): a recurrence, or the lack of places beside a slow path.
//
// Where a branch depends on data, or accesses compete for the port of a memory, there is no
// one figure. The least interval lets every multiplexer take its faster side; on the other
// sides of branches nothing waits. The largest lets every iteration wait for both sides. Both
// are sound, because a token that is there earlier never makes another one later: of a branch
// that is taken in some iterations, the k-th token meets at most what it meets if every
// iteration sent one.
//
// The rules are written down here once more, from the contract, and not taken from the cycle
// simulator: tests compare the two.
package throughput
