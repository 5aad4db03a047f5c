// loom_float_accumulate: a float that a loop sums up in parts, with the adder or the multiplier that does so.
//
// Function: loom_accumulate_parts around loom_float_add, or with OP 2 around loom_float_mul. With OP 1 the elements are
//   subtracted; the parts of the difference are added up.
// Parameters: EXP and FRAC as in loom_float_add; LATENCY registers, which is the number of parts, 2 to 6 (OP 2: to 5);
//   OP 0 addition, 1 subtraction, 2 multiplication.
// Ports: channels d (one bit, the condition), a (initial) and x in, out; idle (waiting for an initial value).
// Timing: that of loom_accumulate_parts.
// Rule: rtl/README.md "Function units".
module loom_float_accumulate #(
    parameter int EXP     = 8,
    parameter int FRAC    = 23,
    parameter int LATENCY = 4,
    parameter int OP      = 0
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              d_valid,
    output logic              d_ready,
    input  logic              d_data,
    input  logic              a_valid,
    output logic              a_ready,
    input  logic [EXP+FRAC:0] a_data,
    input  logic              x_valid,
    output logic              x_ready,
    input  logic [EXP+FRAC:0] x_data,
    output logic              out_valid,
    input  logic              out_ready,
    output logic [EXP+FRAC:0] out_data,
    output logic              idle
);
  initial if (OP < 0 || OP > 2) $fatal(1, "loom_float_accumulate: OP must be 0 to 2");

  // -0, and the number one.
  localparam logic [EXP+FRAC:0] NEUTRAL = (OP == 2) ? {2'b00, {(EXP - 1) {1'b1}}, {FRAC{1'b0}}} : {1'b1, {(EXP + FRAC) {1'b0}}};

  logic [EXP+FRAC:0]  acc, addend, value;
  logic [LATENCY-1:0] move;
  logic               joining;
  logic               unused_valid;
  logic [EXP+FRAC:0]  unused_data;

  loom_accumulate_parts #(
      .W      (1 + EXP + FRAC),
      .LATENCY(LATENCY),
      .NEUTRAL(NEUTRAL)
  ) u_parts (
      .clk      (clk),
      .rst      (rst),
      .parts    (1'b1),
      .d_valid  (d_valid),
      .d_ready  (d_ready),
      .d_data   (d_data),
      .a_valid  (a_valid),
      .a_ready  (a_ready),
      .a_data   (a_data),
      .x_valid  (x_valid),
      .x_ready  (x_ready),
      .x_data   (x_data),
      .acc      (acc),
      .addend   (addend),
      .joining  (joining),
      .n_value  (value),
      .move     (move),
      .n_valid  (out_valid),
      .n_ready  (out_ready),
      .out_valid(unused_valid),
      .out_ready(1'b0),
      .out_data (unused_data),
      .idle     (idle)
  );

  assign out_data = value;

  generate
    if (OP == 2) begin : g_product
      logic unused;
      assign unused = joining;
      loom_float_mul #(
          .EXP    (EXP),
          .FRAC   (FRAC),
          .LATENCY(LATENCY)
      ) u_operation (
          .clk (clk),
          .move(move),
          .a   (acc),
          .b   (addend),
          .y   (value)
      );
    end else begin : g_sum
      loom_float_add #(
          .EXP    (EXP),
          .FRAC   (FRAC),
          .LATENCY(LATENCY)
      ) u_operation (
          .clk (clk),
          .move(move),
          .a   (acc),
          .b   (addend),
          .op  ((OP == 1) & ~joining),
          .y   (value)
      );
    end
  endgenerate
endmodule
