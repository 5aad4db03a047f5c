// Proof of loom_share, for one client.
      f_channel #(.W(IN_W), .ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid[k]), .ready(in_ready[k]), .data(in_data[k*IN_W +: IN_W]));
      f_channel #(.W(OUT_W)) f_out (.clk(clk), .rst(rst), .valid(out_valid[k]), .ready(out_ready[k]), .data(out_data[k*OUT_W +: OUT_W]));
      // Requests without result taken, and those without response.
      logic [7:0] f_used, f_inside;
      // A marked request: its response is the one after f_to_come others of any client; its
      // result leaves after f_to_go others of this client.
      logic [7:0] f_to_come, f_to_go;
      logic f_tracking, f_came, f_go, f_mine;
      logic [OUT_W-1:0] f_value;
      (* anyseq *) logic f_mark;
      initial f_used = 8'd0;
      initial f_tracking = 1'b0;
      assign f_go       = out_valid[k] & out_ready[k];
      assign f_wants[k] = in_valid[k] & (f_used != C);
      assign f_mine     = f_tracking & ~f_came & f_come & (f_to_come == 8'd0);
      always_ff @(posedge clk) if (f_live) begin
        f_used <= f_used + {7'd0, in_ready[k]} - {7'd0, f_go};
        if (f_tracking) begin
          if (f_come & ~f_came) f_to_come <= f_to_come - 8'd1;
          if (f_mine) begin
            f_came  <= 1'b1;
            f_value <= rsp_data[k*OUT_W +: OUT_W];
          end
          if (f_go) begin
            f_to_go <= f_to_go - 8'd1;
            if (f_to_go == 8'd0) f_tracking <= 1'b0;
          end
        end else if (f_send & in_ready[k] & f_mark) begin
          f_tracking <= 1'b1;
          f_came     <= 1'b0;
          f_to_come  <= f_asked - {7'd0, f_come};
          f_to_go    <= f_used - {7'd0, f_go};
        end
      end
      always_comb if (f_live) begin
        assert (f_used == {{(8 - CW) {1'b0}}, used});
        assert (f_used <= C);
        if (in_ready[k]) assert (f_wants[k] & req_ready & (req_data == in_data[k*IN_W +: IN_W]));
        // A response finds a slot.
        if (come) assert (f_used != 8'd0);
        if (store) assert (unused_slot);
        if (out_valid[k]) assert (f_used != 8'd0);
        // Offered in its cycle or in the next.
        if (BYPASS[k] & come) assert (out_valid[k]);
        // Where a credit is: in a slot or with the request in the unit.
        if ((TOKENS == 1) & (C <= 2))
          assert (f_used == {7'd0, held} + {7'd0, (C == 2) & ~unused_slot} + {7'd0, order_valid & (answered == TW'(k))});
        // The marked request.
        if (~f_induction) begin
          if (f_mine) assert (come);
          if (f_tracking & f_go & (f_to_go == 8'd0)) begin
            assert (f_came | (f_mine & BYPASS[k]));
            assert (out_data[k*OUT_W +: OUT_W] == (f_came ? f_value : rsp_data[k*OUT_W +: OUT_W]));
          end
          if (f_tracking & f_came & (f_to_go == 8'd0)) assert (out_valid[k]);
          if (f_tracking) begin
            assert (f_to_go < f_used);
            if (~f_came) assert (f_to_come < f_asked);
          end
        end
      end
      // While this one waits another client is served at most once (by induction: loom_arbiter).
      logic [7:0] f_overtaken;
      initial f_overtaken = 8'd0;
      always_ff @(posedge clk) f_overtaken <= (rst | ~f_wants[k] | in_ready[k]) ? 8'd0 : f_overtaken + {7'd0, f_send};
      always_comb if (f_live & ~f_induction) assert (f_overtaken < N);
      always_comb begin
        cover (f_live & (f_used == C) & held & in_valid[k]);
        cover (f_live & f_tracking & f_go & (f_to_go == C - 1));
      end
      if (BYPASS[k]) begin : g_f_bypass
        always_comb cover (f_live & come & f_go & ~held);
      end
      if (C > 1) begin : g_f_both
        always_comb cover (f_live & come & f_go & held);
      end
