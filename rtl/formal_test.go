package rtl

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/compiler/units"
	"loom/internal/tools/toolstest"
)

// proof is one module under formal verification. The properties stand in
// formal/: included by the module itself where they need its state, else in a
// wrapper named f_<module>.
type proof struct {
	top    string
	params string // as for chparam
	// bound is the depth of the bounded proof from reset, induction the depth of
	// the induction step (0: the proof is bounded only), cover the depth within
	// which every cover statement must be reached.
	bound, induction, cover int
	soak                    bool
}

// proofs lists the proofs of every module. With induction the properties
// hold for all time; without, for all traces of bound cycles, which is enough
// to fill and empty the queues involved at least once.
var proofs = []proof{
	{top: "loom_fifo", params: "-set W 3 -set DEPTH 1", bound: 6, induction: 3, cover: 8},
	{top: "loom_fifo", params: "-set W 3 -set DEPTH 2", bound: 6, induction: 3, cover: 8},
	{top: "loom_fifo", params: "-set W 3 -set DEPTH 3", bound: 8, induction: 3, cover: 10, soak: true},
	{top: "loom_fifo", params: "-set W 2 -set DEPTH 4", bound: 8, induction: 3, cover: 10},
	{top: "loom_fifo", params: "-set W 2 -set DEPTH 8", bound: 10, induction: 3, cover: 16, soak: true},
	{top: "loom_fifo", params: "-set W 2 -set DEPTH 5", bound: 10, induction: 3, cover: 16},
	{top: "loom_fifo", params: "-set W 2 -set DEPTH 4 -set HEAD 1", bound: 8, induction: 3, cover: 12},
	{top: "loom_fifo", params: "-set W 2 -set DEPTH 6 -set HEAD 1", bound: 10, induction: 3, cover: 14, soak: true},
	{top: "loom_fifo", params: "-set W 2 -set DEPTH 8 -set HEAD 1", bound: 10, induction: 3, cover: 16},
	{top: "loom_fifo", params: "-set W 2 -set DEPTH 3 -set HEAD 2", bound: 8, induction: 3, cover: 12},
	{top: "loom_fifo", params: "-set W 2 -set DEPTH 6 -set HEAD 2", bound: 10, induction: 3, cover: 14, soak: true},
	{top: "loom_fifo", params: "-set W 2 -set DEPTH 8 -set HEAD 2", bound: 10, induction: 3, cover: 16},
	{top: "loom_fifo", params: "-set W 2 -set DEPTH 5 -set RAM 2", bound: 8, induction: 3, cover: 12},
	{top: "loom_fifo", params: "-set W 2 -set DEPTH 8 -set RAM 2", bound: 10, induction: 3, cover: 16},
	{top: "loom_fifo", params: "-set W 1 -set DEPTH 9 -set RAM 2", bound: 12, induction: 3, cover: 18, soak: true},
	{top: "loom_loop_register", params: "-set W 3", bound: 6, induction: 3, cover: 8},
	{top: "loom_fifo_transparent", params: "-set W 2 -set DEPTH 1", bound: 6, induction: 3, cover: 8},
	{top: "loom_fifo_transparent", params: "-set W 2 -set DEPTH 3", bound: 8, induction: 3, cover: 10},
	{top: "loom_fifo_primed", params: "-set W 2 -set DEPTH 2 -set N 1 -set INIT 2'd2", bound: 6, induction: 3, cover: 10},
	{top: "loom_fifo_primed", params: "-set W 2 -set DEPTH 4 -set N 2 -set INIT 4'd9", bound: 7, induction: 3, cover: 12},
	{top: "loom_stream_source", params: "-set W 2", bound: 6, induction: 3, cover: 8},
	{top: "loom_stream_sink", params: "-set W 2", bound: 7, induction: 3, cover: 9},
	{top: "loom_bram_load", params: "-set AW 2 -set MW 1 -set DW 2 -set LATENCY 1", bound: 8, cover: 9},
	{top: "loom_bram_load", params: "-set AW 2 -set MW 2 -set DW 1 -set LATENCY 2", bound: 12, cover: 11, soak: true},
	{top: "loom_bram_store", params: "-set AW 2 -set MW 1 -set DW 2", bound: 6, induction: 3, cover: 8},
	{top: "loom_ap_ctrl", params: "-set N_IN 2 -set N_OUT 2", bound: 6, induction: 3, cover: 8},
	{top: "loom_merge", params: "-set W 2 -set N 3", bound: 6, induction: 3, cover: 6},
	{top: "loom_merge", params: "-set W 2 -set N 1", bound: 5, induction: 3, cover: 5},
	{top: "loom_control_merge", params: "-set W 2 -set N 3 -set INDEX_W 2", bound: 6, induction: 3, cover: 6},
	{top: "loom_share", params: "-set N 2 -set IN_W 1 -set OUT_W 2 -set CREDITS 16'h0201 -set BYPASS 2'b01", bound: 7, induction: 3, cover: 9},
	{top: "loom_share", params: "-set N 3 -set IN_W 1 -set OUT_W 1 -set CREDITS 24'h010101 -set BYPASS 3'b101", bound: 7, induction: 3, cover: 9, soak: true},
	{top: "loom_share", params: "-set N 2 -set IN_W 1 -set OUT_W 1 -set TOKENS 2 -set CREDITS 16'h0102 -set BYPASS 2'b11", bound: 7, cover: 8},
	{top: "loom_share", params: "-set N 2 -set IN_W 1 -set OUT_W 1 -set TOKENS 3 -set CREDITS 16'h0405 -set BYPASS 2'b10", bound: 10, cover: 14, soak: true},
	{top: "loom_offer", params: "-set N 3", bound: 6, induction: 3, cover: 8},
	{top: "loom_offer", params: "-set N 1", bound: 4, induction: 2},
	{top: "loom_carry", params: "-set W 2", bound: 6, induction: 3, cover: 10},
	{top: "loom_carry", params: "-set W 2 -set OVERLAP 1", bound: 6, induction: 3, cover: 10},
	{top: "loom_loop", params: "-set W 2", bound: 6, induction: 3, cover: 10},
	{top: "f_loom_loop", bound: 7, induction: 1, cover: 10},
	{top: "loom_accumulate", params: "-set W 2", bound: 6, induction: 3, cover: 10},
	{top: "loom_accumulate_piped", params: "-set W 2 -set LATENCY 1", bound: 6, induction: 3, cover: 10},
	{top: "loom_accumulate_piped", params: "-set W 2 -set LATENCY 3", bound: 9, induction: 3, cover: 16},
	{top: "loom_accumulate_parts", params: "-set W 2 -set LATENCY 2", bound: 12, cover: 14},
	{top: "loom_accumulate_parts", params: "-set W 2 -set LATENCY 3 -set NEUTRAL 2'd2", bound: 13, cover: 22},
	{top: "loom_accumulate_parts", params: "-set W 2 -set LATENCY 4 -set NEUTRAL 2'd1", bound: 22, cover: 30, soak: true},
	{top: "f_loom_accumulate_parts", params: "-set LATENCY 2", bound: 10, cover: 12},
	{top: "f_loom_accumulate_parts", params: "-set LATENCY 4", bound: 14, cover: 20, soak: true},
	{top: "loom_invariant", params: "-set W 2", bound: 6, induction: 3, cover: 10},
	{top: "loom_gate", params: "-set W 2", bound: 6, induction: 3, cover: 10},
	{top: "loom_stream", params: "-set W 3", bound: 6, induction: 3, cover: 10},
	{top: "loom_stream", params: "-set W 3 -set COUNTER 1", bound: 6, induction: 3, cover: 10},
	{top: "loom_stream", params: "-set W 3 -set STEP_OP 1", bound: 6, induction: 3, cover: 10, soak: true},
	{top: "loom_stream", params: "-set W 3 -set STEP_OP 2", bound: 6, induction: 3, soak: true},
	{top: "loom_stream", params: "-set W 3 -set STEP_OP 3", bound: 6, induction: 3, soak: true},
	{top: "loom_stream", params: "-set W 3 -set STEP_OP 4", bound: 6, induction: 3, soak: true},
	{top: "loom_stream", params: "-set W 3 -set STEP_OP 5", bound: 6, induction: 3, soak: true},
	{top: "loom_stream", params: "-set W 3 -set LOOKAHEAD 1", bound: 6, induction: 3, cover: 10},
	{top: "loom_stream", params: "-set W 3 -set STEP_OP 1 -set LOOKAHEAD 1", bound: 6, induction: 3, cover: 10, soak: true},
	{top: "loom_switch", params: "-set W 2 -set N_IN 2 -set N_OUT 2 -set ROUTE_BITS 4", bound: 4, induction: 3, cover: 6},
	{top: "loom_switch", params: "-set W 1 -set N_IN 3 -set N_OUT 3 -set CONNECT 9'b101110011 -set ROUTE_BITS 6", bound: 4, induction: 3, cover: 6, soak: true},
	{top: "loom_switch", params: "-set W 1 -set N_IN 3 -set N_OUT 4 -set CONNECT 12'b111101010000 -set ROUTE_BITS 6", bound: 4, induction: 3, cover: 6},
	{top: "loom_switch", params: "-set W 1 -set N_IN 7 -set N_OUT 2 -set ROUTE_BITS 8", bound: 3, induction: 2, cover: 5},
	{top: "loom_switch", params: "-set W 1 -set N_IN 11 -set N_OUT 1 -set ROUTE_BITS 5", bound: 3, induction: 2},
	{top: "loom_switch", params: "-set W 1 -set N_IN 14 -set N_OUT 1 -set ROUTE_BITS 5", bound: 3, induction: 2, soak: true},
	{top: "loom_switch", params: "-set W 1 -set N_IN 17 -set N_OUT 1 -set ROUTE_BITS 6", bound: 3, induction: 2, soak: true},
	{top: "loom_stream", params: "-set W 3 -set LOOKAHEAD 2", bound: 6, induction: 3, cover: 10},
	{top: "loom_stream", params: "-set W 3 -set LOOKAHEAD 2 -set COUNTER 1", bound: 6, induction: 3, cover: 10},
	{top: "loom_stream", params: "-set W 3 -set STEP_OP 1 -set LOOKAHEAD 2", bound: 6, induction: 3, cover: 10, soak: true},
	{top: "loom_hold", params: "-set W 2", bound: 6, induction: 2, cover: 8},
	{top: "loom_pipe", params: "-set W 2 -set LATENCY 2", bound: 9, cover: 9},
	{top: "loom_pipe", params: "-set W 2 -set LATENCY 3", bound: 12, cover: 12, soak: true},
	{top: "loom_pipe_skid", params: "-set W 1 -set LATENCY 2", bound: 8, cover: 9},
	{top: "loom_pipe_skid", params: "-set W 2 -set LATENCY 3", bound: 11, cover: 12, soak: true},
	{top: "loom_fu", params: "-set W_OUT_TOTAL 2 -set LATENCY 1 -set INTERVAL 2 -set N_OUT 2", bound: 8},
	{top: "loom_fu", params: "-set W_OUT_TOTAL 2 -set LATENCY 0 -set INTERVAL 1 -set N_OUT 2", bound: 8, soak: true},
	{top: "loom_fu", params: "-set W_OUT_TOTAL 2 -set LATENCY 2 -set INTERVAL 1 -set N_OUT 1", bound: 10, soak: true},
	{top: "loom_mul", params: "-set W 3 -set CHUNK 2", bound: 7, cover: 9},
	{top: "loom_mul", params: "-set W 4 -set CHUNK 2", bound: 8, cover: 10},
	{top: "loom_mul", params: "-set W 5 -set CHUNK 2", bound: 9, cover: 12},
	{top: "loom_mul", params: "-set W 7 -set CHUNK 2", bound: 9, cover: 12, soak: true},
	{top: "loom_divrem", params: "-set W 3", bound: 10, cover: 8},
	{top: "loom_divrem", params: "-set W 3 -set REM 1", bound: 10, cover: 8, soak: true},
	{top: "loom_divrem", params: "-set W 3 -set SIGNED 0", bound: 10, cover: 8, soak: true},
	{top: "loom_divrem", params: "-set W 3 -set SIGNED 0 -set REM 1", bound: 10, cover: 8, soak: true},
	{top: "loom_float_divsqrt", params: "-set EXP 3 -set FRAC 2", bound: 12, cover: 11},
	{top: "loom_float_rem", params: "-set EXP 2 -set FRAC 2", bound: 13, cover: 12},
	{top: "loom_float_rem", params: "-set EXP 3 -set FRAC 2", bound: 17, cover: 17, soak: true},
	{top: "loom_float_function", params: "-set EXP 3 -set FRAC 2", bound: 4, induction: 2},
	{top: "loom_float_function", params: "-set EXP 4 -set FRAC 3 -set BITS 1", bound: 4, induction: 2, soak: true},
	{top: "loom_float_divsqrt", params: "-set EXP 3 -set FRAC 2 -set BITS 1", bound: 14, cover: 14, soak: true},
	{top: "loom_store_queue", params: "-set AW 2 -set DW 2 -set DEPTH 1 -set TIMEOUT 3", bound: 9, cover: 9, soak: true},
	{top: "loom_store_queue", params: "-set AW 2 -set DW 2 -set DEPTH 2 -set TIMEOUT 3", bound: 9, cover: 9},
	{top: "loom_store_queue", params: "-set AW 2 -set DW 2 -set DEPTH 3 -set TIMEOUT 4", bound: 9, cover: 9, soak: true},
	{top: "loom_store_queue_tagged", params: "-set AW 1 -set DW 1 -set COUNT 2 -set DEPTH 2 -set TIMEOUT 3", bound: 6, induction: 2, cover: 8},
	{top: "loom_store_queue_tagged", params: "-set AW 2 -set DW 2 -set COUNT 3 -set DEPTH 1 -set TIMEOUT 4", bound: 7, induction: 2, cover: 9, soak: true},
	{top: "loom_store_queue_tagged", params: "-set AW 2 -set DW 2 -set COUNT 3 -set DEPTH 3 -set TIMEOUT 3", bound: 7, induction: 2, cover: 11, soak: true},
	{top: "loom_store_queue_tagged", params: "-set AW 1 -set DW 1 -set COUNT 8 -set DEPTH 4 -set TIMEOUT 9", bound: 4, induction: 2, soak: true},
	{top: "loom_memory", params: "-set AW 2 -set DW 8 -set DEPTH 3 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3", bound: 8, cover: 11, soak: true},
	{top: "loom_memory", params: "-set AW 2 -set DW 8 -set DEPTH 2 -set LSQ_DEPTH 1 -set NUM_REGION 2 -set HOST 1", bound: 6, soak: true},
	{top: "loom_memory_tagged", params: "-set AW 1 -set DW 8 -set TW 2 -set DEPTH 2 -set LD_COUNT 3 -set ST_COUNT 2 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3", bound: 3, induction: 2},
	{top: "loom_memory_tagged", params: "-set AW 2 -set DW 8 -set TW 2 -set DEPTH 3 -set LD_COUNT 3 -set ST_COUNT 2 -set LSQ_DEPTH 1 -set NUM_REGION 2 -set DEADLOCK_TIMEOUT 3", bound: 7, cover: 10, soak: true},
	{top: "loom_memory_tagged", params: "-set AW 2 -set DW 8 -set TW 2 -set DEPTH 2 -set LD_COUNT 1 -set ST_COUNT 3 -set LSQ_DEPTH 2 -set HOST 1", bound: 6, soak: true},
	{top: "loom_extmemory", params: "-set AW 2 -set DW 8 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3", bound: 7, cover: 9, soak: true},
	{top: "loom_extmemory", params: "-set AW 2 -set DW 8 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 3", bound: 7, cover: 9},
	{top: "loom_extmemory_tagged", params: "-set AW 1 -set DW 8 -set TW 2 -set LD_COUNT 3 -set ST_COUNT 2 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 2", bound: 3, induction: 2},
	{top: "loom_extmemory_tagged", params: "-set AW 2 -set DW 8 -set TW 2 -set LD_COUNT 3 -set ST_COUNT 2 -set LSQ_DEPTH 1 -set NUM_REGION 2 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 3", bound: 6, cover: 9, soak: true},
	{top: "loom_extmemory_tagged", params: "-set AW 1 -set DW 16 -set TW 2 -set LD_COUNT 2 -set ST_COUNT 3 -set LSQ_DEPTH 2 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 2", bound: 4, induction: 2, soak: true},
	{top: "loom_extmemory", params: "-set AW 2 -set DW 16 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 3 -set BOUNDS 1", bound: 7, cover: 9},
	{top: "loom_extmemory", params: "-set AW 64 -set DW 32 -set LSQ_DEPTH 1 -set NUM_REGION 2 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 2 -set BOUNDS 1", bound: 5, soak: true},
	{top: "loom_extmemory_tagged", params: "-set AW 1 -set DW 16 -set TW 2 -set LD_COUNT 3 -set ST_COUNT 2 -set LSQ_DEPTH 1 -set NUM_REGION 2 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 2 -set BOUNDS 1", bound: 4, induction: 2},
	{top: "loom_extmemory_tagged", params: "-set AW 2 -set DW 8 -set TW 1 -set LD_COUNT 2 -set ST_COUNT 2 -set LSQ_DEPTH 1 -set NUM_REGION 2 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 3 -set BOUNDS 1", bound: 6, soak: true},
	{top: "loom_extmemory_tagged", params: "-set AW 1 -set DW 8 -set TW 2 -set LD_COUNT 3 -set ST_COUNT 2 -set LSQ_DEPTH 1 -set NUM_REGION 2 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 3 -set BOUNDS 1", bound: 2, cover: 9, soak: true},
	{top: "loom_read_cache", params: "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 2", bound: 12, induction: 3, cover: 12},
	{top: "loom_read_cache", params: "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 4", bound: 9, cover: 12},
	{top: "loom_read_cache", params: "-set DW 16 -set TW 0 -set BUS_AW 6 -set ELEMENTS 8 -set LINE 2 -set NUM_REGION 2 -set OUTSTANDING 5", bound: 12, cover: 13, soak: true},
	{top: "loom_axi_run", params: "-set AW 6 -set IDW 1 -set BURST 2 -set EARLY 1 -set PLACES 2", bound: 9, cover: 10},
	{top: "loom_axi_run", params: "-set AW 6 -set IDW 1 -set BURST 2 -set EARLY 1 -set PLACES 2 -set DIRECT 0", bound: 10},
	{top: "loom_axi_run", params: "-set AW 6 -set IDW 1 -set BURST 2 -set EARLY 1 -set PLACES 2 -set DIRECT 0 -set PATIENT 1", bound: 9},
	{top: "loom_axi_run", params: "-set AW 6 -set IDW 1 -set BURST 4 -set EARLY 2 -set PLACES 3", bound: 12, cover: 12, soak: true},
	{top: "loom_axi_coalesce", params: "-set AW 12 -set DW 8 -set IDW 1 -set BURST 2 -set EARLY_READS 1 -set EARLY_WRITES 1 -set READS 2 -set PLACES 2 -set WRITES 4", bound: 9, cover: 13},
	{top: "loom_axi_coalesce", params: "-set AW 12 -set DW 16 -set IDW 1 -set BURST 4 -set EARLY_READS 2 -set EARLY_WRITES 1 -set READS 3 -set PLACES 3 -set WRITES 8", bound: 10, soak: true},
	{top: "loom_axi_master", params: "-set DW 8 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 3", bound: 4, induction: 2},
	{top: "loom_axi_master", params: "-set DW 8 -set BUS_DW 8 -set BUS_AW 12 -set TW 1 -set OUTSTANDING 2", bound: 5, induction: 2},
	{top: "loom_axi_master", params: "-set DW 8 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 16", bound: 4, induction: 2, soak: true},
	{top: "loom_axi_master", params: "-set DW 8 -set BUS_DW 16 -set BUS_AW 12 -set OUTSTANDING 4", bound: 8, cover: 8, soak: true},
	{top: "loom_axi_master", params: "-set DW 8 -set BUS_DW 16 -set BUS_AW 12 -set TW 1 -set OUTSTANDING 3", bound: 8, induction: 2, cover: 8, soak: true},
	{top: "loom_axi_load", params: "-set AW 2 -set DW 8 -set SHIFT 0 -set BUS_DW 16 -set BUS_AW 12 -set OUTSTANDING 2", bound: 8, induction: 3, cover: 10},
	{top: "loom_axi_load", params: "-set AW 2 -set DW 12 -set SHIFT 1 -set BUS_DW 32 -set BUS_AW 12 -set OUTSTANDING 4", bound: 9, cover: 12, soak: true},
	{top: "loom_axi_load", params: "-set AW 14 -set DW 8 -set SHIFT 0 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 2", bound: 8, induction: 3, soak: true},
	{top: "loom_axi_store", params: "-set AW 2 -set DW 8 -set SHIFT 0 -set BUS_DW 16 -set BUS_AW 12 -set OUTSTANDING 2", bound: 8, induction: 3, cover: 10},
	{top: "loom_axi_store", params: "-set AW 2 -set DW 12 -set SHIFT 1 -set BUS_DW 64 -set BUS_AW 12 -set OUTSTANDING 3", bound: 9, induction: 3, cover: 12, soak: true},
	{top: "loom_axi_load", params: "-set AW 2 -set DW 12 -set SHIFT 1 -set BUS_DW 32 -set BUS_AW 12 -set OUTSTANDING 2 -set BOUNDS 1", bound: 8, induction: 3, cover: 10},
	{top: "loom_axi_store", params: "-set AW 2 -set DW 12 -set SHIFT 1 -set BUS_DW 32 -set BUS_AW 12 -set OUTSTANDING 2 -set BOUNDS 1", bound: 8, induction: 3, cover: 10},
	{top: "loom_axi_load", params: "-set AW 2 -set DW 8 -set SHIFT 0 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 4 -set BURST 2 -set BOUNDS 1", bound: 7, cover: 10, soak: true},
	{top: "loom_axi_store", params: "-set AW 2 -set DW 8 -set SHIFT 0 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 4 -set BURST 2 -set BOUNDS 1", bound: 7, cover: 11, soak: true},
	{top: "loom_axi_bus", params: "-set LD 2 -set ST 2 -set LD_SIZE 6'b001000 -set ST_SIZE 6'b000001 -set BUS_DW 16 -set BUS_AW 12", bound: 6, induction: 2, cover: 8},
	{top: "loom_axi_bus", params: "-set LD 3 -set ST 1 -set IDW 2 -set LD_SIZE 9'b001000010 -set ST_SIZE 3'b000 -set BUS_DW 32 -set BUS_AW 12", bound: 8, induction: 2, cover: 8, soak: true},
	{top: "loom_axi_read", params: "-set SHIFT 0 -set BUS_DW 16 -set BUS_AW 4 -set OUTSTANDING 3 -set BURST 2", bound: 7, cover: 8},
	{top: "loom_axi_read", params: "-set SHIFT 0 -set BUS_DW 16 -set BUS_AW 4 -set OUTSTANDING 3 -set BURST 2 -set WIDE 1", bound: 8, cover: 9},
	{top: "loom_axi_read", params: "-set SHIFT 0 -set BUS_DW 16 -set BUS_AW 4 -set OUTSTANDING 4 -set BURST 4 -set WIDE 1", bound: 10, cover: 10, soak: true},
	{top: "loom_axi_read", params: "-set SHIFT 1 -set BUS_DW 64 -set BUS_AW 8 -set OUTSTANDING 4 -set BURST 4 -set WIDE 1", bound: 10, soak: true},
	{top: "loom_axi_cache", params: "-set N 2 -set SHIFT 0 -set BUS_AW 4 -set BUS_DW 8 -set ELEMENTS 8 -set OUTSTANDING 3", bound: 10, cover: 12},
	{top: "loom_axi_pack", params: "-set SHIFT 0 -set BUS_DW 16 -set BUS_AW 5 -set BURST 2", bound: 9, cover: 10, soak: true},
	{top: "loom_axi_pack", params: "-set SHIFT 0 -set BUS_DW 16 -set BUS_AW 5 -set BURST 4", bound: 7, cover: 12},
	{top: "loom_axi_pack", params: "-set SHIFT 1 -set BUS_DW 64 -set BUS_AW 12 -set BURST 4", bound: 11, soak: true},
	{top: "loom_axi_load", params: "-set AW 2 -set DW 8 -set SHIFT 0 -set BUS_DW 16 -set BUS_AW 12 -set OUTSTANDING 4 -set BURST 2 -set WIDE 1", bound: 7, cover: 11},
	{top: "loom_axi_load", params: "-set AW 2 -set DW 8 -set SHIFT 0 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 4 -set BURST 2", bound: 7, cover: 10},
	{top: "loom_axi_store", params: "-set AW 2 -set DW 8 -set SHIFT 0 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 4 -set BURST 2", bound: 7, cover: 11},
	{top: "loom_axi_bus", params: "-set LD 2 -set ST 2 -set LD_SIZE 6'b001000 -set ST_SIZE 6'b000001 -set BUS_DW 16 -set BUS_AW 12 -set BURST 2", bound: 6, cover: 9},
	{top: "loom_axi_port", params: "-set DW 8 -set TW 1 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 2 -set BURST 1 -set WIDE 0", bound: 8, cover: 9},
	{top: "loom_axi_port", params: "-set DW 8 -set TW 1 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 3 -set BURST 2 -set WIDE 0", bound: 8, cover: 13, soak: true},
	{top: "loom_axi_port", params: "-set DW 8 -set TW 1 -set BUS_DW 16 -set BUS_AW 12 -set OUTSTANDING 3 -set BURST 2", bound: 8, cover: 14},
	{top: "loom_axil_host", params: "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", bound: 4, induction: 2},
	{top: "loom_axil_host", params: "-set N_IN 1 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 2 -set SIZED 2", bound: 4, induction: 2},
	{top: "loom_axil_host", params: "-set N_IN 3 -set N_OUT 2 -set N_MEM 1 -set MEM_ELEMENTS 3 -set N_BASE 2", bound: 5, induction: 2, cover: 9, soak: true},
	{top: "f_loom_alu", params: "-set W 8", bound: 4},
	{top: "f_loom_alu", params: "-set W 5", bound: 4},
	{top: "f_loom_float_add", params: "-set LATENCY 1", bound: 4, cover: 4},
	{top: "f_loom_float_add", params: "-set LATENCY 3", bound: 6, cover: 6},
	{top: "f_loom_float_add", params: "-set LATENCY 4", bound: 7, cover: 7, soak: true},
	{top: "f_loom_float_add", params: "-set LATENCY 6", bound: 9, cover: 9, soak: true},
	{top: "f_loom_float_mul", params: "-set LATENCY 3", bound: 6, cover: 6},
	{top: "f_loom_float_mul", params: "-set LATENCY 6", bound: 9, cover: 9, soak: true},
	{top: "f_loom_float_fma", params: "-set LATENCY 4", bound: 7, cover: 7},
	{top: "f_loom_float_fma", params: "-set LATENCY 8", bound: 11, cover: 11, soak: true},
	{top: "f_loom_float_divsqrt_piped", params: "-set LATENCY 5", bound: 8, cover: 8},
	{top: "f_loom_float_divsqrt_piped", params: "-set LATENCY 9", bound: 12, cover: 12, soak: true},
	{top: "f_loom_float_divsqrt_piped", params: "-set LATENCY 6 -set DIVIDE 0", bound: 9, soak: true},
	{top: "f_loom_float_minmax", bound: 6, cover: 5},
	{top: "f_loom_float_round", params: "-set LATENCY 2", bound: 7, cover: 6},
	{top: "f_loom_float_round", params: "-set EXP 4 -set FRAC 3 -set LATENCY 1", bound: 6, cover: 5, soak: true},
	{top: "f_loom_float_from_int", params: "-set LATENCY 2", bound: 7, cover: 6},
	{top: "f_loom_float_from_int", params: "-set LATENCY 3 -set W_IN 5", bound: 8, cover: 7},
	{top: "f_loom_float_from_int", params: "-set LATENCY 3 -set W_IN 9", bound: 8, cover: 7, soak: true},
	{top: "f_loom_float_from_int", params: "-set LATENCY 3 -set W_IN 1", bound: 8, cover: 7, soak: true},
	{top: "f_loom_float_to_int", params: "-set LATENCY 3", bound: 8, cover: 7},
	{top: "f_loom_float_to_int", params: "-set LATENCY 2 -set W_OUT 2", bound: 7, cover: 6, soak: true},
	{top: "f_loom_float_resize", params: "-set LATENCY 2", bound: 7, cover: 6},
	{top: "f_loom_float_resize", params: "-set EXP_IN 3 -set FRAC_IN 2 -set EXP_OUT 4 -set FRAC_OUT 3 -set LATENCY 2", bound: 7, cover: 6},
	{top: "f_loom_float_resize", params: "-set FRAC_OUT 5 -set EXP_OUT 4 -set LATENCY 2", bound: 7, cover: 6, soak: true},
	{top: "f_loom_float_resize", params: "-set FRAC_OUT 1 -set EXP_OUT 4 -set LATENCY 2", bound: 7, cover: 6, soak: true},
	{top: "f_loom_operand_select", bound: 3, induction: 2, cover: 3},
	{top: "f_loom_operand_select", params: "-set N 1 -set SEL_W 1", bound: 3, induction: 2, cover: 3, soak: true},
	{top: "f_loom_operand_select", params: "-set DECODED 1", bound: 4, induction: 2, cover: 4},
	{top: "f_loom_result_select", bound: 3, induction: 2, cover: 3},
	{top: "f_loom_result_select", params: "-set DECODED 1", bound: 4, induction: 2, cover: 4},
	{top: "f_loom_result_select", params: "-set N_UNIT 1 -set N_OUT 1 -set SEL_W 1", bound: 3, induction: 2, cover: 3, soak: true},
	{top: "f_loom_add_tag", bound: 3, induction: 3, cover: 3},
	{top: "f_loom_add_tag", params: "-set W 2", bound: 3, induction: 3, cover: 3, soak: true},
	{top: "f_loom_del_tag", bound: 3, induction: 3, cover: 3},
	{top: "f_loom_del_tag", params: "-set W 2", bound: 3, induction: 3, cover: 3, soak: true},
	{top: "f_loom_map_tag", bound: 3, induction: 3, cover: 4},
	{top: "f_loom_map_tag", params: "-set W 3 -set TW_IN 3 -set TW_OUT 1 -set TABLE_SIZE 5", bound: 3, induction: 3, cover: 4, soak: true},
	{top: "loom_arbiter", params: "-set W 2 -set N 3", bound: 5, induction: 3, cover: 8},
	{top: "loom_arbiter", params: "-set W 2 -set N 4 -set PARALLEL 1", bound: 5, induction: 4, cover: 8},
	{top: "loom_arbiter", params: "-set W 1 -set N 1", bound: 4, induction: 3, soak: true},
	{top: "loom_arbiter", params: "-set W 1 -set N 2", bound: 5, induction: 3, cover: 8, soak: true},
	{top: "loom_temporal_sw", params: "-set W 2 -set TW 1 -set N_IN 2 -set N_OUT 2 -set N_ROUTES 4 -set NUM_SLOT 1", bound: 3, induction: 2},
	{top: "loom_temporal_sw", params: "-set W 2 -set TW 1 -set N_IN 2 -set N_OUT 2 -set N_ROUTES 4 -set NUM_SLOT 2", bound: 3, induction: 2, cover: 4, soak: true},
	{top: "loom_load_lane", params: "-set AW 1 -set DW 2 -set TW 1 -set DEPTH 1", bound: 8, induction: 3, cover: 8, soak: true},
	{top: "loom_load_lane", params: "-set AW 1 -set DW 2 -set TW 1 -set DEPTH 2", bound: 8, induction: 3, cover: 10},
	{top: "loom_load_lane", params: "-set AW 1 -set DW 1 -set TW 1 -set DEPTH 3", bound: 10, cover: 12, soak: true},
	{top: "loom_store_lane", params: "-set AW 1 -set DW 1 -set TW 1 -set LSQ_DEPTH 2 -set PLACES 3", bound: 6, induction: 3, cover: 10},
	{top: "loom_store_lane", params: "-set AW 1 -set DW 1 -set TW 1 -set LSQ_DEPTH 1 -set PLACES 1", bound: 6, induction: 3, soak: true},
	{top: "loom_store_lane", params: "-set AW 1 -set DW 1 -set TW 1 -set LSQ_DEPTH 3 -set PLACES 2", bound: 6, induction: 3, soak: true},
	{top: "f_loom_mux", bound: 4, induction: 3, cover: 4},
	{top: "f_loom_mux", params: "-set N 2 -set SEL_W 3", bound: 4, induction: 3, cover: 4, soak: true},
	{top: "f_loom_join", bound: 4, induction: 3, cover: 4},
	{top: "f_loom_cond_br", bound: 4, induction: 3, cover: 4},
	{top: "f_loom_load", bound: 4, induction: 3, cover: 4},
	{top: "f_loom_store", bound: 4, induction: 3, cover: 4},
	{top: "f_loom_constant", bound: 3, induction: 3, cover: 4, soak: true},
	{top: "f_loom_cfg", bound: 8, cover: 9},
	{top: "f_loom_error_collect", bound: 4, induction: 3, cover: 4},
	{top: "f_loom_error_collect", params: "-set KINDS 1", bound: 4, induction: 3, cover: 4},
}

