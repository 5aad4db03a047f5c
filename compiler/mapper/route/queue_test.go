package route

import (
	"math/rand/v2"
	"testing"
)

// TestQueue: items leave the queue in their order, also while others come.
func TestQueue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var q queue
		held := map[item]bool{}
		take := func() {
			x := q.pop()
			if !held[x] {
				t.Fatalf("%v is not in the queue, or twice", x)
			}
			delete(held, x)
			for other := range held {
				if other < x {
					t.Fatalf("%v leaves before %v", x, other)
				}
			}
		}
		for n := range 40 {
			x := item(r.IntN(20))<<8 | item(n)
			q.push(x)
			held[x] = true
			if r.IntN(3) == 0 {
				take()
			}
		}
		for len(q) > 0 {
			take()
		}
		if len(held) > 0 {
			t.Fatalf("%d items did not leave", len(held))
		}
	}
}
