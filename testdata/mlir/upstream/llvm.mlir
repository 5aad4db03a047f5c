func.func @fences(%a: memref<4xi32>, %v: i32, %i: index) -> i32 {
  memref.store %v, %a[%i] : memref<4xi32>
  llvm.fence release
  llvm.fence syncscope("agent") acq_rel
  "llvm.fence"() <{ordering = 7 : i64, syncscope = "a\22b"}> : () -> ()
  %r = llvm.intr.bitreverse(%v) : (i32) -> i32
  scf.for %k = %i to %i step %i {
    llvm.fence acquire {note}
    llvm.fence syncscope("singlethread") seq_cst
  }
  return %r : i32
}
