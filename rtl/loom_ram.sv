// loom_ram: memory with one write and one synchronous read port.
//
// Function: DEPTH words of W bits, 0 at power-up. A read in the cycle of a write to
//   the same word yields the old value.
// Parameters: W data bits; DEPTH words.
// Ports: write, waddr, wdata; read, raddr; rdata keeps its value while read is low.
// Timing: rdata shows the word from the cycle after read. Infers block RAM.
// Rule: spec-fabric-mem "Same-cycle load/store collision"; design page "RTL", memories.
module loom_ram #(
    parameter int W     = 32,
    parameter int DEPTH = 1024
) (
    input  logic         clk,
    input  logic         write,
    input  logic [loom_pkg::index_width(DEPTH)-1:0] waddr,
    input  logic [W-1:0] wdata,
    input  logic         read,
    input  logic [loom_pkg::index_width(DEPTH)-1:0] raddr,
    output logic [W-1:0] rdata
);
  logic [W-1:0] mem [0:DEPTH-1];

  initial for (int i = 0; i < DEPTH; i++) mem[i] = '0;

  always_ff @(posedge clk) begin
    if (write) mem[waddr] <= wdata;
    if (read) rdata <= mem[raddr];
  end
endmodule
