// c[i] = a[i] + b[i] for i in [0, n): three memories, one loop, no recurrence.
func.func @vecadd(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<?xi32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?xi32>
    %y = memref.load %b[%i] : memref<?xi32>
    %sum = arith.addi %x, %y : i32
    memref.store %sum, %c[%i] : memref<?xi32>
  }
  return
}
