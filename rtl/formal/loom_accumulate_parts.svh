// Proof of loom_accumulate_parts with parts, and an operation of LATENCY registers around it: iteration k of a loop
// goes to part k modulo LATENCY, and what leaves is what the queue of the parts makes. The operation is one in which
// the order of the operands and of the values shows, and another one while parts are combined. Without parts it is
// loom_accumulate_piped: f_accumulate.sv.
`include "f_reset.svh"
  always_comb assume (parts);
  f_channel #(.W(1), .ASSUME(1)) f_d (.clk(clk), .rst(rst), .valid(d_valid), .ready(d_ready), .data(d_data));
  f_channel #(.W(W), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready), .data(a_data));
  f_channel #(.W(W), .ASSUME(1)) f_x (.clk(clk), .rst(rst), .valid(x_valid), .ready(x_ready), .data(x_data));
  f_channel #(.W(W)) f_n (.clk(clk), .rst(rst), .valid(n_valid), .ready(n_ready), .data(n_value));

  // Value i of the queue is in the last register in cycle i if it is a part, and LATENCY cycles behind its
  // second operand if not: the last one, number 2 LATENCY - 2, is the result.
  function automatic int f_arrival(input int i);
    int k, cycles;
    k = i;
    cycles = 0;
    while (k >= LATENCY) begin
      k = 2 * (k - LATENCY) + 1;
      cycles = cycles + LATENCY;
    end
    f_arrival = cycles + k;
  endfunction
  localparam int F_JOIN = f_arrival(2 * LATENCY - 2);

  function automatic logic [W-1:0] f_turned(input logic [W-1:0] x);
    f_turned = {x[W-2:0], x[W-1]};
  endfunction

  // The operation, and its registers.
  logic [(LATENCY+1)*W-1:0] f_word;
  assign f_word[0 +: W] = joining ? acc + f_turned(addend) : acc - f_turned(addend);
  generate
    for (genvar k = 0; k < LATENCY; k++) begin : g_f_register
      always_ff @(posedge clk) if (move[k]) f_word[(k+1)*W +: W] <= f_word[k*W +: W];
    end
  endgenerate
  always_comb assume (n_value == f_word[LATENCY*W +: W]);

  logic f_dx, f_ax, f_xx, f_end, f_outx;
  assign f_dx   = d_valid & d_ready;
  assign f_ax   = a_valid & a_ready;
  assign f_xx   = x_valid & x_ready;
  assign f_end  = f_dx & ~d_data;
  assign f_outx = n_valid & n_ready;

  // The parts, the one next in turn in front.
  logic [LATENCY*W-1:0] f_parts;
  logic                 f_none;   // no iteration yet
  logic                 f_taken;  // the initial value has been taken
  logic [W-1:0]         f_initial, f_turn;
  logic [3:0]           f_loops, f_count;
  logic [7:0]           f_false;  // cycles since a false condition was taken
  assign f_turn = f_none ? a_data : f_parts[0 +: W];
  initial f_none  = 1'b1;
  initial f_taken = 1'b0;
  initial f_loops = 4'd0;
  initial f_count = 4'd0;
  initial f_false = 8'd0;
  initial f_parts = {LATENCY{NEUTRAL}};
  always_ff @(posedge clk) if (f_live) begin
    if (f_ax) f_initial <= a_data;
    f_taken <= (f_taken | f_ax) & ~f_outx;
    if (f_xx) begin
      f_parts <= {f_turn - f_turned(x_data), f_parts[LATENCY*W-1:W]};
      f_none  <= 1'b0;
      f_count <= (f_count == 4'd15) ? 4'd15 : f_count + 4'd1;
    end
    if (f_outx) begin
      f_parts <= {LATENCY{NEUTRAL}};
      f_none  <= 1'b1;
      f_count <= 4'd0;
      f_loops <= f_loops + 4'd1;
    end
    f_false <= f_outx ? 8'd0 : (f_false != 0 | f_end) ? f_false + 8'd1 : 8'd0;
  end

  // What the queue of the parts makes.
  logic [(2*LATENCY-1)*W-1:0] f_queue;
  always_comb begin
    f_queue = '0;
    f_queue[0 +: LATENCY*W] = f_parts;
    if (f_none) f_queue[0 +: W] = f_initial;
    for (int k = 0; k < LATENCY - 1; k++)
      f_queue[(LATENCY+k)*W +: W] = f_queue[(2*k+1)*W +: W] + f_turned(f_queue[2*k*W +: W]);
  end

  always_comb if (f_live) begin
    assert (f_xx == (f_dx & d_data));
    if (f_dx | f_ax | f_xx) assert (f_false == 0);
    if (f_ax) assert (~f_taken & f_dx);
    if (f_dx) assert (f_taken | f_ax);
    assert (~out_valid);
    if (n_valid) assert (n_value == f_queue[(2*LATENCY-2)*W +: W]);
    // An iteration per cycle, and out as soon as the queue lets it, and no sooner.
    if (d_valid & (~d_data | x_valid) & (f_taken | a_valid) & (f_false == 0)) assert (f_dx);
    assert (n_valid == (f_false >= F_JOIN));
    assert (idle == ~f_taken);
  end
  always_comb begin
    cover (f_loops == 4'd2);
    cover (f_live & f_none & f_outx);  // a loop without iterations
    cover (f_outx & (f_count == 4'd1));
    cover (f_outx & (f_count == 4'd4));
    cover (f_live & (f_count == 4'd6));
  end
