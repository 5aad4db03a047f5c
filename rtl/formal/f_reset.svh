  // Reset in the first cycle and never again; f_live is high after it. Induction argues
  // about later cycles only (the bounded proof is its base case).
  logic f_live;
  initial f_live = 1'b0;
  always_ff @(posedge clk) f_live <= 1'b1;
  always_comb assume (rst == ~f_live);
  // High in the step of the induction, low in the bounded proof.
  logic f_induction;
  f_proof f_proof (.step(f_induction));
  always_comb assume (f_live | ~f_induction);
