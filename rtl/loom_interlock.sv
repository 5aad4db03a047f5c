// loom_interlock: the subscript of a load, held back while a store of an earlier
//   iteration to that subscript is not done.
//
// Function: dataflow.interlock. Tokens of a and s alternate, a first: the subscript of an
//   iteration's load and that of its store, negative where it does not load, or store. A
//   subscript that stores is kept until a token of d says that its store is done; stores are done in
//   the order of the iterations. a passes to o once s of the iteration before is here and
//   no subscript kept is the same.
// Parameters: W bits of a subscript; DEPTH stores that may be on their way, a power of two
//   and at least 2; BITS low bits that are compared, all where W is less: subscripts that
//   differ above these alone wait for each other without need.
// Ports: channels a, s and d (no data) in; channel o out; idle (no load without the store
//   of its iteration, no store on its way).
// Timing: combinational from a and s to o, no added latency, one iteration per cycle. s
//   is taken a cycle after a of its iteration at the earliest.
// Rule: docs/lowering.md "Interlocks"; rtl/README.md "Function units".
module loom_interlock #(
    parameter int W     = 32,
    parameter int DEPTH = 16,
    parameter int BITS  = 10
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         a_valid,
    output logic         a_ready,
    input  logic [W-1:0] a_data,
    input  logic         s_valid,
    output logic         s_ready,
    input  logic [W-1:0] s_data,
    input  logic         d_valid,
    output logic         d_ready,
    output logic         o_valid,
    input  logic         o_ready,
    output logic [W-1:0] o_data,
    output logic         idle
);
  localparam int B = (BITS < W) ? BITS : W;
  localparam int P = $clog2(DEPTH);

  logic due;  // the load of an iteration has passed, its store is not known yet
  logic [P:0] count;  // stores kept
  logic [P-1:0] first, next;  // the oldest of them, and where the next one goes
  logic loads, stores, same, clear, known, keep, drop;
  logic [DEPTH-1:0] kept, hit;

  assign loads   = ~a_data[W-1];
  assign stores  = ~s_data[W-1];
  assign same    = s_data[B-1:0] == a_data[B-1:0];
  assign s_ready = due & (count != (P + 1)'(DEPTH));
  assign d_ready = count != '0;
  assign known   = s_valid & s_ready;
  assign keep    = known & stores;
  assign drop    = d_valid & d_ready;
  assign clear   = (~due | (known & ~(loads & stores & same))) & ~(loads & (hit != '0));

  assign o_valid = a_valid & clear;
  assign o_data  = a_data;
  // With o_valid: ready must not follow the data of a channel that is not valid.
  assign a_ready = o_valid & o_ready;
  assign idle    = ~due & ~d_ready;

  for (genvar k = 0; k < DEPTH; k++) begin : g_slot
    logic [B-1:0] subscript;
    logic into, from;
    assign into   = keep & (next == P'(k));
    assign from   = drop & (first == P'(k));
    assign hit[k] = kept[k] & (subscript == a_data[B-1:0]);
    always_ff @(posedge clk) begin
      if (rst) kept[k] <= 1'b0;
      else kept[k] <= into | (kept[k] & ~from);
      if (into) subscript <= s_data[B-1:0];
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      due   <= 1'b0;
      count <= '0;
      first <= '0;
      next  <= '0;
    end else begin
      due   <= (o_valid & o_ready) | (due & ~known);
      count <= count + (P + 1)'(keep) - (P + 1)'(drop);
      first <= first + P'(drop);
      next  <= next + P'(keep);
    end
  end

`ifdef LOOM_FORMAL
`include "loom_interlock.svh"
`endif
endmodule
