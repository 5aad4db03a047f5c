// loom_cfg_slice: one component's part of the configuration chain.
//
// Function: a shift register of 32-bit words. New words enter at the highest word;
//   word 0 leaves to the slice before, so that after a whole image word 0 of the image
//   stands in word 0 of the first slice.
// Parameters: WORDS, at least 1.
// Ports: shift; in_word from the loader or the next slice; out_word to the slice
//   before; cfg: the slice, word k at [k*32 +: 32].
// Timing: shifts in every cycle with shift high. Without reset: the loader keeps the
//   fabric in reset until a whole image has been shifted in.
// Rule: rtl/README.md "Configuration and errors".
module loom_cfg_slice #(
    parameter int WORDS = 1
) (
    input  logic                clk,
    input  logic                shift,
    input  logic [31:0]         in_word,
    output logic [31:0]         out_word,
    output logic [WORDS*32-1:0] cfg
);
  initial if (WORDS < 1) $fatal(1, "loom_cfg_slice: WORDS must be at least 1");

  assign out_word = cfg[31:0];

  generate
    if (WORDS == 1) begin : g_one
      always_ff @(posedge clk) begin
        if (shift) cfg <= in_word;
      end
    end else begin : g_several
      always_ff @(posedge clk) begin
        if (shift) cfg <= {in_word, cfg[WORDS*32-1:32]};
      end
    end
  endgenerate
endmodule
