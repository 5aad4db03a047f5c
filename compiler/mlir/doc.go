// Package mlir is the text front door: it reads and writes MLIR text over the
// data structures of package ir.
//
// # Reading
//
// [Parse] reads everything mlir-opt prints for the dialects LOOM knows, in the
// generic form ("arith.addi"(%a, %b) : (i32, i32) -> i32, with or without
// <{properties}>) and in the custom form of each registered operation. It
// reports several errors where it can go on sensibly, never panics, and bounds
// the depth of nesting. It checks syntax, names and the agreement of types with
// names; the rules of operations are checked by [ir.Verify], which
// [ParseAndVerify] runs as well.
//
// # Printing
//
// [Print] writes an operation so that Parse reads it back. Value names that the
// source or a pass gave are kept, made unique within each isolated region;
// nameless values are numbered. Printing what was parsed from printed text gives
// the same text.
//
// # Adding the assembly of an operation
//
// A dialect registers an operation's definition with [ir.Register] and, if it
// has a custom assembly, the two functions that read and write it with
// [RegisterAsm]. An operation without them uses the generic form. The functions
// follow MLIR's OpAsmParser and OpAsmPrinter in what they offer:
//
//	func init() {
//		ir.Register(&ir.OpDef{Name: "demo.scale", Summary: "Multiplies by a constant."})
//		mlir.RegisterAsm("demo.scale", mlir.Asm{Parse: parseScale, Print: printScale})
//	}
//
//	// %r = demo.scale %x by 3 {fast} : i32
//	func parseScale(p *mlir.OpParser, st *mlir.OpState) {
//		x := p.ParseOperand()
//		p.ParseKeyword("by")
//		st.Attrs.Set("factor", ir.IntAttr(p.ParseInteger(), ir.I64))
//		p.ParseOptionalAttrDict(st)
//		t := p.ParseColonType()
//		st.Operands = append(st.Operands, p.ResolveOperand(x, t))
//		st.Types = append(st.Types, t)
//	}
//
//	func printScale(p *mlir.OpPrinter, op *ir.Operation) {
//		factor, _ := op.IntAttr("factor")
//		p.Printf(" ")
//		p.Operand(op.Operand(0))
//		p.Printf(" by %d", factor)
//		p.AttrDict(op.Attrs, "factor")
//		p.Printf(" : ")
//		p.Type(op.Operand(0).Type)
//	}
//
// No parse method returns an error: on malformed text it reports the problem at
// its position and unwinds to the innermost list of operations, which goes on with
// the next operation. A parse function may therefore treat every returned value
// as present. It must not keep state outside of its arguments.
package mlir