// sources copies the library and the proofs to dir, with one textual change
// when file is not empty.
func sources(t *testing.T, dir, file, old, new string) {
	t.Helper()
	for _, pattern := range []string{"*.sv", "formal/*"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if name == file {
				if n := strings.Count(string(src), old); n != 1 {
					t.Fatalf("%s holds %q %d times, not once", file, old, n)
				}
				src = []byte(strings.Replace(string(src), old, new, 1))
			}
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), src, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// library lists the source files of the library, the package first.
func library(t *testing.T) []string {
	t.Helper()
	mods, err := Modules()
	if err != nil {
		t.Fatal(err)
	}
	files := []string{PackageFile}
	for _, m := range mods {
		files = append(files, m.File)
	}
	return files
}

// run executes a tool in dir and returns its output; it is killed after limit.
func run(t *testing.T, dir string, limit time.Duration, tool string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), tool, args...)
	cmd.Dir = dir
	timer := time.AfterFunc(limit, func() { cmd.Cancel() })
	defer timer.Stop()
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// design is the script with which Yosys reads a proof's module and brings it to registers and logic.
func design(t *testing.T, p proof, inductive bool) string {
	t.Helper()
	chparam := ""
	if p.params != "" {
		chparam = fmt.Sprintf("chparam %s %s; ", p.params, p.top)
	}
	closureTop := strings.TrimPrefix(p.top, "f_")
	files, err := Closure(closureTop)
	if err != nil { // a top of the proof alone
		if files, err = Closure("loom_cfg_loader", "loom_cfg_slice"); err != nil {
			t.Fatal(err)
		}
	}
	files = append(files, "f_channel.sv", "f_proof.sv")
	own := "-DLOOM_FORMAL" // the properties in the modules
	switch p.top {
	case "loom_axi_master", "loom_axi_bus", "loom_axi_coalesce":
		files = append(files, "f_axi4.sv")
	case "loom_axi_port":
		own = "-DLOOM_FORMAL_PORT" // what is in it has proofs of its own
	case "loom_axil_host":
		files = append(files, "f_axil.sv")
	case "f_loom_loop":
		files = append(files, "loom_carry.sv", "loom_cond_br.sv", "f_loop.sv")
		if !inductive {
			own = "" // the streams alone are compared; induction argues about the states, too
		}
	case "f_loom_accumulate_parts":
		files = append(files, "loom_accumulate_piped.sv", "f_accumulate.sv")
		own = "" // the modules are compared, each has a proof of its own
	case "f_loom_float_add", "f_loom_float_mul", "f_loom_float_fma", "f_loom_float_divsqrt_piped":
		files = append(files, "loom_flow.sv", "f_float_arith.sv")
	case "f_loom_float_minmax", "f_loom_float_round", "f_loom_float_from_int", "f_loom_float_to_int", "f_loom_float_resize":
		files = append(files, "loom_flow.sv", "loom_pipe.sv", "f_float_convert.sv")
	case "f_loom_cfg", "f_loom_error_collect":
		files = append(files, "f_config.sv")
	default:
		if p.top != closureTop {
			files = append(files, "f_units.sv")
		}
		if p.top == "f_loom_alu" {
			for _, u := range units.All() {
				if u.Class == units.Datapath && u.Hardware() && !u.Types.Float() {
					files = append(files, u.Module+".sv")
				}
			}
		}
	}
	return fmt.Sprintf("read_verilog -sv -formal %s -DF_TOP_%s -I. %s; %sprep -flatten -top %s; memory_map; opt -fast; async2sync; dffunmap; ",
		own, p.top, strings.Join(files, " "), chparam, p.top)
}

