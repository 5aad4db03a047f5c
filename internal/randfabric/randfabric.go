// Package randfabric makes random architectures for the tests of every stage: shape,
// topology, tracks, FIFOs, memories, boundary and the mix of PEs are drawn, the PE templates
// are those of a shipped fabric, so that kernels find the units that they need. Of fabrics with
// floating point the units of floats, their latencies and the PEs that they share are drawn, too
// (floats.go).
package randfabric

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/arch/shipped"
)

// Options bound the shape.
type Options struct {
	// MinPEs and MaxPEs bound the number of PEs; 0 means 36 and 72.
	MinPEs, MaxPEs int
	// Floats adds PEs of floating point: of f32 on a fabric of 32 bits, of f64 and some of f32 on
	// one of 64.
	Floats bool
}

// templates are the shipped fabrics that the PEs of integers are taken from, by the width of words.
var templates = map[int]string{32: "mesh6x6", 64: "wide6x6"}

// Text is the architecture of a seed, as an architecture file. The same seed and options give
// the same text.
func Text(seed uint64, o Options) string {
	if o.MaxPEs == 0 {
		o.MinPEs, o.MaxPEs = 36, 72
	}
	r := rand.New(rand.NewPCG(seed, 0xfab))
	pick := func(values ...int) int { return values[r.IntN(len(values))] }
	rows, cols := 0, 0
	for n := 0; n < o.MinPEs || n > o.MaxPEs; n = rows * cols {
		rows, cols = 2+r.IntN(9), 2+r.IntN(9)
	}
	width, floats := 32, &floatUnits{}
	if o.Floats {
		floats = drawFloats(seed)
		width = floats.width
	}
	b := &strings.Builder{}
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	line("name: random%d\nwidth: %d\n", seed, width)
	line("topology:")
	line("  kind: %s", []string{"mesh", "mesh", "torus", "mesh_io_ring"}[r.IntN(4)])
	line("  rows: %d\n  columns: %d\n  tracks: %d", rows, cols, pick(1, 1, 2, 3))
	// Without tokens on a network of their own, PEs of tokens alone have no ports.
	tokens := r.IntN(4) > 0
	if tokens {
		line("  token_tracks: %d\n  token_link_fifo: %d", pick(1, 1, 2), pick(2, 3, 4))
	}
	line("  link_fifo: %d\n  input_fifo: %d", pick(2, 2, 3), pick(2, 4, 8, 32))
	// Half of the fabrics leave out ports and have their queues in the PEs, as shipped ones do.
	if r.IntN(2) == 0 {
		line("  pe_inputs: %d\n  pe_outputs: %d", pick(3, 3, 4), pick(2, 3, 4))
		if tokens {
			line("  pe_token_inputs: %d\n  pe_token_outputs: %d", pick(3, 4), pick(2, 3))
		}
		line("  fan_in: %d\n  operand_fifo: %d\n  result_fifo: %d", pick(0, 4, 5), pick(0, 2, 16, 32), pick(0, 2, 4))
	}
	// A third has its load and store units at the memories; drawn apart, so that the rest stays that of the seed.
	atMemories := rand.New(rand.NewPCG(seed, 0xacce55)).IntN(3) == 0
	if atMemories {
		line("  access_units: true")
	}
	line("\nboundary:\n  inputs: %d\n  outputs: %d", 8+r.IntN(4), 3+r.IntN(3))
	// Half of them have read caches, drawn apart, too.
	cache := func(own *rand.Rand) string {
		if own.IntN(2) == 0 {
			return ""
		}
		return fmt.Sprintf(", cache: %d", 64<<own.IntN(3))
	}
	caches := rand.New(rand.NewPCG(seed, 0xcac4e))
	// Half of them have bursts, and two thirds of these memories that share a master, some of them two; drawn apart, too.
	buses := rand.New(rand.NewPCG(seed, 0xb05e5))
	bursts, shared := buses.IntN(2) == 0, buses.IntN(3) > 0
	bus := func() (keys string) {
		if !bursts {
			return ""
		}
		if n := 1 << buses.IntN(6); n > 1 {
			keys = fmt.Sprintf(", burst: %d", n)
		}
		if shared && buses.IntN(5) > 0 {
			keys += fmt.Sprintf(", axi_master: ddr%d", buses.IntN(5)/4)
			if n := buses.IntN(3); n > 0 {
				keys += fmt.Sprintf(", axi_data_width: %d", 32<<n)
			}
		}
		return keys
	}
	line("\nextmemories:")
	line("  - {count: %d, element: i%d, lsq_depth: %d%s%s}", 2+r.IntN(4), width, pick(2, 4, 8), cache(caches), bus())
	if width > 32 {
		line("  - {count: 2, element: i32, lsq_depth: 4%s}", bus())
	}
	if r.IntN(2) == 0 {
		n := 2 + r.IntN(5)
		line("  - {count: %d, element: i%d, loads: %d, stores: %d, regions: %d, lsq_depth: %d, lane_depth: %d%s%s}",
			1+r.IntN(2), width, n, 1+r.IntN(n), pick(1, 2, 4), pick(2, 4, 8), pick(2, 8, 16), cache(caches), bus())
	}
	line("\nmemories:")
	line("  - {count: %d, element: i%d, elements: %d, lsq_depth: %d}", 1+r.IntN(2), width, pick(64, 256), pick(1, 4))
	if r.IntN(2) == 0 {
		line("  - {count: 1, element: i32, elements: 256, loads: %d, stores: %d, regions: %d, lsq_depth: 4, private: false}", 2+r.IntN(3), 1+r.IntN(3), pick(2, 3))
	}
	shippedText, _ := shipped.Text(templates[width])
	_, rest, _ := strings.Cut(shippedText, "\nfunction_units:\n")
	units, _, _ := strings.Cut(rest, "\npattern:\n")
	if o.Floats {
		groups, pes, _ := strings.Cut(units, "\npes:\n")
		groups, _, _ = strings.Cut(groups, "\n\n# PE templates")
		pes, _, _ = strings.Cut(pes, "\n\n#")
		units = fmt.Sprintf("%s\n%s\npes:\n%s\n%s", groups, floats.groups, pes, floats.pes)
	}
	// In some the dividers are those of several PEs; drawn apart, so that the rest stays that of the seed.
	if own := rand.New(rand.NewPCG(seed, 0x5a4e)); own.IntN(3) == 0 {
		div := "  " + template(units, "dic", "div") + ": {"
		units = strings.Replace(units, div, fmt.Sprintf("%sshare: %d, ", div, 2+own.IntN(3)), 1)
	}
	// Half have accumulators of extremes with the rest of their arithmetic; drawn apart, too.
	if rand.New(rand.NewPCG(seed, 0xe87e)).IntN(2) == 0 {
		units = strings.Replace(units, "  alu: {units: [", fmt.Sprintf("  alu: {units: [{accumulate: {ops: [maxsi, minsi, maxui, minui], type: i%d, yields: present}}, ", width), 1)
	}
	// The shipped fabrics have their loads and stores at the memories.
	accesses := fmt.Sprintf(", {load: i%d}, {store: i%d}", width, width)
	if atMemories {
		accesses = ""
	}
	units = strings.Replace(units, "\npes:\n", fmt.Sprintf("\npes:\n  mem: {units: [steer%s], immediates: [0, 1]}\n", accesses), 1)
	// A third has temporal PEs in place of others; drawn apart, too.
	temporal := rand.New(rand.NewPCG(seed, 0x7e3b))
	has := temporal.IntN(3) == 0
	if has {
		units = strings.Replace(units, "\npes:\n", "\npes:\n"+temporalTemplate(temporal, width, tokens), 1)
	}
	line("\nfunction_units:\n%s\n\npattern:", units)
	// Of every template in use some; kernels need most memory, arithmetic and streams.
	mix := []string{"mem", "mem", "mem", "alu", "alu", "alu", "str", "str", template(units, "muc", "mul"), template(units, "dic", "div")}
	if tokens {
		mix = append(mix, "tok", "tok", "tok")
	}
	// A third of the PEs with floats: a kernel needs more of the others.
	for k := range len(floats.names) * 2 {
		mix = append(mix, floats.names[k%len(floats.names)])
	}
	cells := make([]string, rows*cols)
	for i := range cells {
		cells[i] = mix[i%len(mix)]
	}
	r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	if has {
		for range 2 + temporal.IntN(rows*cols/3) {
			if i := temporal.IntN(len(cells)); slices.Contains([]string{"alu", "tok", "mem"}, cells[i]) {
				cells[i] = "tmp"
			}
		}
	}
	for row := range slices.Chunk(cells, cols) {
		line("  - [%s]", strings.Join(row, ", "))
	}
	return b.String()
}

