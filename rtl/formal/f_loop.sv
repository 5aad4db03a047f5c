// f_loom_loop: loom_loop and the composition of loom_carry and loom_cond_br yield the same streams of
// tokens from the same streams of tokens, whatever the stalls on either side.
//
// There are N conditions, M initial and M next values. Either side takes them at times of its own,
// and the composition's carry and branch take the conditions independently, as behind a fork with
// queues. The k-th firing has the k-th condition, and the value that the conditions before it make due.
module f_loom_loop #(parameter int W = 2, parameter int N = 4, parameter int M = 3) (
    input logic clk, input logic rst,
    input logic l_d, input logic l_a, input logic l_b, input logic l_body_ready, input logic l_out_ready,
    input logic c_d, input logic c_cond, input logic c_a, input logic c_b, input logic c_true_ready, input logic c_false_ready
);
`include "f_reset.svh"
  localparam int CW = $clog2(N + 1);
  (* anyconst *) logic [N-1:0] f_d;
  (* anyconst *) logic [M*W-1:0] f_a, f_b;

  // The tokens that each side has taken of each stream.
  logic [CW-1:0] ld, la, lb, cd, ck, ca, cb;

  logic l_d_valid, l_d_ready, l_a_valid, l_a_ready, l_b_valid, l_b_ready, l_body_valid, l_out_valid, l_idle;
  logic [W-1:0] l_body, l_out;
  assign l_d_valid = l_d & (ld != N);
  assign l_a_valid = l_a & (la != M);
  assign l_b_valid = l_b & (lb != M);
  loom_loop #(.W(W)) u_loop (
      .clk(clk), .rst(rst), .idle(l_idle),
      .d_valid(l_d_valid), .d_ready(l_d_ready), .d_data(f_d[ld]),
      .a_valid(l_a_valid), .a_ready(l_a_ready), .a_data(f_a[la*W +: W]),
      .b_valid(l_b_valid), .b_ready(l_b_ready), .b_data(f_b[lb*W +: W]),
      .body_valid(l_body_valid), .body_ready(l_body_ready), .body_data(l_body),
      .out_valid(l_out_valid), .out_ready(l_out_ready), .out_data(l_out)
  );

  logic c_d_valid, c_d_ready, c_cond_valid, c_cond_ready, c_a_valid, c_a_ready, c_b_valid, c_b_ready, c_idle;
  logic o_valid, o_ready, c_true_valid, c_false_valid;
  logic [W-1:0] o_data, c_true, c_false;
  assign c_d_valid    = c_d & (cd != N);
  assign c_cond_valid = c_cond & (ck != N);
  assign c_a_valid    = c_a & (ca != M);
  assign c_b_valid    = c_b & (cb != M);
  loom_carry #(.W(W)) u_carry (
      .clk(clk), .rst(rst), .idle(c_idle),
      .d_valid(c_d_valid), .d_ready(c_d_ready), .d_data(f_d[cd]),
      .a_valid(c_a_valid), .a_ready(c_a_ready), .a_data(f_a[ca*W +: W]),
      .b_valid(c_b_valid), .b_ready(c_b_ready), .b_data(f_b[cb*W +: W]),
      .o_valid(o_valid), .o_ready(o_ready), .o_data(o_data)
  );
  loom_cond_br #(.W(W)) u_branch (
      .cond_valid(c_cond_valid), .cond_ready(c_cond_ready), .cond_data(f_d[ck]),
      .data_valid(o_valid), .data_ready(o_ready), .data_data(o_data),
      .true_valid(c_true_valid), .true_ready(c_true_ready), .true_data(c_true),
      .false_valid(c_false_valid), .false_ready(c_false_ready), .false_data(c_false)
  );

  f_channel #(.ASSUME(1)) f_ld (.clk(clk), .rst(rst), .valid(l_d_valid), .ready(l_d_ready), .data(1'b0));
  f_channel #(.ASSUME(1)) f_la (.clk(clk), .rst(rst), .valid(l_a_valid), .ready(l_a_ready), .data(1'b0));
  f_channel #(.ASSUME(1)) f_lb (.clk(clk), .rst(rst), .valid(l_b_valid), .ready(l_b_ready), .data(1'b0));
  f_channel #(.ASSUME(1)) f_cd (.clk(clk), .rst(rst), .valid(c_d_valid), .ready(c_d_ready), .data(1'b0));
  f_channel #(.ASSUME(1)) f_ck (.clk(clk), .rst(rst), .valid(c_cond_valid), .ready(c_cond_ready), .data(1'b0));
  f_channel #(.ASSUME(1)) f_ca (.clk(clk), .rst(rst), .valid(c_a_valid), .ready(c_a_ready), .data(1'b0));
  f_channel #(.ASSUME(1)) f_cb (.clk(clk), .rst(rst), .valid(c_b_valid), .ready(c_b_ready), .data(1'b0));

  always_ff @(posedge clk) begin
    if (rst) {ld, la, lb, cd, ck, ca, cb} <= '0;
    else begin
      ld <= ld + CW'(l_d_valid & l_d_ready);
      la <= la + CW'(l_a_valid & l_a_ready);
      lb <= lb + CW'(l_b_valid & l_b_ready);
      cd <= cd + CW'(c_d_valid & c_d_ready);
      ck <= ck + CW'(c_cond_valid & c_cond_ready);
      ca <= ca + CW'(c_a_valid & c_a_ready);
      cb <= cb + CW'(c_b_valid & c_b_ready);
    end
  end

  // Before firing k: whether an initial value is due, how many have been, and the value due.
  logic [N:0] first;
  logic [(N+1)*CW-1:0] inits;
  logic [(N+1)*W-1:0] due;
  generate
    for (genvar k = 0; k <= N; k++) begin : g_k
      logic [CW-1:0] nexts;
      if (k == 0) begin : g_0
        assign first[k] = 1'b1;
        assign inits[k*CW +: CW] = '0;
      end else begin : g_n
        assign first[k] = ~f_d[k-1];
        assign inits[k*CW +: CW] = inits[(k-1)*CW +: CW] + CW'(first[k-1]);
      end
      assign nexts  = CW'(k) - inits[k*CW +: CW];
      assign due[k*W +: W] = first[k] ? f_a[inits[k*CW +: CW]*W +: W] : f_b[nexts*W +: W];
    end
  endgenerate

  // Every token that is left is offered and every token taken, and yet nothing moves: all that
  // follows from the streams has happened.
  logic l_quiet, c_quiet;
  assign l_quiet = (l_d | (ld == N)) & (l_a | (la == M)) & (l_b | (lb == M)) & l_body_ready & l_out_ready &
                   ~((l_d_valid & l_d_ready) | (l_a_valid & l_a_ready) | (l_b_valid & l_b_ready));
  assign c_quiet = (c_d | (cd == N)) & (c_cond | (ck == N)) & (c_a | (ca == M)) & (c_b | (cb == M)) & c_true_ready & c_false_ready &
                   ~((c_d_valid & c_d_ready) | (c_cond_valid & c_cond_ready) | (c_a_valid & c_a_ready) | (c_b_valid & c_b_ready));

  always_comb if (f_live) begin
    assert (ld <= N & ck <= N & cd <= N & la <= M & lb <= M & ca <= M & cb <= M);
    assert ((la == inits[ld*CW +: CW]) & (lb == ld - inits[ld*CW +: CW]) & (l_idle == first[ld]));
    if (l_body_valid) assert (f_d[ld] & (l_body == due[ld*W +: W]));
    if (l_out_valid) assert (~f_d[ld] & (l_out == due[ld*W +: W]));
    assert ((l_d_valid & l_d_ready) == ((l_body_valid & l_body_ready) | (l_out_valid & l_out_ready)));

    assert ((ca == inits[ck*CW +: CW]) & (cb == ck - inits[ck*CW +: CW]));
    if (c_true_valid) assert (f_d[ck] & (c_true == due[ck*W +: W]));
    if (c_false_valid) assert (~f_d[ck] & (c_false == due[ck*W +: W]));
    assert ((c_cond_valid & c_cond_ready) == ((c_true_valid & c_true_ready) | (c_false_valid & c_false_ready)));
    // The carry has the condition of every value but the last, or of the last as well.
    if (c_idle) assert ((cd == ck) & first[ck]);
    else assert ((ck != 0) & ((cd + 1'b1 == ck) | ((cd == ck) & ~first[ck])));
    assert (c_d_ready == (~c_idle & (cd != ck)));

    if ((ld == ck) & (l_body_valid | l_out_valid) & (c_true_valid | c_false_valid)) begin
      assert ((l_body_valid == c_true_valid) & (l_out_valid == c_false_valid));
      assert ((l_body_valid ? l_body : l_out) == (c_true_valid ? c_true : c_false));
    end
    if (l_quiet & c_quiet) assert (ld == ck);
  end
  always_comb begin
    cover (f_live & (ld == M) & (ck == M) & (la == M));  // loops without iterations
    cover (f_live & (ld == N) & (ck == N) & (la == 2) & (lb == N - 2));
    cover (f_live & (ld == N) & (ck == 0));
    cover (f_live & (ld == 0) & (ck == N));
    cover (f_live & l_quiet & c_quiet & (ld == N));
    cover (f_live & l_quiet & c_quiet & (lb == M) & (ld == N));
    cover (f_live & l_quiet & c_quiet & (la == M) & (ld != N));  // a value is missing
  end
endmodule
