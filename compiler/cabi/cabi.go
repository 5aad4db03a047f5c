// Package cabi describes how the parameters of a C or C++ function became those of
// the kernel: which memref holds which bytes of the array a pointer points to, which
// scalar is which part of a struct. The front end writes the description as the
// attribute loom.c of the func.func; everything that runs the original function beside
// the kernel, or calls the kernel instead of it, reads it.
package cabi

// Attribute is the name of the attribute that holds a Function.
const Attribute = "loom.c"

// Function is a C or C++ function.
type Function struct {
	// Name is the name as the source writes a call to it, with namespaces and
	// template arguments in C++.
	Name string
	// Symbol is the name the linker sees.
	Symbol string
	// Source is the file that was compiled, as it was named, "" where the input
	// was no source text.
	Source string
	// Flags are the options of the C compiler that the source needs (-I, -D, -std).
	Flags []string
	// Cxx is set for C++.
	Cxx bool
	// Approximate is set where a library function of ours, whose rounding differs,
	// stands for one of C's and no operation of the kernel shows it.
	Approximate bool
	// Params are the parameters in order; behind them the global variables that the
	// function uses and others can see.
	Params []Param
	// Result is what the function returns, nil for nothing; without pieces what it
	// returns is not defined, whatever it declares.
	Result *Param
}

// Class is what a parameter is.
type Class string

// The classes of parameters.
const (
	Scalar  Class = "scalar"  // a number
	Pointer Class = "pointer" // an array the caller owns; also a C++ reference
	Struct  Class = "struct"  // a struct by value
	Global  Class = "global"  // a variable at file scope
)

// Param is a parameter, a global variable or the result.
type Param struct {
	// Name is the name in the source, "" where it has none.
	Name string
	// Type is the C type as a cast would spell it, e.g. "const float *" or
	// "int (*)[16]"; for a global the type of its address.
	Type  string
	Class Class
	// Size is the number of bytes of the scalar, the struct, the global variable, or
	// of one record of the array a pointer points to.
	Size int64
	// Unsigned is set for scalars whose C type has no sign.
	Unsigned bool
	// Pieces are the parameters of the kernel (or results, for the result) that
	// stand for it; none where the kernel does not use it.
	Pieces []Piece
}

// Piece is a parameter or result of the kernel and the bytes it stands for: a scalar
// the bytes from Offset on; element k of a memref, counted in row-major order, those
// from k * Stride + Offset on, as many as an element has.
type Piece struct {
	// Index is the position among the kernel's parameters (results).
	Index int
	// Field is the path of the struct member, "" where there is no struct.
	Field  string
	Offset int64
	Stride int64
	// Unsigned is set where these bytes are a number whose C type has no sign: elements of
	// an array, members of a struct. Of a scalar Param.Unsigned tells.
	Unsigned bool
}
