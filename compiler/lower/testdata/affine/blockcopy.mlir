// Copies the first n elements in blocks of four, as a tiling pass writes it: the
// last block is cut off.
#block = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#blocks = affine_map<()[s0] -> (s0 ceildiv 4)>
func.func @blockcopy(%from: memref<?xi32>, %to: memref<?xi32>, %n: index) {
  affine.for %k = 0 to #blocks()[%n] {
    %start = affine.apply affine_map<(d0) -> (d0 * 4)>(%k)
    affine.for %i = affine_map<(d0) -> (d0)>(%start) to min #block(%start)[%n] {
      %v = affine.load %from[%i] : memref<?xi32>
      affine.store %v, %to[%i] : memref<?xi32>
    }
  }
  return
}
