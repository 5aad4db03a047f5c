// loom_map_tag: exchanges tags by a table.
//
// Function: fabric.map_tag. A token whose tag is the src_tag of a valid entry leaves with
//   the entry's dst_tag. A token without an entry is dropped with code 258. A source tag
//   in two valid entries: code 9 as long as the configuration lasts, and such tokens get
//   the or of the dst_tags.
// Parameters: W bits of the incoming channel, TW_IN of them tag, W at least TW_IN; TW_OUT
//   bits of the new tag; TABLE_SIZE entries, 1 to 256.
// Ports: cfg_table: entries from the low end, each valid (bit 0), src_tag, dst_tag;
//   channel in, channel out of W - TW_IN + TW_OUT bits, tags in the high bits; error.
// Timing: combinational; a dropped token leaves in the cycle in which it is offered.
// Structure: all pairs of entries are compared for code 9, so the area grows with the
//   square of TABLE_SIZE.
// Rule: rtl/README.md "Tags"; design page "Error symbols".
module loom_map_tag #(
    parameter int W          = 36,
    parameter int TW_IN      = 4,
    parameter int TW_OUT     = 4,
    parameter int TABLE_SIZE = 4
) (
    input  logic         rst,
    input  logic [TABLE_SIZE*(1+TW_IN+TW_OUT)-1:0] cfg_table,
    input  logic         in_valid,
    output logic         in_ready,
    input  logic [W-1:0] in_data,
    output logic         out_valid,
    input  logic         out_ready,
    output logic [W-TW_IN+TW_OUT-1:0] out_data,
    output logic         err_valid,
    output logic [15:0]  err_code
);
  initial if (TW_IN < 1 || TW_OUT < 1 || W < TW_IN) $fatal(1, "loom_map_tag: tags need a bit, W must be at least TW_IN");
  initial if (TABLE_SIZE < 1 || TABLE_SIZE > 256) $fatal(1, "loom_map_tag: TABLE_SIZE must be 1 to 256");

  localparam int ENTRY = 1 + TW_IN + TW_OUT;

  logic [TABLE_SIZE-1:0] hit;    // entries with the token's tag
  logic [TABLE_SIZE-1:0] again;  // entries whose source tag an earlier one has, too
  logic found;

  generate
    for (genvar e = 0; e < TABLE_SIZE; e++) begin : g_entry
      logic              valid;
      logic [TW_IN-1:0]  src;
      logic [TW_OUT-1:0] dst, sum;  // sum: or of the destinations hit up to here

      assign valid  = cfg_table[e*ENTRY];
      assign src    = cfg_table[e*ENTRY+1 +: TW_IN];
      assign dst    = cfg_table[e*ENTRY+1+TW_IN +: TW_OUT];
      assign hit[e] = valid & (in_data[W-1 -: TW_IN] == src);
      if (e == 0) begin : g_first
        assign again[e] = 1'b0;
        assign sum      = dst & {TW_OUT{hit[e]}};
      end else begin : g_next
        logic [e-1:0] same;
        for (genvar k = 0; k < e; k++) begin : g_earlier
          assign same[k] = g_entry[k].valid & (g_entry[k].src == src);
        end
        assign again[e] = valid & (|same);
        assign sum      = g_entry[e-1].sum | (dst & {TW_OUT{hit[e]}});
      end
    end
    if (W > TW_IN) begin : g_data
      assign out_data = {g_entry[TABLE_SIZE-1].sum, in_data[W-TW_IN-1:0]};
    end else begin : g_none
      assign out_data = g_entry[TABLE_SIZE-1].sum;
    end
  endgenerate

  assign found     = |hit;
  assign out_valid = in_valid & found;
  assign in_ready  = out_ready | ~found;

  assign err_valid = ~rst & ((|again) | (in_valid & ~found));
  assign err_code  = (|again) ? loom_pkg::ERR_CFG_MAP_TAG_DUP_TAG : loom_pkg::ERR_MAP_TAG_NO_MATCH;
endmodule
