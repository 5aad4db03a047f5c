// loom_element: element number of an access to an on-chip memory.
//
// Function: element = index + base; oob when that lies beyond the capacity. The index
//   is unsigned and of any width, so nothing wraps around.
// Parameters: AW bits of the index; EW bits of an element number; DEPTH elements.
// Ports: index, base in elements; element, oob.
// Timing: combinational.
// Rule: spec-fabric-mem "Address Semantics"; code 512 of the design page "Error symbols".
module loom_element #(
    parameter int AW    = 32,
    parameter int EW    = 10,
    parameter int DEPTH = 1024
) (
    input  logic [AW-1:0] index,
    input  logic [EW-1:0] base,
    output logic [EW-1:0] element,
    output logic          oob
);
  logic [EW:0] sum;
  logic far;  // the index alone is beyond any memory of this size

  generate
    if (AW > EW) begin : g_wide
      assign far = |index[AW-1:EW];
      assign sum = {1'b0, index[EW-1:0]} + {1'b0, base};
    end else begin : g_narrow
      assign far = 1'b0;
      assign sum = (EW + 1)'(index) + {1'b0, base};
    end
    if (DEPTH == (1 << EW)) begin : g_power
      assign oob = far | sum[EW];
    end else begin : g_other
      assign oob = far | (sum >= (EW + 1)'(DEPTH));
    end
  endgenerate
  assign element = sum[EW-1:0];
endmodule
