handshake.func @scale(%a: memref<?xi32>, %b: memref<?xi32>, %k: i32, %n: index, %start: none, ...) -> none
    attributes {argNames = ["a", "b", "k", "n", "start"], resNames = ["done"]} {
  %zero = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %idx, %go = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i, %more = dataflow.gate %idx, %go : index, i1 -> index, i1
  %kk = dataflow.invariant %more, %k : i1, i32 -> i32
  %tok = dataflow.invariant %more, %start : i1, none -> none
  %x, %xa = load [%i] %ld#0, %tok : index, i32
  %y = arith.muli %x, %kk : i32
  %d, %da = store [%i] %y, %tok : index, i32
  %ld:2 = extmemory[ld = 1, st = 0] (%a : memref<?xi32>) (%xa) {id = 0 : i32} : (index) -> (i32, none)
  %st = extmemory[ld = 0, st = 1] (%b : memref<?xi32>) (%d, %da) {id = 1 : i32} : (i32, index) -> none
  %m:3 = memory[ld = 1, st = 1] (%d, %da, %xa) {id = 2 : i32, lsq = false} : memref<10xi32>, (i32, index, index) -> (i32, none, none)
  %t, %f = cond_br %go, %k : i32
  %mx = mux %go [%t, %f] : i1, i32
  %j = join %ld#1, %st : none, none
  %q = fork [1] %mx : i32
  sink %q : i32
  return %j : none
}
