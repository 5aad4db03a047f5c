package lower

import "loom/compiler/opname"

// stepOps is the operation behind each step operator of a stream.
var stepOps = map[string]string{
	"+=": opname.ArithAddI, "-=": opname.ArithSubI, "*=": opname.ArithMulI, "/=": opname.ArithDivSI,
	"<<=": opname.ArithShLI, ">>=": opname.ArithShRSI,
}
