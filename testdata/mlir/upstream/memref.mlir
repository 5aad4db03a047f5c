memref.global @plain : memref<4xi32>
memref.global "private" @zeros : memref<4xi32> = dense<0>
memref.global "private" constant @table : memref<2x2xi8> = dense<[[1, 2], [-3, 4]]>
memref.global constant @weights : memref<3xf32> = dense<[0.5, 1.0, 0.1]> {alignment = 16 : i64}
memref.global @later : memref<8xf64> = uninitialized
memref.global "private" constant @flags : memref<3xi1> = dense<[true, false, true]>

func.func @accesses(%m: memref<?x4xi32>, %s: memref<f32>, %i: index, %j: index, %v: i32) -> (i32, f32, index) {
  %0 = memref.load %m[%i, %j] : memref<?x4xi32>
  memref.store %v, %m[%j, %i] : memref<?x4xi32>
  %1 = memref.load %s[] : memref<f32>
  memref.store %1, %s[] {nontemporal = true} : memref<f32>
  %2 = memref.load %s[] {nontemporal = false} : memref<f32>
  %c0 = arith.constant 0 : index
  %3 = memref.dim %m, %c0 : memref<?x4xi32>
  %4 = memref.rank %m : memref<?x4xi32>
  %5 = memref.extract_aligned_pointer_as_index %m : memref<?x4xi32> -> index
  %6 = memref.atomic_rmw addi %v, %m[%i, %j] : (i32, memref<?x4xi32>) -> i32
  memref.assume_alignment %m, 64 : memref<?x4xi32>
  %7 = memref.get_global @table : memref<2x2xi8>
  %8 = memref.get_global @plain : memref<4xi32>
  return %0, %1, %3 : i32, f32, index
}

#rows = affine_map<(d0, d1) -> (d1, d0)>
#shift = affine_map<(d0)[s0] -> (d0 + s0)>

func.func @buffers(%n: index, %k: index) {
  %0 = memref.alloc() : memref<4xi32>
  %1 = memref.alloc(%n) : memref<?x4xf32>
  %2 = memref.alloca(%n, %k) {alignment = 64 : i64} : memref<?x?xi8>
  %3 = memref.alloca() : memref<8xi1, 1>
  %4 = memref.alloc()[%n] : memref<4xi32, #shift>
  %5 = memref.alloc() : memref<4x8xi32, #rows, 2 : i32>
  %6 = memref.alloc() : memref<4x8xi32, affine_map<(d0, d1) -> (d0, d1)>>
  memref.copy %0, %0 : memref<4xi32> to memref<4xi32>
  memref.dealloc %0 : memref<4xi32>
  memref.dealloc %1 : memref<?x4xf32>
  return
}

func.func @views(%m: memref<8x16xi32>, %d: memref<?xf32>, %u: memref<*xi32>, %o: index, %b: memref<2048xi8>) {
  %c4 = arith.constant 4 : index
  %0 = memref.cast %m : memref<8x16xi32> to memref<?x16xi32>
  %1 = memref.cast %u : memref<*xi32> to memref<4xi32>
  %2 = memref.subview %m[0, 4] [4, 4] [1, 2] : memref<8x16xi32> to memref<4x4xi32, strided<[16, 2], offset: 4>>
  %3 = memref.subview %m[%o, 4][%c4, 4][%o, 1] : memref<8x16xi32> to memref<?x4xi32, strided<[?, 1], offset: ?>>
  %4 = memref.subview %m[2, 0] [1, 16] [1, 1] : memref<8x16xi32> to memref<16xi32, strided<[1], offset: 32>>
  %5 = memref.reinterpret_cast %d to offset: [%o], sizes: [%c4, 3], strides: [3, 1] : memref<?xf32> to memref<?x3xf32, strided<[3, 1], offset: ?>>
  %6 = memref.reinterpret_cast %d to offset: [0], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32>
  %7 = memref.collapse_shape %m [[0, 1]] : memref<8x16xi32> into memref<128xi32>
  %8 = memref.expand_shape %7 [[0, 1, 2]] output_shape [2, 4, 16] : memref<128xi32> into memref<2x4x16xi32>
  %9 = memref.expand_shape %d [[0, 1]] output_shape [%o, 4] : memref<?xf32> into memref<?x4xf32>
  %10 = memref.transpose %m (i, j) -> (j, i) : memref<8x16xi32> to memref<16x8xi32, strided<[1, 16]>>
  %11 = memref.view %b[%o][] : memref<2048xi8> to memref<64x4xf32>
  %12 = memref.view %b[%o][%c4] : memref<2048xi8> to memref<?x4xf32>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<8x16xi32> -> memref<i32>, index, index, index, index, index
  %13 = memref.memory_space_cast %m : memref<8x16xi32> to memref<8x16xi32, 1>
  return
}

func.func @scopes(%i: index, %v: i32) -> i32 {
  memref.alloca_scope {
    %0 = memref.alloca() : memref<4xi32>
    memref.store %v, %0[%i] : memref<4xi32>
  }
  %1:2 = memref.alloca_scope -> (i32, index) {
    memref.alloca_scope.return %v, %i : i32, index
  }
  return %1#0 : i32
}
