// loom_axi_address: the byte address of an element.
//
// Function: base + index * 2**SHIFT, rounded down to the element, modulo 2**BUS_AW.
// Parameters: AW bits of an index, unsigned; SHIFT the log2 of the bytes of an element;
//   BUS_AW bits of an address, more than SHIFT and at most 64.
// Ports: base and index in, address out.
// Timing: combinational.
// Rule: rtl/README.md "AXI4 for direct circuits".
module loom_axi_address #(
    parameter int AW     = 32,
    parameter int SHIFT  = 2,
    parameter int BUS_AW = 64
) (
    input  logic [63:0]       base,
    input  logic [AW-1:0]     index,
    output logic [BUS_AW-1:0] address
);
  initial if (BUS_AW <= SHIFT || BUS_AW > 64) $fatal(1, "loom_axi_address: BUS_AW must be more than SHIFT and at most 64");

  localparam int EAW = BUS_AW - SHIFT;  // bits of an element's number
  localparam int IW  = (AW < EAW) ? AW : EAW;

  logic [EAW-1:0] offset;
  generate
    if (IW == EAW) begin : g_cut
      assign offset = index[IW-1:0];
    end else begin : g_extend
      assign offset = {{(EAW - IW) {1'b0}}, index};
    end
  endgenerate
  logic [EAW-1:0] element;
  assign element = base[BUS_AW-1:SHIFT] + offset;
  assign address = BUS_AW'(element) << SHIFT;

  logic unused_bits;
  assign unused_bits = (^base) ^ (^index);
endmodule
