// Sets the border of a matrix to a value and its diagonal to another, and counts
// the rest, row by row in parallel.
#border = affine_set<(d0, d1) : (d0 - 1 >= 0, 4 - d0 >= 0, d1 - 1 >= 0, 5 - d1 >= 0)>
#diagonal = affine_set<(d0, d1) : (d0 - d1 == 0)>
func.func @border(%m: memref<6x7xi32>, %edge: i32, %diag: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rest = affine.parallel (%i, %j) = (0, 0) to (6, 7) reduce ("addi") -> (i32) {
    %n = affine.if #border(%i, %j) -> i32 {
      %inner = affine.if #diagonal(%i, %j) -> i32 {
        affine.store %diag, %m[%i, %j] : memref<6x7xi32>
        affine.yield %zero : i32
      } else {
        affine.yield %one : i32
      }
      affine.yield %inner : i32
    } else {
      affine.store %edge, %m[%i, %j] : memref<6x7xi32>
      affine.yield %zero : i32
    }
    affine.yield %n : i32
  }
  return %rest : i32
}
