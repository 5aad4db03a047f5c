package rtl

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"loom/compiler/units"
	"loom/internal/recorded"
	"loom/internal/tools/toolstest"
)

// variant is a module with parameter values.
type variant struct {
	module string
	params []string // "W=1"
}

// variants is the parameter sweep: corner values of every parameter.
func variants() []variant {
	var out []variant
	add := func(module string, sets ...string) {
		for _, s := range sets {
			out = append(out, variant{module, strings.Fields(s)})
		}
	}
	add("loom_fifo", "W=32 DEPTH=2", "W=32 DEPTH=8", "W=1 DEPTH=1", "W=33 DEPTH=3", "W=8 DEPTH=4", "W=7 DEPTH=5", "W=4 DEPTH=64", "W=32 DEPTH=64", "W=9 DEPTH=100 HEAD=1", "W=8 DEPTH=128 RAM=1", "W=1 DEPTH=5 RAM=2", "W=2 DEPTH=3 HEAD=1", "W=3 DEPTH=4 HEAD=1", "W=9 DEPTH=20 HEAD=1", "W=32 DEPTH=32 HEAD=1", "W=1 DEPTH=8 HEAD=2", "W=2 DEPTH=3 HEAD=2", "W=32 DEPTH=32 HEAD=2")
	add("loom_fifo_bypass", "W=32 DEPTH=2", "W=1 DEPTH=1", "W=5 DEPTH=6")
	add("loom_stage", "W=32", "W=1")
	add("loom_loop_register", "W=32", "W=1")
	add("loom_stream_source", "W=32", "W=1", "W=64")
	add("loom_stream_sink", "W=32", "W=1", "W=64")
	add("loom_bram_load", "AW=32 MW=10 DW=32 LATENCY=1", "AW=4 MW=4 DW=1 LATENCY=1", "AW=32 MW=1 DW=64 LATENCY=3")
	add("loom_bram_store", "AW=32 MW=10 DW=32", "AW=4 MW=4 DW=1", "AW=32 MW=1 DW=64")
	add("loom_ap_ctrl", "N_IN=2 N_OUT=2", "N_IN=1 N_OUT=1", "N_IN=9 N_OUT=3")
	add("loom_fifo_transparent", "W=32 DEPTH=1", "W=1 DEPTH=1", "W=8 DEPTH=2", "W=5 DEPTH=7")
	add("loom_fifo_primed", "W=32 DEPTH=2 N=1 INIT=32'd7", "W=1 DEPTH=2 N=2 INIT=2'd1", "W=1 DEPTH=1 N=1 INIT=1'd1", "W=9 DEPTH=5 N=3 INIT=27'd77")
	add("loom_merge", "W=32 N=2", "W=1 N=1", "W=9 N=5")
	add("loom_control_merge", "W=32 N=2 INDEX_W=1", "W=1 N=1 INDEX_W=1", "W=9 N=5 INDEX_W=64", "W=9 N=3 INDEX_W=2")
	add("loom_share", "N=2 IN_W=64 OUT_W=32 TOKENS=1 CREDITS=16'h0101 BYPASS=2'b11", "N=1 IN_W=1 OUT_W=1 TOKENS=1 CREDITS=8'd1 BYPASS=1'b0", "N=5 IN_W=9 OUT_W=7 TOKENS=3 CREDITS=40'h0501010301 BYPASS=5'b01011")
	add("loom_pipe_skid", "W=32 LATENCY=2", "W=1 LATENCY=4")
	add("loom_accumulate_piped", "W=32 LATENCY=4", "W=1 LATENCY=1", "W=64 LATENCY=2")
	add("loom_accumulate_parts", "W=32 LATENCY=4 NEUTRAL=32'h80000000", "W=1 LATENCY=2", "W=64 LATENCY=6 NEUTRAL=64'd1")
	add("loom_float_accumulate", "", "EXP=5 FRAC=10 LATENCY=2 OP=1", "EXP=11 FRAC=52 LATENCY=5 OP=2")
	add("loom_flow", "LATENCY=0", "LATENCY=1", "LATENCY=6")
	add("loom_cut", "W=32 HERE=1", "W=1 HERE=0")
	add("loom_pipe", "W=32 LATENCY=2", "W=1 LATENCY=0", "W=8 LATENCY=1", "W=3 LATENCY=5")
	add("loom_hold", "W=32", "W=1")
	add("loom_offer", "N=1", "N=2", "N=5")
	add("loom_fork", "W=32 N=2", "W=32 N=4", "W=1 N=1")
	add("loom_switch", "W=32 N_IN=5 N_OUT=5 CONNECT=25'h1ffffff ROUTE_BITS=20", "W=1 N_IN=1 N_OUT=1 CONNECT=1'b1 ROUTE_BITS=1",
		"W=8 N_IN=3 N_OUT=2 CONNECT=6'b101101 ROUTE_BITS=4", "W=33 N_IN=9 N_OUT=3 CONNECT=27'h5a5a5a5 ROUTE_BITS=11",
		"W=4 N_IN=2 N_OUT=7 CONNECT=14'h3fff ROUTE_BITS=14", "W=2 N_IN=32 N_OUT=2 CONNECT=64'hffffffffffffffff ROUTE_BITS=12",
		"W=4 N_IN=3 N_OUT=4 CONNECT=12'b111101010000 ROUTE_BITS=6",
		"W=2 N_IN=32 N_OUT=32 CONNECT=1024'h"+strings.Repeat("f", 256)+" ROUTE_BITS=192")
	add("loom_choose", "W=32 N=7", "W=1 N=1", "W=3 N=2", "W=8 N=4", "W=8 N=5", "W=8 N=10", "W=8 N=11", "W=1 N=16", "W=5 N=17")
	add("loom_add_tag", "W=36 TW=4", "W=4 TW=4", "W=2 TW=1")
	add("loom_del_tag", "W=36 TW=4", "W=4 TW=4", "W=2 TW=1")
	add("loom_map_tag", "W=36 TW_IN=4 TW_OUT=4 TABLE_SIZE=4", "W=3 TW_IN=3 TW_OUT=1 TABLE_SIZE=1", "W=9 TW_IN=1 TW_OUT=16 TABLE_SIZE=2", "W=20 TW_IN=5 TW_OUT=3 TABLE_SIZE=7")
	add("loom_arbiter", "W=32 N=4", "W=1 N=1", "W=7 N=2", "W=3 N=9", "W=1 N=14 PARALLEL=1")
	add("loom_temporal_sw", "W=36 TW=4 N_IN=5 N_OUT=5 CONNECT=25'h1ffffff N_ROUTES=25 NUM_SLOT=4", "W=1 TW=1 N_IN=1 N_OUT=1 CONNECT=1'b1 N_ROUTES=1 NUM_SLOT=1",
		"W=34 TW=2 N_IN=4 N_OUT=1 CONNECT=4'hf N_ROUTES=4 NUM_SLOT=4", "W=4 TW=4 N_IN=1 N_OUT=7 CONNECT=7'h7f N_ROUTES=7 NUM_SLOT=7",
		"W=10 TW=3 N_IN=3 N_OUT=2 CONNECT=6'b101101 N_ROUTES=4 NUM_SLOT=3")
	add("loom_temporal_pe", "W=32 NUM_INSTRUCTION=8 NUM_CONSTANT=4 N_IN=6 N_OUT=4 N_OP=27 KIND=81'o617534420000000000000000000 PREDICATE=4 BITS=408",
		"W=64 NUM_INSTRUCTION=16 NUM_CONSTANT=16 N_IN=16 N_OUT=16 N_OP=8 CYCLES=16'h0003 PREDICATE=4 BITS=1696",
		"W=1 NUM_INSTRUCTION=4 NUM_CONSTANT=0 N_IN=8 N_OUT=1 N_OP=2 KIND=6'o13 PREDICATE=0 BITS=73",
		"W=8 NUM_INSTRUCTION=2 NUM_CONSTANT=1 N_IN=1 N_OUT=2 N_OP=1 KIND=3'o0 CYCLES=2'd1 PREDICATE=0 BITS=46",
		"W=7 NUM_INSTRUCTION=2 NUM_CONSTANT=3 N_IN=5 N_OUT=2 N_OP=3 KIND=9'o567 PREDICATE=0 BITS=75")
	add("loom_load_lane", "AW=32 DW=32 TW=4 DEPTH=8", "AW=64 DW=8 TW=1 DEPTH=1", "AW=4 DW=3 TW=2 DEPTH=2", "AW=10 DW=16 TW=3 DEPTH=5")
	add("loom_store_lane", "AW=32 DW=32 TW=4 LSQ_DEPTH=4 PLACES=8", "AW=64 DW=8 TW=1 LSQ_DEPTH=1 PLACES=1", "AW=4 DW=3 TW=2 LSQ_DEPTH=5 PLACES=2")
	add("loom_join", "N=1", "N=2", "N=4", "N=64")
	add("loom_mux", "W=32 N=2 SEL_W=1", "W=32 N=4 SEL_W=2", "W=1 N=1 SEL_W=1", "W=8 N=3 SEL_W=32", "W=8 N=5 SEL_W=2", "W=8 N=2 SEL_W=64")
	add("loom_cond_br", "W=32", "W=1")
	add("loom_operand_select", "N=4 SEL_W=2", "N=1 SEL_W=1", "N=5 SEL_W=3", "N=2 SEL_W=4", "N=6 SEL_W=3 DECODED=1")
	add("loom_result_select", "N_UNIT=4 N_OUT=4 SEL_W=2", "N_UNIT=1 N_OUT=1 SEL_W=1", "N_UNIT=7 N_OUT=3 SEL_W=2", "N_UNIT=1 N_OUT=4 SEL_W=2 DECODED=1")
	add("loom_constant", "W=32", "W=1")
	add("loom_load", "AW=32 DW=32", "AW=64 DW=8")
	add("loom_store", "AW=32 DW=32", "AW=64 DW=8")
	add("loom_carry", "W=32", "W=1", "W=64", "W=32 OVERLAP=1")
	add("loom_loop", "W=32", "W=1", "W=64")
	add("loom_accumulate", "W=32", "W=1", "W=64")
	add("loom_accumulate_extreme", "W=32", "W=1", "W=64")
	add("loom_invariant", "W=32", "W=1")
	add("loom_gate", "W=32", "W=1")
	add("loom_interlock", "W=32", "W=64 DEPTH=2 BITS=1", "W=1 DEPTH=4", "W=8 DEPTH=8 BITS=8")
	add("loom_stream", "W=32 STEP_OP=0", "W=64 STEP_OP=0", "W=1 STEP_OP=0", "W=8 STEP_OP=1", "W=8 STEP_OP=2", "W=8 STEP_OP=3", "W=8 STEP_OP=4", "W=8 STEP_OP=5", "W=1 STEP_OP=3", "W=32 LOOKAHEAD=1", "W=8 STEP_OP=1 LOOKAHEAD=1", "W=1 LOOKAHEAD=1", "W=32 COUNTER=1")
	add("loom_alu", "W=32", "W=2", "W=64", "W=7 SHIFT=0 CAST=0", "W=8 ADD=0 LOGIC=0 LATE=0", "W=32 LATE=0 LATE_SHIFT=0", "SHIFT=0 LATE_SHIFT=0")
	add("loom_mul", "W=32", "W=1", "W=8", "W=18", "W=19", "W=34", "W=35", "W=64")
	add("loom_scale", "W=32", "W=1", "W=9 PLUS=9'd32 MINUS=9'd2", "W=64 PLUS=64'd9 MINUS=64'h8000000000000000", "W=5 PLUS=5'd0")
	add("loom_divide", "W=32", "W=1", "W=7")
	add("loom_divrem", "W=32 SIGNED=1 REM=0", "W=32 SIGNED=0 REM=1", "W=1 SIGNED=1 REM=1", "W=64 SIGNED=1 REM=1", "W=2 SIGNED=0 REM=0")
	add("loom_float_align", "W=26 OUT=26 CUTS=1", "W=5 OUT=5", "W=55 OUT=55 CUTS=2", "W=3 OUT=1 CUTS=1", "W=118 OUT=55 CUTS=5")
	add("loom_float_count", "W=24 COUNT=5", "W=2 COUNT=2", "W=53 COUNT=6 CUT=1", "W=8 COUNT=4")
	add("loom_float_product", "W=24", "W=3 CUTS=1", "W=53 CUTS=3", "W=11 PART_A=5 PART_B=4 CUTS=2")
	add("loom_float_lead", "W=28 OUT=27 EXP=8 SIDE=4 CUTS=1", "W=7 OUT=6 EXP=3 SIDE=1", "W=57 OUT=56 EXP=11 SIDE=2 CUTS=5", "W=110 OUT=56 EXP=2 SIDE=1 CUTS=7")
	add("loom_float_pack", "EXP=8 FRAC=23", "EXP=11 FRAC=52", "EXP=3 FRAC=2")
	add("loom_float_add", "EXP=8 FRAC=23 LATENCY=4", "EXP=11 FRAC=52 LATENCY=3", "EXP=8 FRAC=7 LATENCY=1", "EXP=3 FRAC=2 LATENCY=0", "EXP=4 FRAC=3 LATENCY=6", "EXP=5 FRAC=10 LATENCY=2", "EXP=5 FRAC=10 LATENCY=5")
	add("loom_float_mul", "EXP=8 FRAC=23 LATENCY=3", "EXP=11 FRAC=52 LATENCY=4", "EXP=8 FRAC=7 LATENCY=1", "EXP=3 FRAC=2 LATENCY=0", "EXP=4 FRAC=3 LATENCY=5", "EXP=11 FRAC=52 LATENCY=6", "EXP=5 FRAC=10 LATENCY=2")
	add("loom_float_fma", "EXP=8 FRAC=23 LATENCY=6", "EXP=11 FRAC=52 LATENCY=8", "EXP=8 FRAC=7 LATENCY=7", "EXP=3 FRAC=2 LATENCY=0", "EXP=4 FRAC=3 LATENCY=8", "EXP=5 FRAC=10 LATENCY=2", "EXP=5 FRAC=10 LATENCY=5")
	add("loom_float_divsqrt", "EXP=8 FRAC=23", "EXP=11 FRAC=52", "EXP=8 FRAC=7", "EXP=3 FRAC=2", "EXP=4 FRAC=3 BITS=1", "EXP=5 FRAC=10 ROOT=0", "EXP=8 FRAC=23 ROOT=0 BITS=1", "EXP=5 FRAC=10 DIVIDE=0")
	add("loom_float_divsqrt_piped", "EXP=8 FRAC=23 LATENCY=17", "EXP=11 FRAC=52 LATENCY=33 ROOT=0", "EXP=8 FRAC=7 LATENCY=14", "EXP=3 FRAC=2 LATENCY=0", "EXP=4 FRAC=3 LATENCY=2 DIVIDE=0", "EXP=11 FRAC=52 LATENCY=60 DIVIDE=0",
		"EXP=5 FRAC=10 LATENCY=1 ROOT=0", "EXP=5 FRAC=10 LATENCY=3", "EXP=5 FRAC=10 LATENCY=4", "EXP=4 FRAC=3 LATENCY=6")
	add("loom_float_rem", "EXP=8 FRAC=23", "EXP=11 FRAC=52", "EXP=8 FRAC=7", "EXP=5 FRAC=10", "EXP=3 FRAC=2", "EXP=2 FRAC=2", "EXP=3 FRAC=6")
	add("loom_float_function", "EXP=8 FRAC=23", "EXP=11 FRAC=52", "EXP=5 FRAC=10", "EXP=3 FRAC=2", "EXP=4 FRAC=3 BITS=1", "EXP=8 FRAC=7 HAS_SIN=0 HAS_COS=0", "EXP=5 FRAC=10 HAS_EXP=0 HAS_LOG2=0", "EXP=5 FRAC=10 HAS_LOG2=0 HAS_SIN=0 HAS_COS=0", "EXP=5 FRAC=10 HAS_EXP=0 HAS_SIN=0 HAS_COS=0", "EXP=5 FRAC=10 HAS_EXP=0 HAS_LOG2=0 HAS_SIN=0")
	add("loom_float_constants", "W=35 PLACES=256 BITS=2", "W=64 PLACES=1216 BITS=2", "W=1 PLACES=1 BITS=1")
	add("loom_fu", "N_IN=2 N_OUT=1 W_OUT_TOTAL=32 LATENCY=1 INTERVAL=1", "N_IN=1 N_OUT=1 W_OUT_TOTAL=1 LATENCY=0 INTERVAL=1",
		"N_IN=2 N_OUT=1 W_OUT_TOTAL=32 LATENCY=4 INTERVAL=1 INSIDE=1", "N_IN=1 N_OUT=2 W_OUT_TOTAL=2 LATENCY=0 INTERVAL=1 INSIDE=1",
		"N_IN=3 N_OUT=2 W_OUT_TOTAL=65 LATENCY=3 INTERVAL=4")
	add("loom_memory", "AW=32 DW=32 DEPTH=1024", "AW=64 DW=8 DEPTH=1", "AW=4 DW=16 DEPTH=100 NUM_REGION=3 LSQ_DEPTH=1",
		"AW=32 DW=32 DEPTH=512 ST=0 LSQ_DEPTH=1", "AW=32 DW=64 DEPTH=256 LD=0 LSQ_DEPTH=3", "AW=32 DW=32 DEPTH=64 HOST=1 DEADLOCK_TIMEOUT=1")
	add("loom_memory_tagged", "AW=32 DW=32 TW=2 DEPTH=1024", "AW=64 DW=8 TW=1 DEPTH=1", "AW=32 DW=32 TW=16 DEPTH=512 LD_COUNT=8 ST_COUNT=0",
		"AW=32 DW=64 TW=3 DEPTH=256 LD_COUNT=0 ST_COUNT=8 LSQ_DEPTH=16 NUM_REGION=8", "AW=32 DW=32 TW=2 DEPTH=64 LD_COUNT=1 ST_COUNT=4 HOST=1 DEADLOCK_TIMEOUT=1",
		"AW=4 DW=16 TW=2 DEPTH=100 LD_COUNT=3 ST_COUNT=3 NUM_REGION=3 LSQ_DEPTH=1", "AW=3 DW=8 TW=2 DEPTH=6 LD_COUNT=3 ST_COUNT=1 LSQ_DEPTH=3 NUM_REGION=2")
	add("loom_extmemory", "AW=32 DW=32", "AW=32 DW=32 OUTSTANDING=2", "AW=32 DW=8 OUTSTANDING=65", "AW=32 DW=32 OUTSTANDING=160", "AW=64 DW=64 NUM_REGION=3 LSQ_DEPTH=1", "AW=32 DW=8 ST=0", "AW=32 DW=16 LD=0 LSQ_DEPTH=3 DEADLOCK_TIMEOUT=1",
		"AW=32 DW=32 BOUNDS=1", "AW=64 DW=8 NUM_REGION=3 OUTSTANDING=65 BOUNDS=1", "AW=32 DW=64 LD=0 BOUNDS=1", "AW=62 DW=32 ST=0 OUTSTANDING=2 BOUNDS=1")
	add("loom_extmemory_tagged", "AW=32 DW=32 TW=2", "AW=32 DW=32 TW=3 OUTSTANDING=160", "AW=64 DW=64 TW=16 LD_COUNT=8 ST_COUNT=0 NUM_REGION=3", "AW=32 DW=8 TW=3 LD_COUNT=0 ST_COUNT=8 LSQ_DEPTH=16 NUM_REGION=8",
		"AW=1 DW=8 TW=1 LD_COUNT=1 ST_COUNT=2 LSQ_DEPTH=1 DEADLOCK_TIMEOUT=1", "AW=5 DW=16 TW=2 LD_COUNT=3 ST_COUNT=1 LSQ_DEPTH=3 NUM_REGION=2",
		"AW=32 DW=32 TW=2 BOUNDS=1", "AW=64 DW=64 TW=3 LD_COUNT=8 ST_COUNT=0 NUM_REGION=3 OUTSTANDING=160 BOUNDS=1", "AW=32 DW=8 TW=3 LD_COUNT=0 ST_COUNT=8 NUM_REGION=8 BOUNDS=1")
	add("loom_read_cache", "", "ELEMENTS=64 TW=3 NUM_REGION=4 OUTSTANDING=160", "ELEMENTS=4096 DW=64", "ELEMENTS=1024 DW=8 BUS_AW=32 TW=1 OUTSTANDING=2", "ELEMENTS=8 LINE=2 DW=16 BUS_AW=5")
	add("loom_extent", "AW=32", "AW=1 SHIFT=0", "AW=64 SHIFT=0", "AW=62 SHIFT=2", "AW=61 SHIFT=2")
	add("loom_axi_address", "AW=32", "AW=64 BUS_AW=32", "AW=8 SHIFT=0 BUS_AW=12")
	add("loom_axi_load", "AW=32", "DW=1 SHIFT=0", "DW=64 AW=64 SHIFT=3 BUS_AW=32 BUS_DW=64", "DW=12 SHIFT=1 BUS_DW=128 OUTSTANDING=5", "DW=32 BURST=16", "DW=8 SHIFT=0 BUS_DW=64 OUTSTANDING=160 BURST=32")
	add("loom_axi_store", "AW=32", "DW=1 SHIFT=0", "DW=64 AW=64 SHIFT=3 BUS_AW=32 BUS_DW=64", "DW=12 SHIFT=1 BUS_DW=128 OUTSTANDING=5", "DW=32 BURST=16", "DW=8 SHIFT=0 BUS_DW=64 OUTSTANDING=160 BURST=32")
	add("loom_axi_read", "", "SHIFT=0 BUS_DW=64 BURST=32 OUTSTANDING=160", "BUS_DW=64 BURST=2 WIDE=1", "SHIFT=0 BUS_DW=256 BURST=32 OUTSTANDING=160 WIDE=1", "SHIFT=3 BUS_AW=32 BUS_DW=512 BURST=8 OUTSTANDING=2 WIDE=1")
	add("loom_axi_pack", "", "SHIFT=0 BUS_DW=256 BURST=32", "SHIFT=3 BUS_AW=32 BUS_DW=128 BURST=2")
	add("loom_axi_load", "BUS_DW=128 BURST=16 OUTSTANDING=160 WIDE=1", "DW=12 SHIFT=1 BUS_DW=64 BURST=4 OUTSTANDING=2 WIDE=1 BOUNDS=1")
	add("loom_axi_store", "BUS_DW=128 BURST=16 OUTSTANDING=160 WIDE=1", "DW=12 SHIFT=1 BUS_DW=64 BURST=4 OUTSTANDING=2 WIDE=1 BOUNDS=1")
	add("loom_axi_load", "BOUNDS=1", "DW=8 SHIFT=0 AW=64 BUS_DW=64 OUTSTANDING=160 BURST=32 BOUNDS=1")
	add("loom_axi_store", "BOUNDS=1", "DW=12 SHIFT=1 BUS_DW=128 BURST=16 BOUNDS=1")
	add("loom_axi_cache", "N=1", "N=5 BUS_DW=64 BURST=16 OUTSTANDING=160", "N=3 SHIFT=0 BUS_DW=128 ELEMENTS=64", "N=2 SHIFT=3 BUS_AW=32 BUS_DW=64 ELEMENTS=4096", "N=2 BUS_DW=128 BURST=16 OUTSTANDING=160 WIDE=1")
	add("loom_axi_port", "", "TW=2 OUTSTANDING=160", "DW=8 BUS_DW=8 BURST=1 WIDE=0", "DW=64 TW=3 BUS_AW=32 BUS_DW=512", "DW=16 TW=1 BUS_DW=64 BURST=2 WIDE=0 OUTSTANDING=5")
	add("loom_axi_bus", "LD=1 ST=1", "LD=0 ST=1", "LD=5 ST=0 IDW=3", "LD=3 ST=2 IDW=2 BUS_DW=64 BUS_AW=32",
		"LD=1 ST=1 BURST=16", "LD=3 ST=2 IDW=2 BUS_DW=64 BUS_AW=32 BURST=32", "LD=2 ST=0 BURST=2", "LD=0 ST=3 IDW=2 BURST=4")
	add("loom_axi_master", "DW=32", "DW=32 TW=3 BUS_DW=128 OUTSTANDING=160", "DW=8 TW=5 BUS_DW=64 OUTSTANDING=16", "DW=64 TW=4 BUS_AW=32 BUS_DW=1024", "DW=32 TW=3 BUS_DW=32 BUS_AW=40", "DW=16 BUS_AW=16 BUS_DW=64 OUTSTANDING=5", "DW=8 TW=1 BUS_AW=12 BUS_DW=16 OUTSTANDING=4",
		"DW=32 BURST=16", "DW=64 TW=3 BUS_DW=128 OUTSTANDING=160 BURST=32", "DW=8 BUS_AW=12 BURST=2")
	add("loom_axi_run", "AW=64", "AW=64 DIRECT=0 PATIENT=1", "AW=32 IDW=4 BURST=32", "AW=12 BURST=2 EARLY=1 PLACES=1")
	add("loom_axi_coalesce", "AW=64", "AW=32 DW=128 IDW=4 BURST=32 WRITES=64", "AW=12 DW=8 BURST=2 EARLY_READS=1 EARLY_WRITES=1 PLACES=2 WRITES=4")
	add("loom_cfg_slice", "WORDS=1", "WORDS=5")
	add("loom_cfg_loader", "WORDS=1", "WORDS=2", "WORDS=1000")
	add("loom_error_collect", "N=1", "N=7", "N=100")
	add("loom_axil_host", "N_IN=9 N_OUT=5 N_MEM=3 N_BASE=2", "N_IN=1 N_OUT=1 N_MEM=1", "N_IN=128 N_OUT=33 N_BASE=128", "N_IN=2 N_OUT=2 N_BASE=3 SIZED=3'd5", "N_IN=1 N_OUT=1 N_BASE=1 SIZED=1'd1")
	add("loom_op_cmpf", "EXP=8 FRAC=23", "EXP=11 FRAC=52", "EXP=5 FRAC=10", "EXP=2 FRAC=1", "EXP=4 FRAC=3")
	add("loom_op_bitcast", "W=32", "W=1", "W=64", "W=8")
	add("loom_float_minmax", "EXP=8 FRAC=23 LATENCY=1", "EXP=11 FRAC=52 LATENCY=0", "EXP=8 FRAC=7", "EXP=2 FRAC=1", "EXP=4 FRAC=3")
	add("loom_float_normalize", "W=24", "W=1 LATENCY=2", "W=2 LATENCY=1", "W=53 SIDE=3 LATENCY=2", "W=64 LATENCY=2", "W=11 SIDE=7 LATENCY=1")
	add("loom_float_from_int", "W_IN=32 EXP=8 FRAC=23", "W_IN=64 EXP=11 FRAC=52 LATENCY=3", "W_IN=64 EXP=5 FRAC=10 LATENCY=0", "W_IN=1 EXP=8 FRAC=7 LATENCY=3", "W_IN=2 EXP=3 FRAC=2 LATENCY=1", "W_IN=7 EXP=4 FRAC=3 LATENCY=2")
	add("loom_float_to_int", "EXP=8 FRAC=23 W_OUT=32", "EXP=11 FRAC=52 W_OUT=64 LATENCY=3", "EXP=5 FRAC=10 W_OUT=64 LATENCY=0", "EXP=8 FRAC=7 W_OUT=1 LATENCY=2", "EXP=3 FRAC=2 W_OUT=2 LATENCY=3", "EXP=4 FRAC=3 W_OUT=7 LATENCY=2")
	add("loom_float_resize", "EXP_IN=11 FRAC_IN=52 EXP_OUT=8 FRAC_OUT=23 LATENCY=2", "EXP_IN=8 FRAC_IN=23 EXP_OUT=11 FRAC_OUT=52 LATENCY=2", "EXP_IN=8 FRAC_IN=23 EXP_OUT=8 FRAC_OUT=7 LATENCY=1",
		"EXP_IN=8 FRAC_IN=7 EXP_OUT=8 FRAC_OUT=23 LATENCY=2", "EXP_IN=5 FRAC_IN=10 EXP_OUT=8 FRAC_OUT=23 LATENCY=0", "EXP_IN=8 FRAC_IN=23 EXP_OUT=5 FRAC_OUT=10 LATENCY=0",
		"EXP_IN=3 FRAC_IN=2 EXP_OUT=4 FRAC_OUT=3 LATENCY=2", "EXP_IN=4 FRAC_IN=3 EXP_OUT=3 FRAC_OUT=2 LATENCY=1")
	add("loom_float_round", "EXP=8 FRAC=23", "EXP=11 FRAC=52 LATENCY=1", "EXP=5 FRAC=10 LATENCY=0", "EXP=8 FRAC=7", "EXP=3 FRAC=2 LATENCY=1", "EXP=4 FRAC=3 LATENCY=2")
	for _, u := range units.All() {
		if u.Class == units.Datapath && u.Hardware() && !u.Types.Cast() && slices.ContainsFunc(u.Params, func(p units.Param) bool { return p.Name == "W" }) {
			add(u.Module, "W=32", "W=1", "W=8", "W=64")
		}
	}
	add("loom_op_extsi", "W_IN=8 W_OUT=32", "W_IN=1 W_OUT=64", "W_IN=4 W_OUT=4")
	add("loom_op_extui", "W_IN=8 W_OUT=32", "W_IN=1 W_OUT=64", "W_IN=4 W_OUT=4")
	add("loom_op_trunci", "W_IN=32 W_OUT=8", "W_IN=64 W_OUT=1", "W_IN=4 W_OUT=4")
	for _, op := range []string{"index_cast", "index_castui"} {
		add("loom_op_"+op, "W_IN=64 W_OUT=32", "W_IN=8 W_OUT=64", "W_IN=1 W_OUT=1")
	}
	return out
}

