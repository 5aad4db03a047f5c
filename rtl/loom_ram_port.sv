// loom_ram_port: the RAM of an on-chip memory, shared by the fabric and the host.
//
// Function: a loom_ram whose ports serve the host in its cycles. Without a host port the
//   host's inputs are ignored and host_rdata is 0.
// Parameters: W data bits; DEPTH words; HOST: 1 gives the host port.
// Ports: write, waddr, wdata, read, raddr of the fabric, which keeps write and read low
//   while host is high; rdata; host_en, host_we, host_addr, host_wdata: the host reads
//   (host_rdata in the next cycle) or writes a word, also while the fabric is in reset;
//   host: this cycle is the host's.
// Timing: rdata and host_rdata show the word from the cycle after the read.
// Rule: spec-fabric-mem "Memory Export"; rtl/README.md "Memories".
module loom_ram_port #(
    parameter int W     = 32,
    parameter int DEPTH = 1024,
    parameter int HOST  = 0
) (
    input  logic         clk,
    input  logic         write,
    input  logic [loom_pkg::index_width(DEPTH)-1:0] waddr,
    input  logic [W-1:0] wdata,
    input  logic         read,
    input  logic [loom_pkg::index_width(DEPTH)-1:0] raddr,
    output logic [W-1:0] rdata,
    input  logic         host_en,
    input  logic         host_we,
    input  logic [loom_pkg::index_width(DEPTH)-1:0] host_addr,
    input  logic [W-1:0] host_wdata,
    output logic [W-1:0] host_rdata,
    output logic         host
);
  localparam bit HAS_HOST = HOST != 0;

  assign host       = host_en & HAS_HOST;
  assign host_rdata = rdata & {W{HAS_HOST}};

  loom_ram #(
      .W    (W),
      .DEPTH(DEPTH)
  ) u_ram (
      .clk  (clk),
      .write(write | (host & host_we)),
      .waddr(host ? host_addr : waddr),
      .wdata(host ? host_wdata : wdata),
      .read (read | host),
      .raddr(host ? host_addr : raddr),
      .rdata(rdata)
  );
endmodule
