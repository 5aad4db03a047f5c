// b[i] = a[i] where a[i] > limit, for i in [0, n); the other elements of b stay:
// a store that happens only in some iterations.
func.func @condcopy(%a: memref<?xi32>, %b: memref<?xi32>, %limit: i32, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?xi32>
    %above = arith.cmpi sgt, %x, %limit : i32
    scf.if %above {
      memref.store %x, %b[%i] : memref<?xi32>
    }
  }
  return
}
