func.func @branches(%n: i32, %c: i1) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero, %zero : i32, i32)
^head(%i: i32, %acc: i32):  // 2 preds: ^bb0, ^body
  %go = arith.cmpi slt, %i, %n : i32
  cf.cond_br %go, ^body, ^exit(%acc : i32)
^body:
  %next = arith.addi %i, %one : i32
  %sum = arith.addi %acc, %i : i32
  cf.br ^head(%next, %sum : i32, i32)
^exit(%r: i32):
  cf.assert %c, "must \"hold\"\0A"
  cf.switch %r : i32, [
    default: ^d(%r : i32),
    42: ^d(%zero : i32),
    -1: ^e(%one, %r : i32, i32)
  ]
^d(%x: i32):
  cf.switch %x : i32, [
    default: ^e(%x, %x : i32, i32)
  ]
^e(%y: i32, %z: i32):
  cf.cond_br %c, ^d(%y : i32), ^f
^f:
  return %z : i32
}
