// loom_region_tagged: the address table of a tagged memory.
//
// Function: looks up N tags: the first valid entry with start_tag <= tag < end_tag gives
//   the offset. Checks the table: overlap is high when two valid entries share a tag,
//   empty when a valid entry names none (end_tag <= start_tag).
// Parameters: NUM_REGION entries; TW bits of a tag; OW bits of addr_offset; N look-ups.
// Ports: cfg_region: entries from the low end, each valid (bit 0), start_tag, end_tag and
//   addr_offset; tag in; hit and offset (0 without a hit) per look-up; overlap; empty.
// Timing: combinational; overlap and empty depend on configuration only.
// Rule: spec-fabric-mem "Attributes" (half-open ranges) and "Constraints"; design page
//   "Configuration image".
module loom_region_tagged #(
    parameter int NUM_REGION = 1,
    parameter int TW         = 2,
    parameter int OW         = 64,
    parameter int N          = 2
) (
    input  logic [NUM_REGION*(1+2*TW+OW)-1:0] cfg_region,
    input  logic [N*TW-1:0] tag,
    output logic [N-1:0]    hit,
    output logic [N*OW-1:0] offset,
    output logic            overlap,
    output logic            empty
);
  initial if (NUM_REGION < 1 || TW < 1 || OW < 1 || N < 1) $fatal(1, "loom_region_tagged: every parameter must be at least 1");

  localparam int RW    = 1 + 2 * TW + OW;  // bits of an entry
  localparam int START = 1;
  localparam int END   = 1 + TW;
  localparam int BASE  = 1 + 2 * TW;

  always_comb begin
    hit    = '0;
    offset = '0;
    for (int n = 0; n < N; n++) begin
      for (int r = NUM_REGION - 1; r >= 0; r--) begin
        if (cfg_region[r*RW +: 1] & (tag[n*TW +: TW] >= cfg_region[r*RW+START +: TW]) & (tag[n*TW +: TW] < cfg_region[r*RW+END +: TW])) begin
          hit[n]            = 1'b1;
          offset[n*OW +: OW] = cfg_region[r*RW+BASE +: OW];
        end
      end
    end
  end

  // Two ranges that are not empty share a tag exactly when one starts inside the other.
  always_comb begin
    overlap = 1'b0;
    empty   = 1'b0;
    for (int r = 0; r < NUM_REGION; r++) begin
      empty = empty | (cfg_region[r*RW +: 1] & (cfg_region[r*RW+END +: TW] <= cfg_region[r*RW+START +: TW]));
      for (int s = 0; s < NUM_REGION; s++) begin
        if (s != r) begin
          overlap = overlap | (cfg_region[r*RW +: 1] & cfg_region[s*RW +: 1]
                               & (cfg_region[r*RW+END +: TW] > cfg_region[r*RW+START +: TW])
                               & (cfg_region[s*RW+START +: TW] <= cfg_region[r*RW+START +: TW])
                               & (cfg_region[r*RW+START +: TW] < cfg_region[s*RW+END +: TW]));
        end
      end
    end
  end
endmodule
