// Every form of the affine dialect that mlir-opt 19 reads.
#row = affine_map<(i)[N] -> (i * 4 + N)>
#clamp = affine_map<(d0)[s0] -> (d0, s0 floordiv 2, 5)>
#inside = affine_set<(d0)[s0] : (d0 - 10 >= 0, s0 == d0, s0 <= 4, d0 >= s0)>
#shifted = affine_map<(d0, d1) -> (d0 * 16 + d1 + 3)>

func.func @loops(%n: index, %x: i32, %m: memref<?x16xi32>) -> (i32, f32) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
  }
  affine.for %i = -3 to %n step 2 {
    affine.for %j = max affine_map<(d0)[s0] -> (d0, s0 floordiv 2)>(%i)[%n] to min affine_map<(d0)[s0] -> (d0 + 3, s0 * 2 + 3)>(%i)[%n] {
      affine.yield
    } {unroll = 3}
    affine.for %j = #row(%i)[%n] to affine_map<(d0) -> (d0)>(%i) step 0x10 {
    }
  }
  affine.for %i = max affine_map<() -> (3, 4)>() to affine_map<()[s0] -> (s0)>()[%n] {
  }
  %r:2 = affine.for %i = %n to 10 iter_args(%a = %x, %b = %zero) -> (i32, f32) {
    affine.yield %a, %b : i32, f32
  }
  return %r#0, %r#1 : i32, f32
}

func.func @branches(%n: index, %x: i32, %y: i32) -> (i32, i32, index) {
  %s = affine.for %i = 0 to 10 iter_args(%a = %x) -> i32 {
    %b = affine.if #inside(%i)[%n] -> i32 {
      affine.yield %x : i32
    } else {
      affine.yield %a : i32
    }
    affine.if affine_set<(d0) : (d0 - 3 == 0)>(%i) {
    } {likely}
    affine.if affine_set<() : (1 == 0)>() {
    } else {
    }
    affine.if affine_set<() : ()>() {
    } else {
      affine.yield
    }
    affine.yield %b : i32
  }
  %t, %u = affine.if affine_set<(d0, d1)[s0] : (d0 + d1 * 2 - s0 mod 3 >= 0, 0 >= d0)>(%n, %n)[%n] -> (i32, index) {
    affine.yield %y, %n : i32, index
  } else {
    affine.yield %x, %n : i32, index
  }
  return %s, %t, %u : i32, i32, index
}

func.func @accesses(%m: memref<?x16xi32>, %one: memref<i32>, %at: memref<4x8xi32, #shifted>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 16 {
      %a = affine.load %m[%i + %j * 2 - 1, symbol(%n) + 3] : memref<?x16xi32>
      affine.store %a, %m[%i mod 2, (%j floordiv 3) * 7] {align = 4 : i32} : memref<?x16xi32>
      %b = affine.load %m[%i, 3] : memref<?x16xi32>
      affine.store %b, %m[-%i + symbol(%n) - 1, 15 - %j] : memref<?x16xi32>
      %c = affine.load %m[(%i + %j) ceildiv 4, -(%i - %j) mod symbol(%n)] : memref<?x16xi32>
      affine.store %c, %m[%i - (%j + 1) * 3, %i - (%j + %i)] : memref<?x16xi32>
      affine.store %c, %m[%i + (%j floordiv 2 - %i), %i * symbol(%n)] : memref<?x16xi32>
    }
    %d = affine.load %at[2, %i] : memref<4x8xi32, #shifted>
    affine.store %d, %one[] : memref<i32>
  }
  return
}

func.func @indices(%n: index, %k: index) -> (index, index, index) {
  %a = affine.apply affine_map<(d0, d1)[s0] -> (d0 * 4 + s0 - d1)>(%n, %k)[%n]
  %b = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%n] {exact}
  %c = affine.min #clamp(%a)[%n]
  %d = affine.max affine_map<(d0) -> (1000, d0 + 512)>(%b)
  %e:3 = affine.delinearize_index %n into (%n, %a, %k) : index, index, index
  return %c, %d, %e#1 : index, index, index
}

func.func @parallel(%n: index, %x: i32, %f: f32, %m: memref<?xf32>) -> (i32, i32, f32) {
  affine.parallel (%i, %j) = (0, 1) to (10, %n) {
    affine.store %f, %m[%i + %j] : memref<?xf32>
  }
  affine.parallel (%i, %j) = (max(0, %n), 1) to (10, min(%n, %n * 2 + 3)) step (2, 3) {
  } {tiled}
  affine.parallel (%i) = (%n) to (%n + 4) {
    affine.parallel (%j) = (%i * 2) to (symbol(%n)) {
    }
  }
  %s:2 = affine.parallel (%i, %j) = (0, 1) to (10, symbol(%n)) reduce ("addi", "muli") -> (i32, i32) {
    affine.yield %x, %x : i32, i32
  }
  %t = affine.parallel (%i) = (0) to (10) reduce ("maximumf") -> f32 {
    %v = affine.load %m[%i] : memref<?xf32>
    affine.yield %v : f32
  }
  affine.parallel () = () to () {
  }
  return %s#0, %s#1, %t : i32, i32, f32
}

func.func private @maps() attributes {
  m.fold = affine_map<(d0)[s0] -> (d0 + 1 + 2, 2 * d0 * 3, 5 mod 3, 7 floordiv 2, -7 floordiv 2, -7 ceildiv 2, -7 mod 4, 0 * d0)>,
  m.signs = affine_map<(d0)[s0] -> (d0 - s0 * 4, d0 + s0 * -1, -(d0 + s0), 1 - d0, - - d0, d0 - -3, -3 * d0, -d0 * s0)>,
  m.nested = affine_map<(d0) -> (d0 floordiv 2 floordiv 3, d0 mod 2 + 1 * 3, d0 floordiv (2 * 3), (d0 - (d0 - 4)) * 5 mod 7)>,
  m.symbolic = affine_map<(d0)[s0, s1] -> (3 mod s0, 3 floordiv s0, s0 * d0, s0 * s1, d0 ceildiv (s0 + s1))>,
  m.large = affine_map<(d0) -> (9223372036854775807 + 1, 9223372036854775807 * 3, 0x7FFFFFFFFFFFFFFF, -9223372036854775807 - 1, d0 * 4611686018427387904 * 2)>,
  m.named = affine_map<(i, j)[N] -> (i + j * 2 + N, i + -j)>,
  m.words = affine_map<(mod, max)[floordiv] -> (mod mod floordiv, max)>,
  m.none = [affine_map<() -> ()>, affine_map<(d0) -> ()>, affine_map<()[] -> ()>],
  m.division = affine_map<(d0) -> (d0 floordiv 0, d0 mod -3)>,
  s.all = affine_set<() : ()>,
  s.relations = affine_set<(i, j)[N] : (i + j >= N, i <= j, 3 == i, i == 0, 0 >= i)>
}
