package rtl

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"loom/internal/recorded"
	"loom/internal/tools/toolstest"
)

// areaRow is one line of the area table: a module, its parameters, and the
// best figures known from elsewhere (design page "RTL", "What good looks like").
type areaRow struct {
	title, module, params string
	anchor                string
	// maxLUT and maxFF are the limits a change must not exceed.
	maxLUT, maxFF int
}

var areaRows = []areaRow{
	{"two-slot elastic buffer", "loom_fifo", "-set DEPTH 2", "36/66", 38, 67},
	{"FIFO 8 x 32", "loom_fifo", "-set DEPTH 8", "9/11 + 6 RAM32M", 16, 11},
	{"FIFO 64 x 32", "loom_fifo", "-set DEPTH 64", "", 20, 15},
	{"FIFO 160 x 32, in block RAM", "loom_fifo", "-set DEPTH 160", "", 75, 75},
	{"eager fork to 2", "loom_fork", "-set N 2", "5/2", 6, 2},
	{"eager fork to 4", "loom_fork", "-set N 4", "11/4", 12, 4},
	{"join of 2, masked", "loom_join", "-set N 2", "2 (fixed)", 4, 0},
	{"join of 4, masked", "loom_join", "-set N 4", "2 (fixed)", 8, 0},
	{"mux of 2", "loom_mux", "-set N 2", "35", 37, 0},
	{"mux of 4", "loom_mux", "-set N 4 -set SEL_W 2", "37", 42, 0},
	{"conditional branch", "loom_cond_br", "", "3–4", 4, 0},
	{"carry", "loom_carry", "", "37/1", 39, 2},
	{"loop head", "loom_loop", "", "", 40, 1},
	{"accumulator, without its operation", "loom_accumulate", "", "", 40, 33},
	{"accumulator and choice of extremes, without their operation", "loom_accumulate_extreme", "", "", 40, 66},
	{"accumulator and sum in parts, without their operation", "loom_accumulate_parts", "", "", 95, 44},
	{"gate", "loom_gate", "", "37/1", 12, 3},
	{"invariant", "loom_invariant", "", "37/33", 38, 33},
	{"interlock, 16 stores, 10 bits compared", "loom_interlock", "", "", 215, 190},
	{"stream", "loom_stream", "", "129/101", 129, 101},
	{"counter", "loom_stream", "-set COUNTER 1", "129/101", 131, 101},
	{"operand selector, 6 inputs", "loom_operand_select", "-set N 6 -set SEL_W 3", "", 13, 0},
	{"result selector, 6 units to 6 outputs", "loom_result_select", "-set N_UNIT 6 -set N_OUT 6 -set SEL_W 3", "", 31, 0},
	{"static switch 5 x 5 x 32", "loom_switch", "", "543/55", 430, 10},
	{"static switch 12 x 12 x 32 of 100 routes, interior of a mesh", "loom_switch", "-set N_IN 12 -set N_OUT 12 -set ROUTE_BITS 52 -set CONNECT 144'b011111111111101111111111110111111111111011111111111100101010111100010101111110001010111101000101111110100010111101010001111110101000111101010100", "", 1460, 24},
	{"arbiter 4 x 32", "loom_arbiter", "", "83/7", 60, 3},
	{"temporal switch 5 x 5 x (32 + 4 tag), 4 slots", "loom_temporal_sw", "", "919/163", 1000, 45},
	{"temporal PE of 8 instructions and 4 constants, 3 + 3 inputs, without its arithmetic", "loom_temporal_pe", "-set N_OP 27 -set KIND 81'o617534420000000000000000000 -set BITS 408", "", 940, 620},
	{"tag table, 4 entries", "loom_map_tag", "", "", 60, 0},
	{"load unit", "loom_load", "", "", 4, 0},
	{"store unit", "loom_store", "", "", 12, 2},
	{"load lane, 8 slots", "loom_load_lane", "", "", 60, 28},
	{"load lane, 160 slots", "loom_load_lane", "-set DEPTH 160", "", 130, 115},
	{"store lane, 160 stores", "loom_store_lane", "-set LSQ_DEPTH 160 -set PLACES 160", "", 50, 20},
	{"store lane, 4 stores, 8 slots", "loom_store_lane", "", "", 32, 10},
	{"divider, signed", "loom_divrem", "", "", 260, 110},
	{"memory 1024 x 32, 1 + 1 ports", "loom_memory", "", "153/68 + RAMB36 (without regions, errors)", 170, 68},
	{"memory 1024 x 32, 2 + 2 ports", "loom_memory_tagged", "", "232/102 + RAMB36 (without regions, errors)", 210, 102},
	{"memory 1024 x 32, 8 + 8 ports, 4 regions", "loom_memory_tagged", "-set TW 4 -set LD_COUNT 8 -set ST_COUNT 8 -set NUM_REGION 4", "", 660, 270},
	{"external memory, 1 + 1 ports", "loom_extmemory", "", "342/217 (with AXI4)", 342, 217},
	{"external memory, 2 + 2 ports", "loom_extmemory_tagged", "", "342/217 (1 + 1 with AXI4)", 342, 120},
	{"external memory, 1 + 1 ports, 64 in flight", "loom_extmemory", "-set OUTSTANDING 64", "", 342, 217},
	{"external memory, 1 + 1 ports, 160 in flight", "loom_extmemory", "-set OUTSTANDING 160", "", 342, 217},
	{"external memory, 2 + 2 ports, 160 in flight", "loom_extmemory_tagged", "-set OUTSTANDING 160", "", 460, 240},
	{"external memory, 1 + 1 ports, bounds", "loom_extmemory", "-set BOUNDS 1", "", 375, 217},
	{"external memory, 2 + 2 ports, bounds", "loom_extmemory_tagged", "-set BOUNDS 1", "", 500, 120},
	{"external memory, 2 + 2 ports, 4 regions", "loom_extmemory_tagged", "-set NUM_REGION 4", "", 510, 120},
	{"external memory, 2 + 2 ports, 4 regions, bounds", "loom_extmemory_tagged", "-set NUM_REGION 4 -set BOUNDS 1", "", 815, 140},
	{"read cache, 64 elements", "loom_read_cache", "-set ELEMENTS 64", "", 380, 395},
	{"read cache, 256 elements", "loom_read_cache", "-set ELEMENTS 256", "", 470, 385},
	{"read cache, 1024 elements, 2 + 2 ports, 4 regions, 160 in flight", "loom_read_cache", "-set ELEMENTS 1024 -set TW 2 -set NUM_REGION 4 -set OUTSTANDING 160", "", 665, 515},
	{"read cache, 4096 elements", "loom_read_cache", "-set ELEMENTS 4096", "", 940, 505},
	{"AXI4 master, 32-bit addresses", "loom_axi_master", "-set BUS_AW 32", "342/217 (with the external memory)", 60, 108},
	{"AXI4 master, 64-bit bus, 8 tags", "loom_axi_master", "-set BUS_AW 32 -set BUS_DW 64 -set TW 3", "", 150, 195},
	{"AXI4 master, 64-bit bus, 8 tags, 160 in flight", "loom_axi_master", "-set BUS_AW 32 -set BUS_DW 64 -set TW 3 -set OUTSTANDING 160", "", 360, 260},
	{"AXI4 master, 32-bit addresses, bursts of 16", "loom_axi_master", "-set BUS_AW 32 -set BURST 16", "", 350, 410},
	{"AXI4 master, 64-bit addresses, 160 in flight", "loom_axi_master", "-set BUS_AW 64 -set OUTSTANDING 160", "", 95, 185},
	{"AXI4 master, 64-bit addresses, 160 in flight, bursts of 16", "loom_axi_master", "-set BUS_AW 64 -set OUTSTANDING 160 -set BURST 16", "", 610, 700},
	{"external memory at a shared AXI4 master, single beats, 160 in flight", "loom_axi_port", "-set BUS_DW 32 -set BURST 1 -set WIDE 0 -set OUTSTANDING 160", "", 95, 185},
	{"external memory at a shared AXI4 master, 64 bits, bursts of 16, 160 in flight", "loom_axi_port", "-set BUS_DW 64 -set OUTSTANDING 160", "", 800, 900},
	{"external memory at a shared AXI4 master, 128 bits, bursts of 16, 160 in flight", "loom_axi_port", "-set OUTSTANDING 160", "", 940, 1035},
	{"external memory at a shared AXI4 master, 128 bits, bursts of 16", "loom_axi_port", "", "", 660, 830},
	{"AXI4 bus of 6 external memories, single beats", "loom_axi_bus", "-set LD 6 -set ST 6 -set IDW 3", "", 950, 192},
	{"AXI4 bus of 6 external memories, 64 bits, bursts of 16", "loom_axi_bus", "-set LD 6 -set ST 6 -set IDW 3 -set BUS_DW 64 -set BURST 16", "", 1250, 95},
	{"AXI4 bus of 6 external memories, 128 bits, bursts of 16", "loom_axi_bus", "-set LD 6 -set ST 6 -set IDW 3 -set BUS_DW 128 -set BURST 16", "", 1260, 95},
	{"AXI4 load of a direct circuit", "loom_axi_load", "", "", 110, 92},
	{"AXI4 load of a direct circuit, bursts of 16, 160 in flight", "loom_axi_load", "-set BURST 16 -set OUTSTANDING 160", "", 400, 385},
	{"AXI4 load of a direct circuit, bursts of 16 on 128 bits, 160 in flight", "loom_axi_load", "-set BURST 16 -set OUTSTANDING 160 -set BUS_DW 128 -set WIDE 1", "", 640, 575},
	{"AXI4 load of a direct circuit, bounds", "loom_axi_load", "-set BOUNDS 1", "", 200, 92},
	{"read cache of 256 elements for 5 AXI4 loads of a direct circuit", "loom_axi_cache", "-set N 5", "", 670, 350},
	{"read cache of 256 elements for 5 AXI4 loads of a direct circuit, bursts of 16, 160 in flight", "loom_axi_cache", "-set N 5 -set BURST 16 -set OUTSTANDING 160", "", 895, 680},
	{"AXI4 store of a direct circuit, bounds", "loom_axi_store", "-set BOUNDS 1", "", 220, 152},
	{"AXI4 store of a direct circuit", "loom_axi_store", "", "", 137, 152},
	{"AXI4 store of a direct circuit, bursts of 16, 160 in flight", "loom_axi_store", "-set BURST 16 -set OUTSTANDING 160", "", 430, 460},
	{"AXI4 store of a direct circuit, bursts of 16 on 128 bits, 160 in flight", "loom_axi_store", "-set BURST 16 -set OUTSTANDING 160 -set BUS_DW 128 -set WIDE 1", "", 585, 600},
	{"AXI4 bus of a direct circuit, 2 loads, 1 store", "loom_axi_bus", "-set LD 2", "", 84, 176},
	{"AXI4 bus of a direct circuit, 2 loads, 1 store, bursts of 16", "loom_axi_bus", "-set LD 2 -set BURST 16", "", 83, 75},
	{"adder, comparison, logic, casts and shifter with a register of a PE", "loom_alu", "-set SHIFT 0", "", 345, 36},
	{"multiplier 32 x 32", "loom_op_muli", "", "", 10, 0},
	{"comparison of binary32", "loom_op_cmpf", "", "412 (HardFloat), 38 (FloPoCo); combinational", 58, 0},
	{"comparison of binary64", "loom_op_cmpf", "-set EXP 11 -set FRAC 52", "855 (HardFloat)", 92, 0},
	{"minimum and maximum of binary32", "loom_float_minmax", "", "", 74, 32},
	{"minimum and maximum of binary64", "loom_float_minmax", "-set EXP 11 -set FRAC 52", "", 340, 64},
	{"rounding of binary32 to integral values", "loom_float_round", "", "", 130, 81},
	{"rounding of binary64 to integral values", "loom_float_round", "-set EXP 11 -set FRAC 52", "", 260, 147},
	{"32-bit integer to binary32", "loom_float_from_int", "", "463 (HardFloat)", 148, 68},
	{"64-bit integer to binary64, three registers", "loom_float_from_int", "-set W_IN 64 -set EXP 11 -set FRAC 52 -set LATENCY 3", "", 330, 200},
	{"binary32 to 32-bit integer", "loom_float_to_int", "", "435 (HardFloat)", 122, 68},
	{"binary64 to 64-bit integer", "loom_float_to_int", "-set W_OUT 64 -set EXP 11 -set FRAC 52", "", 275, 132},
	{"binary64 to binary32, one register", "loom_float_resize", "", "", 150, 32},
	{"binary32 to binary64, two registers", "loom_float_resize", "-set EXP_IN 8 -set FRAC_IN 23 -set EXP_OUT 11 -set FRAC_OUT 52 -set LATENCY 2", "", 115, 71},
	{"multiplier 32 x 32, pipelined", "loom_mul", "", "", 8, 2},
	{"floating-point addition, binary32, 3 registers", "loom_float_add", "-set LATENCY 3", "", 470, 145},
	{"floating-point addition, binary32, 4 registers", "loom_float_add", "-set LATENCY 4", "1035 (HardFloat), 1319 (FPnew), 382 (FloPoCo, 6 registers, no subnormals)", 350, 186},
	{"floating-point addition, binary64, 4 registers", "loom_float_add", "-set LATENCY 4 -set EXP 11 -set FRAC 52", "2312 (HardFloat)", 800, 345},
	{"floating-point multiplication, binary32, 3 registers", "loom_float_mul", "-set LATENCY 3", "657, 2 DSP (HardFloat), 1023, 2 DSP (FPnew), 542, 1 DSP (FloPoCo, 2 registers)", 340, 100},
	{"floating-point multiplication, binary32, 5 registers", "loom_float_mul", "-set LATENCY 5", "", 300, 225},
	{"floating-point multiplication, binary64, 4 registers", "loom_float_mul", "-set LATENCY 4 -set EXP 11 -set FRAC 52", "1908, 12 DSP (HardFloat)", 680, 440},
	{"floating-point multiply-add, binary32, 6 registers", "loom_float_fma", "-set LATENCY 6", "1987, 2 DSP (HardFloat), 1465, 2 DSP (FPnew)", 710, 375},
	{"floating-point multiply-add, binary64, 8 registers", "loom_float_fma", "-set LATENCY 8 -set EXP 11 -set FRAC 52", "5075, 12 DSP (HardFloat)", 1580, 1095},
	{"division and square root, binary32", "loom_float_divsqrt", "", "998 (HardFloat)", 470, 225},
	{"division, binary32", "loom_float_divsqrt", "-set ROOT 0", "831, 26 cycles (HardFloat), 761, 9 registers (FloPoCo); 19 cycles", 370, 210},
	{"square root, binary32", "loom_float_divsqrt", "-set DIVIDE 0", "", 375, 190},
	{"division and square root, binary64", "loom_float_divsqrt", "-set EXP 11 -set FRAC 52", "2048 (HardFloat)", 960, 430},
	{"division, binary64", "loom_float_divsqrt", "-set EXP 11 -set FRAC 52 -set ROOT 0", "2242, 55 cycles (HardFloat); 34 cycles", 700, 400},
	{"turns of 4 PEs at a divider of binary32: requests and slots", "loom_share", "-set N 4 -set IN_W 66 -set OUT_W 32 -set CREDITS 32'h03030303 -set BYPASS 0", "", 160, 50},
	{"division and square root, binary32, pipelined, 17 registers", "loom_float_divsqrt_piped", "", "", 1200, 1240},
	{"division, binary32, pipelined, 17 registers", "loom_float_divsqrt_piped", "-set ROOT 0", "761, 9 registers (FloPoCo, no subnormals)", 1110, 1230},
	{"square root, binary32, pipelined, 17 registers", "loom_float_divsqrt_piped", "-set DIVIDE 0", "", 580, 790},
	{"division and square root, binary64, pipelined, 33 registers", "loom_float_divsqrt_piped", "-set EXP 11 -set FRAC 52 -set LATENCY 33", "", 4540, 4970},
	{"division, binary64, pipelined, 33 registers", "loom_float_divsqrt_piped", "-set EXP 11 -set FRAC 52 -set LATENCY 33 -set ROOT 0", "", 4300, 4960},
	{"remainder, binary32", "loom_float_rem", "", "3 to 303 cycles", 190, 75},
	{"remainder, binary64", "loom_float_rem", "-set EXP 11 -set FRAC 52", "3 to 2153 cycles", 310, 140},
	{"exp, log2, sin and cos, binary32", "loom_float_function", "", "", 660, 355},
	{"exp, log2, sin and cos, binary64", "loom_float_function", "-set EXP 11 -set FRAC 52", "", 1170, 605},
	{"exp, binary32", "loom_float_function", "-set HAS_LOG2 0 -set HAS_SIN 0 -set HAS_COS 0", "", 520, 390},
}

