// Returns the sum of a[i] * b[i] for i in [0, n): a value carried around a loop.
func.func @dot(%a: memref<?xi32>, %b: memref<?xi32>, %n: index) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %nothing = arith.constant 0 : i32
  %total = scf.for %i = %zero to %n step %one iter_args(%sum = %nothing) -> (i32) {
    %x = memref.load %a[%i] : memref<?xi32>
    %y = memref.load %b[%i] : memref<?xi32>
    %product = arith.muli %x, %y : i32
    %next = arith.addi %sum, %product : i32
    scf.yield %next : i32
  }
  return %total : i32
}
