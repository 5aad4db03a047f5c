package mapper_test

import (
	"fmt"
	"testing"

	"loom/compiler/mapper"
	"loom/compiler/mapper/fabtest"
)

func mesh(n, mems int) fabtest.Options {
	return fabtest.Options{Rows: n, Cols: n, Memories: mems, Ins: 6, Outs: 4}
}

func TestScale(t *testing.T) {
	f := fabtest.Mesh(mesh(6, 2))
	res, err := mapper.Map(fabtest.Scale(), f, mapper.Options{Progress: func(s string) { t.Log(s) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range res.Mapping.Timing.Loops {
		t.Logf("%+v", l)
	}
	t.Logf("%+v", res.Mapping.Utilization)
}

func TestRandom(t *testing.T) {
	for _, c := range []struct{ n, mesh int }{{10, 4}, {20, 5}, {30, 6}, {31, 6}, {60, 8}, {60, 9}, {80, 10}, {80, 12}, {100, 12}, {128, 12}} {
		for seed := range 3 {
			fn := fabtest.Random(c.n, uint64(seed))
			t.Run(fmt.Sprintf("%d/%d/%d", c.n, c.mesh, seed), func(t *testing.T) {
				f := fabtest.Mesh(mesh(c.mesh, 0))
				res, err := mapper.Map(fn, f, mapper.Options{Progress: func(s string) { t.Log(s) }})
				if err != nil {
					t.Fatal(err)
				}
				u := res.Mapping.Utilization
				t.Logf("%+v hops %d wire %d", u.PEs, u.RegisterHops, u.WireLength)
			})
		}
	}
}
