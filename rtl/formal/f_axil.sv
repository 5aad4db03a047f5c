// f_axil: watches an AXI4-Lite port and names every rule broken.
//
// Passive: all AXI signals are inputs. Simulations connect it beside master and slave and
// look at broken; proofs assume the rules of the master and assert those of the slave.
// Not part of the library. Usable with Verilator (also with --noassert), Icarus and Yosys.
// Parameters: AW bits of an address; TELL: 1 prints the number of a rule when it is first
//   broken (simulation).
// aws, ws, ars: addresses and data that came and have no response yet.
// fault: rules broken in this cycle; broken: rules broken so far, until the next reset.
//
//   bit  side    rule
//    0   master  AW: valid stays and the payload with it until the transfer
//    1   master  W: the same
//    2   master  AR: the same
//    3   slave   B: the same
//    4   slave   R: the same
//    5   master  AW, W, AR: no valid under reset and in the first cycle after it
//    6   slave   B, R: the same
//    7   slave   B only to a write whose address and data have arrived
//    8   slave   R only to a read that has arrived
//    9   slave   no EXOKAY: AXI4-Lite has none
//   10   both    no unknown valid, and no unknown ready beside a valid (simulation only)
module f_axil #(
    parameter int AW   = 12,
    parameter int TELL = 1
) (
    input  logic          clk,
    input  logic          rst,
    input  logic          awvalid,
    input  logic          awready,
    input  logic [AW-1:0] awaddr,
    input  logic          wvalid,
    input  logic          wready,
    input  logic [31:0]   wdata,
    input  logic [3:0]    wstrb,
    input  logic          bvalid,
    input  logic          bready,
    input  logic [1:0]    bresp,
    input  logic          arvalid,
    input  logic          arready,
    input  logic [AW-1:0] araddr,
    input  logic          rvalid,
    input  logic          rready,
    input  logic [31:0]   rdata,
    input  logic [1:0]    rresp,
    output logic [15:0]   aws,
    output logic [15:0]   ws,
    output logic [15:0]   ars,
    output logic [10:0]   fault,
    output logic [10:0]   broken
);
  // A channel that waits, with what it offers; under reset and before the first reset
  // nothing waits.
  logic aw_waits, w_waits, b_waits, ar_waits, r_waits, after_reset;
  logic [AW-1:0] aw_held, ar_held;
  logic [35:0] w_held;
  logic [33:0] r_held;
  logic [1:0]  b_held;
  initial {aw_waits, w_waits, b_waits, ar_waits, r_waits} = '0;
  initial after_reset = 1'b1;
  initial {aws, ws, ars} = '0;
  initial broken = '0;

  logic unknown;
`ifdef LOOM_FORMAL
  assign unknown = 1'b0;
`else
  assign unknown = ((^{awvalid, wvalid, bvalid, arvalid, rvalid}) === 1'bx) | (awvalid & (awready === 1'bx)) | (wvalid & (wready === 1'bx))
                   | (bvalid & (bready === 1'bx)) | (arvalid & (arready === 1'bx)) | (rvalid & (rready === 1'bx));
`endif
  assign fault[0]  = ~rst & aw_waits & (~awvalid | (awaddr != aw_held));
  assign fault[1]  = ~rst & w_waits & (~wvalid | ({wdata, wstrb} != w_held));
  assign fault[2]  = ~rst & ar_waits & (~arvalid | (araddr != ar_held));
  assign fault[3]  = ~rst & b_waits & (~bvalid | (bresp != b_held));
  assign fault[4]  = ~rst & r_waits & (~rvalid | ({rdata, rresp} != r_held));
  assign fault[5]  = after_reset & (awvalid | wvalid | arvalid);
  assign fault[6]  = after_reset & (bvalid | rvalid);
  assign fault[7]  = ~rst & bvalid & ((aws == 16'd0) | (ws == 16'd0));
  assign fault[8]  = ~rst & rvalid & (ars == 16'd0);
  assign fault[9]  = ~rst & ((bvalid & (bresp == 2'b01)) | (rvalid & (rresp == 2'b01)));
  assign fault[10] = ~rst & unknown;

  always_ff @(posedge clk) begin
    after_reset <= rst;
    aw_waits    <= ~rst & awvalid & ~awready;
    w_waits     <= ~rst & wvalid & ~wready;
    b_waits     <= ~rst & bvalid & ~bready;
    ar_waits    <= ~rst & arvalid & ~arready;
    r_waits     <= ~rst & rvalid & ~rready;
    aw_held     <= awaddr;
    w_held      <= {wdata, wstrb};
    b_held      <= bresp;
    ar_held     <= araddr;
    r_held      <= {rdata, rresp};
    broken      <= rst ? '0 : broken | fault;
    if (rst) begin
      aws <= '0;
      ws  <= '0;
      ars <= '0;
    end else begin
      aws <= aws + {15'd0, awvalid & awready} - {15'd0, bvalid & bready};
      ws  <= ws + {15'd0, wvalid & wready} - {15'd0, bvalid & bready};
      ars <= ars + {15'd0, arvalid & arready} - {15'd0, rvalid & rready};
    end
`ifndef LOOM_FORMAL
    if (TELL != 0 && !rst && |(fault & ~broken)) $display("AXI4-Lite: %m breaks %b", fault & ~broken);
`endif
  end
endmodule
