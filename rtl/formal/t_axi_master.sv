// t_axi_master: loom_axi_master between a random requester and a random AXI4 memory.
//
// The memory stalls every channel at random, also AW until W comes and W until AW has
// left, responds in random order across IDs and with errors at some addresses; the requester
// is cleared at any time. Checked: the responses of each tag, in order; the memory's
// contents; every rule of f_axi4; one read and one write per cycle when nothing stalls;
// and that the situations that matter came up.
`timescale 1ns / 1ns
module t_axi_master #(
    parameter DW     = 32,
    parameter TW     = 0,
    parameter BUS_AW = 32,
    parameter BUS_DW = 32,
    parameter OUT    = 16,
    parameter CYCLES = 20000,
    parameter SEED   = 1
);
  localparam IDW   = (TW > 1) ? TW : 1;
  localparam TAGS  = 1 << TW;
  localparam BYTES = DW / 8;
  localparam BUSB  = BUS_DW / 8;
  localparam LIST  = 32;  // entries of the memory, more than the master may use

  reg clk = 0, rst = 1, clear = 1;
  reg ld_req_valid = 0, st_req_valid = 0;
  reg [63:0] ld_req_addr = 0, st_req_addr = 0;
  reg [IDW-1:0] ld_req_tag = 0, st_req_tag = 0;
  reg [DW-1:0] st_req_data = 0;
  wire ld_req_ready, st_req_ready, ld_rsp_valid, ld_rsp_err, st_rsp_valid, st_rsp_err, idle;
  wire [DW-1:0] ld_rsp_data;
  wire [IDW-1:0] ld_rsp_tag, st_rsp_tag;
  wire awvalid, wvalid, bready, arvalid, rready, awlock, arlock, wlast;
  reg awready = 0, wready = 0, arready = 0, bvalid = 0, rvalid = 0;
  wire [IDW-1:0] awid, arid;
  wire [BUS_AW-1:0] awaddr, araddr;
  wire [7:0] awlen, arlen;
  wire [2:0] awsize, arsize, awprot, arprot;
  wire [1:0] awburst, arburst;
  wire [3:0] awcache, arcache;
  wire [BUS_DW-1:0] wdata;
  wire [BUSB-1:0] wstrb;
  reg [IDW-1:0] bid = 0, rid = 0;
  reg [1:0] bresp = 0, rresp = 0;
  reg [BUS_DW-1:0] rdata = 0;
  reg [15:0] b_number = 0, r_number = 0;
  wire [19:0] fault, broken;

  loom_axi_master #(.DW(DW), .TW(TW), .BUS_AW(BUS_AW), .BUS_DW(BUS_DW), .OUTSTANDING(OUT)) dut (
      .clk(clk), .rst(rst), .clear(clear),
      .ld_req_valid(ld_req_valid), .ld_req_ready(ld_req_ready), .ld_req_addr(ld_req_addr), .ld_req_tag(ld_req_tag),
      .ld_rsp_valid(ld_rsp_valid), .ld_rsp_data(ld_rsp_data), .ld_rsp_tag(ld_rsp_tag), .ld_rsp_err(ld_rsp_err),
      .st_req_valid(st_req_valid), .st_req_ready(st_req_ready), .st_req_addr(st_req_addr), .st_req_tag(st_req_tag),
      .st_req_data(st_req_data), .st_rsp_valid(st_rsp_valid), .st_rsp_tag(st_rsp_tag), .st_rsp_err(st_rsp_err), .idle(idle),
      .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awid(awid), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen),
      .m_axi_awsize(awsize), .m_axi_awburst(awburst), .m_axi_awlock(awlock), .m_axi_awcache(awcache), .m_axi_awprot(awprot),
      .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast),
      .m_axi_bvalid(bvalid), .m_axi_bready(bready), .m_axi_bid(bid), .m_axi_bresp(bresp),
      .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_arid(arid), .m_axi_araddr(araddr), .m_axi_arlen(arlen),
      .m_axi_arsize(arsize), .m_axi_arburst(arburst), .m_axi_arlock(arlock), .m_axi_arcache(arcache), .m_axi_arprot(arprot),
      .m_axi_rvalid(rvalid), .m_axi_rready(rready), .m_axi_rid(rid), .m_axi_rdata(rdata), .m_axi_rresp(rresp), .m_axi_rlast(1'b1));

  f_axi4 #(.IDW(IDW), .AW(BUS_AW), .DW(BUS_DW), .EW(DW), .MAX(OUT), .NUMBERED(1)) watch (
      .clk(clk), .rst(rst), .awvalid(awvalid), .awready(awready), .awid(awid), .awaddr(awaddr), .awlen(awlen), .awsize(awsize), .awburst(awburst),
      .wvalid(wvalid), .wready(wready), .wdata(wdata), .wstrb(wstrb), .wlast(wlast),
      .bvalid(bvalid), .bready(bready), .bid(bid), .bresp(bresp), .b_number(b_number),
      .arvalid(arvalid), .arready(arready), .arid(arid), .araddr(araddr), .arlen(arlen), .arsize(arsize), .arburst(arburst),
      .rvalid(rvalid), .rready(rready), .rid(rid), .rdata(rdata), .rresp(rresp), .rlast(1'b1), .r_number(r_number),
      .reads(), .writes(), .ars(), .aws(), .ws(), .fault(fault), .broken(broken));

  integer errors = 0, seed = SEED;
  integer cycle, phase, k, t, pick, tries, i;
  integer p_ld, p_st, p_ar, p_aw, p_w, p_r, p_b, depend, fast, latency, clearing = 0;
  integer reads_done = 0, writes_done = 0, faults_seen = 0, overtakes = 0, clears = 0, full_reads = 0, full_writes = 0;
  integer aw_first = 0, w_first = 0, dropped = 0, fast_cycles = 0, fast_lds = 0, fast_sts = 0;

  task bad(input [8*40-1:0] what);
    begin
      errors = errors + 1;
      if (errors < 20) $display("cycle %0d: %0s", cycle, what);
    end
  endtask
  function integer draw(input integer n);
    draw = $unsigned($random(seed)) % n;
  endfunction

  // The content of the read half of the memory; addresses that respond with an error.
  function [7:0] content(input integer a);
    content = (a * 37 + (a >> 8) * 11 + 5) & 255;
  endfunction
  function [1:0] response(input [15:0] a);
    response = (a[7:5] == 3'd7) ? {1'b1, a[4]} : 2'b00;
  endfunction
  function [DW-1:0] element(input [15:0] a);
    integer e;
    for (e = 0; e < BYTES; e = e + 1) element[e*8 +: 8] = content(a + e);
  endfunction

  // What the requester expects, per tag.
  reg [15:0] ld_want [0:TAGS*64-1], st_want [0:TAGS*64-1];
  integer ld_head [0:TAGS-1], ld_tail [0:TAGS-1], st_head [0:TAGS-1], st_tail [0:TAGS-1];
  reg [7:0] reference [0:65535], store [0:65535];

  // What the memory has accepted, oldest first (fewer than 2^16 of each kind in a run).
  reg [IDW-1:0] ar_id [0:LIST], aw_id [0:LIST];
  reg [BUS_AW-1:0] ar_at [0:LIST], aw_at [0:LIST];
  reg [15:0] ar_no [0:LIST], aw_no [0:LIST];
  integer ar_due [0:LIST], aw_due [0:LIST];
  reg [BUS_DW-1:0] w_data [0:1023];
  reg [BUSB-1:0] w_strb [0:1023];
  integer ars = 0, aws = 0, ws = 0, ar_n = 0, aw_n = 0;
  reg oldest;

  // The requested address: the bits above 16 follow from those of the element.
  function [63:0] spread(input [15:0] a);
    spread = {a[15:3], 3'd0, ~a[15:3], 3'd0, a[15:3], 3'd0, a};
  endfunction

  always #5 clk = ~clk;

  initial begin
    for (k = 0; k < 65536; k = k + 1) begin
      reference[k] = 0;
      store[k] = 0;
    end
    for (k = 0; k < TAGS; k = k + 1) begin
      ld_head[k] = 0; ld_tail[k] = 0; st_head[k] = 0; st_tail[k] = 0;
    end
    cycle = 0;
    repeat (4) @(negedge clk);
    rst = 0;
    clear = 0;
    for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin
      if (cycle % 256 == 0) begin
        phase = cycle / 256;
        fast = phase % 4 == 1;
        p_ld = fast ? 8 : 1 + draw(8); p_st = fast ? 8 : 1 + draw(8);
        p_ar = fast ? 8 : 1 + draw(8); p_aw = fast ? 8 : 1 + draw(8); p_w = fast ? 8 : 1 + draw(8);
        p_r = fast ? 8 : draw(9); p_b = fast ? 8 : draw(9);
        depend = fast ? 0 : draw(3);
        latency = fast ? OUT - 4 : draw(40);
        if (latency < 1) latency = 1;
      end
      if (cycle > CYCLES - 1000) begin  // the end: everything comes home
        p_ld = 0; p_st = 0; p_r = 8; p_b = 8; p_ar = 8; p_aw = 8; p_w = 8; fast = 0;
      end
      // The requester.
      if (clearing > 0) clearing = clearing - 1;
      else if (~fast & (draw(200) == 0) & (cycle < CYCLES - 1000)) begin
        clearing = 1 + draw(4);
        clears = clears + 1;
        for (k = 0; k < TAGS; k = k + 1) begin
          dropped = dropped + ld_tail[k] - ld_head[k] + st_tail[k] - st_head[k];
          ld_head[k] = ld_tail[k];
          st_head[k] = st_tail[k];
        end
      end
      clear = clearing > 0;
      if (clear) begin
        ld_req_valid = 0;
        st_req_valid = 0;
      end else begin
        if (~ld_req_valid & (draw(8) < p_ld)) begin
          ld_req_valid = 1;
          ld_req_tag = draw(TAGS);
          ld_req_addr = spread({1'b0, 15'(draw(32768))});
          if (draw(4) != 0) ld_req_addr[2:0] = 0;
        end
        if (~st_req_valid & (draw(8) < p_st)) begin
          st_req_valid = 1;
          st_req_tag = draw(TAGS);
          st_req_addr = spread({1'b1, 3'(st_req_tag), 12'(draw(512))});
          for (k = 0; k < DW; k = k + 8) st_req_data[k +: 8] = draw(256);
        end
      end
      // The memory: ready, and new responses when none is stuck.
      arready = (draw(8) < p_ar) & (ar_n < LIST);
      awready = (draw(8) < p_aw) & (aw_n < LIST) & ((depend != 1) | wvalid | (ws > aws));
      wready  = (draw(8) < p_w) & (ws - aws < LIST) & ((depend != 2) | (aws > ws));
      rvalid = 0;
      rdata = {BUSB{8'hxx}};
      if ((ar_n > 0) & (draw(8) < p_r)) begin
        pick = draw(ar_n);
        for (tries = 0; tries < ar_n & ~rvalid; tries = tries + 1) begin
          oldest = ar_due[pick] <= cycle;
          for (k = 0; k < pick; k = k + 1) if (ar_id[k] == ar_id[pick]) oldest = 0;
          if (oldest) begin
            rvalid = 1;
            rid = ar_id[pick];
            r_number = ar_no[pick];
            rresp = response(ar_at[pick][15:0] & ~(BYTES - 1));
            for (k = 0; k < BUSB; k = k + 1) rdata[k*8 +: 8] = content((ar_at[pick][15:0] & ~(BUSB - 1)) + k);
            if (pick > 0) overtakes = overtakes + 1;
            for (k = pick; k < ar_n; k = k + 1) begin
              ar_id[k] = ar_id[k+1]; ar_at[k] = ar_at[k+1]; ar_no[k] = ar_no[k+1]; ar_due[k] = ar_due[k+1];
            end
            ar_n = ar_n - 1;
          end else pick = (pick + 1) % ar_n;
        end
      end
      bvalid = 0;
      if ((aw_n > 0) & (draw(8) < p_b)) begin
        pick = draw(aw_n);
        for (tries = 0; tries < aw_n & ~bvalid; tries = tries + 1) begin
          oldest = (aw_due[pick] <= cycle) & (aw_no[pick] < ws);
          for (k = 0; k < pick; k = k + 1) if (aw_id[k] == aw_id[pick]) oldest = 0;
          if (oldest) begin
            bvalid = 1;
            bid = aw_id[pick];
            b_number = aw_no[pick];
            bresp = response(aw_at[pick][15:0]);
            i = aw_no[pick] % 1024;
            if (~bresp[1])
              for (k = 0; k < BUSB; k = k + 1)
                if (w_strb[i][k]) store[(aw_at[pick][15:0] & ~(BUSB - 1)) + k] = w_data[i][k*8 +: 8];
            if (pick > 0) overtakes = overtakes + 1;
            for (k = pick; k < aw_n; k = k + 1) begin
              aw_id[k] = aw_id[k+1]; aw_at[k] = aw_at[k+1]; aw_no[k] = aw_no[k+1]; aw_due[k] = aw_due[k+1];
            end
            aw_n = aw_n - 1;
          end else pick = (pick + 1) % aw_n;
        end
      end
      // Everything has settled: look at the transfers of this cycle.
      #4;
      if (fast & (cycle % 256 >= 64)) begin
        fast_cycles = fast_cycles + 1;
        if (ld_req_valid & ld_req_ready) fast_lds = fast_lds + 1;
        if (st_req_valid & st_req_ready) fast_sts = fast_sts + 1;
      end
      if (ld_rsp_valid) begin
        t = ld_rsp_tag;
        if (ld_head[t] == ld_tail[t]) bad("a load answer without request");
        else begin
          if (ld_rsp_err != response(ld_want[t*64 + ld_head[t]%64]) >> 1) bad("a wrong error bit of a load");
          if (~ld_rsp_err & (ld_rsp_data !== element(ld_want[t*64 + ld_head[t]%64]))) bad("wrong data of a load");
          ld_head[t] = ld_head[t] + 1;
          reads_done = reads_done + 1;
          if (ld_rsp_err) faults_seen = faults_seen + 1;
        end
      end
      if (st_rsp_valid) begin
        t = st_rsp_tag;
        if (st_head[t] == st_tail[t]) bad("a store answer without request");
        else begin
          if (st_rsp_err != response(st_want[t*64 + st_head[t]%64]) >> 1) bad("a wrong error bit of a store");
          st_head[t] = st_head[t] + 1;
          writes_done = writes_done + 1;
          if (st_rsp_err) faults_seen = faults_seen + 1;
        end
      end
      if (ld_req_valid & ld_req_ready) begin
        ld_want[ld_req_tag*64 + ld_tail[ld_req_tag]%64] = ld_req_addr[15:0] & ~(BYTES - 1);
        ld_tail[ld_req_tag] = ld_tail[ld_req_tag] + 1;
      end
      if (st_req_valid & st_req_ready) begin
        st_want[st_req_tag*64 + st_tail[st_req_tag]%64] = st_req_addr[15:0] & ~(BYTES - 1);
        st_tail[st_req_tag] = st_tail[st_req_tag] + 1;
        if (response(st_req_addr[15:0] & ~(BYTES - 1)) == 0)
          for (k = 0; k < BYTES; k = k + 1) reference[(st_req_addr[15:0] & ~(BYTES - 1)) + k] = st_req_data[k*8 +: 8];
      end
      if (arvalid & arready) begin
        if ((araddr ^ (spread(araddr[15:0]) & {BUS_AW{1'b1}})) !== 0) bad("a wrong read address");
        ar_id[ar_n] = arid; ar_at[ar_n] = araddr; ar_no[ar_n] = ars; ar_due[ar_n] = cycle + (fast ? latency : 1 + draw(latency + 1));
        ar_n = ar_n + 1;
        ars = ars + 1;
      end
      if (awvalid & awready) begin
        if ((awaddr ^ (spread(awaddr[15:0]) & {BUS_AW{1'b1}})) !== 0) bad("a wrong write address");
        aw_id[aw_n] = awid; aw_at[aw_n] = awaddr; aw_no[aw_n] = aws; aw_due[aw_n] = cycle + (fast ? latency : 1 + draw(latency + 1));
        aw_n = aw_n + 1;
        aws = aws + 1;
      end
      if (wvalid & wready) begin
        w_data[ws%1024] = wdata; w_strb[ws%1024] = wstrb;
        ws = ws + 1;
      end
      if (aws > ws) aw_first = aw_first + 1;
      if (ws > aws) w_first = w_first + 1;
      if (ar_n == OUT) full_reads = full_reads + 1;
      if (aw_n == OUT) full_writes = full_writes + 1;
      if ((idle != ((ar_n == 0) & (aw_n == 0) & ~arvalid & ~awvalid & ~wvalid & (aws == ws) & ~rvalid & ~bvalid)) &
          ~(arvalid & arready) & ~(awvalid & awready)) bad("idle is wrong");
      // A request stays until it is taken.
      t = {ld_req_valid & ld_req_ready, st_req_valid & st_req_ready};
      @(negedge clk);
      if (t & 2) ld_req_valid = 0;
      if (t & 1) st_req_valid = 0;
    end
    for (k = 0; k < TAGS; k = k + 1) if ((ld_head[k] != ld_tail[k]) | (st_head[k] != st_tail[k])) bad("a request without answer");
    for (k = 0; k < 65536; k = k + 1) if (store[k] !== reference[k]) bad("a wrong byte in memory");
    if (~idle | (broken != 0)) bad("not idle, or a rule broken");
    if ((fast_lds < fast_cycles) | (fast_sts < fast_cycles)) bad("less than one access per cycle");
    if ((full_reads == 0) | (full_writes == 0)) bad("the limit was never reached");
    if ((aw_first == 0) | (w_first == 0)) bad("AW and W never parted");
    if ((TW != 0) & (overtakes == 0)) bad("no response ever overtook");
    if ((clears == 0) | (dropped == 0) | (faults_seen == 0)) bad("no clear or no bus error");
    $display("reads %0d, writes %0d, bus errors %0d, overtaking %0d, %0d clears dropping %0d, fast %0d of %0d, errors %0d",
             reads_done, writes_done, faults_seen, overtakes, clears, dropped, fast_lds + fast_sts, 2 * fast_cycles, errors);
    $finish;
  end
endmodule
