// after affine
module {
  func.func @stencil(%in: memref<8x9xi32>, %out: memref<8x9xi32>) {
    %two = arith.constant 2 : i32
    %0 = arith.constant 1 : index
    %1 = arith.constant 7 : index
    scf.for %i = %0 to %1 step %0 {
      %2 = arith.constant 1 : index
      %3 = arith.constant 8 : index
      scf.for %j = %2 to %3 step %2 {
        %4 = arith.constant -1 : index
        %5 = arith.addi %i, %4 : index
        %n = memref.load %in[%5, %j] : memref<8x9xi32>
        %6 = arith.constant 1 : index
        %7 = arith.addi %i, %6 : index
        %s = memref.load %in[%7, %j] : memref<8x9xi32>
        %8 = arith.addi %j, %4 : index
        %w = memref.load %in[%i, %8] : memref<8x9xi32>
        %9 = arith.addi %j, %6 : index
        %e = memref.load %in[%i, %9] : memref<8x9xi32>
        %10 = arith.addi %n, %s : i32
        %11 = arith.addi %w, %e : i32
        %12 = arith.addi %10, %11 : i32
        %mean = arith.shrsi %12, %two : i32
        memref.store %mean, %out[%i, %j] : memref<8x9xi32>
      }
    }
    return
  }
}
