// loom_extent: the size of an array as a limit of its indices.
//
// Function: an element is inside the array where its index is below limit: what does not
//   fill an element at the end is outside.
// Parameters: AW bits of an index, 1 to 64; SHIFT the log2 of an element's bytes, 0 to 3.
// Ports: size: bytes of the array, bit 63 means no limit; limit: elements in the low AW bits,
//   the highest bit is set where every index is inside.
// Timing: combinational, from a register that is constant during a run: accesses compare AW bits
//   and no sum of an address and a length.
// Rule: rtl/README.md "Bounds".
module loom_extent #(
    parameter int AW    = 32,
    parameter int SHIFT = 2
) (
    input  logic [63:0] size,
    output logic [AW:0] limit
);
  initial if (AW < 1 || AW > 64 || SHIFT < 0 || SHIFT > 3) $fatal(1, "loom_extent: AW must be 1 to 64, SHIFT 0 to 3");

  logic [63:0] elements;
  assign elements = size >> SHIFT;
  generate
    if (AW + SHIFT < 64) begin : g_narrow
      // More elements than indices name: bit 63 is among these bits.
      assign limit = {|elements[63-SHIFT:AW], elements[AW-1:0]};
    end else begin : g_wide
      assign limit = {size[63], elements[AW-1:0]};
    end
  endgenerate

  logic unused_bits;
  assign unused_bits = ^{size, elements};
endmodule
