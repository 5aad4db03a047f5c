// The examples of spec-fabric-mem.md, in modules that give them operands. The
// specification's spelling !dataflow.tagged is read as !fabric.tagged.
!w = !fabric.bits<32>
!t2 = !fabric.tagged<!fabric.bits<64>, i2>
!t3 = !fabric.tagged<!fabric.bits<64>, i3>

fabric.fifo @index [depth = 2] : (index) -> index
fabric.fifo @i32 [depth = 2] : (i32) -> i32
fabric.fifo @index_i2 [depth = 2] : (!dataflow.tagged<index, i2>) -> !dataflow.tagged<index, i2>
fabric.fifo @index_i3 [depth = 2] : (!dataflow.tagged<index, i3>) -> !dataflow.tagged<index, i3>
fabric.fifo @f32_i3 [depth = 2] : (!dataflow.tagged<f32, i3>) -> !dataflow.tagged<f32, i3>
fabric.fifo @i32_i2 [depth = 2] : (!dataflow.tagged<i32, i2>) -> !dataflow.tagged<i32, i2>

// Named form.
fabric.memory @scratchpad
    [ldCount = 2, stCount = 2, lsqDepth = 4, is_private = true]
    : memref<1024xi32>,
      (!dataflow.tagged<index, i2>, !dataflow.tagged<index, i2>,
       !dataflow.tagged<i32, i2>)
      -> (!dataflow.tagged<i32, i2>,
          !dataflow.tagged<none, i2>,
          !dataflow.tagged<none, i2>)

fabric.extmemory @dram_if
    [ldCount = 1, stCount = 1, lsqDepth = 4]
    : memref<?xf32>, (index, index, f32) -> (f32, none, none)

// An instance of it.
fabric.module @instances(%la: !t2, %sa: !t2, %sd: !t2) -> (!t2, !t2, !t2) {
  %ldaddr = fabric.instance @index_i2(%la) : (!t2) -> !dataflow.tagged<index, i2>
  %staddr = fabric.instance @index_i2(%sa) : (!t2) -> !dataflow.tagged<index, i2>
  %stdata = fabric.instance @i32_i2(%sd) : (!t2) -> !dataflow.tagged<i32, i2>
  %lddata, %lddone, %stdone = fabric.instance @scratchpad(%ldaddr, %staddr, %stdata)
      : (!dataflow.tagged<index, i2>, !dataflow.tagged<index, i2>,
         !dataflow.tagged<i32, i2>)
        -> (!dataflow.tagged<i32, i2>,
            !dataflow.tagged<none, i2>,
            !dataflow.tagged<none, i2>)
  fabric.yield %lddata, %lddone, %stdone : !dataflow.tagged<i32, i2>, !dataflow.tagged<none, i2>, !dataflow.tagged<none, i2>
}

// Inline form, one port each, no tags.
fabric.module @single(%la: !w, %sa: !w, %sd: !w) -> (!w, !w, !w) {
  %ldaddr = fabric.instance @index(%la) : (!w) -> index
  %staddr = fabric.instance @index(%sa) : (!w) -> index
  %stdata = fabric.instance @i32(%sd) : (!w) -> i32
  %lddata, %lddone, %stdone = fabric.memory
      [ldCount = 1, stCount = 1, lsqDepth = 4, is_private = true]
      (%ldaddr, %staddr, %stdata)
      : memref<256xi32>, (index, index, i32) -> (i32, none, none)
  fabric.yield %lddata, %lddone, %stdone : i32, none, none
}

// Inline form with several logical ports and tags.
fabric.module @multi(%memref: memref<?xf32>, %la: !t3, %sa: !t3, %sd: !t3) -> (!t3, !t3, !t3) {
  %ldaddr = fabric.instance @index_i3(%la) : (!t3) -> !dataflow.tagged<index, i3>
  %staddr = fabric.instance @index_i3(%sa) : (!t3) -> !dataflow.tagged<index, i3>
  %stdata = fabric.instance @f32_i3(%sd) : (!t3) -> !dataflow.tagged<f32, i3>
  %lddata, %lddone, %stdone = fabric.extmemory
      [ldCount = 4, stCount = 2, lsqDepth = 8]
      (%memref, %ldaddr, %staddr, %stdata)
      : memref<?xf32>,
        (!dataflow.tagged<index, i3>,
         !dataflow.tagged<index, i3>,
         !dataflow.tagged<f32, i3>)
        -> (!dataflow.tagged<f32, i3>,
            !dataflow.tagged<none, i3>,
            !dataflow.tagged<none, i3>)
  fabric.yield %lddata, %lddone, %stdone : !dataflow.tagged<f32, i3>, !dataflow.tagged<none, i3>, !dataflow.tagged<none, i3>
}

// A memory that the host can see.
fabric.module @export(%la: !w) -> (memref<1024xi16>, !w, !w) {
  %ldaddr = fabric.instance @index(%la) : (!w) -> index
  %mem, %lddata, %lddone = fabric.memory
      [ldCount = 1, stCount = 0, is_private = false]
      (%ldaddr)
      : memref<1024xi16>, (index) -> (memref<1024xi16>, i16, none)
  fabric.yield %mem, %lddata, %lddone : memref<1024xi16>, i16, none
}
