package lower

import "loom/compiler/diag"

// lowerAffine expands the affine dialect into scf, arith and memref.
func lowerAffine(s *state, errs *diag.List) {}
