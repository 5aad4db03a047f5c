// A five-point stencil: every inner element becomes the sum of its neighbours
// and of itself four times, halved.
func.func @stencil(%in: memref<8x9xi32>, %out: memref<8x9xi32>) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  affine.for %i = 1 to 7 {
    affine.for %j = 1 to 8 {
      %c = affine.load %in[%i, %j] : memref<8x9xi32>
      %n = affine.load %in[%i - 1, %j] : memref<8x9xi32>
      %s = affine.load %in[%i + 1, %j] : memref<8x9xi32>
      %w = affine.load %in[%i, %j - 1] : memref<8x9xi32>
      %e = affine.load %in[%i, %j + 1] : memref<8x9xi32>
      %0 = arith.addi %n, %s : i32
      %1 = arith.addi %w, %e : i32
      %2 = arith.addi %0, %1 : i32
      %3 = arith.shli %c, %two : i32
      %4 = arith.addi %2, %3 : i32
      %5 = arith.shrsi %4, %one : i32
      affine.store %5, %out[%i, %j] : memref<8x9xi32>
    }
  }
  return
}
