// f_channel: the protocol of one channel, as an assertion or an assumption.
//
// Once valid is high it stays, with data unchanged, until the transfer. Used by all
// proofs: ASSUME = 1 on inputs of the module under proof, 0 on its outputs and on the
// inputs of modules inside it. Not part of the library.
module f_channel #(
    parameter int W      = 1,
    parameter bit ASSUME = 0
) (
    input logic         clk,
    input logic         rst,
    input logic         valid,
    input logic         ready,
    input logic [W-1:0] data
);
  logic         stalled;
  logic [W-1:0] held;
  initial stalled = 1'b0;
  always_ff @(posedge clk) begin
    stalled <= ~rst & valid & ~ready;
    held    <= data;
  end

  generate
    if (ASSUME) begin : g_assume
      always_comb if (stalled & ~rst) begin
        assume (valid);
        assume (data == held);
      end
    end else begin : g_assert
      always_comb if (stalled & ~rst) begin
        assert (valid);
        assert (data == held);
      end
    end
  endgenerate
endmodule
