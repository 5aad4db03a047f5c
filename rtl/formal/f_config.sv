// Proofs of configuration loading and error collection.

// f_loom_cfg: two slices behind a loader. run rises exactly two cycles after an image of the right
// length, whose words then stand where the layout says, for the second cycle: what is decoded from
// them into registers is there, too.
module f_loom_cfg #(parameter int FIRST = 1, parameter int SECOND = 2) (
    input logic clk, input logic rst, input logic cfg_valid, input logic [31:0] cfg_data, input logic cfg_last
);
`include "f_reset.svh"
  localparam int WORDS = FIRST + SECOND;
  logic cfg_ready, shift, run, err_valid;
  logic [31:0] word, middle, unused_end;
  logic [15:0] err_code;
  logic [WORDS*32-1:0] cfg;
  loom_cfg_loader #(.WORDS(WORDS)) u_loader (.*);
  loom_cfg_slice #(.WORDS(SECOND)) u_second (.clk(clk), .shift(shift), .in_word(word), .out_word(middle), .cfg(cfg[FIRST*32 +: SECOND*32]));
  loom_cfg_slice #(.WORDS(FIRST)) u_first (.clk(clk), .shift(shift), .in_word(middle), .out_word(unused_end), .cfg(cfg[0 +: FIRST*32]));

  logic [7:0] f_count;  // words of the image so far
  logic [WORDS*32-1:0] f_image;
  logic f_loaded, f_run;
  logic [WORDS*32-1:0] f_decoded;  // configuration through registers
  initial f_count = 8'd0;
  initial f_loaded = 1'b0;
  initial f_run = 1'b0;
  always_ff @(posedge clk) begin
    f_decoded <= cfg;
    if (f_live) f_run <= f_loaded & ~cfg_valid;
  end
  always_ff @(posedge clk) if (f_live & cfg_valid) begin
    f_loaded <= cfg_last & (f_count + 8'd1 == WORDS);
    f_count <= cfg_last ? 8'd0 : f_count + 8'd1;
    if (f_count < WORDS) f_image[f_count*32 +: 32] <= cfg_data;
  end
  always_comb if (f_live) begin
    assume (f_count < 8'd250);
    assert (cfg_ready);
    assert (run == f_run);
    assert (err_valid == (cfg_valid & cfg_last & (f_count + 8'd1 != WORDS)));
    if (err_valid) assert (err_code == 16'd514);
    if (f_loaded) assert (cfg == f_image);
    if (run) assert (f_loaded & (cfg == f_image) & (f_decoded == f_image));
  end
  logic [3:0] f_runs;
  initial f_runs = 4'd0;
  always_ff @(posedge clk) if (f_live & cfg_valid & cfg_last & (f_count + 8'd1 == WORDS)) f_runs <= f_runs + 4'd1;
  always_comb begin
    cover (f_runs == 4'd2);
    cover (f_live & err_valid & (f_count > WORDS));
  end
endmodule

// f_loom_error_collect: the smallest code of the first cycle with an error, for good, and that
// it is pending in the cycle before it shows.
// The sources of KINDS = 1 raise what switches, memories and PEs can raise.
module f_loom_error_collect #(parameter int N = 3, parameter int KINDS = 0) (
    input logic clk, input logic rst, input logic [N-1:0] err_valid, input logic [N*16-1:0] err_code
);
`include "f_reset.svh"
  logic error_valid, pending;
  logic [15:0] error_code, f_least, f_staged, f_code;
  localparam int K = loom_pkg::NUM_ERR;
  localparam logic [3*K-1:0] SOME = {loom_pkg::RAISES_SPATIAL_PE, loom_pkg::RAISES_EXTMEMORY, loom_pkg::RAISES_SPATIAL_SW};
  localparam logic [N*K-1:0] RAISES = (KINDS == 1) ? SOME[N*K-1:0] : {N*K{1'b1}};
  loom_error_collect #(.N(N), .RAISES(RAISES)) dut (.*);
  logic f_reported, f_seen;
  initial f_reported = 1'b0;
  initial f_seen = 1'b0;
  // Sources raise codes of the table only (design page "Error symbols").
  generate
    for (genvar i = 0; i < N; i++) begin : g_known
      logic [15:0] code;
      assign code = err_code[i*16 +: 16];
      always_comb assume ((code == 1) | (code == 2) | ((code >= 4) & (code <= 15)) | ((code >= 256) & (code <= 265)) | ((code >= 512) & (code <= 514)));
      if (KINDS == 1) begin : g_kind
        logic [K-1:0] bit_of;
        assign bit_of = loom_pkg::error_bits(code) & RAISES[i*K +: K];
        always_comb assume (bit_of != '0);
      end
    end
  endgenerate
  always_comb begin
    f_least = 16'hffff;
    for (int i = 0; i < N; i++) if (err_valid[i] & (err_code[i*16 +: 16] < f_least)) f_least = err_code[i*16 +: 16];
  end
  always_ff @(posedge clk) if (f_live) begin
    f_reported <= |err_valid;
    f_staged   <= f_least;
    if (~f_seen) begin
      f_seen <= f_reported;
      f_code <= f_staged;
    end
  end
  always_comb if (f_live) begin
    assert (error_valid == f_seen);
    assert (pending == (f_reported & ~f_seen));
    if (f_seen) assert (error_code == f_code);
    else assert (error_code == 16'd0);
    if (KINDS == 0) cover (f_seen & (f_code == 16'd514));
    else cover (f_seen & (f_code == 16'd259));
    cover (f_seen & (f_code == ((KINDS == 0) ? 16'd1 : 16'd10)) & (&err_valid));
  end
endmodule
