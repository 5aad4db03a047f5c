// loom_region: the address table of an untagged memory.
//
// Function: unpacks the entries, finds the first valid one and detects a second.
// Parameters: NUM_REGION entries; OW bits of addr_offset.
// Ports: cfg_region: entries from the low end, each valid (bit 0) and addr_offset;
//   valid per entry; offset of the first valid entry (0 without one); overlap.
// Timing: combinational, from configuration only.
// Rule: spec-fabric-mem "Attributes", design page "The Fabric dialect", untagged
//   memories.
module loom_region #(
    parameter int NUM_REGION = 1,
    parameter int OW         = 64
) (
    input  logic [NUM_REGION*(1+OW)-1:0] cfg_region,
    output logic [NUM_REGION-1:0]        valid,
    output logic [OW-1:0]                offset,
    output logic                         overlap
);
  always_comb begin
    valid   = '0;
    offset  = '0;
    overlap = 1'b0;
    for (int r = NUM_REGION - 1; r >= 0; r--) begin
      if (cfg_region[r*(1+OW) +: 1]) begin
        overlap  = overlap | (|valid);
        valid[r] = 1'b1;
        offset   = cfg_region[r*(1+OW)+1 +: OW];
      end
    end
  end
endmodule
