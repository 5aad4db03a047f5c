// Proof of loom_carry against the three phases of spec-dataflow: in each cycle only the
// transfers of the phase happen, each consumed value is emitted in the same cycle.
`include "f_reset.svh"
  f_channel #(.W(1), .ASSUME(1)) f_d (.clk(clk), .rst(rst), .valid(d_valid), .ready(d_ready), .data(d_data));
  f_channel #(.W(W), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready), .data(a_data));
  f_channel #(.W(W), .ASSUME(1)) f_b (.clk(clk), .rst(rst), .valid(b_valid), .ready(b_ready), .data(b_data));
  f_channel #(.W(W)) f_o (.clk(clk), .rst(rst), .valid(o_valid), .ready(o_ready), .data(o_data));

  logic f_dx, f_ax, f_bx, f_ox;
  assign f_dx = d_valid & d_ready;
  assign f_ax = a_valid & a_ready;
  assign f_bx = b_valid & b_ready;
  assign f_ox = o_valid & o_ready;

  localparam logic [1:0] F_INIT = 2'd0, F_COND = 2'd1, F_LOOP = 2'd2;
  logic [1:0] f_phase;
  logic [3:0] f_streak, f_loops;
  initial f_phase = F_INIT;
  initial f_streak = 4'd0;
  initial f_loops = 4'd0;
  always_ff @(posedge clk) if (f_live) begin
    case (f_phase)
      F_INIT: if (f_ax) f_phase <= F_COND;
      F_COND: if (f_dx) f_phase <= ~d_data ? (f_ax ? F_COND : F_INIT) : f_bx ? F_COND : F_LOOP;
      default: if (f_bx) f_phase <= F_COND;
    endcase
    f_streak <= (f_dx & f_bx) ? f_streak + 4'd1 : 4'd0;
    if (f_dx & ~d_data) f_loops <= f_loops + 4'd1;
  end

  always_comb if (f_live) begin
    case (f_phase)
      F_INIT: begin
        assert (~f_dx & ~f_bx & (f_ox == f_ax));
        assert (o_valid == a_valid);
        if (f_ox) assert (o_data == a_data);
      end
      F_COND: begin
        assert (f_dx == d_valid);  // a condition never waits
        if (d_valid & ~d_data & (OVERLAP != 0)) begin
          // the next initial value passes as the loop ends
          assert (~f_bx & (f_ox == f_ax));
          assert (o_valid == a_valid);
          if (f_ox) assert (o_data == a_data);
        end else begin
          assert (~f_ax & (f_ox == f_bx));
          if (~d_valid | ~d_data) assert (~o_valid);
          else assert (o_valid == b_valid);
          if (f_ox) assert (o_data == b_data);
        end
      end
      default: begin
        assert (~f_ax & ~f_dx & (f_ox == f_bx));
        assert (o_valid == b_valid);
        if (f_ox) assert (o_data == b_data);
      end
    endcase
    assert (idle == (f_phase == F_INIT));
    assert (started == (f_phase != F_INIT));
    assert (owed == (f_phase == F_LOOP));
    assert (f_phase != 2'd3);
  end
  always_comb begin
    cover (f_streak == 4'd3);               // one token per cycle
    cover (f_loops == 4'd2);
    if (OVERLAP != 0) cover (f_live & f_dx & f_ax);
    cover (f_live & (f_phase == F_LOOP) & f_bx);
  end
