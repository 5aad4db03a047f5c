// c = a * b for matrices of any shape: the sizes are those of the arrays, read with
// memref.dim, and become scalar arguments of the hardware.
func.func @matmul_dynamic(%a: memref<?x?xi32>, %b: memref<?x?xi32>, %c: memref<?x?xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %m = memref.dim %a, %zero : memref<?x?xi32>
  %k = memref.dim %a, %one : memref<?x?xi32>
  %n = memref.dim %b, %one : memref<?x?xi32>
  scf.for %i = %zero to %m step %one {
    scf.for %j = %zero to %n step %one {
      %sum = scf.for %l = %zero to %k step %one iter_args(%s = %none) -> i32 {
        %x = memref.load %a[%i, %l] : memref<?x?xi32>
        %y = memref.load %b[%l, %j] : memref<?x?xi32>
        %p = arith.muli %x, %y : i32
        %t = arith.addi %s, %p : i32
        scf.yield %t : i32
      }
      memref.store %sum, %c[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
