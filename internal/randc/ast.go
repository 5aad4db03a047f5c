package randc

// Program is a translation unit: what stands before the kernel, and the kernel.
type Program struct {
	// Prefix begins every name at file scope, so that programs share a file.
	Prefix  string
	Structs []*Struct
	Globals []*Array
	Helpers []*Func
	Kernel  *Func
}

// Struct is a struct of scalars and small arrays.
type Struct struct {
	Name   string
	Fields []Field
}

// Field is a member: an array where Len is above 0.
type Field struct {
	Name string
	Type Type
	Len  int
}

// Array is a variable: an array of one or two dimensions, or a scalar where Dims is
// empty. Where Struct is set, elements are structs.
type Array struct {
	Name   string
	Type   Type
	Spell  int // which of the type's spellings
	Struct *Struct
	Dims   []int // powers of two
	// Const arrays are only read.
	Const bool
	// Static variables keep their storage, at file scope or in the function.
	Static bool
	// Pointer parameters are written as pointers, not as arrays; Restrict goes with it.
	Pointer, Restrict bool
	// Scalar parameters of helpers may be pointers to write through: the argument is
	// the address of a variable.
	Out bool
	// Init are the initial values, in row-major order; none stands for zeros.
	Init []string
	// Start is the initial value of a scalar.
	Start *Expr
	// Fixed scalars are not assigned by statements: counters and bounds.
	Fixed bool
	// Max is the largest value of a Fixed scalar that is never negative; 0 where
	// nothing is known. Parameters with it are given such values.
	Max int
	// Alias arrays are pointers that begin inside another array, Base of them.
	Alias *Alias
}

// Alias is where a pointer points: to an element of an array that has enough
// elements behind it.
type Alias struct {
	Base   string
	Row    *Expr // the row, where Base has two dimensions
	Offset *Expr // masked so that the pointer's elements are inside Base
	// Other is a second base, taken when Cond holds.
	Other string
	Cond  *Expr
}

// elements is the number of elements.
func (a *Array) elements() int {
	n := 1
	for _, d := range a.Dims {
		n *= d
	}
	return n
}

// size is the number of bytes of one element.
func (a *Array) size() int {
	if a.Struct != nil {
		return a.Struct.size()
	}
	return a.Type.Size()
}

// Func is a function.
type Func struct {
	Name   string
	Params []*Array
	Result Type
	Inline bool
	Body   []*Stmt
	// Return is the value returned at the end.
	Return *Expr
}

// ExprKind is the kind of an expression.
type ExprKind int

// The kinds. Expressions have no effect, except calls of helpers that write statics.
const (
	Lit   ExprKind = iota // Text, of type Type
	Ref                   // scalar variable Name
	Elem                  // element of array Name at Args, member Field, whose own subscript is the last of Args
	Arr                   // array Name as an argument
	Addr                  // address of Args[0]
	Un                    // operator Op
	Bin                   // operator Op
	Cond                  // Args[0] ? Args[1] : Args[2]
	Cast                  // (Type)Args[0]
	Call                  // helper Name
	Macro                 // macro or function of the prelude: Name
)

// Expr is an expression.
type Expr struct {
	Kind  ExprKind
	Op    string
	Name  string
	Field string
	Text  string
	Type  Type
	// Guard selects how a division is kept from dividing by zero.
	Guard int
	Args  []*Expr
}

// StmtKind is the kind of a statement.
type StmtKind int

// The kinds of statements.
const (
	Decl       StmtKind = iota // Var
	Assign                     // LHS Op= Exprs[0]; Op may be empty
	Step                       // LHS++ and the like: Op is "++" or "--", Style 1 puts it in front
	If                         // Exprs[0], Bodies[0], Bodies[1]
	For                        // counted loop over Var, see Loop
	While                      // Exprs[0]; Style: while, do, endless with break
	Switch                     // Exprs[0]; Bodies are cases, Labels their values
	Break                      // if (Exprs[0]) break;
	Continue                   // if (Exprs[0]) continue;
	Return                     // if (Exprs[0]) return Exprs[1];
	Goto                       // if (Exprs[0]) goto Name;
	Block                      // Bodies[0], followed by label Name where it is set
	Again                      // label Name, Bodies[0], then if (Exprs[0]) goto Name, N times at most
	Walk                       // Var walks over array Name: Style
	Copy                       // memcpy, memmove or memset (Op) of array Name, from array From, Exprs[0] elements
	FillField                  // memset or memmove (Op) inside an array member, of which LHS is an element, Exprs[0] elements
	CopyStruct                 // LHS = Exprs[0], both structs
	CallOut                    // Exprs[0] is called for what it writes; LHS, where set, takes the result
	Fetch                      // element of Name at scalar From, which counts up or down: Style
	Fence                      // Op, a call that orders accesses
)

// Stmt is a statement.
type Stmt struct {
	Kind   StmtKind
	Var    *Array
	High   *Array // the second pointer of a Walk
	LHS    *Expr
	Op     string
	Name   string
	From   string
	Style  int
	N      int
	Exprs  []*Expr
	Bodies [][]*Stmt
	Labels []string
	Loop   *Loop
	// Through: the case of that position falls through.
	Through []bool
}

// Loop is what a counted loop counts.
type Loop struct {
	// Cmp is the comparison: < <= and != going up, > >= and !=0 going down, and --
	// for i-- > 0.
	Cmp string
	// From and To are bounds: small values, never negative. Mask bounds To.
	From, To *Expr
	Mask     int
	// Step is what is added each time, or the factor of *, <<, / and >>.
	Step int
	// By, where set, is an expression that what is added each time comes from: a number of 1 to 4, computed in front of
	// the loop.
	By *Expr
	// AtEnd: the loop tests last, so that it runs once at least. For < and <= that go up.
	AtEnd bool
	// Op is +, *, <<, / or >>; counters that go down have + as well.
	Op string
	// Skip, where set, lets the counter advance once more.
	Skip *Expr
	// Last takes the counter's value behind the loop.
	Last *Expr
}
