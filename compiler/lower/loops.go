package lower

// stepOps is the operation behind each step operator of a stream.
var stepOps = map[string]string{
	"+=": "arith.addi", "-=": "arith.subi", "*=": "arith.muli", "/=": "arith.divsi",
	"<<=": "arith.shli", ">>=": "arith.shrsi",
}
