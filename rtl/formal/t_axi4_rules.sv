// t_axi4_rules: every rule of f_axi4 fires on what breaks it, and nothing else does.
// Runs under Icarus and Verilator (which knows no unknown values: rule 19 is left out).
`timescale 1ns / 1ns
module t_axi4_rules;
  reg clk = 0, rst = 1;
  reg awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready, rvalid, rready, rlast;
  reg [1:0] awid, bid, arid, rid, awburst, arburst, bresp, rresp;
  reg [15:0] awaddr, araddr, b_number, r_number;
  reg [7:0] awlen, arlen, wstrb;
  reg [2:0] awsize, arsize;
  reg [63:0] wdata, rdata;
  wire [19:0] fault, broken;
  wire [15:0] reads, writes, ars, aws, ws;
  integer errors = 0, checked = 0;

  // 16-bit elements on 64-bit data, 4 IDs, at most 4 transactions.
  f_axi4 #(.IDW(2), .AW(16), .DW(64), .EW(16), .MAX(4), .NUMBERED(1), .TELL(0)) watch (
      .clk(clk), .rst(rst), .awvalid(awvalid), .awready(awready), .awid(awid), .awaddr(awaddr), .awlen(awlen), .awsize(awsize), .awburst(awburst),
      .wvalid(wvalid), .wready(wready), .wdata(wdata), .wstrb(wstrb), .wlast(wlast),
      .bvalid(bvalid), .bready(bready), .bid(bid), .bresp(bresp), .b_number(b_number),
      .arvalid(arvalid), .arready(arready), .arid(arid), .araddr(araddr), .arlen(arlen), .arsize(arsize), .arburst(arburst),
      .rvalid(rvalid), .rready(rready), .rid(rid), .rdata(rdata), .rresp(rresp), .rlast(rlast), .r_number(r_number),
      .reads(reads), .writes(writes), .ars(ars), .aws(aws), .ws(ws), .fault(fault), .broken(broken));

  // The same signals, for a master with bursts of up to 4.
  wire [19:0] fault4, broken4;
  wire [15:0] reads4, writes4, ars4, aws4, ws4;
  f_axi4 #(.IDW(2), .AW(16), .DW(64), .EW(16), .MAX(4), .NUMBERED(1), .BURST(4), .TELL(0)) bursts (
      .clk(clk), .rst(rst), .awvalid(awvalid), .awready(awready), .awid(awid), .awaddr(awaddr), .awlen(awlen), .awsize(awsize), .awburst(awburst),
      .wvalid(wvalid), .wready(wready), .wdata(wdata), .wstrb(wstrb), .wlast(wlast),
      .bvalid(bvalid), .bready(bready), .bid(bid), .bresp(bresp), .b_number(b_number),
      .arvalid(arvalid), .arready(arready), .arid(arid), .araddr(araddr), .arlen(arlen), .arsize(arsize), .arburst(arburst),
      .rvalid(rvalid), .rready(rready), .rid(rid), .rdata(rdata), .rresp(rresp), .rlast(rlast), .r_number(r_number),
      .reads(reads4), .writes(writes4), .ars(ars4), .aws(aws4), .ws(ws4), .fault(fault4), .broken(broken4));

  task quiet;
    begin
      awvalid = 0; wvalid = 0; bvalid = 0; arvalid = 0; rvalid = 0;
      awready = 1; wready = 1; bready = 1; arready = 1; rready = 1;
      awlen = 0; awsize = 1; awburst = 1; arlen = 0; arsize = 1; arburst = 1;
      awid = 0; awaddr = 0; arid = 0; araddr = 0; wdata = 64'h0123456789abcdef; wstrb = 8'h03; wlast = 1;
      bid = 0; bresp = 0; b_number = 0; rid = 0; rdata = 64'hfedcba9876543210; rresp = 0; rlast = 1; r_number = 0;
    end
  endtask
  // One cycle, then quiet again.
  task step;
    begin
      #5 clk = 1;
      #5 clk = 0;
      quiet;
    end
  endtask
  // One cycle, everything stays driven.
  task hold;
    begin
      #5 clk = 1;
      #5 clk = 0;
    end
  endtask
  task restart;
    begin
      quiet; rst = 1; step; step;
      rst = 0; step;
    end
  endtask
  task ar(input [1:0] id, input [15:0] addr);
    begin arvalid = 1; arid = id; araddr = addr; end
  endtask
  task aw(input [1:0] id, input [15:0] addr);
    begin awvalid = 1; awid = id; awaddr = addr; end
  endtask
  task w(input [7:0] strobe);
    begin wvalid = 1; wstrb = strobe; end
  endtask
  task r(input [1:0] id, input [15:0] number);
    begin rvalid = 1; rid = id; r_number = number; end
  endtask
  task b(input [1:0] id, input [15:0] number);
    begin bvalid = 1; bid = id; b_number = number; end
  endtask
  // What was broken since the last call must be want; then a new start.
  task check(input [19:0] want, input [8*48-1:0] what);
    begin
      step;
      checked = checked + 1;
      if (broken !== want) begin
        errors = errors + 1;
        $display("%0s: broken %b, expected %b", what, broken, want);
      end
      restart;
    end
  endtask

  // check for the bursts.
  task check4(input [19:0] want, input [8*48-1:0] what);
    begin
      step;
      checked = checked + 1;
      if (broken4 !== want) begin
        errors = errors + 1;
        $display("%0s: broken %b, expected %b", what, broken4, want);
      end
      restart;
    end
  endtask
  task burst_ar(input [1:0] id, input [15:0] addr, input [7:0] len);
    begin ar(id, addr); arlen = len; step; end
  endtask
  task burst_aw(input [1:0] id, input [15:0] addr, input [7:0] len);
    begin aw(id, addr); awlen = len; step; end
  endtask
  task beat(input [7:0] strobe, input last);
    begin w(strobe); wlast = last; step; end
  endtask
  task rbeat(input [1:0] id, input [15:0] number, input last);
    begin r(id, number); rlast = last; step; end
  endtask

  initial begin
    restart;

    // Allowed: stalls, AW and W in any order, responses out of order across IDs, the limit.
    aw(1, 16'h0102); awready = 0; hold; hold; awready = 1; step;
    w(8'h0c); wready = 0; hold; wready = 1; step;
    w(8'hc0); step; w(8'h03); step; aw(2, 16'h0006); step; aw(2, 16'h0008); step;
    aw(1, 16'h0004); w(8'h30); step;
    b(2, 1); bready = 0; hold; bready = 1; step; b(1, 0); bresp = 2; step; b(1, 3); step; b(2, 2); bresp = 3; step;
    ar(1, 16'h0100); step; ar(2, 16'h0ffe); step; ar(1, 16'hfffe); arready = 0; hold; hold; arready = 1; step; ar(3, 0); step;
    r(3, 3); step; r(1, 0); rready = 0; hold; rready = 1; step; ar(0, 2); r(2, 1); step; r(1, 2); step; r(0, 4); step;
    check(0, "allowed");
    rst = 1; step; step; step; rst = 0; step; ar(0, 0); step; r(0, 0);
    check(0, "numbers start again after a reset");

    // Handshakes: withdrawn, changed.
    aw(0, 0); awready = 0; hold; awvalid = 0; check(20'h1, "AW withdrawn");
    aw(0, 0); awready = 0; hold; awaddr = 2; check(20'h1, "AW address changed");
    aw(0, 0); awready = 0; hold; awid = 1; check(20'h1, "AW ID changed");
    w(3); wready = 0; hold; wvalid = 0; check(20'h2, "W withdrawn");
    w(3); wready = 0; hold; wdata = 0; check(20'h2, "W data changed");
    w(3); wready = 0; hold; wstrb = 8'h0c; check(20'h2, "W strobe changed");
    ar(0, 0); arready = 0; hold; arvalid = 0; check(20'h4, "AR withdrawn");
    ar(0, 0); arready = 0; hold; araddr = 2; check(20'h4, "AR address changed");
    ar(0, 0); arready = 0; hold; arid = 1; check(20'h4, "AR ID changed");
    aw(0, 0); w(3); step; b(0, 0); bready = 0; hold; bvalid = 0; check(20'h8, "B withdrawn");
    aw(0, 0); w(3); step; b(0, 0); bready = 0; hold; bresp = 2; check(20'h8, "B response changed");
    ar(0, 0); step; r(0, 0); rready = 0; hold; rvalid = 0; check(20'h10, "R withdrawn");
    ar(0, 0); step; r(0, 0); rready = 0; hold; rdata = 0; check(20'h10, "R data changed");

    // Reset.
    rst = 1; step; ar(0, 0); check(20'h20, "AR under reset");
    rst = 1; step; aw(0, 0); check(20'h20, "AW under reset");
    rst = 1; step; w(3); check(20'h20, "W under reset");
    rst = 1; step; r(0, 0); check(20'h40, "R under reset");
    rst = 1; step; b(0, 0); check(20'h40, "B under reset");
    rst = 1; step; step; rst = 0; ar(0, 0); check(20'h20, "AR right after reset");

    // Shape.
    aw(0, 0); awlen = 1; check(20'h80, "AW of two beats");
    aw(0, 0); awsize = 2; check(20'h80, "AW of a wrong size");
    aw(0, 0); awburst = 0; check(20'h80, "AW not INCR");
    aw(0, 16'h0fff); check(20'h80, "AW unaligned, across 4 KB");
    ar(0, 0); arlen = 1; check(20'h100, "AR of two beats");
    ar(0, 0); arsize = 0; check(20'h100, "AR of a wrong size");
    ar(0, 0); arburst = 2; check(20'h100, "AR not INCR");
    ar(0, 16'h0001); check(20'h100, "AR unaligned");
    w(3); wlast = 0; check(20'h200, "W without WLAST");

    // Strobes.
    aw(0, 2); step; w(8'h03); check(20'h400, "strobe of another lane, AW first");
    w(8'h0c); step; aw(0, 4); check(20'h400, "strobe of another lane, W first");
    aw(0, 6); w(8'h80); check(20'h400, "a byte missing");
    aw(0, 0); w(8'h07); check(20'h400, "a byte too many");
    aw(0, 0); step; aw(0, 2); w(8'h0c); check(20'h400, "data in the wrong order");

    // Limits.
    repeat (5) begin aw(0, 0); step; end check(20'h800, "five writes");
    repeat (5) begin ar(0, 0); step; end check(20'h1000, "five reads");

    // Responses.
    r(0, 0); check(20'h2000, "R without request");
    ar(1, 0); step; r(2, 0); check(20'h2000, "R of another ID");
    ar(1, 0); step; r(1, 0); step; r(1, 0); check(20'h2000, "R twice");
    ar(1, 0); r(1, 0); check(20'h2000, "R in the cycle of its request");
    b(0, 0); check(20'h4000, "B without request");
    aw(1, 0); w(3); step; b(2, 0); check(20'h4000, "B of another ID");
    aw(1, 0); w(3); step; b(1, 0); step; b(1, 0); check(20'h4000, "B twice");
    aw(1, 0); step; b(1, 0); check(20'h4000, "B before its data");
    w(3); step; b(0, 0); check(20'h4000, "B before its address");
    aw(1, 0); w(3); step; aw(2, 0); step; b(2, 1); check(20'h4000, "B with the data of another write");
    ar(0, 0); step; r(0, 0); rlast = 0; check(20'h8000, "R without RLAST");
    ar(1, 0); step; ar(1, 2); step; r(1, 1); check(20'h10000, "R out of order");
    aw(1, 0); w(3); step; aw(1, 0); w(3); step; b(1, 1); check(20'h20000, "B out of order");
    ar(0, 0); step; r(0, 0); rresp = 1; check(20'h40000, "R EXOKAY");
    aw(0, 0); w(3); step; b(0, 0); bresp = 1; check(20'h40000, "B EXOKAY");

    // Bursts. Two IDs may take turns at R.
    burst_ar(1, 16'h0008, 3); burst_ar(2, 16'h000c, 1); rbeat(1, 0, 0); rbeat(2, 1, 0); rbeat(1, 0, 0); rbeat(2, 1, 1); rbeat(1, 0, 0); rbeat(1, 0, 1);
    burst_aw(1, 16'h0002, 1); burst_aw(2, 16'h0018, 3); beat(8'h0c, 0); beat(8'h30, 1); beat(8'h03, 0); beat(8'h0c, 0); beat(8'h30, 0); beat(8'hc0, 1);
    b(2, 1); step; b(1, 0); check4(0, "bursts");
    burst_ar(0, 16'h0004, 2); check4(20'h100, "burst of reads beyond its block");
    burst_ar(0, 16'h0000, 4); check4(20'h100, "burst of reads too long");
    burst_aw(0, 16'h0006, 1); check4(20'h80, "burst of writes beyond its block");
    burst_ar(0, 16'h0000, 2); rbeat(0, 0, 0); rbeat(0, 0, 1); check4(20'h8000, "RLAST too early");
    burst_ar(0, 16'h0000, 1); rbeat(0, 0, 0); rbeat(0, 0, 0); check4(20'h8000, "RLAST too late");
    burst_ar(0, 16'h0000, 1); rbeat(0, 0, 0); rbeat(0, 0, 1); rbeat(0, 0, 1); check4(20'h2000, "a beat too many");
    burst_aw(0, 16'h0000, 2); beat(8'h03, 0); beat(8'h0c, 1); check4(20'h200, "WLAST too early");
    burst_aw(0, 16'h0000, 1); beat(8'h03, 0); beat(8'h0c, 0); check4(20'h200, "WLAST too late");
    burst_aw(0, 16'h0000, 1); beat(8'h03, 0); beat(8'h03, 1); check4(20'h400, "strobes of the first element again");
    beat(8'h03, 1); check4(20'h400, "data in front of its address");
    burst_aw(1, 16'h0000, 1); beat(8'h03, 0); b(1, 0); check4(20'h4000, "B before the last beat");

`ifndef VERILATOR
    arvalid = 1'bx; step;
    if (broken[19] !== 1'b1) begin errors = errors + 1; $display("unknown ARVALID passes"); end
    restart;
    aw(0, 0); awready = 1'bx; step;
    if (broken[19] !== 1'b1) begin errors = errors + 1; $display("unknown AWREADY passes"); end
    restart;
    awready = 1'bx; rready = 1'bx; check(0, "unknown ready without valid");
`endif
    $display("checked %0d, errors %0d", checked, errors);
    $finish;
  end
endmodule
