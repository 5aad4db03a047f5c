// loom_add_tag: gives every token of a channel one tag.
//
// Function: fabric.add_tag. The tag goes in the high bits, the token below it.
// Parameters: W bits of the tagged channel, TW of them tag; W = TW for a tagged none,
//   whose untagged side has one bit, always 0.
// Ports: cfg_tag; channel in without, channel out with the tag.
// Timing: combinational.
// Rule: rtl/README.md "Tags".
module loom_add_tag #(
    parameter int W  = 36,
    parameter int TW = 4
) (
    input  logic [TW-1:0] cfg_tag,
    input  logic          in_valid,
    output logic          in_ready,
    input  logic [loom_pkg::at_least_1(W-TW)-1:0] in_data,
    output logic          out_valid,
    input  logic          out_ready,
    output logic [W-1:0]  out_data
);
  initial if (TW < 1 || W < TW) $fatal(1, "loom_add_tag: TW must be at least 1, W at least TW");

  assign out_valid = in_valid;
  assign in_ready  = out_ready;

  generate
    if (W > TW) begin : g_data
      assign out_data = {cfg_tag, in_data};
    end else begin : g_none
      logic unused_data;
      assign unused_data = |in_data;
      assign out_data    = cfg_tag;
    end
  endgenerate
endmodule
