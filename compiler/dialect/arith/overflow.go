package arith

import (
	"strings"

	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
)

// OverflowAttr is the attribute in which an operation says of its result that it is meaningless where it wraps
// (MLIR, "IntegerOverflowFlagsAttr").
const OverflowAttr = "overflowFlags"

// NoSignedWrap says so of the sum of signed numbers.
var NoSignedWrap = &ir.OpaqueAttr{Text: opkit.Overflow.Prefix + "<nsw>"}

// IsNoSignedWrap reports whether an operation says that its result, a signed number, does not wrap.
func IsNoSignedWrap(op *ir.Operation) bool {
	flags, ok := op.Attr(OverflowAttr).(*ir.OpaqueAttr)
	return ok && strings.Contains(flags.Text, "nsw")
}
