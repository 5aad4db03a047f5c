// loom_bram_store: the stores to an array in a RAM.
//
// Function: a request writes the RAM at the end of its cycle; its response says that it has.
// Parameters: AW address bits of a request; MW address bits of the RAM, at most AW; DW element
//   bits.
// Ports: requests and responses of an access; the write port of the RAM.
// Timing: a request in t writes in t, its response is offered from t+1 on; one per cycle. req_ready
//   is state: fewer than two responses wait.
// Rule: rtl/README.md "Ports of direct circuits".
module loom_bram_store #(
    parameter int AW = 32,
    parameter int MW = 10,
    parameter int DW = 32
) (
    input  logic          clk,
    input  logic          rst,
    input  logic          req_valid,
    output logic          req_ready,
    input  logic [AW-1:0] req_addr,
    input  logic [DW-1:0] req_data,
    output logic          rsp_valid,
    input  logic          rsp_ready,
    output logic          bram_en,
    output logic          bram_we,
    output logic [MW-1:0] bram_addr,
    output logic [DW-1:0] bram_din
);
  initial if (MW < 1 || MW > AW) $fatal(1, "loom_bram_store: MW must be 1 to AW");

  logic [1:0] dones;  // responses that wait: none, one (01) or two (11)
  logic more, less;
  assign req_ready = ~dones[1];
  assign rsp_valid = dones[0];
  assign more      = req_valid & req_ready;
  assign less      = rsp_valid & rsp_ready;
  assign bram_en   = more & ~rst;
  assign bram_we   = bram_en;
  assign bram_addr = req_addr[MW-1:0];
  assign bram_din  = req_data;
  always_ff @(posedge clk) begin
    if (rst) dones <= 2'b00;
    else if (more & ~less) dones <= {dones[0], 1'b1};
    else if (less & ~more) dones <= {1'b0, dones[1]};
  end

  logic unused;  // the upper bits of an index are zero
  assign unused = ^req_addr;

`ifdef LOOM_FORMAL
`include "loom_bram_store.svh"
`endif
endmodule
