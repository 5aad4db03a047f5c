// loom_store: adapter between compute and a memory's store port.
//
// Function: handshake.store. Joins address, data and control token and offers data
//   and address to the memory independently: the memory may take either first.
// Parameters: AW address bits; DW data bits.
// Ports: channels addr, data and control channel ctrl in; channels memdata and
//   memaddr out; idle.
// Timing: combinational, one store per cycle.
// Rule: rtl/README.md "Function units", "Offers independently".
module loom_store #(
    parameter int AW = 32,
    parameter int DW = 32
) (
    input  logic          clk,
    input  logic          rst,
    input  logic          addr_valid,
    output logic          addr_ready,
    input  logic [AW-1:0] addr_data,
    input  logic          data_valid,
    output logic          data_ready,
    input  logic [DW-1:0] data_data,
    input  logic          ctrl_valid,
    output logic          ctrl_ready,
    output logic          memdata_valid,
    input  logic          memdata_ready,
    output logic [DW-1:0] memdata_data,
    output logic          memaddr_valid,
    input  logic          memaddr_ready,
    output logic [AW-1:0] memaddr_data,
    output logic          idle
);
  logic offer, done, complete;

  assign offer    = addr_valid & data_valid & ctrl_valid;
  assign complete = offer & done;

  loom_offer #(
      .N(2)
  ) u_offer (
      .clk      (clk),
      .rst      (rst),
      .offer    (offer),
      .need     (2'b11),
      .done     (done),
      .out_valid({memaddr_valid, memdata_valid}),
      .out_ready({memaddr_ready, memdata_ready}),
      .idle     (idle)
  );

  assign memdata_data = data_data;
  assign memaddr_data = addr_data;
  assign addr_ready   = complete;
  assign data_ready   = complete;
  assign ctrl_ready   = complete;
endmodule
