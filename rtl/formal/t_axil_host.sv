// t_axil_host: loom_axil_host beside the AXI4-Lite checker, with two memories behind its
// window, for a bench in C++ (t_axil_host.cpp). The fabric is configured and does nothing.
module t_axil_host (
    input  logic        clk,
    input  logic        rst,
    input  logic        awvalid,
    output logic        awready,
    input  logic [11:0] awaddr,
    input  logic        wvalid,
    output logic        wready,
    input  logic [31:0] wdata,
    input  logic [3:0]  wstrb,
    output logic        bvalid,
    input  logic        bready,
    output logic [1:0]  bresp,
    input  logic        arvalid,
    output logic        arready,
    input  logic [11:0] araddr,
    output logic        rvalid,
    input  logic        rready,
    output logic [31:0] rdata,
    output logic [1:0]  rresp,
    output logic [10:0] broken
);
  localparam int N_IN = 40, N_OUT = 33, N_BASE = 2;
  logic [10:0] fault, earlier;
  assign broken = fault | earlier;
  f_axil u_rules (.*, .broken(earlier), .aws(), .ws(), .ars());

  logic [1:0]   mem_en;
  logic         mem_we;
  logic [31:0]  mem_addr;
  logic [63:0]  mem_wdata;
  logic [127:0] mem_rdata;
  logic [63:0]  cells [0:15];
  always_ff @(posedge clk) begin
    for (int m = 0; m < 2; m++) begin
      // Data are there in one cycle only.
      mem_rdata[64*m +: 64] <= mem_en[m] ? cells[{m[0], mem_addr[2:0]}] : 64'hDEAD_BEEF_DEAD_BEEF;
      if (mem_en[m] & mem_we) cells[{m[0], mem_addr[2:0]}] <= mem_wdata;
    end
  end
  initial for (int k = 0; k < 16; k++) cells[k] = '0;

  loom_axil_host #(
      .N_IN(N_IN), .N_OUT(N_OUT), .N_MEM(2), .MEM_ELEMENTS({32'd3, 32'd5}), .N_BASE(N_BASE), .SIZED(2'b10), .LAYOUT_HASH(64'h0123_4567_89AB_CDEF)
  ) dut (
      .clk(clk), .rst(rst),
      .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(awaddr),
      .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
      .s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_bresp(bresp),
      .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(araddr),
      .s_axil_rvalid(rvalid), .s_axil_rready(rready), .s_axil_rdata(rdata), .s_axil_rresp(rresp),
      .irq(), .fabric_rst(), .cfg_valid(), .cfg_ready(1'b1), .cfg_data(), .cfg_last(),
      .in_valid(), .in_ready({N_IN{1'b1}}), .in_data(), .out_valid({N_OUT{1'b0}}), .out_ready(), .out_data({N_OUT*64{1'b0}}),
      .mem_en(mem_en), .mem_we(mem_we), .mem_addr(mem_addr), .mem_wdata(mem_wdata), .mem_rdata(mem_rdata), .base(), .size(),
      .running(1'b1), .idle(1'b1), .error_valid(1'b0), .error_code(16'd0));
endmodule
