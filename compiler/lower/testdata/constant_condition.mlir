module {
  func.func @prog(%a0: i32, %a1: i32, %a2: i32, %m0: memref<2xi32>, %m1: memref<3xi64>) -> i32 {
    %0 = memref.alloca() : memref<4xi32>
    %1 = arith.constant 2083189992 : i32
    %2 = arith.constant 0 : index
    memref.store %1, %0[%2] : memref<4xi32>
    %3 = arith.constant 4 : i32
    %4 = arith.constant 1 : index
    memref.store %3, %0[%4] : memref<4xi32>
    %5 = arith.constant 1 : i32
    %6 = arith.constant 2 : index
    memref.store %5, %0[%6] : memref<4xi32>
    %7 = arith.constant -5 : i32
    %8 = arith.constant 3 : index
    memref.store %7, %0[%8] : memref<4xi32>
    %9 = arith.index_cast %a0 : i32 to index
    %10 = arith.shrui %9, %9 : index
    %11 = arith.constant 1 : index
    %12 = arith.andi %10, %11 : index
    %13 = memref.load %m0[%12] : memref<2xi32>
    %14 = arith.constant 3 : index
    %15 = arith.andi %10, %14 : index
    memref.store %a2, %0[%15] : memref<4xi32>
    %16 = arith.constant 0 : i32
    %17 = arith.cmpi ne, %a1, %16 : i32
    %18:2 = scf.if %17 -> (i1, index) {
      scf.yield %17, %10 : i1, index
    } else {
      %20 = arith.constant true
      scf.yield %20, %10 : i1, index
    }
    scf.if %17 {
      %20 = arith.constant 1 : index
      %21 = arith.constant 1 : index
      %22 = arith.andi %20, %21 : index
      memref.store %13, %m0[%22] : memref<2xi32>
      %23 = arith.ori %a0, %a1 : i32
      %24 = arith.constant 1 : index
      %25 = arith.andi %18#1, %24 : index
      memref.store %23, %m0[%25] : memref<2xi32>
    } else {
      %20 = math.ctlz %a1 : i32
      %21 = arith.constant 3 : index
      %22 = arith.andi %15, %21 : index
      memref.store %20, %0[%22] : memref<4xi32>
    }
    %19 = scf.if %18#0 -> (i32) {
      scf.yield %a0 : i32
    } else {
      %20 = arith.constant -2 : i32
      %21 = arith.constant 3 : i32
      %22 = arith.andi %a2, %21 : i32
      %23 = arith.constant 1 : i32
      %24 = arith.andi %13, %23 : i32
      %25 = arith.addi %24, %23 : i32
      %26 = arith.constant 6 : i8
      %27:2 = scf.for %arg0 = %20 to %22 step %25 iter_args(%arg1 = %a1, %arg2 = %26) -> (i32, i8) : i32 {
        %30 = arith.xori %arg0, %arg1 : i32
        scf.yield %30, %arg2 : i32, i8
      }
      %28 = arith.extsi %27#1 : i8 to i32
      %29 = arith.addi %27#0, %28 : i32
      scf.yield %29 : i32
    }
    return %19 : i32
  }
}
