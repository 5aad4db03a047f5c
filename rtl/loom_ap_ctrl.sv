// loom_ap_ctrl: runs of a circuit by the block-level protocol of HLS tools.
//
// Function: a run gives one token to every input of the circuit and takes one from every
//   output.
// Parameters: N_IN inputs, N_OUT outputs.
// Ports: ap_start stays high until ap_ready; ap_done and ap_ready are high in the last cycle of a
//   run; ap_idle between runs. in and out are the channels of the circuit without their data, which
//   is constant from ap_start to ap_ready. vld is high in the cycle in which an output comes.
// Timing: inputs are offered from the cycle on in which ap_start rises; ap_done comes in the
//   cycle behind the last transfer; the next run may begin in the cycle behind that.
// Rule: rtl/README.md "Ports of direct circuits".
module loom_ap_ctrl #(
    parameter int N_IN  = 1,
    parameter int N_OUT = 1
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             ap_start,
    output logic             ap_done,
    output logic             ap_idle,
    output logic             ap_ready,
    output logic [N_IN-1:0]  in_valid,
    input  logic [N_IN-1:0]  in_ready,
    input  logic [N_OUT-1:0] out_valid,
    output logic [N_OUT-1:0] out_ready,
    output logic [N_OUT-1:0] vld
);
  initial if (N_IN < 1) $fatal(1, "loom_ap_ctrl: N_IN must be at least 1");
  initial if (N_OUT < 1) $fatal(1, "loom_ap_ctrl: N_OUT must be at least 1");

  logic [N_IN-1:0]  given;  // inputs that have been taken in this run
  logic [N_OUT-1:0] got;    // outputs that have come

  assign ap_done   = (&given) & (&got);
  assign ap_ready  = ap_done;
  assign ap_idle   = ~ap_start & ~(|given) & ~(|got);
  assign in_valid  = {N_IN{ap_start}} & ~given;
  assign out_ready = ~got;
  assign vld       = out_valid & out_ready;

  always_ff @(posedge clk) begin
    if (rst | ap_done) begin
      given <= '0;
      got   <= '0;
    end else begin
      given <= given | (in_valid & in_ready);
      got   <= got | vld;
    end
  end

`ifdef LOOM_FORMAL
`include "loom_ap_ctrl.svh"
`endif
endmodule
