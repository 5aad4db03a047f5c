package randprog

import (
	"testing"

	"loom/compiler/interp"
	"loom/sim/vector"
)

func TestSmoke(t *testing.T) {
	hist := map[string]int{}
	var total, max int64
	for seed := range uint64(2000) {
		m := Generate(seed, Options{})
		p, err := interp.Compile(Function(m), interp.Options{MaxSteps: 1000000})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for k := range uint64(3) {
			out, err := p.Run(Inputs(m, k))
			if err != nil {
				t.Fatal(err)
			}
			if out.Status != vector.Done {
				t.Fatalf("seed %d: %v", seed, out.Detail)
			}
		}
		n := int64(Size(m))
		total += n
		if n > max {
			max = n
		}
		hist[Function(m).Name]++
	}
	t.Log(total/2000, max)
}
