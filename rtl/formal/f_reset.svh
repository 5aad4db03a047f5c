  // Reset in the first cycle and never again; f_live is high after it. Induction argues
  // about later cycles only (the bounded proof is its base case).
  logic f_live;
  initial f_live = 1'b0;
  always_ff @(posedge clk) f_live <= 1'b1;
  always_comb assume (rst == ~f_live);
`ifdef F_INDUCTION
  always_comb assume (f_live);
`endif
