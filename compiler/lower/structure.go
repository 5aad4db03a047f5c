package lower

import "loom/compiler/diag"

// structure rewrites the less common constructs of scf (index_switch,
// execute_region, parallel, forall, unsigned loops) in terms of scf.for,
// scf.while and scf.if.
func structure(s *state, errs *diag.List) {}
