// Package all registers every dialect LOOM reads. Import it for its side
// effects.
package all

import (
	_ "loom/compiler/dialect/affine"
	_ "loom/compiler/dialect/arith"
	_ "loom/compiler/dialect/builtin"
	_ "loom/compiler/dialect/cf"
	_ "loom/compiler/dialect/dataflow"
	_ "loom/compiler/dialect/fabric"
	_ "loom/compiler/dialect/func"
	_ "loom/compiler/dialect/handshake"
	_ "loom/compiler/dialect/index"
	_ "loom/compiler/dialect/llvm"
	_ "loom/compiler/dialect/math"
	_ "loom/compiler/dialect/memref"
	_ "loom/compiler/dialect/scf"
	_ "loom/compiler/dialect/ub"
)
