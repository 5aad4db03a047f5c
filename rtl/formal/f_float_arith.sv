// Pipelined floating-point units compute what their combinational form does: a token whose operands
// are some constant ones comes out as the combinational result for these operands, whenever it
// enters, whatever other tokens are around it and however the output stalls.

// f_float_watch: the handshake around a unit, and where the watched token is.
module f_float_watch #(parameter int LATENCY = 1) (
    input logic clk, input logic rst, input logic in_valid, input logic watched, input logic out_ready,
    output logic [LATENCY-1:0] move, output logic out_valid, output logic seen
);
`include "f_reset.svh"
  logic in_ready, idle;
  logic [LATENCY-1:0] mark;
  loom_flow #(.LATENCY(LATENCY)) flow (.*);
  generate
    for (genvar k = 0; k < LATENCY; k++) begin : g_mark
      always_ff @(posedge clk) if (move[k]) mark[k] <= (k == 0) ? in_valid & watched : mark[(k > 0) ? k - 1 : 0];
    end
  endgenerate
  assign seen = f_live & out_valid & mark[LATENCY-1];
  always_comb if (f_live) begin
    cover (seen & out_ready);
    cover (seen & ~out_ready);
  end
endmodule

module f_loom_float_add #(parameter int EXP = 3, parameter int FRAC = 2, parameter int LATENCY = 1) (
    input logic clk, input logic rst, input logic in_valid, input logic out_ready,
    input logic [EXP+FRAC:0] a, input logic [EXP+FRAC:0] b, input logic op, input logic watched
);
  logic [LATENCY-1:0] move;
  logic out_valid, seen;
  logic [EXP+FRAC:0] y, f_y;
  (* anyconst *) logic [EXP+FRAC:0] f_a;
  (* anyconst *) logic [EXP+FRAC:0] f_b;
  (* anyconst *) logic f_op;
  f_float_watch #(.LATENCY(LATENCY)) watch (.*);
  loom_float_add #(.EXP(EXP), .FRAC(FRAC), .LATENCY(LATENCY)) dut (.*);
  loom_float_add #(.EXP(EXP), .FRAC(FRAC), .LATENCY(0)) whole (.clk(clk), .move(1'b0), .a(f_a), .b(f_b), .op(f_op), .y(f_y));
  always_comb begin
    assume (op == f_op);
    if (watched) assume (a == f_a && b == f_b);
    if (seen) assert (y == f_y);
  end
endmodule

module f_loom_float_mul #(parameter int EXP = 3, parameter int FRAC = 2, parameter int LATENCY = 1) (
    input logic clk, input logic rst, input logic in_valid, input logic out_ready,
    input logic [EXP+FRAC:0] a, input logic [EXP+FRAC:0] b, input logic watched
);
  logic [LATENCY-1:0] move;
  logic out_valid, seen;
  logic [EXP+FRAC:0] y, f_y;
  (* anyconst *) logic [EXP+FRAC:0] f_a;
  (* anyconst *) logic [EXP+FRAC:0] f_b;
  f_float_watch #(.LATENCY(LATENCY)) watch (.*);
  loom_float_mul #(.EXP(EXP), .FRAC(FRAC), .LATENCY(LATENCY)) dut (.*);
  loom_float_mul #(.EXP(EXP), .FRAC(FRAC), .LATENCY(0)) whole (.clk(clk), .move(1'b0), .a(f_a), .b(f_b), .y(f_y));
  always_comb begin
    if (watched) assume (a == f_a && b == f_b);
    if (seen) assert (y == f_y);
  end
endmodule

module f_loom_float_fma #(parameter int EXP = 3, parameter int FRAC = 2, parameter int LATENCY = 1) (
    input logic clk, input logic rst, input logic in_valid, input logic out_ready,
    input logic [EXP+FRAC:0] a, input logic [EXP+FRAC:0] b, input logic [EXP+FRAC:0] c, input logic watched
);
  logic [LATENCY-1:0] move;
  logic out_valid, seen;
  logic [EXP+FRAC:0] y, f_y;
  (* anyconst *) logic [EXP+FRAC:0] f_a;
  (* anyconst *) logic [EXP+FRAC:0] f_b;
  (* anyconst *) logic [EXP+FRAC:0] f_c;
  f_float_watch #(.LATENCY(LATENCY)) watch (.*);
  loom_float_fma #(.EXP(EXP), .FRAC(FRAC), .LATENCY(LATENCY)) dut (.*);
  loom_float_fma #(.EXP(EXP), .FRAC(FRAC), .LATENCY(0)) whole (.clk(clk), .move(1'b0), .a(f_a), .b(f_b), .c(f_c), .y(f_y));
  always_comb begin
    if (watched) assume (a == f_a && b == f_b && c == f_c);
    if (seen) assert (y == f_y);
  end
endmodule

module f_loom_float_divsqrt_piped #(parameter int EXP = 3, parameter int FRAC = 2, parameter int DIVIDE = 1, parameter int ROOT = 1, parameter int LATENCY = 1) (
    input logic clk, input logic rst, input logic in_valid, input logic out_ready,
    input logic [EXP+FRAC:0] a, input logic [EXP+FRAC:0] b, input logic watched
);
  logic [LATENCY-1:0] move;
  logic out_valid, seen;
  logic [EXP+FRAC:0] y, f_y;
  (* anyconst *) logic [EXP+FRAC:0] f_a;
  (* anyconst *) logic [EXP+FRAC:0] f_b;
  (* anyconst *) logic root;
  f_float_watch #(.LATENCY(LATENCY)) watch (.*);
  loom_float_divsqrt_piped #(.EXP(EXP), .FRAC(FRAC), .DIVIDE(DIVIDE), .ROOT(ROOT), .LATENCY(LATENCY)) dut (.*);
  loom_float_divsqrt_piped #(.EXP(EXP), .FRAC(FRAC), .DIVIDE(DIVIDE), .ROOT(ROOT), .LATENCY(0)) whole (.clk(clk), .move(1'b0), .root(root), .a(f_a), .b(f_b), .y(f_y));
  always_comb begin
    if (watched) assume (a == f_a && b == f_b);
    if (seen) assert (y == f_y);
  end
endmodule
