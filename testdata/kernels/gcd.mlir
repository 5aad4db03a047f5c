// Returns the greatest common divisor of two integers, taken as unsigned, by
// Euclid's algorithm: a loop that ends on computed data. gcd(a, 0) = a.
func.func @gcd(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %result, %rest = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %y, %zero : i32
    scf.condition(%more) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %next = arith.remui %x, %y : i32
    scf.yield %y, %next : i32, i32
  }
  return %result : i32
}
