func.func @loops(%n: index, %m: i32, %x: i32, %f: f32) -> (i32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 {
  }
  scf.for %i = %c0 to %n step %c1 {
    %q = arith.addi %i, %i : index
    scf.yield
  } {unrolled = 4 : i64}
  scf.for %i = %i0 to %m step %i1 : i32 {
    %q = arith.addi %i, %i : i32
  }
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %f) -> (i32, f32) {
    %0 = arith.addi %a, %a : i32
    %1 = arith.mulf %b, %b : f32
    scf.yield %0, %1 : i32, f32
  }
  %s = scf.for %i = %i0 to %m step %i1 iter_args(%a = %x) -> (i32) : i32 {
    %0 = arith.addi %a, %i : i32
    scf.yield %0 : i32
  }
  return %s, %r#1 : i32, f32
}

func.func @ifs(%c: i1, %a: i32, %b: i32, %m: memref<4xi32>, %i: index) -> i32 {
  scf.if %c {
    memref.store %a, %m[%i] : memref<4xi32>
  }
  scf.if %c {
    memref.store %a, %m[%i] : memref<4xi32>
  } else {
    memref.store %b, %m[%i] : memref<4xi32>
  }
  scf.if %c {
  } else {
  }
  %0 = scf.if %c -> (i32) {
    scf.yield %a : i32
  } else {
    scf.yield %b : i32
  }
  %1:2 = scf.if %c -> (i32, i32) {
    %2 = arith.addi %a, %b : i32
    scf.yield %2, %b : i32, i32
  } else {
    %3 = scf.if %c -> i32 {
      scf.yield %b : i32
    } else {
      scf.yield %a : i32
    }
    scf.yield %b, %3 : i32, i32
  } {likely}
  %4 = arith.addi %1#0, %1#1 : i32
  return %4 : i32
}

func.func @whiles(%a: i32, %b: i32) -> (i32, i64) {
  %zero = arith.constant 0 : i32
  %r:2 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i64) {
    %c = arith.cmpi ne, %y, %zero : i32
    %w = arith.extsi %x : i32 to i64
    scf.condition(%c) %x, %w : i32, i64
  } do {
  ^bb0(%x: i32, %w: i64):
    %t = arith.trunci %w : i64 to i32
    scf.yield %t, %x : i32, i32
  }
  scf.while : () -> () {
    %c = arith.cmpi ne, %a, %zero : i32
    scf.condition(%c)
  } do {
    scf.yield
  }
  %q = scf.while (%x = %a) : (i32) -> i32 {
    %c = arith.cmpi ne, %x, %zero : i32
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%x: i32):
    scf.yield %x : i32
  } attributes {loom.note = "kept"}
  return %r#0, %r#1 : i32, i64
}

func.func @switches(%i: index) -> i32 {
  %a = arith.constant 1 : i32
  %0 = scf.index_switch %i -> i32
  case 2 {
    scf.yield %a : i32
  }
  case -5 {
    %b = arith.addi %a, %a : i32
    scf.yield %b : i32
  }
  default {
    scf.yield %a : i32
  }
  scf.index_switch %i
  case 0 {
    scf.yield
  }
  default {
  }
  scf.index_switch %i {mark = 1 : i8}
  default {
    scf.yield
  }
  return %0 : i32
}

func.func @regions(%c: i1, %a: i32) -> i32 {
  %0 = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1, ^bb2(%a : i32)
  ^bb1:
    %1 = arith.addi %a, %a : i32
    cf.br ^bb2(%1 : i32)
  ^bb2(%2: i32):
    scf.yield %2 : i32
  }
  scf.execute_region {
    scf.yield
  }
  return %0 : i32
}

func.func @parallels(%m: memref<?x?xf32>, %n: index, %s: index) -> f32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %o = arith.constant 1.0 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%s, %s) {
    memref.store %z, %m[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%s) {
  }
  %r:2 = scf.parallel (%i) = (%c0) to (%n) step (%s) init (%z, %o) -> (f32, f32) {
    %v = memref.load %m[%i, %c0] : memref<?x?xf32>
    scf.reduce(%v, %v : f32, f32) {
    ^bb0(%a: f32, %b: f32):
      %x = arith.addf %a, %b : f32
      scf.reduce.return %x : f32
    }, {
    ^bb0(%a: f32, %b: f32):
      %x = arith.mulf %a, %b : f32
      scf.reduce.return %x : f32
    }
  }
  %q = scf.parallel (%i) = (%c0) to (%n) step (%s) init (%z) -> f32 {
    scf.reduce(%z : f32) {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %a : f32
    }
  } {tiled}
  return %r#1 : f32
}

func.func @foralls(%n: index, %m: memref<?x4xi32>, %t: tensor<4xi32>) -> tensor<4xi32> {
  %z = arith.constant 0 : i32
  scf.forall (%i, %j) in (%n, 4) {
    memref.store %z, %m[%i, %j] : memref<?x4xi32>
  }
  scf.forall (%i) = (0) to (%n) step (2) {
    memref.store %z, %m[%i, %i] : memref<?x4xi32>
  } {mark = [1, 2]}
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xi32>) {
    scf.forall.in_parallel {
    }
  }
  return %r : tensor<4xi32>
}