var cellLine = regexp.MustCompile(`(?m)^\s+(\S+)\s+(\d+)$`)

// areaHead is the text above the rows of AREA.md.
const areaHead = "# Area\n\nYosys 0.23, `synth_xilinx -flatten -noiopad`, 32-bit data. The anchors are those of the design page on\n" +
	"RTL, at our throughput. Written by `LOOM_UPDATE=1 make area`.\n\n| module | LUT/FF | other cells | best anchor |\n|---|---|---|---|\n"

// areaMeasured lists the rows that were measured and the sources that they were measured of.
var areaMeasured = recorded.In("testdata/measured.txt")

// TestArea measures every row with Yosys synth_xilinx and compares it with its
// limit; -update writes what was measured to AREA.md (with -run TestArea/title only
// that row). All rows take ten minutes and more: the default run measures two, LOOM_AREA=all (make area) those whose
// sources have changed since, the soak campaign all.
func TestArea(t *testing.T) {
	toolstest.Need(t, "yosys")
	dir := t.TempDir()
	sources(t, dir, "", "", "")
	old, err := os.ReadFile("AREA.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for line := range strings.Lines(string(old)) {
		if title, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | "); ok {
			lines[title] = line
		}
	}
	for i, row := range areaRows {
		t.Run(row.title, func(t *testing.T) {
			if !soak() && !*update && os.Getenv("LOOM_AREA") == "" && i != 0 && i != 9 {
				t.Skip("make area measures all rows")
			}
			hash := row.hash(t)
			if os.Getenv("LOOM_AREA") != "" && lines[row.title] != "" && areaMeasured.Has(t, row.title, hash) {
				t.Skip("its sources are those that were measured")
			}
			line := row.measure(t, dir)
			if !*update && line != lines[row.title] {
				t.Errorf("AREA.md has\n%smeasured is\n%sLOOM_UPDATE=1 make area writes it", lines[row.title], line)
			}
			if lines[row.title] = line; !t.Failed() {
				areaMeasured.Add(t, row.title, hash)
			}
		})
	}
	if *update {
		text := areaHead
		for _, row := range areaRows {
			text += lines[row.title]
		}
		if err := os.WriteFile("AREA.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// script is what Yosys does to measure a row of these files.
func (row areaRow) script(files []string) string {
	chparam := ""
	if row.params != "" {
		chparam = fmt.Sprintf("chparam %s %s; ", row.params, row.module)
	}
	return fmt.Sprintf("read_verilog -sv %s; %ssynth_xilinx -flatten -noiopad -top %s; check -assert; tee -o stat.txt stat",
		strings.Join(files, " "), chparam, row.module)
}

// hash is that of all that a row depends on.
func (row areaRow) hash(t *testing.T) string {
	t.Helper()
	files, err := Closure(row.module)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{recorded.Version(t, "yosys", "-V"), row.script(files)}
	for _, name := range files {
		text, err := os.ReadFile(name) // what they include is for proofs
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, recorded.Code(string(text)))
	}
	return recorded.Text(texts...)
}

// measure synthesises a row, checks its limits and returns its line of the table.
func (row areaRow) measure(t *testing.T, dir string) string {
	t.Helper()
	files, err := Closure(row.module)
	if err != nil {
		t.Fatal(err)
	}
	out, err := run(t, dir, 5*time.Minute, "yosys", "-p", row.script(files))
	if err != nil {
		t.Fatalf("%s: %v\n%s", row.title, err, tail(out))
	}
	stat, err := os.ReadFile(dir + "/stat.txt")
	if err != nil {
		t.Fatal(err)
	}
	luts, ffs := 0, 0
	var other []string
	for _, m := range cellLine.FindAllStringSubmatch(string(stat), -1) {
		n, _ := strconv.Atoi(m[2])
		switch {
		case strings.HasPrefix(m[1], "LUT"):
			luts += n
		case strings.HasPrefix(m[1], "FD"):
			ffs += n
		case strings.HasPrefix(m[1], "LD"):
			t.Errorf("%s: a latch", row.title)
		case strings.HasPrefix(m[1], "RAM"), strings.HasPrefix(m[1], "DSP"), strings.HasPrefix(m[1], "CARRY"):
			other = append(other, fmt.Sprintf("%d %s", n, m[1]))
		}
	}
	t.Logf("%s: %d LUT, %d FF %v (best %s)", row.title, luts, ffs, other, row.anchor)
	if luts > row.maxLUT || ffs > row.maxFF {
		t.Errorf("%s: %d/%d, the limit is %d/%d", row.title, luts, ffs, row.maxLUT, row.maxFF)
	}
	if strings.HasPrefix(row.module, "loom_memory") && !strings.Contains(strings.Join(other, " "), "1 RAMB36E1") {
		t.Errorf("%s: no block RAM: %v", row.title, other)
	}
	return fmt.Sprintf("| %s | %d/%d | %s | %s |\n", row.title, luts, ffs, strings.Join(other, ", "), row.anchor)
}
