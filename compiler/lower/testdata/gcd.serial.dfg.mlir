module {
  handshake.func @gcd(%a: i32, %b: i32, %start: none, ...) -> (i32, none) attributes {argNames = ["a", "b", "start"], resNames = ["out0", "done"]} {
    %x = dataflow.carry %more, %a, %y_0 : i1, i32, i32 -> i32
    %y = dataflow.carry %more, %b, %next : i1, i32, i32 -> i32
    %start_0 = dataflow.invariant %more, %start : i1, none -> none
    %zero = constant %start_0 {value = 0 : i32} : i32
    %more = arith.cmpi ne, %y, %zero : i32
    %x_0, %x_1 = cond_br %more, %x : i32
    %y_0, %y_1 = cond_br %more, %y : i32
    %next = arith.remui %x_0, %y_0 : i32
    return %x_1, %start : i32, none
  }
}
