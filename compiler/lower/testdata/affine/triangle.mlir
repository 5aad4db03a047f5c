// Solves L x = b for a lower triangular L with ones on its diagonal: the inner
// loop runs as far as the outer one has come.
func.func @triangle(%l: memref<6x6xi32>, %b: memref<6xi32>, %x: memref<6xi32>) {
  affine.for %i = 0 to 6 {
    %bi = affine.load %b[%i] : memref<6xi32>
    %xi = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%sum = %bi) -> (i32) {
      %lij = affine.load %l[%i, %j] : memref<6x6xi32>
      %xj = affine.load %x[%j] : memref<6xi32>
      %p = arith.muli %lij, %xj : i32
      %d = arith.subi %sum, %p : i32
      affine.yield %d : i32
    }
    affine.store %xi, %x[%i] : memref<6xi32>
  }
  return
}