// yosys runs a script in dir.
func yosys(t *testing.T, dir, script string) {
	t.Helper()
	if out, err := run(t, dir, time.Minute, "yosys", "-q", "-p", script); err != nil {
		t.Fatalf("yosys: %v\n%s", err, out)
	}
}

// The circuits of gates of which ABC is asked: whether an assertion fails, whether one fails after cycles in which none
// did (the step of the induction), and whether situations are reached. The first output of the first one is free: where
// it has no trace, the assumptions leave none.
const (
	failing = "failing.aig"
	induced = "induced.aig"
	reached = "reached.aig"
)

// replacements are what Yosys puts in the place of cells: for a situation to be reached an assertion that it is not;
// beside each assertion the assumption that it held in the cycle before; and which proof a circuit is for (f_proof.sv).
var replacements = map[string]string{
	"reach.v": `(* techmap_celltype = "$cover" *)
module f_reach (input A, input EN);
  \$assert reached (.A(~A), .EN(EN));
endmodule
`,
	"hold.v": `(* techmap_celltype = "$assert" *)
module f_hold (input A, input EN);
  (* init = 1'b1 *) wire held;
  \$ff #(.WIDTH(1)) before (.D(A | ~EN), .Q(held));
  \$assume hold (.A(held), .EN(1'b1));
  \$assert now (.A(A), .EN(EN));
endmodule
`,
	"base.v": `(* techmap_celltype = "f_proof" *)
module f_base (output step);
  assign step = 1'b0;
endmodule
`,
	"step.v": `(* techmap_celltype = "f_proof" *)
module f_step (output step);
  assign step = 1'b1;
endmodule
`}

