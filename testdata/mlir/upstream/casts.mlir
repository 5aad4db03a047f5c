func.func @casts(%a: i32, %i: index) -> i8 {
  %0 = builtin.unrealized_conversion_cast %a : i32 to index
  %1:2 = builtin.unrealized_conversion_cast %a, %i : i32, index to i64, f32 {mark}
  %p = ub.poison : i32
  %2 = llvm.intr.bitreverse(%a) : (i32) -> i32
  %3 = arith.trunci %2 : i32 to i8
  return %3 : i8
}
