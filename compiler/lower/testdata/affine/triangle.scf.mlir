// after affine
module {
  func.func @triangle(%l: memref<6x6xi32>, %b: memref<6xi32>, %x: memref<6xi32>) {
    %0 = arith.constant 0 : index
    %1 = arith.constant 6 : index
    %2 = arith.constant 1 : index
    scf.for %i = %0 to %1 step %2 {
      %bi = memref.load %b[%i] : memref<6xi32>
      %3 = arith.constant 0 : index
      %4 = arith.constant 1 : index
      %xi = scf.for %j = %3 to %i step %4 iter_args(%sum = %bi) -> (i32) {
        %lij = memref.load %l[%i, %j] : memref<6x6xi32>
        %xj = memref.load %x[%j] : memref<6xi32>
        %p = arith.muli %lij, %xj : i32
        %d = arith.subi %sum, %p : i32
        scf.yield %d : i32
      }
      memref.store %xi, %x[%i] : memref<6xi32>
    }
    return
  }
}
