// Every operation of index, with attributes where the assembly has a place for
// them.
func.func @arithmetic(%a: index, %b: index) -> index {
  %0 = index.add %a, %b
  %1 = index.sub %0, %b {note = "kept"}
  %2 = index.mul %1, %b
  %3 = index.divs %2, %b
  %4 = index.divu %3, %b
  %5 = index.ceildivs %4, %b
  %6 = index.ceildivu %5, %b
  %7 = index.floordivs %6, %b
  %8 = index.rems %7, %b
  %9 = index.remu %8, %b
  %10 = index.maxs %9, %b
  %11 = index.maxu %10, %b
  %12 = index.mins %11, %b
  %13 = index.minu %12, %b
  %14 = index.shl %13, %b
  %15 = index.shrs %14, %b
  %16 = index.shru %15, %b
  %17 = index.and %16, %b
  %18 = index.or %17, %b
  %19 = index.xor %18, %b {first, second = 2 : i8}
  return %19 : index
}

func.func @comparisons(%a: index, %b: index) -> i1 {
  %0 = index.cmp eq(%a, %b)
  %1 = index.cmp ne(%a, %b)
  %2 = index.cmp slt(%a, %b)
  %3 = index.cmp sle(%a, %b)
  %4 = index.cmp sgt(%a, %b)
  %5 = index.cmp sge(%a, %b)
  %6 = index.cmp ult(%a, %b)
  %7 = index.cmp ule(%a, %b)
  %8 = index.cmp ugt(%a, %b)
  %9 = index.cmp uge(%a, %b) {note = "kept"}
  %10 = "index.cmp"(%a, %b) <{pred = #index<  cmp_predicate   sge >}> {more} : (index, index) -> i1
  %11 = "index.cmp"(%a, %b) {pred = #index<cmp_predicate ule>} : (index, index) -> i1
  return %11 : i1
}

func.func @conversions(%i: i32, %w: i64, %b: i1, %s: si16, %u: ui64, %x: i60) -> index {
  %0 = index.casts %i : i32 to index
  %1 = index.castu %w : i64 to index
  %2 = index.casts %b {note = "kept"} : i1 to index
  %3 = index.casts %s : si16 to index
  %4 = index.castu %u : ui64 to index
  %5 = index.castu %x : i60 to index
  %6 = index.casts %5 : index to i8
  %7 = index.castu %5 : index to i64
  %8 = index.castu %5 : index to ui7
  return %5 : index
}

func.func @constants() -> (index, index, i1) {
  %0 = index.constant 0
  %1 = index.constant -3
  %2 = index.constant 0x10
  %3 = index.constant {note = "kept"} 42
  %4 = index.constant 9223372036854775807
  %5 = index.constant -9223372036854775808
  %6 = index.bool.constant true
  %7 = index.bool.constant false
  %8 = index.bool.constant {note = "kept"} true
  %9 = "index.bool.constant"() <{value = 1 : i1}> : () -> i1
  %10 = index.sizeof
  %11 = index.sizeof {note = "kept"}
  return %1, %11, %9 : index, index, i1
}
