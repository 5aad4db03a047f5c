// Proof of loom_axil_host: the rules of AXI4-Lite as f_axil states them, the permissions,
// values and effects of every register against a model of the register map written with
// byte addresses, one effect per write, tokens, DONE and CYCLES for every combination of
// enables, the memory window and the interrupt. The fabric does what it likes.
`include "f_reset.svh"
  logic [15:0] f_aws, f_ws, f_ars;
  logic [10:0] f_fault, f_broken;
  f_axil #(.TELL(0)) f_bus (
      .clk(clk), .rst(rst),
      .awvalid(s_axil_awvalid), .awready(s_axil_awready), .awaddr(s_axil_awaddr),
      .wvalid(s_axil_wvalid), .wready(s_axil_wready), .wdata(s_axil_wdata), .wstrb(s_axil_wstrb),
      .bvalid(s_axil_bvalid), .bready(s_axil_bready), .bresp(s_axil_bresp),
      .arvalid(s_axil_arvalid), .arready(s_axil_arready), .araddr(s_axil_araddr),
      .rvalid(s_axil_rvalid), .rready(s_axil_rready), .rdata(s_axil_rdata), .rresp(s_axil_rresp),
      .aws(f_aws), .ws(f_ws), .ars(f_ars), .fault(f_fault), .broken(f_broken));
  always_comb begin
    assume (~|(f_fault & 11'h027));
    if (f_live) assert (~|(f_fault & 11'h398));
    // Every request is in its register, in the memory or has its response waiting.
    if (f_live) begin
      assert (f_aws == {15'd0, aw_full} + {15'd0, s_axil_bvalid});
      assert (f_ws == {15'd0, w_full} + {15'd0, s_axil_bvalid});
      assert (f_ars == {15'd0, ar_full} + {15'd0, s_axil_rvalid} + {15'd0, read_access} + {15'd0, read_answer});
      assert ({1'b0, read_access} + {1'b0, read_answer} + {1'b0, s_axil_rvalid} <= 2'd1);
    end
  end
  f_channel #(.W(33)) f_cfg (.clk(clk), .rst(rst), .valid(cfg_valid), .ready(cfg_ready), .data({cfg_last, cfg_data}));

  // The write and the read that take effect next, as the master sent them.
  logic [11:0] f_wa, f_ra;
  logic [31:0] f_wd;
  logic [3:0]  f_wb;
  always_ff @(posedge clk) begin
    if (s_axil_awvalid & s_axil_awready) f_wa <= {s_axil_awaddr[11:2], 2'b00};
    if (s_axil_wvalid & s_axil_wready) {f_wd, f_wb} <= {s_axil_wdata, s_axil_wstrb};
    if (s_axil_arvalid & s_axil_arready) f_ra <= {s_axil_araddr[11:2], 2'b00};
  end
  always_comb if (f_live) begin
    if (aw_full) assert (f_wa == {waddr, 2'b00});
    if (w_full) assert ((f_wd == wdata) & (f_wb == wstrb));
    if (ar_full) assert (f_ra == {raddr, 2'b00});
    assert (~(write & read));
    // Nothing but a response, a configuration word or an element delays a request.
    assert (write == (aw_full & w_full & ~s_axil_bvalid & ~cfg_valid & ~read_access & ~read_answer));
    assert (read == (ar_full & ~s_axil_rvalid & ~write & ~read_access & ~read_answer));
  end

  // ---- the model: registers
  logic f_busy, f_done, f_reset;
  logic [N_IN-1:0]  f_arg_enable, f_sent;
  logic [N_OUT-1:0] f_result_enable, f_came;
  logic [63:0] f_cycles;
  logic [31:0] f_cycles_hi, f_select, f_next, f_high;
  logic [1:0]  f_irq_enable, f_irq_status;
  logic        f_error;
  initial {f_busy, f_done, f_reset, f_error} = '0;
  initial {f_arg_enable, f_result_enable, f_irq_enable, f_irq_status} = '0;
  initial {f_select, f_next} = '0;

  // ---- permissions
  logic f_all, f_part, f_exists, f_may_write, f_may_read, f_inside;
  logic [31:0] f_count;
  assign f_all    = f_wb == 4'hf;
  assign f_part   = (f_wb != 4'hf) & (f_wb != 4'h0);
  assign f_count  = (f_select < N_MEM) ? MEM_ELEMENTS[31:0] : 32'd0;  // one memory under proof
  assign f_inside = f_next < f_count;
  always @(*) begin
    f_may_write = 1'b0;
    if (f_wa == 12'h010) f_may_write = ~(f_wb[0] & (f_wd[1:0] == 2'b10)) | (running & ~f_busy & ~error_valid);
    if ((f_wa == 12'h01c) | (f_wa == 12'h020)) f_may_write = ~f_part & ~f_busy;
    if ((f_wa == 12'h030) | (f_wa == 12'h034)) f_may_write = 1'b1;
    if ((f_wa >= 12'h040) & (f_wa < 12'h060)) f_may_write = ~f_busy;
    if ((f_wa == 12'h074) | (f_wa == 12'h07c) | (f_wa == 12'h084)) f_may_write = 1'b1;
    if (f_wa == 12'h080) f_may_write = ~f_part & f_inside;
    for (int k = 0; k < N_BASE; k++) if (SIZED[k] & (f_wa[11:3] == 9'(9'h040 + k))) f_may_write = ~f_busy;
    if ((f_wa >= 12'h400) & (f_wa < 12'h400 + 12'(8 * N_IN))) f_may_write = ~f_busy;
    if ((f_wa >= 12'hc00) & (f_wa < 12'hc00 + 12'(8 * N_BASE))) f_may_write = ~f_busy;
  end

  // ---- values
  logic [31:0] f_value;
  always @(*) begin
    f_may_read = 1'b1;
    f_value    = 32'd0;
    case (f_ra)
      12'h000: f_value = "MOOL";
      12'h004: f_value = VERSION;
      12'h008: f_value = LAYOUT_HASH[31:0];
      12'h00c: f_value = LAYOUT_HASH[63:32];
      12'h014: f_value = {27'd0, idle, error_valid, f_done, f_busy, running};
      12'h018: f_value = {16'd0, error_code};
      12'h024: f_value = f_cycles[31:0];
      12'h028: f_value = f_cycles_hi;
      12'h02c: f_value = (N_OUT << 16) | N_IN;
      12'h030: f_value = {30'd0, f_irq_enable};
      12'h034: f_value = {30'd0, f_irq_status};
      12'h038: f_value = N_BASE;
      12'h040: f_value = f_arg_enable;
      12'h050: f_value = f_result_enable;
      12'h060: f_value = f_came;
      12'h044, 12'h048, 12'h04c, 12'h054, 12'h058, 12'h05c, 12'h064, 12'h068, 12'h06c: f_value = 32'd0;  // up to 32 channels under proof
      12'h070: f_value = N_MEM;
      12'h074: f_value = f_select;
      12'h078: f_value = f_count;
      12'h07c: f_value = f_next;
      12'h080: f_may_read = f_inside;
      12'h084: f_value = f_high;
      default: begin
        f_may_read = (f_ra >= 12'h800) & (f_ra < 12'h800 + 12'(8 * N_OUT));
        if (f_may_read) f_value = f_ra[2] ? f_results[(f_ra[9:3]*64+32) +: 32] : f_results[(f_ra[9:3]*64) +: 32];
      end
    endcase
  end

  // ---- effects
  logic f_store, f_start, f_finish, f_mem_write, f_mem_read, f_read_1, f_read_2;
  logic [N_OUT*64-1:0] f_results;
  logic [31:0] f_bits, f_want_value;
  logic [1:0]  f_want_b, f_want_r;
  logic [1:0]  f_event;
  assign f_bits      = {{8{f_wb[3]}}, {8{f_wb[2]}}, {8{f_wb[1]}}, {8{f_wb[0]}}};
  assign f_store     = write & f_may_write;
  assign f_start     = f_store & (f_wa == 12'h010) & f_wb[0] & (f_wd[1:0] == 2'b10);
  assign f_finish    = f_busy & ~error_valid & (f_sent == f_arg_enable) & (f_came == f_result_enable) & idle;
  assign f_mem_write = f_store & (f_wa == 12'h080) & f_all;
  assign f_mem_read  = read & f_may_read & (f_ra == 12'h080);
  assign f_event     = {error_valid & ~f_error, f_finish};
  initial {f_read_1, f_read_2} = '0;

  always_ff @(posedge clk) begin
    if (rst) begin
      f_busy <= 1'b0; f_done <= 1'b0; f_sent <= '0; f_came <= '0; f_reset <= 1'b0; f_error <= 1'b0;
      f_cycles <= 64'd0; f_arg_enable <= '0; f_result_enable <= '0; f_irq_enable <= '0; f_irq_status <= '0;
      f_select <= '0; f_next <= '0; f_read_1 <= 1'b0; f_read_2 <= 1'b0;
    end else begin
      // A reset of the fabric takes the cycle after the write.
      f_reset <= f_store & (f_wa == 12'h010) & f_wb[0] & f_wd[0];
      if (f_reset) begin
        f_busy <= 1'b0; f_done <= 1'b0; f_sent <= '0; f_came <= '0; f_cycles <= 64'd0;
      end else if (f_start) begin
        f_busy <= 1'b1; f_done <= 1'b0; f_sent <= '0; f_came <= '0; f_cycles <= 64'd0;
      end else begin
        f_sent   <= f_sent | (in_valid & in_ready);
        f_came   <= f_came | (out_valid & out_ready);
        f_cycles <= f_cycles + {63'd0, f_busy};
        if (f_finish) f_done <= 1'b1;
        if (f_finish | error_valid) f_busy <= 1'b0;
      end
      if (f_store & (f_wa == 12'h040)) f_arg_enable <= (f_arg_enable & ~f_bits[N_IN-1:0]) | (f_wd[N_IN-1:0] & f_bits[N_IN-1:0]);
      if (f_store & (f_wa == 12'h050)) f_result_enable <= (f_result_enable & ~f_bits[N_OUT-1:0]) | (f_wd[N_OUT-1:0] & f_bits[N_OUT-1:0]);
      if (f_store & (f_wa == 12'h030) & f_wb[0]) f_irq_enable <= f_wd[1:0];
      f_error <= error_valid & ~f_reset;
      if (f_reset) f_irq_status <= 2'b00;
      else if (f_store & (f_wa == 12'h034) & f_wb[0]) f_irq_status <= (f_irq_status & ~f_wd[1:0]) | f_event;
      else f_irq_status <= f_irq_status | f_event;
      if (f_store & (f_wa == 12'h074)) f_select <= (f_select & ~f_bits) | (f_wd & f_bits);
      if (f_store & (f_wa == 12'h07c)) f_next <= (f_next & ~f_bits) | (f_wd & f_bits);
      else if (f_mem_write | f_mem_read) f_next <= f_next + 32'd1;
      f_read_1 <= f_mem_read;
      f_read_2 <= f_read_1;
      if (f_store & (f_wa == 12'h084)) f_high <= (f_high & ~f_bits) | (f_wd & f_bits);
      else if (f_read_2) f_high <= mem_rdata[63:32];
      if (read & (f_ra == 12'h024)) f_cycles_hi <= f_cycles[63:32];
      for (int k = 0; k < N_OUT; k++) if (out_valid[k] & out_ready[k]) f_results[k*64 +: 64] <= out_data[k*64 +: 64];
    end
  end

  // ---- responses
  always_ff @(posedge clk) begin
    if (write) f_want_b <= f_may_write ? 2'b00 : 2'b10;
    if (read) begin
      f_want_r     <= f_may_read ? 2'b00 : 2'b10;
      f_want_value <= f_value;
    end
    if (f_read_2) f_want_value <= mem_rdata[31:0];
  end
  logic f_wrote, f_read_done;
  initial {f_wrote, f_read_done} = '0;
  always_ff @(posedge clk) begin
    f_wrote     <= ~rst & write;
    f_read_done <= ~rst & ((read & ~f_mem_read) | f_read_2);
  end
  always_comb if (f_live) begin
    if (f_wrote) assert (s_axil_bvalid);
    if (f_read_done) assert (s_axil_rvalid);
    if (s_axil_bvalid) assert (s_axil_bresp == f_want_b);
    if (s_axil_rvalid) assert ((s_axil_rresp == f_want_r) & (s_axil_rdata == f_want_value));
    assert ((read_access == f_read_1) & (read_answer == f_read_2));
    if (f_read_1 | f_read_2) assert ((f_want_r == 2'b00) & (f_select < N_MEM));
  end

  // ---- what the registers do
  logic [N_IN-1:0] f_offer;
  assign f_offer = f_arg_enable & ~f_sent & {N_IN{f_busy}};
  always_comb if (f_live) begin
    assert ((busy == f_busy) & (done == f_done) & (cycles == f_cycles) & (soft_rst == f_reset));
    assert (~(f_busy & f_done));
    assert (fabric_rst == f_reset);
    assert (in_valid == f_offer);
    assert (out_ready == (f_result_enable & ~f_came & {N_OUT{f_busy}}));
    assert ((arg_enable == f_arg_enable) & (result_enable == f_result_enable) & (got == f_came));
    if (f_busy) assert (((f_came & ~f_result_enable) == '0) & ((f_sent & ~f_arg_enable) == '0));
    assert ((irq_enable == f_irq_enable) & (irq_status == f_irq_status) & (error_seen == f_error));
    assert ((mem_number == f_select) & (mem_next == f_next));
  end
  always_comb if (f_high_known) assert (mem_hi == f_high);
  always_comb if (f_cycles_known) assert (cycles_held == f_cycles_hi);
  // Registers without a reset are compared once they have been written.
  logic f_high_known, f_cycles_known;
  logic [N_OUT-1:0] f_result_known;
  initial {f_high_known, f_cycles_known} = '0;
  initial f_result_known = '0;
  always_ff @(posedge clk) begin
    f_high_known   <= f_high_known | (~rst & (f_read_2 | (f_store & (f_wa == 12'h084) & f_all)));
    f_cycles_known <= f_cycles_known | (~rst & read & (f_ra == 12'h024));
    f_result_known <= f_result_known | (out_valid & out_ready & {N_OUT{~rst}});
  end
  generate
    for (genvar k = 0; k < N_OUT; k++) begin : g_result
      always_comb if (f_result_known[k]) assert (results[k*64 +: 64] == f_results[k*64 +: 64]);
    end
  endgenerate
  // Reading what was never written gives anything.
  always_comb if (f_live & read) begin
    if (f_ra == 12'h028) assume (f_cycles_known);
    if (f_ra == 12'h084) assume (f_high_known);
    if ((f_ra >= 12'h800) & f_may_read) assume (f_result_known[f_ra[9:3]]);
  end

  // A byte of an argument, of a base address and of a size, chosen at will.
  (* anyconst *) logic [9:0] f_arg_byte, f_base_byte;
  logic [7:0] f_arg, f_base, f_size;
  initial {f_arg, f_base} = '0;
  initial f_size = '1;
  always_ff @(posedge clk) if (f_store & ~rst) begin
    if (f_wa == 12'h400 + {2'b00, f_arg_byte[9:2], 2'b00} & f_wb[f_arg_byte[1:0]]) f_arg <= f_wd[8*f_arg_byte[1:0] +: 8];
    if (f_wa == 12'hc00 + {2'b00, f_base_byte[9:2], 2'b00} & f_wb[f_base_byte[1:0]]) f_base <= f_wd[8*f_base_byte[1:0] +: 8];
    if (f_wa == 12'h200 + {2'b00, f_base_byte[9:2], 2'b00} & f_wb[f_base_byte[1:0]]) f_size <= f_wd[8*f_base_byte[1:0] +: 8];
  end
  always_comb begin
    assume (f_arg_byte < 8 * N_IN);
    assume (f_base_byte < 8 * N_BASE);
    if (f_live) assert (in_data[8*f_arg_byte +: 8] == f_arg);
    if (f_live) assert (base[8*f_base_byte +: 8] == f_base);
    if (f_live) assert (size[8*f_base_byte +: 8] == (SIZED[f_base_byte[9:3]] ? f_size : 8'hff));
  end

  // The configuration stream: every accepted word once. The memory port: one access per
  // element, at its index. The interrupt follows by a cycle.
  logic f_word, f_last, f_access, f_wrote_element, f_irq;
  logic [31:0] f_data, f_element, f_low;
  logic [31:0] f_top;
  initial {f_word, f_access, f_irq, f_wrote_element} = '0;
  always_ff @(posedge clk) begin
    if (rst) f_word <= 1'b0;
    else if (f_store & f_all & ((f_wa == 12'h01c) | (f_wa == 12'h020))) begin
      f_word <= 1'b1;
      f_data <= f_wd;
      f_last <= f_wa == 12'h020;
    end else if (cfg_ready) f_word <= 1'b0;
    f_access        <= ~rst & (f_mem_write | f_mem_read);
    f_wrote_element <= ~rst & f_mem_write;
    f_element       <= f_next;
    f_low           <= f_wd;
    f_top           <= mem_hi;
    f_irq           <= ~rst & (|(f_irq_status & f_irq_enable));
  end
  always_comb if (f_live) begin
    assert (cfg_valid == f_word);
    if (f_word) assert ((cfg_data == f_data) & (cfg_last == f_last));
    assert ((mem_en[0] == f_access) & (mem_we == f_wrote_element));
    if (f_access) assert ((mem_addr == f_element) & (f_element < MEM_ELEMENTS[31:0]));
    if (f_wrote_element) assert (mem_wdata == {f_top, f_low});
    assert (irq == f_irq);
  end

  // Situations that must be possible.
  logic [3:0] f_seen;
  initial f_seen = 4'd0;
  always_ff @(posedge clk) if (f_live) begin
    if (f_finish & (f_sent == '1) & (f_came == '1)) f_seen[0] <= 1'b1;
    if (f_finish & (f_arg_enable == '0) & (f_result_enable == '0)) f_seen[1] <= 1'b1;
    if (f_irq & (f_irq_status == 2'b10)) f_seen[2] <= 1'b1;
    if (s_axil_bvalid & ~s_axil_bready & s_axil_rvalid & ~s_axil_rready & aw_full & w_full & ar_full) f_seen[3] <= 1'b1;
  end
  always_comb begin
    cover (f_seen[1]);
    cover (f_seen[2]);
    cover (f_seen[3]);
    cover (f_live & f_reset & f_busy);
    cover (f_live & s_axil_bvalid & (s_axil_bresp == 2'b10));
    cover (f_live & s_axil_rvalid & (s_axil_rresp == 2'b10));
    cover (f_live & f_read_2 & aw_full & w_full);
    cover (f_live & f_wrote_element);
  end
