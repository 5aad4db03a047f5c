// loom_load: adapter between compute and a memory's load port.
//
// Function: handshake.load. Address and control token are joined into the request to
//   the memory; the memory's data is passed through to the consumer. The two paths
//   are independent.
// Parameters: AW address bits; DW data bits.
// Ports: channel addr, control channel ctrl and channel memdata in; channels data and
//   memaddr out.
// Timing: combinational, one request and one response per cycle.
// Rule: rtl/README.md "Function units".
module loom_load #(
    parameter int AW = 32,
    parameter int DW = 32
) (
    input  logic          addr_valid,
    output logic          addr_ready,
    input  logic [AW-1:0] addr_data,
    input  logic          memdata_valid,
    output logic          memdata_ready,
    input  logic [DW-1:0] memdata_data,
    input  logic          ctrl_valid,
    output logic          ctrl_ready,
    output logic          data_valid,
    input  logic          data_ready,
    output logic [DW-1:0] data_data,
    output logic          memaddr_valid,
    input  logic          memaddr_ready,
    output logic [AW-1:0] memaddr_data
);
  assign memaddr_valid = addr_valid & ctrl_valid;
  assign memaddr_data  = addr_data;
  assign addr_ready    = memaddr_valid & memaddr_ready;
  assign ctrl_ready    = memaddr_valid & memaddr_ready;

  assign data_valid    = memdata_valid;
  assign data_data     = memdata_data;
  assign memdata_ready = data_ready;
endmodule
