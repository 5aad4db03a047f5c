#here = loc("kernel.c":10:3)
module {
  func.func @f(%a: i32 loc("kernel.c":1:8), %b: i32 loc(unknown)) -> i32 {
    %0 = arith.addi %a, %b : i32 loc(#here)
    %1 = arith.addi %0, %b : i32 loc("named")
    %2 = arith.addi %1, %b : i32 loc("outer"("kernel.c":2:4))
    %3 = arith.addi %2, %b : i32 loc(callsite("g" at "kernel.c":7:1))
    %4 = arith.addi %3, %b : i32 loc(fused["kernel.c":3:1, "kernel.c":3:9])
    %5 = arith.addi %4, %b : i32 loc(fused<"pass">["x", #here])
    %6 = arith.addi %5, %b : i32 loc(unknown)
    cf.br ^bb1(%6 : i32) loc(#later)
  ^bb1(%x: i32 loc("kernel.c":4:4)):
    return %x : i32 loc("with \"quotes\" #here":5:6)
  } loc(#chain)
} loc("kernel.c":0:0)
#later = loc("kernel.c":11:1)
#chain = loc(callsite(#later at #here))