// choose is the script that makes the read design that of the bounded proof or of the induction.
func choose(induction bool) string {
	if induction {
		return "techmap -map step.v; opt -fast -nodffe -nosdff; "
	}
	return "techmap -map base.v; opt -fast -nodffe -nosdff; "
}

// templates writes replacements to dir.
func templates(t *testing.T, dir string) {
	t.Helper()
	for name, text := range replacements {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// circuits writes the circuits of a proof to dir: those of the bounded proof, that of the induction, or all, of one
// reading where the design is the same. What nothing drives and what is undefined may be anything.
func circuits(t *testing.T, dir string, p proof, bounded, induction bool) {
	t.Helper()
	templates(t, dir)
	const (
		gates = "simplemap; techmap; setundef -undriven -anyseq; aigmap; "
		write = "; write_aiger -I -B -zinit "
		// Without the properties there would be nothing to prove.
		check = "select -assert-min 1 t:$assert; select -assert-min 1 t:$assume; rename -top f_module; delete -output; "
	)
	script, read := "", ""
	if bounded {
		read = design(t, p, false)
		script = read + "design -save f_read; " + choose(false) + check
		if p.cover == 0 {
			script += "chformal -cover -remove; add -output f_possible 1; " + gates + write + failing + "; "
		} else {
			script += "add -output f_possible 1; " + gates +
				"copy f_module f_situations; setattr -mod -unset top f_situations; chformal -cover -remove f_module" + write + failing +
				"; delete f_module; setattr -mod -set top 1 f_situations; delete -output; chformal -assert -remove; techmap -map reach.v; simplemap; aigmap" + write + reached + "; "
		}
	}
	if induction {
		if own := design(t, p, true); own == read {
			script += "design -load f_read; "
		} else {
			if bounded {
				yosys(t, dir, script)
			}
			script = own
		}
		// Any state may be the first one.
		script += choose(true) + check + "chformal -cover -remove; setattr -unset init; techmap -map hold.v -max_iter 1; " + gates + write + induced
	}
	yosys(t, dir, script)
}

// ask has ABC look for values of outputs of a circuit and returns what it says: in the cycles first to last, from 0;
// outputs selects some, options say what is looked for.
func ask(t *testing.T, dir, circuit string, limit time.Duration, outputs string, first, last int, options string) string {
	t.Helper()
	out, err := run(t, dir, limit, "yosys-abc", "-c", fmt.Sprintf("read_aiger %s; fold; strash; %sbmc3 %s -S %d -F %d", circuit, outputs, options, first, last+1))
	if err != nil {
		t.Fatalf("abc: %v\n%s", err, tail(out))
	}
	return out
}

// What ABC says of a circuit.
const (
	noOutput  = "No output asserted in"
	oneOutput = "was asserted in frame"
	allSat    = "outputs are found to be SAT"
)

// holds reports whether no assertion fails in the first cycles, or after so many in which none did.
func holds(t *testing.T, dir string, cycles int, induction bool, limit time.Duration) bool {
	t.Helper()
	var out string
	if induction {
		out = ask(t, dir, induced, limit, "", cycles, cycles, "")
	} else {
		var m, i, l, o, a, bad int // the head of an AIGER file
		file, err := os.Open(filepath.Join(dir, failing))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := fmt.Fscanf(file, "aig %d %d %d %d %d %d", &m, &i, &l, &o, &a, &bad); err != nil || o != 1 || bad == 0 {
			t.Fatalf("%s has %d outputs and %d assertions: %v", failing, o, bad, err)
		}
		if out = ask(t, dir, failing, limit, "cone -s -O 0; ", cycles-1, cycles-1, ""); !strings.Contains(out, oneOutput) {
			t.Fatalf("no trace of %d cycles keeps the assumptions:\n%s", cycles, tail(out))
		}
		out = ask(t, dir, failing, limit, fmt.Sprintf("cone -s -O 1 -R %d; ", bad), 0, cycles-1, "")
	}
	if strings.Contains(out, noOutput) == strings.Contains(out, oneOutput) {
		t.Fatalf("abc gives no answer:\n%s", tail(out))
	}
	return strings.Contains(out, noOutput)
}

// reaches reports whether each situation is reached in the first cycles, and what ABC says.
func reaches(t *testing.T, dir string, cycles int, limit time.Duration) (bool, string) {
	t.Helper()
	out := ask(t, dir, reached, limit, "", 0, cycles-1, "-a -x") // -x: ABC fails where it keeps the traces of several
	return strings.Contains(out, allSat), out
}

// smt translates a proof's module to SMT-LIB.
func smt(t *testing.T, dir string, p proof, inductive bool) string {
	t.Helper()
	name := "bounded.smt2"
	if inductive {
		name = "induction.smt2"
	}
	templates(t, dir)
	yosys(t, dir, design(t, p, inductive)+choose(inductive)+"write_smt2 -wires "+name)
	return name
}

// check runs one mode of yosys-smtbmc; --unroll keeps z3 4.8 from searching
// quantifiers.
func check(t *testing.T, dir, file string, limit time.Duration, mode ...string) (passed bool, output string) {
	t.Helper()
	args := append([]string{"-s", "z3", "--unroll", "--noprogress"}, mode...)
	out, err := run(t, dir, limit, "yosys-smtbmc", append(args, file)...)
	return err == nil, out
}

func (p proof) name() string {
	return strings.Trim(p.top+" "+strings.ReplaceAll(p.params, "-set ", ""), " ")
}

// TestFormal proves the properties in formal/ of every module with channels. ABC does so on gates, in a tenth of the
// time that an SMT solver takes; the solver says which property fails, and in the soak campaign proves all once more.
func TestFormal(t *testing.T) {
	toolstest.Need(t, "yosys", "yosys-abc", "yosys-smtbmc", "z3")
	for _, p := range proofs {
		t.Run(p.name(), func(t *testing.T) {
			if p.soak && !soak() {
				t.Skip("long proof: set LOOM_SOAK=1")
			}
			t.Parallel()
			dir := t.TempDir()
			sources(t, dir, "", "", "")
			limit := 2 * time.Minute
			if p.soak {
				limit = 20 * time.Minute
			}
			circuits(t, dir, p, true, p.induction > 0)
			bounded := ""
			solver := func(mode ...string) (bool, string) {
				if bounded == "" {
					bounded = smt(t, dir, p, false)
				}
				return check(t, dir, bounded, limit, mode...)
			}
			if ok := holds(t, dir, p.bound, false, limit); !ok || soak() {
				if same, out := solver("-t", fmt.Sprint(p.bound)); !ok || !same {
					t.Errorf("a property fails (on gates: %t):\n%s", !ok, tail(out))
				}
			}
			if p.cover > 0 {
				if ok, out := reaches(t, dir, p.cover, limit); !ok || soak() {
					if same, more := solver("-c", "-t", fmt.Sprint(p.cover)); !ok || !same {
						t.Errorf("a situation is never reached:\n%s%s", tail(out), tail(more))
					}
				}
			}
			if p.induction > 0 {
				if ok := holds(t, dir, p.induction, true, limit); !ok || soak() {
					if same, out := check(t, dir, smt(t, dir, p, true), limit, "-i", "-t", fmt.Sprint(p.induction)); !ok || !same {
						t.Errorf("the induction fails (on gates: %t):\n%s", !ok, tail(out))
					}
				}
			}
		})
	}
}

// tail keeps the end of a tool's output.
func tail(out string) string {
	if len(out) > 3000 {
		return "…" + out[len(out)-3000:]
	}
	return out
}
