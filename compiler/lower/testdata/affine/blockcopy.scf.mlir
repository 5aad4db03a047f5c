// after affine
module {
  func.func @blockcopy(%from: memref<?xi32>, %to: memref<?xi32>, %n: index) {
    %0 = arith.constant 0 : index
    %1 = arith.constant 4 : index
    %2 = arith.constant 2 : index
    %3 = arith.constant 3 : index
    %4 = arith.andi %n, %3 : index
    %5 = arith.cmpi ne, %4, %0 : index
    %6 = arith.index_castui %5 : i1 to index
    %7 = arith.shrsi %n, %2 : index
    %8 = arith.addi %7, %6 : index
    %9 = arith.constant 1 : index
    scf.for %k = %0 to %8 step %9 {
      %10 = arith.constant 4 : index
      %start = arith.muli %k, %10 : index
      %11 = arith.addi %start, %10 : index
      %12 = arith.minsi %11, %n : index
      %13 = arith.constant 1 : index
      scf.for %i = %start to %12 step %13 {
        %v = memref.load %from[%i] : memref<?xi32>
        memref.store %v, %to[%i] : memref<?xi32>
      }
    }
    return
  }
}