// temporalTemplate is a template of temporal PEs with some of what they can do, "tmp".
func temporalTemplate(r *rand.Rand, width int, tokens bool) string {
	words := []string{"addi", "subi", "cmpi", "select", "andi", "ori", "xori", "shli", "shrsi", "shrui", "minsi", "maxsi", "minui", "maxui"}
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	units := []string{"steer", fmt.Sprintf("{addi: i%d}", width), fmt.Sprintf("{cmpi: i%d}", width), fmt.Sprintf("{mux: i%d}", width), "{join: 3}"}
	for _, w := range words[:r.IntN(len(words)+1)] {
		if late := strings.HasPrefix(w, "sh") || strings.HasPrefix(w, "m"); late && r.IntN(2) == 0 {
			units = append(units, fmt.Sprintf("{%s: {type: i%d, latency: 1}}", w, width))
			continue
		}
		units = append(units, fmt.Sprintf("{%s: i%d}", w, width))
	}
	if r.IntN(2) == 0 {
		units = append(units, fmt.Sprintf("{extui: [i1 -> i%d, i8 -> i%d]}", width, width), fmt.Sprintf("{trunci: i%d -> i8}", width))
	}
	ports := ""
	if r.IntN(2) == 0 {
		ports = fmt.Sprintf(", ports: {inputs: %d, outputs: %d", 2+r.IntN(3), 2+r.IntN(3))
		if tokens {
			ports += fmt.Sprintf(", token_inputs: %d, token_outputs: %d", 2+r.IntN(3), 2+r.IntN(3))
		}
		ports += "}"
	}
	return fmt.Sprintf("  tmp: {units: [%s], instructions: %d, constants: %d%s}\n", strings.Join(units, ", "), 2<<r.IntN(4), r.IntN(9), ports)
}

// template is the first of some PE templates that there is.
func template(text string, names ...string) string {
	for _, name := range names {
		if strings.Contains(text, "\n  "+name+": {") {
			return name
		}
	}
	panic(fmt.Sprintf("randfabric: no PE template %s", strings.Join(names, " or ")))
}

// Fabric builds the architecture of a seed.
func Fabric(seed uint64, o Options) (*arch.Fabric, error) {
	m, err := build.Build(fmt.Sprintf("random%d.yaml", seed), []byte(Text(seed, o)))
	if err != nil {
		return nil, err
	}
	return arch.FromModule(m, "")
}
