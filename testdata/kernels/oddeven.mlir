// Odd-even transposition sort of x[0..n): n passes, each orders neighbours two by
// two. Two loads from and two stores to one array, and every pass reads what the
// one before has stored.
func.func @oddeven(%x: memref<?xi32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %end = arith.subi %n, %one : index
  scf.for %pass = %zero to %n step %one {
    %first = arith.andi %pass, %one : index
    scf.for %j = %first to %end step %two {
      %k = arith.addi %j, %one : index
      %a = memref.load %x[%j] : memref<?xi32>
      %b = memref.load %x[%k] : memref<?xi32>
      %low = arith.minsi %a, %b : i32
      %high = arith.maxsi %a, %b : i32
      memref.store %low, %x[%j] : memref<?xi32>
      memref.store %high, %x[%k] : memref<?xi32>
    }
  }
  return
}
