// order pipelined, seed 3004095
module {
  func.func @prog(%m2: memref<2x3xi32>) {
    %0 = arith.constant 1 : index
    scf.while (%arg0 = %0) : (index) -> () {
      %1 = arith.constant 0 : index
      %2 = arith.constant 1 : index
      scf.for %arg1 = %1 to %arg0 step %2 {
        %5 = arith.constant 0 : i32
        %6 = arith.constant 0 : index
        %7 = arith.constant 0 : index
        memref.store %5, %m2[%6, %7] : memref<2x3xi32>
      }
      %3 = arith.constant 0 : index
      %4 = arith.cmpi sgt, %arg0, %3 : index
      scf.condition(%4)
    } do {
      %1 = memref.alloca() : memref<3x3xi1>
      %2 = arith.constant true
      %3 = arith.constant false
      %4 = arith.constant 0 : index
      %5 = arith.constant 1 : index
      memref.store %3, %1[%4, %5] : memref<3x3xi1>
      %6 = arith.constant 0 : index
      memref.store %2, %1[%4, %6] : memref<3x3xi1>
      %7 = arith.constant 0 : index
      scf.yield %7 : index
    }
    return
  }
}
