// Every handshake operation, port names left to the parser, values used before
// their definition.
module {
  handshake.func private @declared(i32, memref<4xi8>, none, ...) -> (i32, none) attributes {argNames = ["a", "m", "start"], resNames = ["r", "done"]}
  handshake.func @basic(%a: i32 {loom.width = 7 : i32}, %b: i32, %0: i1, %c: none) -> (i32, i32, none) {
    %br = br %a : i32
    %m = merge %br, %b, %late : i32
    %f:3 = fork [3] %m : i32
    %l:2 = lazy_fork [2] %c : none
    %q = buffer [2] seq %f#0 : i32
    %r = buffer [4] fifo %f#1 : i32
    %p = buffer [2] seq %r {initValues = [1, -2]} : i32
    %none = buffer [1] seq %l#1 {initValues = [0]} : none
    %never = never : tuple<i32, tuple<>, none>
    %na, %nb, %nc = unpack %never {loom.name = "t"} : tuple<i32, tuple<>, none>
    %pair = pack %na, %none : tuple<i32, none>
    %pa, %pb = handshake.unpack %pair : tuple<i32, none>
    %only = mux %0 [%p] : i1, i32
    %d, %i = control_merge %q, %r : i32, index
    %s:2 = sync %d, %l#0 : i32, none
    sink %i : index
    %src = source
    %k = constant %src {value = -5 : i8} : i8
    %x = constant %pb {value = 1.500000e+00 : f32} : f32
    %j = join %k, %x, %s#1 {mask = [true]} : i8, f32, none
    %t, %e = cond_br %0, %f#2 : i32
    %u, %v = handshake.cond_br %0, %c : none
    %late = mux %0 [%t, %e] {loom.name = "pick"} : i1, i32
    %wide = mux %i [%t, %e, %late] : index, i32
    %called, %done = instance @declared(%wide, %mem, %j) : (i32, memref<4xi8>, none) -> (i32, none)
    %mem = builtin.unrealized_conversion_cast to memref<4xi8>
    return %late, %called, %done : i32, i32, none
  }
  handshake.func @memories(%m: memref<?xf32>, %i: index, %w: i8, %c: none, ...) -> (f32, i8, none) {
    %x, %xa = load [%i] %e#0, %c : index, f32
    %y, %ya = load [%i] %o#0, %c : index, i8
    %z, %za = load [%i] %o#1, %c {loom.access = 3 : i32} : index, i8
    %d, %da = store [%i] %w, %c : index, i8
    %s, %sa = store [%i] %x, %c : index, f32
    %e:3 = extmemory[ld = 1, st = 1] (%m : memref<?xf32>) (%s, %sa, %xa) {id = 0 : i32, loom.group = "m"} : (f32, index, index) -> (f32, none, none)
    %o:5 = memory[ld = 2, st = 1] (%d, %da, %ya, %za) {id = 1 : i32, lsq = true} : memref<10xi8>, (i8, index, index, index) -> (i8, i8, none, none, none)
    %j = join %e#1, %e#2, %o#2, %o#3, %o#4 : none, none, none, none, none
    return %x, %y, %j : f32, i8, none
  }
  handshake.func @loops(%a: f64, %n: index, %k: i16, %c: none, ...) -> (f64, none) {
    %zero = constant %c {value = 0 : index} : index
    %one = constant %c {value = 1 : index} : index
    %i, %go = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "!=", loom.loop = 1 : i32} : (index, index, index) -> (index, i1)
    %h, %hgo = dataflow.stream %k, %k, %k {step_op = ">>=", cont_cond = ">="} : (i16, i16, i16) -> (i16, i1)
    %body, %more = dataflow.gate %i, %go {loom.loop = 1 : i32} : index, i1 -> index, i1
    %carried = dataflow.carry %go, %a, %next : i1, f64, f64 -> f64
    %in, %out = cond_br %go, %carried : f64
    %next = arith.mulf %in, %in : f64
    %tok = dataflow.invariant %more, %c : i1, none -> none
    %kept = dataflow.invariant %more, %a : i1, f64 -> f64
    return %out, %c : f64, none
  }
}
