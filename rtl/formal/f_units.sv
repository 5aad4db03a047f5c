// Proofs of the combinational units: wrappers that add a clock, so that the protocol of
// inputs can be assumed and that of outputs asserted.

// f_loom_mux: selector and selected input leave with the output, nothing else does.
module f_loom_mux #(parameter int W = 3, parameter int N = 3, parameter int SEL_W = 2) (
    input logic clk, input logic rst,
    input logic sel_valid, input logic [SEL_W-1:0] sel_data,
    input logic [N-1:0] in_valid, input logic [N*W-1:0] in_data, input logic out_ready
);
`include "f_reset.svh"
  logic sel_ready, out_valid;
  logic [N-1:0] in_ready;
  logic [W-1:0] out_data;
  loom_mux #(.W(W), .N(N), .SEL_W(SEL_W)) dut (.*);
  f_channel #(.W(SEL_W), .ASSUME(1)) f_sel (.clk(clk), .rst(rst), .valid(sel_valid), .ready(sel_ready), .data(sel_data));
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));
  logic f_ox;
  assign f_ox = out_valid & out_ready;
  generate
    for (genvar k = 0; k < N; k++) begin : g_in
      logic f_named;
      assign f_named = (sel_data == k) | ((k == N - 1) & (sel_data >= N));
      f_channel #(.W(W), .ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid[k]), .ready(in_ready[k]), .data(in_data[k*W +: W]));
      always_comb if (f_live) begin
        assert ((in_valid[k] & in_ready[k]) == (f_ox & f_named));
        if (f_named) assert (out_valid == (sel_valid & in_valid[k]));
        if (f_named & out_valid) assert (out_data == in_data[k*W +: W]);
        cover (f_ox & f_named);
      end
    end
  endgenerate
  always_comb if (f_live) assert ((sel_valid & sel_ready) == f_ox);
endmodule

// f_loom_join: all inputs of the mask leave together with the output, others stay.
module f_loom_join #(parameter int N = 3) (
    input logic clk, input logic rst, input logic [N-1:0] cfg_mask,
    input logic [N-1:0] in_valid, input logic out_ready
);
`include "f_reset.svh"
  logic [N-1:0] in_ready, f_mask;
  logic out_valid;
  loom_join #(.N(N)) dut (.*);
  always_ff @(posedge clk) f_mask <= cfg_mask;
  always_comb if (f_live) assume (cfg_mask == f_mask);
  f_channel f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(1'b0));
  generate
    for (genvar k = 0; k < N; k++) begin : g_in
      f_channel #(.ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid[k]), .ready(in_ready[k]), .data(1'b0));
      always_comb if (f_live) assert ((in_valid[k] & in_ready[k]) == (cfg_mask[k] & out_valid & out_ready));
    end
  endgenerate
  always_comb if (f_live) begin
    assert (out_valid == ((cfg_mask != '0) & ((in_valid & cfg_mask) == cfg_mask)));
    cover (out_valid & out_ready & (cfg_mask != '1));
  end
endmodule

// f_loom_cond_br: condition and data leave together, to the named output only.
module f_loom_cond_br #(parameter int W = 3) (
    input logic clk, input logic rst, input logic cond_valid, input logic cond_data,
    input logic data_valid, input logic [W-1:0] data_data, input logic true_ready, input logic false_ready
);
`include "f_reset.svh"
  logic cond_ready, data_ready, true_valid, false_valid;
  logic [W-1:0] true_data, false_data;
  loom_cond_br #(.W(W)) dut (.*);
  f_channel #(.ASSUME(1)) f_c (.clk(clk), .rst(rst), .valid(cond_valid), .ready(cond_ready), .data(cond_data));
  f_channel #(.W(W), .ASSUME(1)) f_d (.clk(clk), .rst(rst), .valid(data_valid), .ready(data_ready), .data(data_data));
  f_channel #(.W(W)) f_t (.clk(clk), .rst(rst), .valid(true_valid), .ready(true_ready), .data(true_data));
  f_channel #(.W(W)) f_f (.clk(clk), .rst(rst), .valid(false_valid), .ready(false_ready), .data(false_data));
  logic f_x;
  assign f_x = cond_valid & cond_ready;
  always_comb if (f_live) begin
    assert (f_x == (data_valid & data_ready));
    assert (true_valid == (cond_valid & data_valid & cond_data));
    assert (false_valid == (cond_valid & data_valid & ~cond_data));
    assert (f_x == ((true_valid & true_ready) | (false_valid & false_ready)));
    if (true_valid) assert (true_data == data_data);
    if (false_valid) assert (false_data == data_data);
    cover (f_x & cond_data);
    cover (f_x & ~cond_data);
  end
endmodule

// f_loom_load: requests join address and control, responses pass through.
module f_loom_load #(parameter int AW = 3, parameter int DW = 2) (
    input logic clk, input logic rst, input logic addr_valid, input logic [AW-1:0] addr_data,
    input logic memdata_valid, input logic [DW-1:0] memdata_data, input logic ctrl_valid,
    input logic data_ready, input logic memaddr_ready
);
`include "f_reset.svh"
  logic addr_ready, memdata_ready, ctrl_ready, data_valid, memaddr_valid;
  logic [AW-1:0] memaddr_data;
  logic [DW-1:0] data_data;
  loom_load #(.AW(AW), .DW(DW)) dut (.*);
  f_channel #(.W(AW), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(addr_valid), .ready(addr_ready), .data(addr_data));
  f_channel #(.W(DW), .ASSUME(1)) f_m (.clk(clk), .rst(rst), .valid(memdata_valid), .ready(memdata_ready), .data(memdata_data));
  f_channel #(.ASSUME(1)) f_c (.clk(clk), .rst(rst), .valid(ctrl_valid), .ready(ctrl_ready), .data(1'b0));
  f_channel #(.W(DW)) f_d (.clk(clk), .rst(rst), .valid(data_valid), .ready(data_ready), .data(data_data));
  f_channel #(.W(AW)) f_ma (.clk(clk), .rst(rst), .valid(memaddr_valid), .ready(memaddr_ready), .data(memaddr_data));
  logic f_x;
  assign f_x = memaddr_valid & memaddr_ready;
  always_comb if (f_live) begin
    assert (memaddr_valid == (addr_valid & ctrl_valid));
    assert (((addr_valid & addr_ready) == f_x) & ((ctrl_valid & ctrl_ready) == f_x));
    if (memaddr_valid) assert (memaddr_data == addr_data);
    assert ((data_valid == memdata_valid) & (memdata_ready == data_ready) & (data_data == memdata_data));
    cover (f_x & ~memdata_valid);
    cover (data_valid & data_ready & ~addr_valid);
  end
endmodule

// f_loom_store: each store's address and data reach the memory once each.
module f_loom_store #(parameter int AW = 3, parameter int DW = 2) (
    input logic clk, input logic rst, input logic addr_valid, input logic [AW-1:0] addr_data,
    input logic data_valid, input logic [DW-1:0] data_data, input logic ctrl_valid,
    input logic memdata_ready, input logic memaddr_ready
);
`include "f_reset.svh"
  logic addr_ready, data_ready, ctrl_ready, memdata_valid, memaddr_valid, idle;
  logic [AW-1:0] memaddr_data;
  logic [DW-1:0] memdata_data;
  loom_store #(.AW(AW), .DW(DW)) dut (.*);
  f_channel #(.W(AW), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(addr_valid), .ready(addr_ready), .data(addr_data));
  f_channel #(.W(DW), .ASSUME(1)) f_d (.clk(clk), .rst(rst), .valid(data_valid), .ready(data_ready), .data(data_data));
  f_channel #(.ASSUME(1)) f_c (.clk(clk), .rst(rst), .valid(ctrl_valid), .ready(ctrl_ready), .data(1'b0));
  f_channel #(.W(AW)) f_ma (.clk(clk), .rst(rst), .valid(memaddr_valid), .ready(memaddr_ready), .data(memaddr_data));
  f_channel #(.W(DW)) f_md (.clk(clk), .rst(rst), .valid(memdata_valid), .ready(memdata_ready), .data(memdata_data));
  logic f_x, f_ax, f_dx, f_got_a, f_got_d, f_all;
  assign f_x   = addr_valid & addr_ready;
  assign f_ax  = memaddr_valid & memaddr_ready;
  assign f_dx  = memdata_valid & memdata_ready;
  assign f_all = addr_valid & data_valid & ctrl_valid;
  initial f_got_a = 1'b0;
  initial f_got_d = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    f_got_a <= (f_got_a | f_ax) & ~f_x;
    f_got_d <= (f_got_d | f_dx) & ~f_x;
  end
  always_comb if (f_live) begin
    assert ((f_x == (data_valid & data_ready)) & (f_x == (ctrl_valid & ctrl_ready)));
    assert (memaddr_valid == (f_all & ~f_got_a));
    assert (memdata_valid == (f_all & ~f_got_d));
    assert (f_x == (f_all & (f_got_a | f_ax) & (f_got_d | f_dx)));
    if (memaddr_valid) assert (memaddr_data == addr_data);
    if (memdata_valid) assert (memdata_data == data_data);
    if (f_got_a | f_got_d) assert (f_all);
    assert (idle == ~(f_got_a | f_got_d));
    cover (f_x & f_got_a & f_dx);
    cover (f_x & f_got_d & f_ax);
  end
endmodule

// f_loom_constant: one constant for each control token.
module f_loom_constant #(parameter int W = 3) (
    input logic clk, input logic rst, input logic [W-1:0] cfg_value, input logic ctrl_valid, input logic out_ready
);
`include "f_reset.svh"
  logic ctrl_ready, out_valid;
  logic [W-1:0] out_data, f_value;
  loom_constant #(.W(W)) dut (.*);
  always_ff @(posedge clk) f_value <= cfg_value;
  always_comb if (f_live) assume (cfg_value == f_value);
  f_channel #(.ASSUME(1)) f_c (.clk(clk), .rst(rst), .valid(ctrl_valid), .ready(ctrl_ready), .data(1'b0));
  f_channel #(.W(W)) f_o (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));
  always_comb if (f_live) begin
    assert (out_valid == ctrl_valid);
    assert ((ctrl_valid & ctrl_ready) == (out_valid & out_ready));
    if (out_valid) assert (out_data == cfg_value);
    cover (out_valid & out_ready);
  end
endmodule

// f_loom_add_tag: the configured tag above the token.
module f_loom_add_tag #(parameter int W = 5, parameter int TW = 2) (
    input logic clk, input logic rst, input logic [TW-1:0] cfg_tag,
    input logic in_valid, input logic [loom_pkg::at_least_1(W-TW)-1:0] in_data, input logic out_ready
);
`include "f_reset.svh"
  logic in_ready, out_valid;
  logic [W-1:0] out_data;
  logic [TW-1:0] f_tag;
  loom_add_tag #(.W(W), .TW(TW)) dut (.*);
  always_ff @(posedge clk) f_tag <= cfg_tag;
  always_comb if (f_live) assume (cfg_tag == f_tag);
  f_channel #(.W(loom_pkg::at_least_1(W-TW)), .ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid), .ready(in_ready), .data(in_data));
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));
  always_comb if (f_live) begin
    assert ((in_valid == out_valid) & ((in_valid & in_ready) == (out_valid & out_ready)));
    if (W > TW) assert (out_data == {cfg_tag, in_data});
    else assert (out_data == cfg_tag);
    cover (out_valid & out_ready);
  end
endmodule

// f_loom_del_tag: the token without its tag; zero for a none.
module f_loom_del_tag #(parameter int W = 5, parameter int TW = 2) (
    input logic clk, input logic rst, input logic in_valid, input logic [W-1:0] in_data, input logic out_ready
);
`include "f_reset.svh"
  logic in_ready, out_valid;
  logic [loom_pkg::at_least_1(W-TW)-1:0] out_data;
  loom_del_tag #(.W(W), .TW(TW)) dut (.*);
  f_channel #(.W(W), .ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid), .ready(in_ready), .data(in_data));
  f_channel #(.W(loom_pkg::at_least_1(W-TW))) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));
  always_comb if (f_live) begin
    assert ((in_valid == out_valid) & ((in_valid & in_ready) == (out_valid & out_ready)));
    if (W > TW) assert (out_data == in_data[loom_pkg::at_least_1(W-TW)-1:0]);
    else assert (out_data == '0);
    cover (out_valid & out_ready);
  end
endmodule

// f_loom_map_tag: the destination of the one entry with the token's tag; without an entry
// the token leaves alone, with code 258.
module f_loom_map_tag #(parameter int W = 4, parameter int TW_IN = 2, parameter int TW_OUT = 3, parameter int TABLE_SIZE = 3) (
    input logic clk, input logic rst, input logic [TABLE_SIZE*(1+TW_IN+TW_OUT)-1:0] cfg_table,
    input logic in_valid, input logic [W-1:0] in_data, input logic out_ready
);
`include "f_reset.svh"
  localparam int ENTRY = 1 + TW_IN + TW_OUT;
  logic in_ready, out_valid, err_valid;
  logic [W-TW_IN+TW_OUT-1:0] out_data;
  logic [15:0] err_code;
  logic [TABLE_SIZE*ENTRY-1:0] f_table;
  loom_map_tag #(.W(W), .TW_IN(TW_IN), .TW_OUT(TW_OUT), .TABLE_SIZE(TABLE_SIZE)) dut (.*);
  always_ff @(posedge clk) f_table <= cfg_table;
  always_comb if (f_live) assume (cfg_table == f_table);
  f_channel #(.W(W), .ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid), .ready(in_ready), .data(in_data));
  f_channel #(.W(W - TW_IN + TW_OUT)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));
  logic f_found, f_twice;
  logic [TW_OUT-1:0] f_tag;
  always_comb begin
    f_found = 1'b0;
    f_twice = 1'b0;
    f_tag   = '0;
    for (int e = 0; e < TABLE_SIZE; e++) begin
      if (cfg_table[e*ENTRY] & (cfg_table[e*ENTRY+1 +: TW_IN] == in_data[W-1 -: TW_IN])) begin
        f_found = 1'b1;
        f_tag   = f_tag | cfg_table[e*ENTRY+1+TW_IN +: TW_OUT];
      end
      for (int k = 0; k < e; k++) begin
        if (cfg_table[e*ENTRY] & cfg_table[k*ENTRY] & (cfg_table[e*ENTRY+1 +: TW_IN] == cfg_table[k*ENTRY+1 +: TW_IN])) f_twice = 1'b1;
      end
    end
  end
  generate
    if (W > TW_IN) begin : g_data
      always_comb if (f_live & out_valid) assert (out_data[W-TW_IN-1:0] == in_data[W-TW_IN-1:0]);
    end
  endgenerate
  always_comb if (f_live) begin
    assert (out_valid == (in_valid & f_found));
    assert ((in_valid & in_ready) == (in_valid & (out_ready | ~f_found)));
    if (out_valid) assert (out_data[W-TW_IN+TW_OUT-1 -: TW_OUT] == f_tag);
    assert (err_valid == (f_twice | (in_valid & ~f_found)));
    if (err_valid) assert (err_code == (f_twice ? 16'd9 : 16'd258));
    cover (out_valid & out_ready & ~err_valid);
    cover (f_twice & out_valid);
    cover (err_valid & ~f_twice);
  end
endmodule

// f_loom_operand_select: the named input and no other leaves, with the output or dropped; an
// operand that is held is there as long as the PE is enabled, and takes nothing.
module f_loom_operand_select #(parameter int N = 3, parameter int SEL_W = 2, parameter int DECODED = 0) (
    input logic clk, input logic rst, input logic enable, input logic [SEL_W-1:0] cfg_sel,
    input logic cfg_discard, input logic cfg_disconnect, input logic cfg_immediate,
    input logic [N-1:0] in_valid, input logic out_ready
);
`include "f_reset.svh"
  logic [N-1:0] in_ready;
  logic out_valid, f_connected, f_held;
  logic [SEL_W+3:0] f_cfg;
  loom_operand_select #(.N(N), .SEL_W(SEL_W), .DECODED(DECODED)) dut (.*);
  always_ff @(posedge clk) f_cfg <= {enable, cfg_sel, cfg_discard, cfg_disconnect, cfg_immediate};
  always_comb if (f_live) assume (f_cfg == {enable, cfg_sel, cfg_discard, cfg_disconnect, cfg_immediate});
  assign f_held = enable & cfg_disconnect & cfg_immediate;
  f_channel f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(1'b0));
  assign f_connected = enable & ~cfg_disconnect & ((N == 1) | (cfg_sel < N));
  generate
    for (genvar k = 0; k < N; k++) begin : g_in
      logic f_named;
      assign f_named = f_connected & ((N == 1) | (cfg_sel == k));
      f_channel #(.ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid[k]), .ready(in_ready[k]), .data(1'b0));
      always_comb if (f_live) begin
        assert ((in_valid[k] & in_ready[k]) == (f_named & in_valid[k] & (cfg_discard | out_ready)));
        if (f_named) assert (out_valid == (in_valid[k] & ~cfg_discard));
        cover (f_named & out_valid & out_ready);
        cover (f_named & cfg_discard & in_valid[k] & in_ready[k]);
      end
    end
  endgenerate
  always_comb if (f_live & ~f_connected) assert ((out_valid == f_held) & ~(|in_ready));
  always_comb if (f_live) cover (f_held & ~out_ready & (|in_valid));
endmodule

// f_loom_result_select: the result of the unit that is on leaves to the named output and no
// other, or dropped; the other units keep theirs.
module f_loom_result_select #(parameter int N_UNIT = 3, parameter int N_OUT = 3, parameter int SEL_W = 2, parameter int DECODED = 0) (
    input logic clk, input logic rst, input logic [N_UNIT-1:0] on, input logic [SEL_W-1:0] cfg_sel,
    input logic cfg_discard, input logic cfg_disconnect,
    input logic [N_UNIT-1:0] in_valid, input logic [N_OUT-1:0] out_ready
);
`include "f_reset.svh"
  logic [N_UNIT-1:0] in_ready;
  logic [N_OUT-1:0] to, out_valid, f_to;
  logic [N_UNIT+SEL_W+1:0] f_cfg;
  logic f_taken;
  loom_result_select #(.N_UNIT(N_UNIT), .N_OUT(N_OUT), .SEL_W(SEL_W), .DECODED(DECODED)) dut (.*);
  always_ff @(posedge clk) f_cfg <= {on, cfg_sel, cfg_discard, cfg_disconnect};
  always_comb begin
    assume ((on & (on - 1'b1)) == '0);
    if (f_live) assume (f_cfg == {on, cfg_sel, cfg_discard, cfg_disconnect});
  end
  assign f_taken = (cfg_discard & ~cfg_disconnect) | (|(f_to & out_ready));
  generate
    for (genvar o = 0; o < N_OUT; o++) begin : g_out
      assign f_to[o] = ~cfg_discard & ~cfg_disconnect & ((N_OUT == 1) | (cfg_sel == o));
      f_channel f_out (.clk(clk), .rst(rst), .valid(out_valid[o]), .ready(out_ready[o]), .data(1'b0));
      always_comb if (f_live) begin
        assert (to[o] == f_to[o]);
        assert (out_valid[o] == (f_to[o] & (|(on & in_valid))));
        cover (out_valid[o] & out_ready[o]);
      end
    end
    for (genvar k = 0; k < N_UNIT; k++) begin : g_in
      f_channel #(.ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid[k]), .ready(in_ready[k]), .data(1'b0));
      always_comb if (f_live) begin
        assert ((in_valid[k] & in_ready[k]) == (in_valid[k] & on[k] & f_taken));
        cover (in_valid[k] & in_ready[k] & cfg_discard);
      end
    end
  endgenerate
endmodule

// f_loom_alu: every output is what the module of its operation computes, late from the operands of the
// last cycle with advance.
module f_loom_alu #(parameter int W = 8) (
    input logic clk, input logic rst,
    input logic [W-1:0] a, input logic [W-1:0] b, input logic [W-1:0] c, input logic [W-1:0] keep,
    input logic [3:0] cfg_predicate, input logic [1:0] logic_op,
    input logic subtract, input logic compare, input logic is_signed, input logic greater, input logic left, input logic fill,
    input logic late_shift, input logic advance
);
`include "f_reset.svh"
  logic [W-1:0] sum, extreme, bitwise, shifted, cast, late;
  logic holds, second;
  loom_alu #(.W(W)) dut (.comparison(loom_pkg::comparison(cfg_predicate)), .*);
  logic [W-1:0] f_addi, f_subi, f_andi, f_ori, f_xori, f_shli, f_shrsi, f_shrui, f_minsi, f_minui, f_maxsi, f_maxui, f_low, f_extsi;
  logic f_cmpi, f_err;
  loom_op_addi #(.W(W)) o_addi (.a(a), .b(b), .y(f_addi));
  loom_op_subi #(.W(W)) o_subi (.a(a), .b(b), .y(f_subi));
  loom_op_andi #(.W(W)) o_andi (.a(a), .b(b), .y(f_andi));
  loom_op_ori #(.W(W)) o_ori (.a(a), .b(b), .y(f_ori));
  loom_op_xori #(.W(W)) o_xori (.a(a), .b(b), .y(f_xori));
  loom_op_shli #(.W(W)) o_shli (.a(c), .b(b), .y(f_shli));
  loom_op_shrsi #(.W(W)) o_shrsi (.a(c), .b(b), .y(f_shrsi));
  loom_op_shrui #(.W(W)) o_shrui (.a(c), .b(b), .y(f_shrui));
  loom_op_minsi #(.W(W)) o_minsi (.a(a), .b(b), .y(f_minsi));
  loom_op_minui #(.W(W)) o_minui (.a(a), .b(b), .y(f_minui));
  loom_op_maxsi #(.W(W)) o_maxsi (.a(a), .b(b), .y(f_maxsi));
  loom_op_maxui #(.W(W)) o_maxui (.a(a), .b(b), .y(f_maxui));
  loom_op_cmpi #(.W(W)) o_cmpi (.cfg_predicate(cfg_predicate), .a(a), .b(b), .y(f_cmpi), .err(f_err));
  loom_op_extui #(.W_IN(2), .W_OUT(W)) o_extui (.a(c[1:0]), .y(f_low));
  loom_op_extsi #(.W_IN(2), .W_OUT(W)) o_extsi (.a(c[1:0]), .y(f_extsi));
  // The operands of the last cycle with advance, and the controls since then.
  logic f_full, f_shift, f_left, f_signed;
  logic [W-1:0] f_c, f_b, f_extreme, f_late_shli, f_late_shrsi, f_late_shrui;
  always_ff @(posedge clk) begin
    if (advance) {f_shift, f_left, f_signed, f_c, f_b, f_extreme} <= {late_shift, left, is_signed, c, b, extreme};
    f_full <= ~rst & (advance | f_full);
  end
  loom_op_shli #(.W(W)) o_late_shli (.a(f_c), .b(f_b), .y(f_late_shli));
  loom_op_shrsi #(.W(W)) o_late_shrsi (.a(f_c), .b(f_b), .y(f_late_shrsi));
  loom_op_shrui #(.W(W)) o_late_shrui (.a(f_c), .b(f_b), .y(f_late_shrui));
  always_comb if (f_live & f_full) begin
    assume ({late_shift, left, is_signed} == {f_shift, f_left, f_signed});
    assert (late == (~late_shift ? f_extreme : left ? f_late_shli : is_signed ? f_late_shrsi : f_late_shrui));
  end
  always_comb if (f_live) begin
    assume (keep == {W{1'b1}} | keep == W'(3));
    assume (~compare | (subtract & ~is_signed));
    if (~compare) assert (sum == (subtract ? f_subi : f_addi));
    if (subtract & ~compare) begin
      assert (extreme == (second ? b : a));
      if (greater) assert (extreme == (is_signed ? f_maxsi : f_maxui));
      else assert (extreme == (is_signed ? f_minsi : f_minui));
    end
    if (compare & ~f_err) assert (holds == f_cmpi);
    if (compare & f_err) assert (~holds);
    case (logic_op)
      2'b00: assert (bitwise == '0);
      2'b01: assert (bitwise == f_andi);
      2'b10: assert (bitwise == f_ori);
      2'b11: assert (bitwise == f_xori);
    endcase
    assert (shifted == (left ? f_shli : is_signed ? f_shrsi : f_shrui));
    if (&keep) assert (cast == c);
    else if (~fill) assert (cast == f_low);
    else if (c[1]) assert (cast == f_extsi);
  end
endmodule
