package route

import (
	"math/rand/v2"
	"slices"
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

// TestItem: items have the order of their prices, then of what is left, then of their tracks; what does not fit is the largest that does, and
// takes nothing from its neighbours in the number.
func TestItem(t *testing.T) {
	r := &router{bits: 10}
	const beyond = int64(1) << 60
	items := []item{
		r.item(64, 0, 1023), r.item(64, 1, 0), r.item(64, 1, 1), r.item(65, 0, 0), r.item(1<<40, 62, 7),
		r.item(beyond, 1, 3), r.item(beyond, 1<<20, 3), r.item(beyond, 1<<20, 4),
	}
	if !slices.IsSorted(items) || len(slices.Compact(slices.Clone(items))) != len(items) {
		t.Errorf("%x is not in order", items)
	}
	if a, b := r.item(beyond, 100, 5), r.item(2*beyond, 1<<20, 5); a != b || a&1023 != 5 {
		t.Errorf("beyond the largest: %x and %x", a, b)
	}
}