// wrapper writes a module that instantiates every variant with ports of its
// own, so that each tool reads the whole sweep in one run.
func wrapper(t *testing.T, vs []variant) string {
	t.Helper()
	mods, err := Modules()
	if err != nil {
		t.Fatal(err)
	}
	var ports, body strings.Builder
	sep := ""
	for i, v := range vs {
		k := slices.IndexFunc(mods, func(m Module) bool { return m.Name == v.module })
		if k < 0 {
			t.Fatalf("no module %s", v.module)
		}
		value := map[string]string{}
		for _, p := range mods[k].Params {
			value[p.Name] = p.Default
		}
		var set []string
		for _, p := range v.params {
			name, val, _ := strings.Cut(p, "=")
			if _, ok := value[name]; !ok {
				t.Fatalf("%s has no parameter %s", v.module, name)
			}
			value[name] = val
			set = append(set, fmt.Sprintf(".%s(%s)", name, val))
		}
		name := regexp.MustCompile(`[A-Z]\w*`)
		var conns []string
		for _, p := range mods[k].Ports {
			if p.Name == "clk" || p.Name == "rst" {
				conns = append(conns, fmt.Sprintf(".%s(%s)", p.Name, p.Name))
				continue
			}
			dir, rng := "input ", ""
			if p.Output {
				dir = "output"
			}
			if p.Range != "" {
				rng = "[" + name.ReplaceAllStringFunc(p.Range, func(s string) string {
					if val, ok := value[s]; ok {
						return "(" + val + ")"
					}
					return s
				}) + "] "
			}
			fmt.Fprintf(&ports, "%s    %s logic %su%d_%s", sep, dir, rng, i, p.Name)
			sep = ",\n"
			conns = append(conns, fmt.Sprintf(".%s(u%d_%s)", p.Name, i, p.Name))
		}
		fmt.Fprintf(&body, "  %s #(%s) u%d (%s);\n", v.module, strings.Join(set, ", "), i, strings.Join(conns, ", "))
	}
	return fmt.Sprintf("module sweep (\n    input logic clk,\n    input logic rst,\n%s\n);\n%sendmodule\n", ports.String(), body.String())
}

