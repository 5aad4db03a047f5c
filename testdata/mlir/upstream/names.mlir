// Names: reuse in sibling regions, packs, shadow-free nesting, odd characters.
func.func @names(%arg0: i1, %x: i32, %0: i32) -> i32 {
  %a-b = arith.addi %x, %0 : i32
  %$odd.name_ = arith.addi %a-b, %x : i32
  %_ = arith.addi %$odd.name_, %x : i32
  scf.if %arg0 {
    %inner = arith.addi %x, %x : i32
    %7 = arith.addi %inner, %x : i32
  } else {
    %inner = arith.subi %x, %x : i32
  }
  %inner = arith.muli %x, %x : i32
  %p:2 = scf.if %arg0 -> (i32, i32) {
    scf.yield %x, %inner : i32, i32
  } else {
    scf.yield %inner, %x : i32, i32
  }
  %q, %r:2 = scf.execute_region -> (i32, i32, i32) {
    scf.yield %p#0, %p#1, %x : i32, i32, i32
  }
  %5, %6 = scf.if %arg0 -> (i32, i32) {
    scf.yield %x, %r#1 : i32, i32
  } else {
    scf.yield %q, %r#0 : i32, i32
  }
  %sum = arith.addi %5, %6 : i32
  return %sum : i32
}
func.func @generic(%a: i32, %m: memref<4xi32>) -> i32 {
  %0 = "arith.constant"() <{value = 3 : index}> : () -> index
  %1 = "memref.load"(%m, %0) <{nontemporal = false}> : (memref<4xi32>, index) -> i32
  %2 = "arith.addi"(%a, %1) <{overflowFlags = #arith.overflow<none>}> {tag} : (i32, i32) -> i32
  %3 = "arith.cmpi"(%2, %a) {predicate = 2 : i64} : (i32, i32) -> i1
  %4 = "scf.if"(%3) ({
    "scf.yield"(%2) : (i32) -> ()
  }, {
    "scf.yield"(%a) : (i32) -> ()
  }) : (i1) -> i32
  "scf.if"(%3) ({
    "scf.yield"() : () -> ()
  }, {
  }) : (i1) -> ()
  "func.return"(%4) : (i32) -> ()
}
