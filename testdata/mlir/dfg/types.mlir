// Types of fabrics and types that LOOM passes through.
module {
  func.func private @transport(!fabric.bits<1>, !fabric.bits<4096>, !fabric.tagged<!fabric.bits<32>, i4>, !dataflow.tagged<i32, i1>, !fabric.tagged<index, i16>, !fabric.tagged<none, i2>, memref<4x!fabric.bits<8>>, !other.type<"a b", [1, 2]>, !other.plain)
}
