      // Invariants of this storage, for induction.
      always_comb if (f_live) begin
        assert (f_invariant);
        if (f_tracking) assert (f_at_place == f_value);
      end
