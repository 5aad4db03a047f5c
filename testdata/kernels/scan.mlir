// x[i] = x[i - 1] + b[i] for i in [1, n), in place: each iteration loads what
// the one before it stored, so the order of accesses to x carries the result.
func.func @scan(%x: memref<?xi32>, %b: memref<?xi32>, %n: index) {
  %one = arith.constant 1 : index
  scf.for %i = %one to %n step %one {
    %before = arith.subi %i, %one : index
    %prefix = memref.load %x[%before] : memref<?xi32>
    %value = memref.load %b[%i] : memref<?xi32>
    %sum = arith.addi %prefix, %value : i32
    memref.store %sum, %x[%i] : memref<?xi32>
  }
  return
}
