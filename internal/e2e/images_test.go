package e2e

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"loom/compiler/config"
	"loom/internal/soak"
)

// randomImage is a configuration that no mapping has: bits of a good image flipped, or
// every bit drawn. What no image can hold (an opcode or a port that is not there, bits
// outside of every field) is drawn again. nil means that it came to nothing.
func randomImage(r *rand.Rand, good *config.Image) *config.Image {
	l := good.Layout
	words := good.Encode()
	flips, density := 1+r.IntN(12), []float64{0.1, 0.3, 0.5}[r.IntN(3)]
	all := r.IntN(2) == 0
	for i := range l.Slices {
		s := &l.Slices[i]
		slice := words[s.WordOffset : s.WordOffset+s.WordCount]
		before := append([]uint32(nil), slice...)
		for range 50 {
			copy(slice, before)
			for bit := range s.Bits {
				switch {
				case all:
					config.PutBits(slice, bit, 1, map[bool]uint64{true: 1}[r.Float64() < density])
				case r.IntN(l.WordCount*config.WordBits) < flips:
					config.PutBits(slice, bit, 1, 1^config.GetBits(slice, bit, 1))
				}
			}
			if _, err := config.Decode(l, words); err == nil {
				break
			}
			copy(slice, before)
		}
	}
	img, err := config.Decode(l, words)
	if err != nil {
		return nil
	}
	return img
}

// TestRandomImages drives random traffic under random configurations: simulator and RTL
// agree on every channel in every cycle and on the code, without a panic. The simulator
// refuses what closes a combinational loop or sends a token along two paths in a PE.
func TestRandomImages(t *testing.T) {
	f := textFabric(t, "codes.mlir")
	b := newBench(t, f, nil)
	codes := map[int]int{}
	refused, moved := 0, 0
	var recorded []*recording
	var seeds []uint64
	for seed := range uint64(soak.Scale(16, 400)) {
		r := rand.New(rand.NewPCG(seed, 29))
		s := newCodes(t, f, seed)
		s.cycles = 160
		s.stall = r.IntN(3) * 25
		s.testbench.StallPercent, s.testbench.StallSeed = s.stall, seed
		s.testbench.Latency.Min, s.testbench.Latency.Max, s.testbench.Latency.Seed = 1, 1+r.Int64N(20), seed
		for _, in := range f.Inputs {
			for k := range s.feed[in.Name] {
				if r.IntN(8) == 0 {
					s.feed[in.Name][k] = r.Uint64()
				}
			}
		}
		if s.img = randomImage(r, s.img); s.img == nil {
			t.Errorf("seed %d: no image", seed)
			continue
		}
		rec, err := s.try()
		if err != nil {
			refused++
			continue
		}
		codes[rec.code]++
		for _, tokens := range rec.out {
			moved += len(tokens)
		}
		recorded, seeds = append(recorded, rec), append(seeds, seed)
	}
	for k, d := range b.replay(t, recorded...) {
		if d != "" {
			t.Errorf("seed %d: %s", seeds[k], d)
		}
	}
	t.Logf("%d images refused, codes %v, %d tokens delivered", refused, codes, moved)
	if 2*refused > len(recorded) || len(codes) < 6 || moved < 20*len(recorded) {
		t.Errorf("%d images, %d refused, codes %v, %d tokens: too little happens", len(recorded), refused, fmt.Sprint(codes), moved)
	}
}
