package lower

import "loom/compiler/diag"

// recogniseStreams turns counted scf.while loops into counted loops.
func recogniseStreams(s *state, errs *diag.List) {}
