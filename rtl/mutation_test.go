package rtl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/internal/tools/toolstest"
)

// mutation is a fault planted in a module; the bounded proof of top must fail, or the
// induction where bound is 0.
type mutation struct {
	name, file, old, new string
	top, params          string
	bound                int
	soak                 bool
}

var mutations = []mutation{
	{"carry swaps its inputs", "loom_carry.sv", "pass_a ? a_data : b_data", "pass_a ? b_data : a_data", "loom_carry", "-set W 2", 4, false},
	{"carry forgets the owed value", "loom_carry.sv", "owed <= pass_b & ~(b_valid & o_ready)", "owed <= pass_b & ~b_valid", "loom_carry", "-set W 2", 6, false},
	{"carry never ends its loop", "loom_carry.sv", "started <= pass_a & a_valid & o_ready;\n      owed <= pass_b", "started <= 1'b1;\n      owed <= pass_b", "loom_carry", "-set W 2", 6, true},
	{"carry forgets an initial value that passed as the loop ended", "loom_carry.sv", "started <= pass_a & a_valid & o_ready;\n      owed", "started <= 1'b0;\n      owed", "loom_carry", "-set W 2 -set OVERLAP 1", 6, true},
	{"carry takes a condition while a value is owed", "loom_carry.sv", "d_ready = started & ~owed", "d_ready = started", "loom_carry", "-set W 2", 6, true},
	{"a loop head takes the next value as the initial one", "loom_loop.sv", "body_data  = started ? b_data : a_data", "body_data  = started ? a_data : b_data", "loom_loop", "-set W 2", 4, false},
	{"a loop head never ends its loop", "loom_loop.sv", "started <= d_data", "started <= 1'b1", "loom_loop", "-set W 2", 5, true},
	{"a loop head consumes a condition without the value", "loom_loop.sv", "d_ready = fire", "d_ready = d_data ? body_ready : out_ready", "loom_loop", "-set W 2", 4, true},
	{"a loop head is other than its parts in what comes round", "loom_loop.sv", "body_data  = started ? b_data : a_data", "body_data  = started ? a_data : b_data", "f_loom_loop", "", 4, false},
	{"a loop head is other than its parts behind a loop", "loom_loop.sv", "started <= d_data", "started <= 1'b1", "f_loom_loop", "", 5, false},
	{"a loop head stops where its parts go on", "loom_loop.sv", "started ? b_valid : a_valid", "b_valid & a_valid", "f_loom_loop", "", 9, true},
	{"a loop head takes a value that its body does not", "loom_loop.sv", "d_data ? body_ready : out_ready", "body_ready | out_ready", "f_loom_loop", "", 4, true},
	{"parts of a loop head that branch the other way", "loom_cond_br.sv", "true_valid  = cond_valid & data_valid & cond_data", "true_valid  = cond_valid & data_valid & ~cond_data", "f_loom_loop", "", 4, true},
	{"an accumulator adds without its element", "loom_accumulate.sv", "n_valid   = due & d_data & x_valid", "n_valid   = due & d_data", "loom_accumulate", "-set W 2", 4, false},
	{"an accumulator forgets a sum that waited", "loom_accumulate.sv", "if (x_ready) value", "if (n_valid) value", "loom_accumulate", "-set W 2", 6, false},
	{"an accumulator keeps its value for the next loop", "loom_accumulate.sv", "if (fire) started <= d_data", "if (fire) started <= 1'b1", "loom_accumulate", "-set W 2", 5, true},
	{"an accumulator of extremes keeps the other word", "loom_accumulate_extreme.sv", "picked ? element : value", "picked ? value : element", "loom_accumulate_extreme", "-set W 2", 5, false},
	{"an accumulator of extremes chooses between sums", "loom_accumulate_extreme.sv", "chooses & picks", "picks", "loom_accumulate_extreme", "-set W 2", 5, false},
	{"an accumulator of extremes begins with an element of the loop before", "loom_accumulate_extreme.sv", "~started ? a_data : picked", "(~started & ~picked) ? a_data : picked", "loom_accumulate_extreme", "-set W 2", 7, true},
	{"an accumulator of extremes takes an element that waits", "loom_accumulate_extreme.sv", "if (x_ready) begin", "if (n_valid) begin", "loom_accumulate_extreme", "-set W 2", 6, true},
	{"a piped accumulator goes on before its sum is taken", "loom_accumulate_piped.sv", "present & (taken | n_ready)", "present", "loom_accumulate_piped", "-set W 2 -set LATENCY 3", 8, false},
	{"a piped accumulator gives a sum twice", "loom_accumulate_piped.sv", "n_valid   = present & ~taken", "n_valid   = present", "loom_accumulate_piped", "-set W 2 -set LATENCY 1", 6, false},
	{"a piped accumulator leaves before its last sum", "loom_accumulate_piped.sv", "started ? taken : a_valid);", "started ? present : a_valid);", "loom_accumulate_piped", "-set W 2 -set LATENCY 3", 9, true},
	{"a sum in parts takes an element without its condition", "loom_accumulate_parts.sv", "fire   = ready & d_data & x_valid &", "fire   = ready & d_data &", "loom_accumulate_parts", "-set W 2 -set LATENCY 2", 6, false},
	{"parts begin with what the loop before left", "loom_accumulate_parts.sv", "present ? n_value : NEUTRAL", "n_value", "loom_accumulate_parts", "-set W 2 -set LATENCY 2", 10, false},
	{"parts are combined in another order", "loom_accumulate_parts.sv", "fire | (pair & here)}", "fire | (pair & here)} | LATENCY'(turn & ~pair)", "loom_accumulate_parts", "-set W 2 -set LATENCY 2", 10, true},
	{"a sum in parts leaves before the last combination", "loom_accumulate_parts.sv", "(turns[LATENCY-1] & ~pair)", "turns[LATENCY-1]", "loom_accumulate_parts", "-set W 2 -set LATENCY 3 -set NEUTRAL 2'd2", 14, false},
	{"a sum in parts keeps its turns for the next loop", "loom_accumulate_parts.sv", "1'b1} : turns) & ~{LATENCY{leave}}", "1'b1} : turns)", "loom_accumulate_parts", "-set W 2 -set LATENCY 2", 12, true},
	{"a loop without iterations keeps its initial value", "loom_accumulate_parts.sv", "~started & (fire | finish | out)", "~started & (fire | out)", "loom_accumulate_parts", "-set W 2 -set LATENCY 2", 8, true},
	{"without parts an accumulator combines them", "loom_accumulate_parts.sv", "finish = ready & ~d_data & parts", "finish = ready & ~d_data", "f_loom_accumulate_parts", "-set LATENCY 2", 6, true},
	{"without parts an accumulator goes on before its sum is taken", "loom_accumulate_parts.sv", "present & (~offer | n_ready)", "present", "f_loom_accumulate_parts", "-set LATENCY 2", 8, false},
	{"a piped accumulator keeps its value for the next loop", "loom_accumulate_piped.sv", "fire | (started & ~leave)", "fire | started", "loom_accumulate_piped", "-set W 2 -set LATENCY 1", 7, true},
	{"a counter gives an index behind the last one", "loom_stream.sv", "(COUNTER == 0) | cont", "1'b1", "loom_stream", "-set W 3 -set COUNTER 1", 5, false},
	{"invariant keeps no value", "loom_invariant.sv", "if (~started) value <= a_data", "if (started) value <= a_data", "loom_invariant", "-set W 2", 6, false},
	{"invariant consumes a condition without its value", "loom_invariant.sv", "d_ready = started & (o_ready | ~o_valid)", "d_ready = started", "loom_invariant", "-set W 2", 6, true},
	{"gate forgets the phase change", "loom_gate.sv", "inside_loop <= cond_data", "inside_loop <= 1'b1", "loom_gate", "-set W 2", 6, false},
	{"gate emits the first condition", "loom_gate.sv", ".need     ({inside_loop, cond_data})", ".need     ({1'b1, cond_data})", "loom_gate", "-set W 2", 6, true},
	{"an interlock does not compare a load with the store of its cycle", "loom_interlock.sv", "known & ~(loads & stores & same)", "known", "loom_interlock", "-set W 3 -set DEPTH 2 -set BITS 2", 4, false},
	{"an interlock forgets that a store is to come", "loom_interlock.sv", "(o_valid & o_ready) | (due & ~known)", "due & ~known | (o_valid & o_ready & ~due)", "loom_interlock", "-set W 3 -set DEPTH 2 -set BITS 2", 6, true},
	{"an interlock lets a load go before the store before it is known", "loom_interlock.sv", "(~due | (known &", "(~due | (~known |", "loom_interlock", "-set W 3 -set DEPTH 2 -set BITS 2", 4, true},
	{"a store that is done is kept", "loom_interlock.sv", "kept[k] <= into | (kept[k] & ~from)", "kept[k] <= into | kept[k]", "loom_interlock", "-set W 3 -set DEPTH 2 -set BITS 2", 6, false},
	{"one store too many is kept", "loom_interlock.sv", "due & (count != (P + 1)'(DEPTH))", "due", "loom_interlock", "-set W 3 -set DEPTH 2 -set BITS 2", 7, true},
	{"an interlock takes a load that does not leave", "loom_interlock.sv", "a_ready = o_valid & o_ready", "a_ready = o_ready & clear", "loom_interlock", "-set W 3 -set DEPTH 2 -set BITS 2", 3, true},
	{"an interlock keeps what is not stored", "loom_interlock.sv", "keep    = known & stores", "keep    = known", "loom_interlock", "-set W 3 -set DEPTH 2 -set BITS 2", 4, true},
	{"what is no load waits", "loom_interlock.sv", "~(loads & (hit != '0))", "(hit == '0)", "loom_interlock", "-set W 3 -set DEPTH 2 -set BITS 2", 5, true},
	{"a store is kept in another place", "loom_interlock.sv", "into   = keep & (next == P'(k))", "into   = keep & (first == P'(k))", "loom_interlock", "-set W 3 -set DEPTH 2 -set BITS 2", 6, false},
	{"offer without taken bits", "loom_offer.sv", "taken <= (taken | (out_valid & out_ready))", "taken <= '0", "loom_offer", "-set N 2", 5, false},
	{"an offer of one result is taken before it is offered", "loom_offer.sv", "assign taken      = 1'b0", "assign taken      = 1'b1", "loom_offer", "-set N 1", 3, true},
	{"offer keeps its taken bits", "loom_offer.sv", " & ~{N{done}}", "", "loom_offer", "-set N 2", 5, true},
	{"switch delivers again after a stall", "loom_switch.sv", "offered & (taken[o] | out_ready[o])", "offered & out_ready[o]", "loom_switch", "-set W 1 -set N_IN 2 -set N_OUT 2 -set ROUTE_BITS 4", 5, false},
	{"switch forgets a delivery when the token stays", "loom_switch.sv", "released <= in_ready", "released <= in_ready | in_valid", "loom_switch", "-set W 1 -set N_IN 2 -set N_OUT 2 -set ROUTE_BITS 4", 5, true},
	{"switch keeps a delivery when the token has left", "loom_switch.sv", "taken[o]     = delivered[o] & ~(|(named & released))", "taken[o]     = delivered[o]", "loom_switch", "-set W 1 -set N_IN 2 -set N_OUT 2 -set ROUTE_BITS 4", 5, false},
	{"switch releases before all have taken", "loom_switch.sv", "assign blocked = g_out[o-1].blocked | (named & {N_IN{holds}});", "assign blocked = g_out[o-1].blocked;", "loom_switch", "-set W 1 -set N_IN 2 -set N_OUT 2 -set ROUTE_BITS 4", 5, true},
	{"switch delivers at an output that is not enabled", "loom_switch.sv", "assign offered      = enable &", "assign offered      =", "loom_switch", "-set W 1 -set N_IN 2 -set N_OUT 2 -set ROUTE_BITS 4", 5, false},
	{"switch holds a token for an output that is not enabled", "loom_switch.sv", "assign holds = enable &", "assign holds =", "loom_switch", "-set W 1 -set N_IN 2 -set N_OUT 2 -set ROUTE_BITS 4", 5, true},
	{"switch reports no token without a route", "loom_switch.sv", "assign err_valid = ~rst & (|(in_valid & ~cfg_expects));", "assign err_valid = ~rst & (&(in_valid & ~cfg_expects));", "loom_switch", "-set W 1 -set N_IN 2 -set N_OUT 2 -set ROUTE_BITS 4", 5, true},
	{"switch delivers where the select names no input", "loom_switch.sv", "assign named[i]           = (sel == RANK[SEL_W-1:0]);", "assign named[i]           = (sel == RANK[SEL_W-1:0]) | ((i == 0) & (sel == SEL_W'(K)) & (K == 3));", "loom_switch", "-set W 1 -set N_IN 3 -set N_OUT 4 -set CONNECT 12'b111101010000 -set ROUTE_BITS 6", 4, false},
	{"switch takes the neighbour of the input", "loom_choose.sv", "2'(number - 4'(3 * GROUPS))", "2'(number - 4'(2 * GROUPS))", "loom_switch", "-set W 1 -set N_IN 7 -set N_OUT 2 -set ROUTE_BITS 8", 4, false},
	{"switch reads the select of another output", "loom_switch.sv", "assign sel    = cfg_route[POS+1 +: SEL_W];", "assign sel    = cfg_route[1 +: SEL_W];", "loom_switch", "-set W 1 -set N_IN 2 -set N_OUT 2 -set ROUTE_BITS 4", 5, true},
	{"fifo overwrites when full", "loom_fifo.sv", "push     = in_valid & room;", "push     = in_valid;", "loom_fifo", "-set W 2 -set DEPTH 5", 9, false},
	{"fifo is one slot short", "loom_fifo.sv", "\n              room   <= out_ready | (room & ~(in_valid & (wr_next == rd)))", "\n              room   <= out_ready | (room & ~(in_valid & (after(wr_next) == rd)))", "loom_fifo", "-set W 2 -set DEPTH 8", 11, true},
	{"fifo of few slots counts one too many", "loom_fifo.sv", "push & not_pop", "push", "loom_fifo", "-set W 2 -set DEPTH 4", 7, true},
	{"fifo visits one place twice", "loom_fifo.sv", "((ALL != 0) & (place << 1 == '0))", "1'b0", "loom_fifo", "-set W 2 -set DEPTH 4", 9, false},
	{"the head is overtaken", "loom_fifo.sv", "head <= some ? mem[rd] : in_data", "head <= in_data", "loom_fifo", "-set W 2 -set DEPTH 4 -set HEAD 1", 7, true},
	{"the first bit is that of the word before", "loom_fifo.sv", "in_data[0] : low[rd_next]", "in_data[0] : low[rd]", "loom_fifo", "-set W 2 -set DEPTH 4 -set HEAD 2", 7, false},
	{"the first bit waits for its memory", "loom_fifo.sv", "(~filled | (rd_next == wr)) ? in_data[0]", "~filled ? in_data[0]", "loom_fifo", "-set W 2 -set DEPTH 4 -set HEAD 2", 7, true},
	{"a word beside the head is kept twice", "loom_fifo.sv", "filled & (some | ~out_ready)", "filled", "loom_fifo", "-set W 2 -set DEPTH 4 -set HEAD 1", 7, true},
	{"a word overtakes those in block RAM", "loom_fifo.sv", "straight  = push & ~some &", "straight  = push &", "loom_fifo", "-set W 2 -set DEPTH 8 -set RAM 2", 10, true},
	{"block RAM is late behind a word of its own", "loom_fifo.sv", "beside    = push & ~some & coming & free", "beside    = 1'b0", "loom_fifo", "-set W 2 -set DEPTH 8 -set RAM 2", 10, true},
	{"a queue in block RAM has one place too many", "loom_fifo.sv", "(count == CW'(DEPTH - 1))", "(count == CW'(DEPTH))", "loom_fifo", "-set W 2 -set DEPTH 5 -set RAM 2", 9, true},
	{"a queue in block RAM begins with a word of the one before its reset", "loom_fifo.sv", "fetched  <= 1'b0;", "fetched  <= ask;", "loom_fifo", "-set W 2 -set DEPTH 5 -set RAM 2", 9, true},
	{"two-slot buffer loses its second word", "loom_fifo.sv", "in_valid | ~room | (filled & ~out_ready)", "in_valid | (filled & ~out_ready)", "loom_fifo", "-set W 2 -set DEPTH 2", 6, true},
	{"register accepts while stalled", "loom_fifo.sv", "in_ready  = ~full | out_ready", "in_ready  = 1'b1", "loom_fifo", "-set W 2 -set DEPTH 1", 5, true},
	{"mux keeps its selector", "loom_mux.sv", "sel_ready = out_valid & out_ready", "sel_ready = out_valid & out_ready & pick[0]", "f_loom_mux", "", 4, false},
	{"mux consumes all inputs", "loom_mux.sv", "pick & {N{out_valid & out_ready}}", "{N{out_valid & out_ready}}", "f_loom_mux", "", 4, true},
	{"stream source takes a beat without a request", "loom_stream_source.sv", "s_axis_tready = wanted[0] & rsp_ready", "s_axis_tready = rsp_ready", "loom_stream_source", "-set W 2", 4, false},
	{"stream source forgets a second request", "loom_stream_source.sv", "wanted <= {wanted[0], 1'b1}", "wanted <= 2'b01", "loom_stream_source", "-set W 2", 5, true},
	{"stream sink ends a packet with every beat", "loom_stream_sink.sv", "m_axis_tvalid = full & (req_valid | end_valid)", "m_axis_tvalid = full", "loom_stream_sink", "-set W 2", 5, false},
	{"stream sink lets a run end before its last beat", "loom_stream_sink.sv", "ended_valid   = end_valid & ~full", "ended_valid   = end_valid", "loom_stream_sink", "-set W 2", 5, false},
	{"stream sink takes a beat over one that waits", "loom_stream_sink.sv", "~dones[1] & (~full | m_axis_tready)", "~dones[1]", "loom_stream_sink", "-set W 2", 5, true},
	{"RAM loads have a slot too few reserved", "loom_bram_load.sv", "assign req_ready = ~held[SLOTS-1]", "assign req_ready = ~held[SLOTS-1] | rsp_ready", "loom_bram_load", "-set AW 2 -set MW 1 -set DW 2 -set LATENCY 1", 7, false},
	{"RAM data is taken a cycle early", "loom_bram_load.sv", ".in_valid (coming[LATENCY-1])", ".in_valid (coming[LATENCY-2])", "loom_bram_load", "-set AW 2 -set MW 1 -set DW 2 -set LATENCY 2", 7, true},
	{"a RAM is written without room for the response", "loom_bram_store.sv", "bram_we   = bram_en", "bram_we   = req_valid", "loom_bram_store", "-set AW 2 -set MW 1 -set DW 2", 5, false},
	{"ap_ctrl gives an argument again", "loom_ap_ctrl.sv", "given <= given | (in_valid & in_ready)", "given <= in_valid & in_ready", "loom_ap_ctrl", "-set N_IN 2 -set N_OUT 2", 5, false},
	{"ap_done before an argument has gone", "loom_ap_ctrl.sv", "ap_done   = (&given) & (&got)", "ap_done   = &got", "loom_ap_ctrl", "-set N_IN 2 -set N_OUT 2", 5, true},
	{"merge forgets a stalled token", "loom_merge.sv", "stalled ? held : first", "first", "loom_merge", "-set W 2 -set N 2", 5, false},
	{"merge takes all inputs", "loom_merge.sv", "in_ready  = out_from & {N{out_ready}}", "in_ready  = {N{out_ready}}", "loom_merge", "-set W 2 -set N 2", 5, false},
	{"merge stalls for ever", "loom_merge.sv", "stalled <= out_valid & ~out_ready", "stalled <= out_valid", "loom_merge", "-set W 2 -set N 2", 5, true},
	{"control_merge counts from one", "loom_control_merge.sv", "INDEX_W'(k)", "INDEX_W'(k + 1)", "loom_control_merge", "-set W 2 -set N 3 -set INDEX_W 2", 5, false},
	{"primed fifo begins empty", "loom_fifo_primed.sv", "count <= CW'(N)", "count <= '0", "loom_fifo_primed", "-set W 2 -set DEPTH 2 -set N 1 -set INIT 2'd2", 5, false},
	{"primed fifo writes one place too far", "loom_fifo_primed.sv", "left == CW'(k)", "count == CW'(k)", "loom_fifo_primed", "-set W 2 -set DEPTH 3 -set N 1 -set INIT 2'd2", 6, false},
	{"join ignores the mask", "loom_join.sv", "(&(in_valid | ~cfg_mask))", "(&in_valid)", "f_loom_join", "", 4, true},
	{"branch inverted", "loom_cond_br.sv", "cond_data ? true_ready : false_ready", "cond_data ? false_ready : true_ready", "f_loom_cond_br", "", 4, true},
	{"store releases after the address", "loom_store.sv", "assign complete = offer & done", "assign complete = offer & memaddr_ready", "f_loom_store", "", 4, true},
	{"stream stops one early", "loom_stream.sv", "holds(cfg_cont_cond, idx, bound)", "holds(cfg_cont_cond, stepped, bound)", "loom_stream", "-set W 3", 6, false},
	{"stream compares unsigned", "loom_stream.sv", "$signed(index) < $signed(limit)", "index < limit", "loom_stream", "-set W 3", 6, true},
	{"stream compares unsigned as it computes", "loom_stream.sv", "{1'b0, index ^ (W'(1) << (W - 1))}", "{1'b0, index}", "loom_stream", "-set W 3 -set LOOKAHEAD 2", 6, true},
	{"stream looks one index too far ahead", "loom_stream.sv", "going <= ~stuck & holds(cfg_cont_cond, ahead, bound)", "going <= ~stuck & holds(cfg_cont_cond, stepped, bound)", "loom_stream", "-set W 3 -set LOOKAHEAD 1", 6, false},
	{"stream looks ahead from the activation before", "loom_stream.sv", "start_data - step_data : start_data + step_data", "ahead : ahead", "loom_stream", "-set W 3 -set LOOKAHEAD 1", 6, true},
	{"stream compares with the bound before", "loom_stream.sv", "more ? bound : bound_data", "bound", "loom_stream", "-set W 3 -set LOOKAHEAD 2", 6, true},
	{"stream begins with a bad step", "loom_stream.sv", "cfg_cont_cond & {5{more | ~bad_step}}", "cfg_cont_cond", "loom_stream", "-set W 3 -set LOOKAHEAD 2", 6, true},
	{"stream ignores a bad step", "loom_stream.sv", "stuck <= bad_step", "stuck <= 1'b0", "loom_stream", "-set W 3", 6, true},
	{"a conversion takes a word in its second register with the first", "loom_float_normalize.sv", "move(move[REGISTER])", "move(move[0])", "f_loom_float_from_int", "-set LATENCY 3 -set W_IN 5", 8, false},
	{"a conversion keeps the sign of the word before", "loom_float_to_int.sv", ".move(move[(LATENCY > 2) ? 1 : 0])", ".move(move[0])", "f_loom_float_to_int", "-set LATENCY 3", 8, true},
	{"rounding takes its sum at the output's pace", "loom_float_round.sv", ".move(move[0])", ".move(move[1])", "f_loom_float_round", "-set LATENCY 2", 7, true},
	{"a quotient keeps the divisor of the one before", "loom_float_divsqrt_piped.sv", ".move(move[(AT > 0) ? AT - 1 : 0])", ".move(move[0])", "f_loom_float_divsqrt_piped", "-set LATENCY 5", 8, true},
	{"multiplier misses a product", "loom_mul.sv", "assign sum = g_product[i-1].sum + p", "assign sum = p", "loom_mul", "-set W 4 -set CHUNK 2", 6, false},
	{"multiplier moves what stands", "loom_mul.sv", "assign move[k] = y_ready | ~(&full[LATENCY-1:k])", "assign move[k] = 1'b1", "loom_mul", "-set W 4 -set CHUNK 2", 7, true},
	{"divider stops one bit early", "loom_divide.sv", "left   <= LAST[CW-1:0]", "left   <= LAST[CW-1:0] - CW'(1)", "loom_divrem", "-set W 3", 8, false},
	{"divider negates a quotient by zero", "loom_divide.sv", "(sign_a ^ sign_b) & (|b_data)", "(sign_a ^ sign_b)", "loom_divrem", "-set W 3", 8, true},
	{"store queue accepts when full", "loom_store_queue.sv", "addr_ready = ~addr_full | pop", "addr_ready = 1'b1", "loom_store_queue", "-set AW 2 -set DW 2 -set DEPTH 2 -set TIMEOUT 3", 7, true},
	{"deadlock reported a cycle late", "loom_store_queue.sv", "waited == ALMOST[TW-1:0]", "waited == TIMEOUT[TW-1:0]", "loom_store_queue", "-set AW 2 -set DW 2 -set DEPTH 2 -set TIMEOUT 3", 8, false},
	{"memory counts data slots only", "loom_memory.sv", "~data_under_way[2] & ~done_under_way[2] & ~host", "~data_under_way[2] & ~host", "loom_memory", "-set AW 2 -set DW 8 -set DEPTH 3 -set LSQ_DEPTH 1", 8, true},
	{"memory writes beyond its end", "loom_memory.sv", "assign st_fault     = no_region | st_oob", "assign st_fault     = no_region", "loom_memory", "-set AW 2 -set DW 8 -set DEPTH 2 -set LSQ_DEPTH 1", 8, true},
	{"tagged queue pops a lone address", "loom_store_queue_tagged.sv", "assign pair_valid = |(addr_filled & data_filled)", "assign pair_valid = |addr_filled", "loom_store_queue_tagged", "-set AW 1 -set DW 1 -set COUNT 2 -set DEPTH 2 -set TIMEOUT 3", 5, false},
	{"tagged queue always starts at tag 0", "loom_store_queue_tagged.sv", "else if (pop) last <= pair_tag", "else if (pop) last <= SW'(COUNT - 1)", "loom_store_queue_tagged", "-set AW 1 -set DW 1 -set COUNT 2 -set DEPTH 2 -set TIMEOUT 3", 8, true},
	{"tagged queues share a slot", "loom_store_queue_tagged.sv", "addr_slot[{addr_tag, addr_at}] <= addr_data", "addr_slot[{SW'(0), addr_at}] <= addr_data", "loom_store_queue_tagged", "-set AW 1 -set DW 1 -set COUNT 2 -set DEPTH 2 -set TIMEOUT 3", 6, true},
	{"tagged memory tags done as data", "loom_memory_tagged.sv", "lddone_data  = tags[done_rd]", "lddone_data  = tags[data_rd]", "loom_memory_tagged", "-set AW 1 -set DW 8 -set TW 1 -set DEPTH 2 -set LSQ_DEPTH 1", 7, true},
	{"tagged memory writes without a region", "loom_memory_tagged.sv", "assign st_fault         = st_unmapped | st_oob", "assign st_fault         = st_oob", "loom_memory_tagged", "-set AW 1 -set DW 8 -set TW 1 -set DEPTH 2 -set LSQ_DEPTH 1", 8, true},
	{"regions are closed ranges", "loom_region_tagged.sv", "(tag[n*TW +: TW] < cfg_region[r*RW+END +: TW])) begin", "(tag[n*TW +: TW] <= cfg_region[r*RW+END +: TW])) begin", "loom_memory_tagged", "-set AW 1 -set DW 8 -set TW 1 -set DEPTH 2 -set LSQ_DEPTH 1", 5, true},
	{"a read cache fetches again what is under way", "loom_read_cache.sv", "named & marked;", "named & marked & ~turn_valid;", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 2", 8, false},
	{"a store leaves the element in the read cache", "loom_read_cache.sv", "drop   <= stored &", "drop   <= 1'b0 & stored &", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 2", 9, false},
	{"a look-up keeps a line from a store that drops it", "loom_read_cache.sv", "(drop & (drop_line", "(drop & ~touch & (drop_line", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 2", 9, true},
	{"an error stays in the read cache", "loom_read_cache.sv", "~(rst | fail | (drop", "~(rst | (drop", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 4", 9, true},
	{"a run finds what the one before has left", "loom_read_cache.sv", "(present[l] & ~empty));", "present[l]);", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 2", 12, true},
	{"a hit in the first cycle of a run", "loom_read_cache.sv", "present[line], ~empty,", "present[line],", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 4", 9, false},
	{"a line keeps the marks of another one", "loom_read_cache.sv", "(last_same ? last_mark : '0) |", "last_mark |", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 4", 9, true},
	{"a line has every name", "loom_read_cache.sv", ", ~(names[line] ^ name)};", "};", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 2", 8, true},
	{"a response is taken by a hit", "loom_read_cache.sv", ".out_ready(turn_valid & ~turn_hit),", ".out_ready(turn_valid),", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 4", 9, false},
	{"a response has the tag of the request", "loom_read_cache.sv", "rsp_tag    <= turn_tag;", "rsp_tag    <= tag;", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 2", 7, true},
	{"a load takes the place of the one before it", "loom_read_cache.sv", "req_ready = ~asked | room;", "req_ready = 1'b1;", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 4", 7, true},
	{"what a miss brings is not kept", "loom_read_cache.sv", "if (turn & turn_fill) places", "if (turn & turn_fill & ~turn_valid) places", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 4", 10, false},
	{"a look-up behind another one does not see its mark", "loom_read_cache.sv", "(last_line == line) ? last_marks : marks[line];", "marks[line];", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 4", 8, true},
	{"a store drops a line that it does not name", "loom_read_cache.sv", "drop_line <= st_line;", "drop_line <= st_addr[SHIFT+MW +: LW];", "loom_read_cache", "-set DW 8 -set TW 1 -set BUS_AW 4 -set ELEMENTS 4 -set LINE 2 -set OUTSTANDING 2", 9, true},
	{"external memory withdraws its request", "loom_extmemory.sv", "assign ld_req_valid = ~rst & ldaddr_valid & room & region", "assign ld_req_valid = ~rst & ldaddr_valid & room & region & lddata_ready", "loom_extmemory", "-set AW 2 -set DW 8 -set LSQ_DEPTH 1", 5, true},
	{"tagged queue overtakes a kept pair", "loom_store_queue_tagged.sv", "else if (keep) last", "else if (keep & pop) last", "loom_store_queue_tagged", "-set AW 1 -set DW 1 -set COUNT 2 -set DEPTH 2 -set TIMEOUT 3", 6, false},
	{"an external memory reserves one more than OUTSTANDING", "loom_extmemory.sv", "assign room         = ~&(data_under_way | ~FULL) & ~&(done_under_way | ~FULL);", "assign room         = (data_under_way != FULL + CW'(1)) & (done_under_way != FULL + CW'(1));", "loom_extmemory", "-set AW 2 -set DW 8 -set LSQ_DEPTH 1 -set OUTSTANDING 2", 5, false},
	{"an external memory reserves one more store than OUTSTANDING", "loom_extmemory.sv", "assign room         = ~&(done_under_way | ~FULL);", "assign room         = done_under_way != FULL + CW'(1);", "loom_extmemory", "-set AW 2 -set DW 8 -set LSQ_DEPTH 1 -set OUTSTANDING 2", 7, true},
	{"a shared external memory reserves one more than OUTSTANDING", "loom_extmemory_tagged.sv", "~&(data_under_way | ~FULL) & ~&(done_under_way | ~FULL);", "(data_under_way != FULL + CW'(1)) & (done_under_way != FULL + CW'(1));", "loom_extmemory_tagged", "-set AW 1 -set DW 8 -set TW 1 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 2", 5, false},
	{"a shared external memory reserves one more store than OUTSTANDING", "loom_extmemory_tagged.sv", "~&(under_way | ~FULL);", "under_way != FULL + CW'(1);", "loom_extmemory_tagged", "-set AW 1 -set DW 8 -set TW 1 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 2", 7, true},
	{"the element behind an array is read", "loom_extmemory.sv", "(ldaddr_data >= entry[64 +: AW])", "(ldaddr_data > entry[64 +: AW])", "loom_extmemory", "-set AW 2 -set DW 16 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 3 -set BOUNDS 1", 5, false},
	{"only loads stay in their array", "loom_extmemory.sv", "assign outside = region & ~entry[64+AW] & (index >= entry[64 +: AW]);", "assign outside = 1'b0;", "loom_extmemory", "-set AW 2 -set DW 16 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 3 -set BOUNDS 1", 5, true},
	{"a part of an element is in the array", "loom_extent.sv", "assign elements = size >> SHIFT;", "assign elements = (size + 64'd1) >> SHIFT;", "loom_extmemory", "-set AW 2 -set DW 16 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 3 -set BOUNDS 1", 5, true},
	{"a load outside is taken and requested", "loom_extmemory.sv", "region & ~outside & ~ld_outside;", "region & ~ld_outside;", "loom_extmemory", "-set AW 2 -set DW 16 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 3 -set BOUNDS 1", 5, true},
	{"a load outside completes before others", "loom_extmemory.sv", "assign refused = ld_outside & (done_under_way - dones == CW'(1));", "assign refused = ld_outside & ~ld_rsp_valid;", "loom_extmemory", "-set AW 2 -set DW 16 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 3 -set BOUNDS 1", 6, true},
	{"another region's size", "loom_extmemory_tagged.sv", "cfg_region[r*(RW+64)+RW +: 64]", "cfg_region[RW +: 64]", "loom_extmemory_tagged", "-set AW 1 -set DW 16 -set TW 2 -set LD_COUNT 3 -set ST_COUNT 2 -set LSQ_DEPTH 1 -set NUM_REGION 2 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 2 -set BOUNDS 1", 3, false},
	{"a store outside is popped and requested", "loom_extmemory_tagged.sv", "st_hit & ~outside & ~st_outside;", "st_hit & ~st_outside;", "loom_extmemory_tagged", "-set AW 1 -set DW 16 -set TW 2 -set LD_COUNT 3 -set ST_COUNT 2 -set LSQ_DEPTH 1 -set NUM_REGION 2 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 2 -set BOUNDS 1", 4, true},
	{"a load outside completes before others of its tag", "loom_extmemory_tagged.sv", "assign refused   = ld_outside & ~|asked;", "assign refused   = ld_outside & ~ld_rsp_valid;", "loom_extmemory_tagged", "-set AW 1 -set DW 16 -set TW 2 -set LD_COUNT 3 -set ST_COUNT 2 -set LSQ_DEPTH 1 -set NUM_REGION 2 -set DEADLOCK_TIMEOUT 3 -set OUTSTANDING 2 -set BOUNDS 1", 5, true},
	{"an access of a circuit behind its array is read", "loom_axi_load.sv", "(index >= limit[AW-1:0])", "(index > limit[AW-1:0])", "loom_axi_load", "-set AW 2 -set DW 12 -set SHIFT 1 -set BUS_DW 32 -set BUS_AW 12 -set OUTSTANDING 2 -set BOUNDS 1", 6, false},
	{"only loads of a circuit stay in their array", "loom_axi_store.sv", "assign outside = ~limit[AW] & (index >= limit[AW-1:0]);", "assign outside = 1'b0;", "loom_axi_store", "-set AW 2 -set DW 12 -set SHIFT 1 -set BUS_DW 32 -set BUS_AW 12 -set OUTSTANDING 2 -set BOUNDS 1", 6, true},
	{"a store of a circuit outside is requested", "loom_axi_store.sv", "waiting & ~closed & ~outside;", "waiting & ~closed;", "loom_axi_store", "-set AW 2 -set DW 12 -set SHIFT 1 -set BUS_DW 32 -set BUS_AW 12 -set OUTSTANDING 2 -set BOUNDS 1", 6, false},
	{"a load of a circuit outside overtakes", "loom_axi_load.sv", "outside & ~|reads &", "outside &", "loom_axi_load", "-set AW 2 -set DW 12 -set SHIFT 1 -set BUS_DW 32 -set BUS_AW 12 -set OUTSTANDING 2 -set BOUNDS 1", 7, true},
	{"the size of an array is 0 after a reset", "loom_axil_host.sv", "if (rst) bytes <= '1;", "if (rst) bytes <= '0;", "loom_axil_host", "-set N_IN 1 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 2 -set SIZED 2", 4, false},
	{"a size changes during a run", "loom_axil_host.sv", "may_write = ~busy & (is_enable | is_size);", "may_write = ~busy & is_enable | is_size;", "loom_axil_host", "-set N_IN 1 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 2 -set SIZED 2", 0, true},
	{"external request changes while it waits", "loom_extmemory_tagged.sv", ".keep      (st_req_valid)", ".keep      (1'b0)", "loom_extmemory_tagged", "-set AW 1 -set DW 8 -set TW 1 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3", 6, true},
	{"stray store replaces a request", "loom_extmemory_tagged.sv", "room & ~pair_valid & ~st_rsp_valid", "room & ~st_rsp_valid", "loom_extmemory_tagged", "-set AW 1 -set DW 8 -set TW 2 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3", 5, true},
	{"faulting load overwrites a response", "loom_extmemory_tagged.sv", "fault ? ~ld_rsp_valid", "fault ? 1'b1", "loom_extmemory_tagged", "-set AW 1 -set DW 8 -set TW 1 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3", 4, true},
	{"external response with the tag of the fault", "loom_extmemory_tagged.sv", "ld_rsp_valid ? ld_rsp_tag : fault_tag", "fault ? fault_tag : ld_rsp_tag", "loom_extmemory_tagged", "-set AW 1 -set DW 8 -set TW 1 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3", 5, true},
	{"external error yields data", "loom_extmemory_tagged.sv", "(ld_rsp_valid & ~ld_rsp_err) ? ld_rsp_data", "ld_rsp_valid ? ld_rsp_data", "loom_extmemory_tagged", "-set AW 1 -set DW 8 -set TW 1 -set LSQ_DEPTH 1 -set DEADLOCK_TIMEOUT 3", 5, true},
	{"AXI master takes the lane of the youngest read", "loom_axi_master.sv", "lanes[{e_rid, rd_at}]", "lanes[{e_rid, PW'(wr[e_rid*PW +: PW] - PW'(1))}]", "loom_axi_master", "-set DW 8 -set BUS_DW 16 -set BUS_AW 12 -set TW 1 -set OUTSTANDING 2", 6, true},
	{"AXI master passes on responses to requests before a clear", "loom_axi_master.sv", "draining <= closed & ~idle", "draining <= 1'b0", "loom_axi_master", "-set DW 8 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 2", 6, true},
	{"AXI master lets a store go with the response to another load", "loom_axi_master.sv", "~(e_rvalid & (reads == CW'(1)))", "~e_rvalid", "loom_axi_master", "-set DW 8 -set BUS_DW 8 -set BUS_AW 12 -set TW 1 -set OUTSTANDING 2", 6, true},
	{"AXI master lets a store overtake the load of its cycle", "loom_axi_master.sv", "hold     <= collide |", "hold     <=", "loom_axi_master", "-set DW 8 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 2", 5, true},
	{"AXI master takes responses to stores from a buffer on the way", "loom_axi_master.sv", "m_axi_awcache = 4'b0010", "m_axi_awcache = 4'b0011", "loom_axi_master", "-set DW 8 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 2", 1, false},
	{"AXI master overwrites waiting data", "loom_axi_master.sv", "st_open & aw_ready & w_ready", "st_open & aw_ready", "loom_axi_master", "-set DW 8 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 2", 5, false},
	{"AXI load asks without a place", "loom_axi_load.sv", "assign room      = taken != OUTSTANDING[CW-1:0]", "assign room      = 1'b1", "loom_axi_load", "-set AW 2 -set DW 8 -set SHIFT 0 -set BUS_DW 16 -set BUS_AW 12 -set OUTSTANDING 2", 7, false},
	{"AXI load passes on data of before a clear", "loom_axi_load.sv", "draining <= closed & (|reads)", "draining <= 1'b0", "loom_axi_load", "-set AW 2 -set DW 8 -set SHIFT 0 -set BUS_DW 16 -set BUS_AW 12 -set OUTSTANDING 2", 7, true},
	{"AXI load takes the first lane", "loom_axi_read.sv", "(one_addr[SHIFT +: LW])", "('0)", "loom_axi_load", "-set AW 2 -set DW 8 -set SHIFT 0 -set BUS_DW 16 -set BUS_AW 12 -set OUTSTANDING 2", 7, true},
	{"AXI store is done when it has been sent", "loom_axi_store.sv", "assign done      = (one_done & ~closed) | refused", "assign done      = ask | refused", "loom_axi_store", "-set AW 2 -set DW 8 -set SHIFT 0 -set BUS_DW 16 -set BUS_AW 12 -set OUTSTANDING 2", 7, false},
	{"AXI store writes the whole word", "loom_axi_store.sv", "{BYTES{one_addr[SHIFT +: LW] == l[LW-1:0]}}", "'1", "loom_axi_store", "-set AW 2 -set DW 8 -set SHIFT 0 -set BUS_DW 16 -set BUS_AW 12 -set OUTSTANDING 2", 7, true},
	{"AXI port gives a store the tag of a load", "loom_axi_port.sv", ".in_data  (el_awid)", ".in_data  (el_arid)", "loom_axi_port", "-set DW 8 -set TW 1 -set BUS_DW 8 -set BUS_AW 12 -set OUTSTANDING 2 -set BURST 1 -set WIDE 0", 6, false},
	{"AXI port gives a load the tag of the one before", "loom_axi_port.sv", ".out_ready(el_rvalid & el_rlast)", ".out_ready(el_rvalid & el_rlast & el_rid[0])", "loom_axi_port", "-set DW 8 -set TW 1 -set BUS_DW 16 -set BUS_AW 12 -set OUTSTANDING 3 -set BURST 2", 9, true},
	{"AXI bus gives a response to all", "loom_axi_bus.sv", "m_axi_rvalid & (m_axi_rid == i[IDW-1:0])", "m_axi_rvalid", "loom_axi_bus", "-set LD 2 -set ST 2 -set LD_SIZE 6'b001000 -set ST_SIZE 6'b000001 -set BUS_DW 16 -set BUS_AW 12", 5, true},
	{"AXI bus overwrites waiting data", "loom_axi_bus.sv", ".out_ready(aw_free & w_free)", ".out_ready(aw_free)", "loom_axi_bus", "-set LD 2 -set ST 2 -set LD_SIZE 6'b001000 -set ST_SIZE 6'b000001 -set BUS_DW 16 -set BUS_AW 12", 6, true},
	{"AXI bus mixes up the sizes", "loom_axi_bus.sv", "                                        ST_SIZE[i*3 +: 3]", "                                        ST_SIZE[0 +: 3]", "loom_axi_bus", "-set LD 2 -set ST 2 -set LD_SIZE 6'b001000 -set ST_SIZE 6'b000001 -set BUS_DW 16 -set BUS_AW 12", 5, true},
	{"AXI read never ends a burst", "loom_axi_read.sv", ".ended  (r_valid & r_last)", ".ended  (1'b0)", "loom_axi_read", "-set SHIFT 0 -set BUS_DW 16 -set BUS_AW 4 -set OUTSTANDING 3 -set BURST 2", 6, false},
	{"AXI read takes a whole word for its first element", "loom_axi_read.sv", "(~head_wide | (&next))", "1'b1", "loom_axi_read", "-set SHIFT 0 -set BUS_DW 16 -set BUS_AW 4 -set OUTSTANDING 3 -set BURST 2 -set WIDE 1", 9, true},
	{"AXI read takes single elements for a word", "loom_axi_read.sv", "& (&run_len[LB-1:0])", "", "loom_axi_read", "-set SHIFT 0 -set BUS_DW 16 -set BUS_AW 4 -set OUTSTANDING 3 -set BURST 2 -set WIDE 1", 5, true},
	{"AXI read takes an element of a word for that before it", "loom_axi_read.sv", "head_wide ? next : head_lane", "head_lane", "loom_axi_read", "-set SHIFT 0 -set BUS_DW 16 -set BUS_AW 4 -set OUTSTANDING 3 -set BURST 2 -set WIDE 1", 9, true},
	{"AXI cache gives a response to all", "loom_axi_cache.sv", "(N == 1) | (rsp_tag == i[IDW-1:0])", "1'b1", "loom_axi_cache", "-set N 2 -set SHIFT 0 -set BUS_AW 4 -set BUS_DW 8 -set ELEMENTS 8 -set OUTSTANDING 3", 9, false},
	{"AXI cache keeps what a run has fetched", "loom_axi_cache.sv", "running <= (running | start_valid) & ~((start | done) & ~|runs_next);", "running <= running | start_valid;", "loom_axi_cache", "-set N 2 -set SHIFT 0 -set BUS_AW 4 -set BUS_DW 8 -set ELEMENTS 8 -set OUTSTANDING 3", 9, false},
	{"AXI cache takes more than it has places for", "loom_axi_cache.sv", "assign open   = reads != OUTSTANDING[CW-1:0]", "assign open   = 1'b1", "loom_axi_cache", "-set N 2 -set SHIFT 0 -set BUS_AW 4 -set BUS_DW 8 -set ELEMENTS 8 -set OUTSTANDING 3", 9, true},
	{"AXI pack forgets what waits for its word", "loom_axi_pack.sv", "d_wide ? held :", "d_wide ? s_w_data[BUS_DW-DW-1:0] :", "loom_axi_pack", "-set SHIFT 0 -set BUS_DW 16 -set BUS_AW 5 -set BURST 2", 7, true},
	{"AXI pack writes the lanes beside an element", "loom_axi_pack.sv", "m_wide | (m_lane == l[LB-1:0])", "1'b1", "loom_axi_pack", "-set SHIFT 0 -set BUS_DW 16 -set BUS_AW 5 -set BURST 2", 7, false},
	{"AXI pack sends an address without its data", "loom_axi_pack.sv", "whole_valid & (|whole)", "whole_valid", "loom_axi_pack", "-set SHIFT 0 -set BUS_DW 16 -set BUS_AW 5 -set BURST 2", 7, false},
	{"AXI bus sends the data of another store", "loom_axi_bus.sv", ".in_data  (m_axi_awid[ST_NW-1:0])", ".in_data  (~m_axi_awid[ST_NW-1:0])", "loom_axi_bus", "-set LD 2 -set ST 2 -set LD_SIZE 6'b001000 -set ST_SIZE 6'b000001 -set BUS_DW 16 -set BUS_AW 12 -set BURST 2", 5, false},
	{"AXI bus forgets the length of a read", "loom_axi_bus.sv", "{ar_len[i*8 +: LW], ar_wide", "{LW'(0), ar_wide", "loom_axi_bus", "-set LD 2 -set ST 2 -set LD_SIZE 6'b001000 -set ST_SIZE 6'b000001 -set BUS_DW 16 -set BUS_AW 12 -set BURST 2", 4, true},
	{"host accepts a write while B waits", "loom_axil_host.sv", "write          = aw_full & w_full & ~s_axil_bvalid &", "write          = aw_full & w_full &", "loom_axil_host", "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", 0, false},
	{"host accepts a read while R waits", "loom_axil_host.sv", "read           = ar_full & ~s_axil_rvalid &", "read           = ar_full &", "loom_axil_host", "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", 0, false},
	{"host writes while an element is read", "loom_axil_host.sv", "~s_axil_bvalid & ~cfg_busy & ~reading", "~s_axil_bvalid & ~cfg_busy", "loom_axil_host", "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", 0, true},
	{"host takes a second address for one write", "loom_axil_host.sv", "if (s_axil_awready) waddr <=", "if (s_axil_awvalid) waddr <=", "loom_axil_host", "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", 0, true},
	{"host withdraws its response", "loom_axil_host.sv", "if (s_axil_bready) s_axil_bvalid <= 1'b0;", "s_axil_bvalid <= 1'b0;", "loom_axil_host", "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", 0, true},
	{"host ignores write strobes", "loom_axil_host.sv", "10'(2 * i) && wstrb[b]) args[i*64+8*b", "10'(2 * i)) args[i*64+8*b", "loom_axil_host", "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", 0, true},
	{"host says yes to every write", "loom_axil_host.sv", "may_write ? OKAY : SLVERR", "OKAY", "loom_axil_host", "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", 0, true},
	{"host changes an argument during a run", "loom_axil_host.sv", "IN_ARG:  may_write = ~busy &", "IN_ARG:  may_write =", "loom_axil_host", "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", 0, true},
	{"DONE before an argument has gone", "loom_axil_host.sv", "~error_valid & ~(|pending) &", "~error_valid &", "loom_axil_host", "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", 0, false},
	{"DONE before the fabric is idle", "loom_axil_host.sv", "(&(got | ~result_enable)) & idle", "(&(got | ~result_enable))", "loom_axil_host", "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", 0, true},
	{"DONE after an error", "loom_axil_host.sv", "busy & ~error_valid & ~(|pending)", "busy & ~(|pending)", "loom_axil_host", "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", 0, true},
	{"CYCLES begins with one", "loom_axil_host.sv", "            done    <= 1'b0;\n            cycles  <= 64'd0;\n        end else if (busy)", "            done    <= 1'b0;\n            cycles  <= 64'd1;\n        end else if (busy)", "loom_axil_host", "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", 0, true},
	{"clearing an interrupt loses the next", "loom_axil_host.sv", "(irq_status & ~irq_clear) | {error_valid & ~error_seen, finish}", "(irq_status | {error_valid & ~error_seen, finish}) & ~irq_clear", "loom_axil_host", "-set N_IN 2 -set N_OUT 1 -set N_MEM 1 -set MEM_ELEMENTS 2 -set N_BASE 1", 0, true},
	{"shifts take the accumulator's value", "loom_alu.sv", "left ? c[W-1-i] : c[i]", "left ? a[W-1-i] : a[i]", "f_loom_alu", "-set W 4", 2, false},
	{"a late shift forgets what is left of its amount", "loom_alu.sv", "rest  <= b[AW-1:0] & FINE", "rest  <= b[AW-1:0] & ~FINE", "f_loom_alu", "-set W 4", 4, false},
	{"a late shift that waits takes other operands", "loom_alu.sv", "if (advance) begin", "begin", "f_loom_alu", "-set W 4", 4, false},
	{"a late extreme is turned", "loom_alu.sv", "(left & late_shift) ? moved", "left ? moved", "f_loom_alu", "-set W 4", 4, false},
	{"an order of signed numbers is that of unsigned ones", "loom_alu.sv", "is_signed | (compare & signs)", "is_signed", "f_loom_alu", "-set W 4", 2, false},
	{"an order leaves equality out", "loom_alu.sv", "subtract & ~(compare & reaches)", "subtract", "f_loom_alu", "-set W 4", 2, false},
	{"operand taken from the wrong input", "loom_operand_select.sv", "cfg_sel == SEL_W'(k)", "cfg_sel == SEL_W'(N - 1 - k)", "f_loom_operand_select", "", 3, true},
	{"operand selector keeps what it discards", "loom_operand_select.sv", "(~passes | out_ready)", "out_ready", "f_loom_operand_select", "", 3, false},
	{"held operand of a PE that is off", "loom_operand_select.sv", "held   = enable & cfg_immediate & cfg_disconnect", "held   = cfg_immediate & cfg_disconnect", "f_loom_operand_select", "", 3, false},
	{"immediate without a token", "loom_operand_select.sv", "held   = enable & cfg_immediate & cfg_disconnect", "held   = enable & cfg_immediate", "f_loom_operand_select", "", 3, false},
	{"held operand releases an input", "loom_operand_select.sv", "takes  = enable & ~cfg_disconnect", "takes  = enable & (~cfg_disconnect | cfg_immediate)", "f_loom_operand_select", "", 3, false},
	{"a decoded selector drops what it passes", "loom_operand_select.sv", "passes <= ~cfg_discard", "passes <= cfg_discard", "f_loom_operand_select", "-set DECODED 1", 4, false},
	{"a decoded result goes where it is dropped", "loom_result_select.sv", "drops <= cfg_discard & ~cfg_disconnect", "drops <= 1'b0", "f_loom_result_select", "-set DECODED 1", 4, false},
	{"result selector releases units that are off", "loom_result_select.sv", "on & {N_UNIT{ready}}", "{N_UNIT{ready}}", "f_loom_result_select", "", 3, false},
	{"disconnected result is dropped", "loom_result_select.sv", "drops = cfg_discard & ~cfg_disconnect", "drops = cfg_discard", "f_loom_result_select", "", 3, true},
	{"tag below the token", "loom_add_tag.sv", "{cfg_tag, in_data}", "{in_data, cfg_tag}", "f_loom_add_tag", "", 3, true},
	{"token cut with its tag", "loom_del_tag.sv", "in_data[W-TW-1:0]", "in_data[W-1:TW]", "f_loom_del_tag", "", 3, true},
	{"unmapped tag passes", "loom_map_tag.sv", "out_valid = in_valid & found", "out_valid = in_valid", "f_loom_map_tag", "", 3, false},
	{"invalid entry counts as a duplicate", "loom_map_tag.sv", "again[e] = valid & (|same)", "again[e] = |same", "f_loom_map_tag", "", 3, true},
	{"arbiter withdraws its offer", "loom_arbiter.sv", "(out_ready ? ~grant[N-1:1] : {(N-1){~grant[0]}})", "~grant[N-1:1]", "loom_arbiter", "-set W 2 -set N 3", 4, false},
	{"a search from the pointer begins at the first input", "loom_arbiter.sv", "assign earlier = above", "assign earlier = all", "loom_arbiter", "-set W 2 -set N 4 -set PARALLEL 1", 6, false},
	{"arbiter prefers the same input", "loom_arbiter.sv", "else if (out_valid) mask", "else if (out_valid & ~out_ready) mask", "loom_arbiter", "-set W 2 -set N 3", 5, true},
	{"temporal switch delivers twice", "loom_temporal_sw.sv", "wanted & (taken | accepted)", "wanted & accepted", "loom_temporal_sw", "-set W 2 -set TW 1 -set N_IN 2 -set N_OUT 2 -set N_ROUTES 4 -set NUM_SLOT 2", 4, true},
	{"temporal switch releases before all have taken", "loom_temporal_sw.sv", "g_out[o-1].blocked | (wanted", "g_out[o-1].blocked & (wanted", "loom_temporal_sw", "-set W 2 -set TW 1 -set N_IN 2 -set N_OUT 2 -set N_ROUTES 4 -set NUM_SLOT 1", 4, false},
	{"temporal switch matches invalid slots", "loom_temporal_sw.sv", "match[i] = valid &", "match[i] =", "loom_temporal_sw", "-set W 2 -set TW 1 -set N_IN 2 -set N_OUT 2 -set N_ROUTES 4 -set NUM_SLOT 2", 4, true},
	{"load lane reserves data slots only", "loom_load_lane.sv", " & (done_under_way != DEPTH[CW-1:0])", "", "loom_load_lane", "-set AW 1 -set DW 2 -set TW 1 -set DEPTH 2", 7, false},
	{"load lane takes responses without a request", "loom_load_lane.sv", "rsp_valid & (|data_awaited)", "rsp_valid", "loom_load_lane", "-set AW 1 -set DW 2 -set TW 1 -set DEPTH 2", 6, true},
	{"store lane counts no stores in flight", "loom_store_lane.sv", " & (awaited != MOST[CW-1:0])", "", "loom_store_lane", "-set AW 1 -set DW 1 -set TW 1 -set LSQ_DEPTH 2 -set PLACES 3", 6, false},
	{"store lane keeps no slot for done", "loom_store_lane.sv", " & (under_way != PLACES[CW-1:0])", "", "loom_store_lane", "-set AW 1 -set DW 1 -set TW 1 -set LSQ_DEPTH 2 -set PLACES 3", 8, true},
	{"loader accepts a short image", "loom_cfg_loader.sv", "loaded <= cfg_last & complete", "loaded <= cfg_last", "f_loom_cfg", "", 5, false},
	{"the fabric runs before its configuration is decoded", "loom_cfg_loader.sv", "run <= loaded & ~shift;", "run <= shift ? cfg_last & complete : loaded;", "f_loom_cfg", "", 5, false},
	{"slice shifts in the wrong direction", "loom_cfg_slice.sv", "{in_word, cfg[WORDS*32-1:32]}", "{cfg[WORDS*32-33:0], in_word}", "f_loom_cfg", "", 6, true},
	{"collector compares a bit too few", "loom_pkg.sv", "(ones & zeros)", "(ones & zeros & 16'hFFFE)", "f_loom_error_collect", "-set KINDS 1", 4, true},
	{"collector takes the last error", "loom_error_collect.sv", "else if (~error_valid) begin", "else if (|reported) begin", "f_loom_error_collect", "", 5, true},
	{"an error on its way is not pending", "loom_error_collect.sv", "|reported & ~any_seen", "1'b0", "f_loom_error_collect", "", 4, true},
	{"pending stays when the error shows", "loom_error_collect.sv", "|reported & ~any_seen", "|reported", "f_loom_error_collect", "", 5, true},
	{"loop register keeps a token that left", "loom_loop_register.sv", "else if (out_ready) out_valid <= 1'b0;", "", "loom_loop_register", "-set W 2", 6, true},
	{"transparent queue keeps what has passed", "loom_fifo_transparent.sv", "& ~(~full[0] & out_ready)", "", "loom_fifo_transparent", "-set W 2 -set DEPTH 2", 6, true},
	{"transparent queue forgets its oldest word", "loom_fifo_transparent.sv", "full >> 1", "'0", "loom_fifo_transparent", "-set W 2 -set DEPTH 2", 6, true},
	{"a shared unit's client has a credit too many", "loom_share.sv", "room[k] = used != C[CW-1:0]", "room[k] = used <= C[CW-1:0]", "loom_share", "-set N 2 -set IN_W 1 -set OUT_W 2 -set CREDITS 16'h0201 -set BYPASS 2'b01", 5, false},
	{"a shared unit's credit comes back with the response", "loom_share.sv", "assign left    = out_valid[k] & out_ready[k];", "assign left    = come;", "loom_share", "-set N 2 -set IN_W 1 -set OUT_W 2 -set CREDITS 16'h0201 -set BYPASS 2'b01", 6, true},
	{"a result goes to the client asking now", "loom_share.sv", "(answered == TW'(k))", "(client == TW'(k))", "loom_share", "-set N 2 -set IN_W 1 -set OUT_W 2 -set CREDITS 16'h0201 -set BYPASS 2'b01", 6, false},
	{"a passed result is kept, too", "loom_share.sv", "store        = come & (held | ~out_ready[k])", "store        = come", "loom_share", "-set N 2 -set IN_W 1 -set OUT_W 2 -set CREDITS 16'h0201 -set BYPASS 2'b01", 5, true},
	{"a client takes another one's result", "loom_share.sv", "held ? word : rsp_data[k*OUT_W +: OUT_W]", "held ? word : rsp_data[(N-1-k)*OUT_W +: OUT_W]", "loom_share", "-set N 2 -set IN_W 1 -set OUT_W 2 -set CREDITS 16'h0201 -set BYPASS 2'b01", 5, true},
	{"a request goes without a place in the order", "loom_share.sv", "assign req_valid = chosen & order_ready;", "assign req_valid = chosen;", "loom_share", "-set N 2 -set IN_W 1 -set OUT_W 2 -set CREDITS 16'h0201 -set BYPASS 2'b01", 5, true},
	{"pipe with a skid does not wait for its registers", "loom_pipe_skid.sv", ".out_ready(first_ready)", ".out_ready(1'b1)", "loom_pipe_skid", "-set W 1 -set LATENCY 2", 6, true},
	{"a held word gives way to one that is not there", "loom_hold.sv", "if (in_ready & in_valid) word", "if (in_ready) word", "loom_hold", "-set W 2", 6, true},
	{"pipe drops a word", "loom_flow.sv", "out_ready | ~(&full[LATENCY-1:k])", "1'b1", "loom_pipe", "-set W 2 -set LATENCY 2", 6, true},
	{"function unit ignores its interval", "loom_fu.sv", "assign open      = ~|rest", "assign open      = 1'b1", "loom_fu", "-set W_OUT_TOTAL 2 -set LATENCY 1 -set INTERVAL 2", 6, true},
}

// TestMutations shows that the proofs can fail: each planted fault is found.
func TestMutations(t *testing.T) {
	toolstest.Need(t, "yosys", "yosys-abc")
	r := proven(t)
	for i, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			planted(t, m.file, m.old)
			if m.soak && !soak() {
				t.Skip("set LOOM_SOAK=1 for all mutations")
			}
			t.Parallel()
			p := proof{top: m.top, params: m.params}
			r.once(t, i, fmt.Sprintf("fault %s, %d", m.name, m.bound), p, m.file, m.old, m.new)
			dir := t.TempDir()
			sources(t, dir, m.file, m.old, m.new)
			induction, cycles := m.bound == 0, m.bound
			if induction {
				cycles = 2
			}
			circuits(t, dir, p, !induction, induction)
			if holds(t, dir, cycles, induction, 10*time.Minute) {
				t.Error("the fault passes the proof")
			}
		})
	}
}

// planted checks that a fault finds its place in the sources, also where it is planted in the soak campaign alone.
func planted(t *testing.T, file, old string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		if text, err = os.ReadFile(filepath.Join("formal", file)); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(string(text), old); n != 1 {
		t.Errorf("%s holds %q %d times, not once", file, old, n)
	}
}
