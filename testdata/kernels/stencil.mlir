// Three-point smoothing with a weight per point, for i in [1, n - 1):
//   smooth[i] = ((a[i-1] + 2 a[i] + a[i+1]) * weight[i]) >> 2
//   change[i] = smooth[i] - a[i]
// Three loads from one array and four arrays: they meet memories with lanes.
func.func @stencil(%a: memref<?xi32>, %weight: memref<?xi32>, %smooth: memref<?xi32>, %change: memref<?xi32>, %n: index) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : i32
  %end = arith.subi %n, %one : index
  scf.for %i = %one to %end step %one {
    %before = arith.subi %i, %one : index
    %after = arith.addi %i, %one : index
    %l = memref.load %a[%before] : memref<?xi32>
    %c = memref.load %a[%i] : memref<?xi32>
    %r = memref.load %a[%after] : memref<?xi32>
    %w = memref.load %weight[%i] : memref<?xi32>
    %sides = arith.addi %l, %r : i32
    %middle = arith.addi %c, %c : i32
    %sum = arith.addi %sides, %middle : i32
    %scaled = arith.muli %sum, %w : i32
    %s = arith.shrsi %scaled, %two : i32
    %d = arith.subi %s, %c : i32
    memref.store %s, %smooth[%i] : memref<?xi32>
    memref.store %d, %change[%i] : memref<?xi32>
  }
  return
}
