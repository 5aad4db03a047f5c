// A four-point stencil: every inner element becomes the mean of its neighbours.
func.func @stencil(%in: memref<8x9xi32>, %out: memref<8x9xi32>) {
  %two = arith.constant 2 : i32
  affine.for %i = 1 to 7 {
    affine.for %j = 1 to 8 {
      %n = affine.load %in[%i - 1, %j] : memref<8x9xi32>
      %s = affine.load %in[%i + 1, %j] : memref<8x9xi32>
      %w = affine.load %in[%i, %j - 1] : memref<8x9xi32>
      %e = affine.load %in[%i, %j + 1] : memref<8x9xi32>
      %0 = arith.addi %n, %s : i32
      %1 = arith.addi %w, %e : i32
      %2 = arith.addi %0, %1 : i32
      %mean = arith.shrsi %2, %two : i32
      affine.store %mean, %out[%i, %j] : memref<8x9xi32>
    }
  }
  return
}
