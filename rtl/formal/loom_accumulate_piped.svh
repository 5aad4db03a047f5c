// Proof of loom_accumulate_piped with an addition of LATENCY registers around it: what leaves is the
// initial value and all that was added since, every iteration offers its sum once, and where nothing
// waits iterations are LATENCY cycles apart.
`include "f_reset.svh"
  f_channel #(.W(1), .ASSUME(1)) f_d (.clk(clk), .rst(rst), .valid(d_valid), .ready(d_ready), .data(d_data));
  f_channel #(.W(W), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready), .data(a_data));
  (* anyseq *) logic [W-1:0] f_x;
  f_channel #(.W(W), .ASSUME(1)) f_xc (.clk(clk), .rst(rst), .valid(x_valid), .ready(x_ready), .data(f_x));
  f_channel #(.W(W)) f_n (.clk(clk), .rst(rst), .valid(n_valid), .ready(n_ready), .data(n_value));
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));

  // The operation: an addition, and its registers.
  logic [(LATENCY+1)*W-1:0] f_word;
  assign f_word[0 +: W] = acc + f_x;
  generate
    for (genvar k = 0; k < LATENCY; k++) begin : g_f_register
      always_ff @(posedge clk) if (move[k]) f_word[(k+1)*W +: W] <= f_word[k*W +: W];
    end
  endgenerate
  always_comb assume (n_value == f_word[LATENCY*W +: W]);

  logic f_dx, f_ax, f_xx, f_nx, f_outx;
  assign f_dx   = d_valid & d_ready;
  assign f_ax   = a_valid & a_ready;
  assign f_xx   = x_valid & x_ready;
  assign f_nx   = n_valid & n_ready;
  assign f_outx = out_valid & out_ready;

  logic f_init;         // an initial value is due
  logic f_owed;         // a sum has not been offered and taken
  logic [W-1:0] f_sum;  // of the initial value and all since
  logic [3:0] f_loops;
  logic [7:0] f_age;    // cycles since the last iteration
  initial f_init = 1'b1;
  initial f_owed = 1'b0;
  initial f_loops = 4'd0;
  initial f_age = 8'd255;
  always_ff @(posedge clk) if (f_live) begin
    if (f_dx) f_init <= ~d_data;
    if (f_xx) f_sum <= (f_init ? a_data : f_sum) + f_x;
    f_owed <= f_xx | (f_owed & ~f_nx);
    if (f_outx & ~f_init) f_loops <= f_loops + 4'd1;
    f_age <= f_xx ? 8'd1 : (f_age == 8'd255) ? 8'd255 : f_age + 8'd1;
  end

  always_comb if (f_live) begin
    assert (f_ax == (f_dx & f_init));
    assert (f_xx == (f_dx & d_data));
    assert (f_outx == (f_dx & ~d_data));
    if (n_valid) assert (f_owed & (n_value == f_sum));
    if (f_xx) assert (f_init | ~f_owed | f_nx);
    if (out_valid) assert (out_data == (f_init ? a_data : f_sum));
    if (out_valid) assert (f_init | ~f_owed);
    // Never early, and no later than the registers ask for.
    if (~f_init & (f_age < LATENCY)) assert (~n_valid & ~f_dx);
    if (f_owed & (f_age >= LATENCY)) assert (n_valid);
    if (d_valid & d_data & x_valid & (f_init ? a_valid : (f_age >= LATENCY) & (n_ready | ~f_owed))) assert (f_xx);
    if (d_valid & ~d_data & ~f_init & (f_age >= LATENCY) & ~f_owed) assert (out_valid);
    assert (started == ~f_init);
    assert (idle == f_init);
    // For the induction: one value at most, where its age says.
    assert ((at & (at - LATENCY'(1))) == '0);
    assert ((at == '0) == f_init);
    if (f_init) assert (~taken & ~f_owed);
    if (~f_init) assert (taken == (~f_owed));
    for (int k = 0; k < LATENCY; k++) if (at[k]) begin
      assert ((k == LATENCY - 1) ? (f_age >= LATENCY) : (f_age == 8'(k + 1)));
      assert (f_word[(k+1)*W +: W] == f_sum);
      if (k < LATENCY - 1) assert (f_owed);
    end
  end
  always_comb begin
    cover (f_loops == 4'd2);
    cover (f_live & f_init & f_outx);  // a loop without iterations
    cover (f_live & f_xx & ~f_init & (f_age == LATENCY));
  end
