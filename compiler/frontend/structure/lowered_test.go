package structure

import (
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/pass"
	"loom/internal/soak"
	"loom/sim/token"
	"loom/sim/vector"
)

// lowered runs the branches of a program in the interpreter and the graph of its
// structured form as tokens; "" if they agree, ran is how many inputs ended.
func lowered(t testing.TB, text string, inputs func(sig *vector.Signature) []*vector.Inputs) (ran int, fault string) {
	want, got := parse(t, text), parse(t, text)
	if err := Run(got, &diag.List{}, pass.Options{Verify: true}); err != nil {
		return 0, ""
	}
	sig, err := vector.SignatureOf(theFunction(want))
	if err != nil {
		t.Fatal(err)
	}
	low, err := lower.Lower(got, lower.Options{IndexWidth: 32, MemoryOrder: "pipelined"})
	if err != nil {
		return 0, diag.Render(diag.FromError(err), nil)
	}
	for k, in := range inputs(sig) {
		a, err := interp.Run(theFunction(want), in, interp.Options{IndexWidth: 32, MaxSteps: 3000})
		if err != nil {
			return 0, err.Error()
		}
		if a.Status != vector.Done {
			continue
		}
		ran++
		b, err := token.Run(low.Func, in, token.Options{IndexWidth: 32, MaxSteps: 2_000_000, Capacity: k % 3, Seed: uint64(k)})
		if err != nil {
			return 0, err.Error()
		}
		if d := vector.Diff(a, b); len(d) > 0 {
			return 0, strings.Join(append(d, b.Detail...), "\n") + "\n" + mlir.Print(got, mlir.Options{})
		}
	}
	return ran, ""
}

// TestGraphsLowered: what becomes of random control flow is a dataflow graph that
// computes the same.
func TestGraphsLowered(t *testing.T) {
	ran := 0
	for i := range uint64(soak.Scale(60, 3000)) {
		c := randomCFG(rand.New(rand.NewPCG(i, 6)), 8)
		n, fault := lowered(t, c.text(), func(sig *vector.Signature) (out []*vector.Inputs) {
			for k := range uint64(3) {
				in, err := vector.Random(sig, i+k, 8, 32)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, in)
			}
			return out
		})
		if fault != "" {
			t.Fatalf("graph %d: %s\n%s", i, fault, c.text())
		}
		ran += n
	}
	if ran < 60 {
		t.Errorf("only %d runs ended", ran)
	}
}

// TestLoopsLowered: the same for loops that count, with every test and step.
func TestLoopsLowered(t *testing.T) {
	ran := 0
	for i := range uint64(soak.Scale(150, 5000)) {
		rng := rand.New(rand.NewPCG(i, 8))
		width := []int{8, 16, 32}[rng.IntN(3)]
		l := randomLoop(rng, width)
		n, fault := lowered(t, l.text(), func(*vector.Signature) (out []*vector.Inputs) {
			for _, p := range inputsOf(rng, width)[:8] {
				if !l.defined(p[0], p[1]) {
					continue
				}
				out = append(out, &vector.Inputs{Args: []vector.Arg{{Scalar: p[0]}, {Scalar: p[1]}}})
			}
			return out
		})
		if fault != "" {
			t.Fatalf("loop %d: %s\n%s", i, fault, l.text())
		}
		ran += n
	}
	if ran < 150 {
		t.Errorf("only %d runs ended", ran)
	}
}
