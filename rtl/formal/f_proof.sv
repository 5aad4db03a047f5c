// Which proof a circuit is for: step is high in the step of the induction, low in the bounded proof. Yosys puts the
// constant in its place after it has read the design, so that both proofs come of one reading.
(* blackbox *)
module f_proof (
    output logic step
);
endmodule