// sweepDir holds the library and the wrapper.
func sweepDir(t *testing.T, vs []variant) string {
	t.Helper()
	dir := t.TempDir()
	sources(t, dir, "", "", "")
	if err := os.WriteFile(filepath.Join(dir, "sweep.sv"), []byte(wrapper(t, vs)), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSweepCoversLibrary: no module is left out of the sweep.
func TestSweepCoversLibrary(t *testing.T) {
	parts := []string{"loom_store_queue", "loom_store_queue_tagged", "loom_region_tagged", "loom_region", "loom_element", "loom_ram", "loom_ram_port"}
	mods, err := Modules()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mods {
		if slices.Contains(parts, m.Name) {
			continue
		}
		if !slices.ContainsFunc(variants(), func(v variant) bool { return v.module == m.Name }) {
			t.Errorf("%s is not in the sweep", m.Name)
		}
	}
}

// TestVerilatorLint: no warning at all over the whole sweep.
func TestVerilatorLint(t *testing.T) {
	toolstest.Need(t, "verilator")
	unchanged(t, "lint_test.go", "*.sv")
	t.Parallel()
	dir := sweepDir(t, variants())
	args := append([]string{"--lint-only", "-Wall", "--top-module", "sweep"}, library(t)...)
	if out, err := run(t, dir, 3*time.Minute, "verilator", append(args, "sweep.sv")...); err != nil || strings.TrimSpace(out) != "" {
		t.Errorf("verilator: %v\n%s", err, tail(out))
	}
}

// TestIcarus: Icarus accepts the whole sweep without a message.
func TestIcarus(t *testing.T) {
	toolstest.Need(t, "iverilog")
	t.Parallel()
	dir := sweepDir(t, variants())
	args := append([]string{"-g2012", "-Wall", "-Wno-timescale", "-o", "sweep.vvp", "-s", "sweep"}, library(t)...)
	if out, err := run(t, dir, 3*time.Minute, "iverilog", append(args, "sweep.sv")...); err != nil || strings.TrimSpace(out) != "" {
		t.Errorf("iverilog: %v\n%s", err, tail(out))
	}
}

// smallest keeps one cheap variant of every module.
func smallest(vs []variant) []variant {
	wide := regexp.MustCompile(`^(AW|DW|BUS_DW|W|W_IN|W_OUT|N|N_IN|DEPTH|WORDS|W_OUT_TOTAL)=(3[2-9]|[4-9]\d|\d{3,})$`)
	var out []variant
	for i, v := range vs {
		if slices.ContainsFunc(v.params, wide.MatchString) {
			continue
		}
		if later := slices.IndexFunc(vs[i+1:], func(o variant) bool {
			return o.module == v.module && !slices.ContainsFunc(o.params, wide.MatchString)
		}); later < 0 {
			out = append(out, v)
		}
	}
	return out
}

// TestSynthesis: Yosys finds no latch and no combinational loop in the sweep, and maps it for both families. The short
// run takes the last variant of each module without a wide parameter, and maps a third of them for each family.
func TestSynthesis(t *testing.T) {
	toolstest.Need(t, "yosys")
	vs := variants()
	if !soak() {
		vs = smallest(vs)
	}
	cells := "flatten; opt_clean" // where a word depends on a word no loop of bits is missed
	for i, flow := range []struct{ name, script string }{
		{"synth_ice40", "synth_ice40 -top sweep"},
		{"synth_xilinx", "synth_xilinx -flatten -noiopad -top sweep"},
		{"cells", cells},
	} {
		t.Run(flow.name, func(t *testing.T) {
			t.Parallel()
			some := vs
			if flow.script != cells && !soak() {
				some = nil
				for k := i; k < len(vs); k += 3 {
					some = append(some, vs[k])
				}
			}
			dir := sweepDir(t, some)
			script := fmt.Sprintf("read_verilog -sv %s sweep.sv; hierarchy -check -top sweep; proc; select -assert-none t:$dlatch t:$adlatch; %s; check -assert; select -assert-none t:$_DLATCH_* t:LDCE t:LDPE",
				strings.Join(library(t), " "), flow.script)
			provenList.Held(t, recorded.Files(t, dir, recorded.Version(t, "yosys", "-V"), script), func() bool {
				out, err := run(t, dir, 30*time.Minute, "yosys", "-q", "-p", script)
				if err != nil {
					t.Fatalf("yosys: %v\n%s", err, tail(out))
				}
				if strings.Contains(out, "Latch inferred") || strings.Contains(out, "loop") {
					t.Errorf("yosys reports:\n%s", tail(out))
				}
				return !t.Failed()
			})
		})
	}
}
