// Proofs that the units of conversion and comparison with registers inside compute what they compute
// without: the same words, offered in the same cycles, as LATENCY registers behind would give.

// f_float_latency: the handshake on both sides of such a comparison. direct is what the unit without
// registers makes of the word that is offered, made what the one with registers has at its result.
module f_float_latency #(parameter int W = 8, parameter int A = 8, parameter int OP = 1, parameter int LATENCY = 1) (
    input logic clk, input logic rst, input logic in_valid, input logic [A-1:0] a, input logic [OP-1:0] op,
    input logic out_ready, output logic [LATENCY-1:0] move, input logic [W-1:0] direct, input logic [W-1:0] made
);
`include "f_reset.svh"
  logic in_ready, out_valid, idle, f_ready, f_valid, f_idle;
  logic [W-1:0] f_data;
  loom_flow #(.LATENCY(LATENCY)) u_flow (.*);
  loom_pipe #(.W(W), .LATENCY(LATENCY)) u_pipe (.clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(f_ready), .in_data(direct),
    .out_valid(f_valid), .out_ready(out_ready), .out_data(f_data), .idle(f_idle));
  f_channel #(.W(A), .ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid), .ready(in_ready), .data(a));
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(made));
  logic [OP-1:0] f_op;
  always_ff @(posedge clk) f_op <= op;
  always_comb if (f_live) begin
    assume (op == f_op);
    assert ((out_valid == f_valid) & (in_ready == f_ready) & (idle == f_idle));
    if (out_valid) assert (made == f_data);
    cover (out_valid & out_ready & in_valid);
  end
endmodule

module f_loom_float_minmax #(parameter int EXP = 3, parameter int FRAC = 2, parameter int LATENCY = 1) (
    input logic clk, input logic rst, input logic in_valid, input logic [EXP+FRAC:0] a, input logic [EXP+FRAC:0] b,
    input logic [1:0] op, input logic out_ready
);
  logic [LATENCY-1:0] move;
  logic [EXP+FRAC:0] direct, made;
  loom_float_minmax #(.EXP(EXP), .FRAC(FRAC), .LATENCY(0)) u_direct (.clk(clk), .move(1'b0), .op(op), .a(a), .b(b), .y(direct));
  loom_float_minmax #(.EXP(EXP), .FRAC(FRAC), .LATENCY(LATENCY)) u_made (.clk(clk), .move(move), .op(op), .a(a), .b(b), .y(made));
  f_float_latency #(.W(1 + EXP + FRAC), .A(2 * (1 + EXP + FRAC)), .OP(2), .LATENCY(LATENCY)) u (.clk(clk), .rst(rst), .in_valid(in_valid),
    .a({a, b}), .op(op), .out_ready(out_ready), .move(move), .direct(direct), .made(made));
endmodule

module f_loom_float_round #(parameter int EXP = 3, parameter int FRAC = 2, parameter int LATENCY = 1) (
    input logic clk, input logic rst, input logic in_valid, input logic [EXP+FRAC:0] a, input logic [2:0] op, input logic out_ready
);
  logic [LATENCY-1:0] move;
  logic [EXP+FRAC:0] direct, made;
  loom_float_round #(.EXP(EXP), .FRAC(FRAC), .LATENCY(0)) u_direct (.clk(clk), .move(1'b0), .op(op), .a(a), .y(direct));
  loom_float_round #(.EXP(EXP), .FRAC(FRAC), .LATENCY(LATENCY)) u_made (.clk(clk), .move(move), .op(op), .a(a), .y(made));
  f_float_latency #(.W(1 + EXP + FRAC), .A(1 + EXP + FRAC), .OP(3), .LATENCY(LATENCY)) u (.clk(clk), .rst(rst), .in_valid(in_valid),
    .a(a), .op(op), .out_ready(out_ready), .move(move), .direct(direct), .made(made));
endmodule

module f_loom_float_from_int #(parameter int W_IN = 7, parameter int EXP = 3, parameter int FRAC = 2, parameter int LATENCY = 1) (
    input logic clk, input logic rst, input logic in_valid, input logic [W_IN-1:0] a, input logic op, input logic out_ready
);
  logic [LATENCY-1:0] move;
  logic [EXP+FRAC:0] direct, made;
  loom_float_from_int #(.W_IN(W_IN), .EXP(EXP), .FRAC(FRAC), .LATENCY(0)) u_direct (.clk(clk), .move(1'b0), .op(op), .a(a), .y(direct));
  loom_float_from_int #(.W_IN(W_IN), .EXP(EXP), .FRAC(FRAC), .LATENCY(LATENCY)) u_made (.clk(clk), .move(move), .op(op), .a(a), .y(made));
  f_float_latency #(.W(1 + EXP + FRAC), .A(W_IN), .LATENCY(LATENCY)) u (.clk(clk), .rst(rst), .in_valid(in_valid),
    .a(a), .op(op), .out_ready(out_ready), .move(move), .direct(direct), .made(made));
endmodule

module f_loom_float_to_int #(parameter int EXP = 3, parameter int FRAC = 2, parameter int W_OUT = 7, parameter int LATENCY = 1) (
    input logic clk, input logic rst, input logic in_valid, input logic [EXP+FRAC:0] a, input logic op, input logic out_ready
);
  logic [LATENCY-1:0] move;
  logic [W_OUT-1:0] direct, made;
  loom_float_to_int #(.EXP(EXP), .FRAC(FRAC), .W_OUT(W_OUT), .LATENCY(0)) u_direct (.clk(clk), .move(1'b0), .op(op), .a(a), .y(direct));
  loom_float_to_int #(.EXP(EXP), .FRAC(FRAC), .W_OUT(W_OUT), .LATENCY(LATENCY)) u_made (.clk(clk), .move(move), .op(op), .a(a), .y(made));
  f_float_latency #(.W(W_OUT), .A(1 + EXP + FRAC), .LATENCY(LATENCY)) u (.clk(clk), .rst(rst), .in_valid(in_valid),
    .a(a), .op(op), .out_ready(out_ready), .move(move), .direct(direct), .made(made));
endmodule

module f_loom_float_resize #(
    parameter int EXP_IN = 4, parameter int FRAC_IN = 3, parameter int EXP_OUT = 3, parameter int FRAC_OUT = 2, parameter int LATENCY = 1
) (
    input logic clk, input logic rst, input logic in_valid, input logic [EXP_IN+FRAC_IN:0] a, input logic out_ready
);
  logic [LATENCY-1:0] move;
  logic [EXP_OUT+FRAC_OUT:0] direct, made;
  loom_float_resize #(.EXP_IN(EXP_IN), .FRAC_IN(FRAC_IN), .EXP_OUT(EXP_OUT), .FRAC_OUT(FRAC_OUT), .LATENCY(0)) u_direct
    (.clk(clk), .move(1'b0), .a(a), .y(direct));
  loom_float_resize #(.EXP_IN(EXP_IN), .FRAC_IN(FRAC_IN), .EXP_OUT(EXP_OUT), .FRAC_OUT(FRAC_OUT), .LATENCY(LATENCY)) u_made
    (.clk(clk), .move(move), .a(a), .y(made));
  f_float_latency #(.W(1 + EXP_OUT + FRAC_OUT), .A(1 + EXP_IN + FRAC_IN), .LATENCY(LATENCY)) u (.clk(clk), .rst(rst), .in_valid(in_valid),
    .a(a), .op(1'b0), .out_ready(out_ready), .move(move), .direct(direct), .made(made));
endmodule
