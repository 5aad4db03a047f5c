// Counts the last six bits of key[i] for i in [0, n): hist[key[i] mod 64] + 1. An
// iteration may load what an earlier one has stored, depending on the data.
func.func @histogram(%key: memref<?xi32>, %hist: memref<64xi32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %unit = arith.constant 1 : i32
  %mask = arith.constant 63 : i32
  scf.for %i = %zero to %n step %one {
    %k = memref.load %key[%i] : memref<?xi32>
    %low = arith.andi %k, %mask : i32
    %bin = arith.index_cast %low : i32 to index
    %count = memref.load %hist[%bin] : memref<64xi32>
    %more = arith.addi %count, %unit : i32
    memref.store %more, %hist[%bin] : memref<64xi32>
  }
  return
}
