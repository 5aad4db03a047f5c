// after affine
module {
  func.func @border(%m: memref<6x7xi32>, %edge: i32, %diag: i32) -> i32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %0 = arith.constant 0 : index
    %1 = arith.constant 6 : index
    %2 = arith.constant 7 : index
    %3 = arith.constant 1 : index
    %4 = arith.constant 0 : i32
    %rest = scf.parallel (%i, %j) = (%0, %0) to (%1, %2) step (%3, %3) init (%4) -> i32 {
      %5 = arith.constant 1 : index
      %6 = arith.cmpi sge, %i, %5 : index
      %7 = arith.constant 4 : index
      %8 = arith.cmpi sle, %i, %7 : index
      %9 = arith.andi %6, %8 : i1
      %10 = arith.cmpi sge, %j, %5 : index
      %11 = arith.andi %9, %10 : i1
      %12 = arith.constant 5 : index
      %13 = arith.cmpi sle, %j, %12 : index
      %14 = arith.andi %11, %13 : i1
      %n = scf.if %14 -> (i32) {
        %15 = arith.cmpi eq, %i, %j : index
        %inner = scf.if %15 -> (i32) {
          memref.store %diag, %m[%i, %j] : memref<6x7xi32>
          scf.yield %zero : i32
        } else {
          scf.yield %one : i32
        }
        scf.yield %inner : i32
      } else {
        memref.store %edge, %m[%i, %j] : memref<6x7xi32>
        scf.yield %zero : i32
      }
      scf.reduce(%n : i32) {
      ^bb0(%arg0: i32, %arg1: i32):
        %15 = arith.addi %arg0, %arg1 : i32
        scf.reduce.return %15 : i32
      }
    }
    return %rest : i32
  }
}
