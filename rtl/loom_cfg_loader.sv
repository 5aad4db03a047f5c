// loom_cfg_loader: receives the configuration image.
//
// Function: passes every accepted word to the chain of slices and lets the fabric run
//   once a complete image is in. The first word after reset or after a complete image
//   clears run. At cfg_last: exactly WORDS words set run, any other number raises code
//   514 and leaves run at 0 until a correct image has come.
// Parameters: WORDS of a complete image, at least 1.
// Ports: configuration stream cfg_valid/cfg_ready/cfg_data/cfg_last; shift and word to
//   the highest slice; run; error. The datapath's reset is rst | ~run.
// Timing: one word per cycle, always ready. run falls in the cycle after the word; it rises in
//   the second one, when what components decode from their configuration is in registers.
// Rule: rtl/README.md "Configuration and errors".
module loom_cfg_loader #(
    parameter int WORDS = 1
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        cfg_valid,
    output logic        cfg_ready,
    input  logic [31:0] cfg_data,
    input  logic        cfg_last,
    output logic        shift,
    output logic [31:0] word,
    output logic        run,
    output logic        err_valid,
    output logic [15:0] err_code
);
  initial if (WORDS < 1) $fatal(1, "loom_cfg_loader: WORDS must be at least 1");

  localparam int CW = loom_pkg::index_width(WORDS + 1);
  localparam int EXPECTED = WORDS - 1;

  // Words of the current image before this one; WORDS stands for all larger numbers.
  logic [CW-1:0] count;
  logic complete;
  logic loaded;  // a complete image is in

  assign cfg_ready = ~rst;
  assign shift     = cfg_valid & cfg_ready;
  assign word      = cfg_data;
  assign complete  = count == EXPECTED[CW-1:0];
  assign err_valid = shift & cfg_last & ~complete;
  assign err_code  = loom_pkg::ERR_CFG_IMAGE_LENGTH;

  always_ff @(posedge clk) begin
    if (rst) begin
      run    <= 1'b0;
      loaded <= 1'b0;
      count  <= '0;
    end else begin
      run <= loaded & ~shift;
      if (shift) begin
        loaded <= cfg_last & complete;
        if (cfg_last) count <= '0;
        else if (count != WORDS[CW-1:0]) count <= count + CW'(1);
      end
    end
  end
endmodule
