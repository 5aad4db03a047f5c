// loom_del_tag: takes the tag off every token of a channel.
//
// Function: fabric.del_tag.
// Parameters: W bits of the tagged channel, TW of them tag; W = TW for a tagged none,
//   whose untagged side has one bit, always 0.
// Ports: channel in with the tag in the high bits, channel out without.
// Timing: combinational.
// Rule: rtl/README.md "Tags".
module loom_del_tag #(
    parameter int W  = 36,
    parameter int TW = 4
) (
    input  logic         in_valid,
    output logic         in_ready,
    input  logic [W-1:0] in_data,
    output logic         out_valid,
    input  logic         out_ready,
    output logic [loom_pkg::at_least_1(W-TW)-1:0] out_data
);
  initial if (TW < 1 || W < TW) $fatal(1, "loom_del_tag: TW must be at least 1, W at least TW");

  logic unused_tag;

  assign out_valid  = in_valid;
  assign in_ready   = out_ready;
  assign unused_tag = |in_data[W-1 -: TW];

  generate
    if (W > TW) begin : g_data
      assign out_data = in_data[W-TW-1:0];
    end else begin : g_none
      assign out_data = '0;
    end
  endgenerate
endmodule
