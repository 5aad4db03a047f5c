// y[i] = sum of A[i][j] * x[j] over j in [0, cols), for i in [0, rows): nested
// loops whose bounds are arguments; with cols = 0 the inner loop never runs and
// y[i] becomes 0.
func.func @matvec(%A: memref<?x16xi32>, %x: memref<?xi32>, %y: memref<?xi32>, %rows: index, %cols: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %nothing = arith.constant 0 : i32
  scf.for %i = %zero to %rows step %one {
    %total = scf.for %j = %zero to %cols step %one iter_args(%sum = %nothing) -> (i32) {
      %a = memref.load %A[%i, %j] : memref<?x16xi32>
      %b = memref.load %x[%j] : memref<?xi32>
      %product = arith.muli %a, %b : i32
      %next = arith.addi %sum, %product : i32
      scf.yield %next : i32
    }
    memref.store %total, %y[%i] : memref<?xi32>
  }
  return
}
