// The examples of spec-fabric-mem.md, in modules that give them operands: each
// access reaches a memory with several ports through a lane. The specification's
// spelling !dataflow.tagged is read as !fabric.tagged.
!w = !fabric.bits<64>

!index2 = !fabric.tagged<index, i2>
!i32_2 = !fabric.tagged<i32, i2>
!none2 = !fabric.tagged<none, i2>
fabric.load_lane @load2 [depth = 4] : (index, !i32_2, !none2) -> (!index2, i32, none)
fabric.store_lane @store2 [lsqDepth = 4, depth = 4] : (index, i32, !none2) -> (!index2, !i32_2, none)
fabric.temporal_sw @merge_index2 [num_route_table = 2] : (!index2, !index2) -> !index2
fabric.temporal_sw @merge_i32_2 [num_route_table = 2] : (!i32_2, !i32_2) -> !i32_2
fabric.temporal_sw @split_i32_2 [num_route_table = 2] : (!i32_2) -> (!i32_2, !i32_2)
fabric.temporal_sw @split_none2 [num_route_table = 2] : (!none2) -> (!none2, !none2)

!index3 = !fabric.tagged<index, i3>
!f32_3 = !fabric.tagged<f32, i3>
!none3 = !fabric.tagged<none, i3>
fabric.load_lane @load3 [depth = 4] : (index, !f32_3, !none3) -> (!index3, f32, none)
fabric.store_lane @store3 [lsqDepth = 8, depth = 8] : (index, f32, !none3) -> (!index3, !f32_3, none)
fabric.temporal_sw @merge2_index3 [num_route_table = 2] : (!index3, !index3) -> !index3
fabric.temporal_sw @merge4_index3 [num_route_table = 4] : (!index3, !index3, !index3, !index3) -> !index3
fabric.temporal_sw @merge_f32_3 [num_route_table = 2] : (!f32_3, !f32_3) -> !f32_3
fabric.temporal_sw @split_f32_3 [num_route_table = 4] : (!f32_3) -> (!f32_3, !f32_3, !f32_3, !f32_3)
fabric.temporal_sw @split4_none3 [num_route_table = 4] : (!none3) -> (!none3, !none3, !none3, !none3)
fabric.temporal_sw @split2_none3 [num_route_table = 2] : (!none3) -> (!none3, !none3)

fabric.fifo @index [depth = 2] : (index) -> index
fabric.fifo @i32 [depth = 2] : (i32) -> i32
fabric.fifo @f32 [depth = 2] : (f32) -> f32

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
fabric.module @instances(%la0: !w, %la1: !w, %sa0: !w, %sd0: !w, %sa1: !w, %sd1: !w)
    -> (!w, !w, !w, !w, !w, !w) {
  %ld0:3 = fabric.instance @load2(%la0, %data#0, %done#0) {tag = 0} : (!w, !i32_2, !none2) -> (!index2, i32, none)
  %ld1:3 = fabric.instance @load2(%la1, %data#1, %done#1) {tag = 1} : (!w, !i32_2, !none2) -> (!index2, i32, none)
  %st0:3 = fabric.instance @store2(%sa0, %sd0, %stored#0) {tag = 0} : (!w, !w, !none2) -> (!index2, !i32_2, none)
  %st1:3 = fabric.instance @store2(%sa1, %sd1, %stored#1) {tag = 1} : (!w, !w, !none2) -> (!index2, !i32_2, none)
  %ldaddr = fabric.instance @merge_index2(%ld0#0, %ld1#0) : (!index2, !index2) -> !index2
  %staddr = fabric.instance @merge_index2(%st0#0, %st1#0) : (!index2, !index2) -> !index2
  %stdata = fabric.instance @merge_i32_2(%st0#1, %st1#1) : (!i32_2, !i32_2) -> !i32_2
  %lddata, %lddone, %stdone = fabric.instance @scratchpad(%ldaddr, %staddr, %stdata)
      : (!dataflow.tagged<index, i2>, !dataflow.tagged<index, i2>,
         !dataflow.tagged<i32, i2>)
        -> (!dataflow.tagged<i32, i2>,
            !dataflow.tagged<none, i2>,
            !dataflow.tagged<none, i2>)
  %data:2 = fabric.instance @split_i32_2(%lddata) : (!i32_2) -> (!i32_2, !i32_2)
  %done:2 = fabric.instance @split_none2(%lddone) : (!none2) -> (!none2, !none2)
  %stored:2 = fabric.instance @split_none2(%stdone) : (!none2) -> (!none2, !none2)
  fabric.yield %ld0#1, %ld0#2, %ld1#1, %ld1#2, %st0#2, %st1#2 : i32, none, i32, none, none, none
}

// The other one, bound to a memref of the module.
fabric.module @bound(%memref: memref<?xf32>, %la: !w, %sa: !w, %sd: !w) -> (!w, !w, !w) {
  %lddata, %lddone, %stdone = fabric.instance @dram_if(%memref, %la, %sa, %sd) : (memref<?xf32>, !w, !w, !w) -> (f32, none, none)
  fabric.yield %lddata, %lddone, %stdone : f32, none, none
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
fabric.module @multi(%memref: memref<?xf32>, %la0: !w, %la1: !w, %la2: !w, %la3: !w, %sa0: !w, %sd0: !w, %sa1: !w, %sd1: !w)
    -> (!w, !w, !w, !w, !w, !w) {
  %ld0:3 = fabric.instance @load3(%la0, %data#0, %done#0) {tag = 0} : (!w, !f32_3, !none3) -> (!index3, f32, none)
  %ld1:3 = fabric.instance @load3(%la1, %data#1, %done#1) {tag = 1} : (!w, !f32_3, !none3) -> (!index3, f32, none)
  %ld2:3 = fabric.instance @load3(%la2, %data#2, %done#2) {tag = 2} : (!w, !f32_3, !none3) -> (!index3, f32, none)
  %ld3:3 = fabric.instance @load3(%la3, %data#3, %done#3) {tag = 3} : (!w, !f32_3, !none3) -> (!index3, f32, none)
  // Lanes can be used on the spot as well; their operands then have the lane's types.
  %a0 = fabric.instance @index(%sa0) : (!w) -> index
  %d0 = fabric.instance @f32(%sd0) : (!w) -> f32
  %st0:3 = fabric.store_lane [lsqDepth = 8, depth = 8] {tag = 0} (%a0, %d0, %stored#0) : (index, f32, !none3) -> (!index3, !f32_3, none)
  %st1:3 = fabric.instance @store3(%sa1, %sd1, %stored#1) {tag = 1} : (!w, !w, !none3) -> (!index3, !f32_3, none)
  %ldaddr = fabric.instance @merge4_index3(%ld0#0, %ld1#0, %ld2#0, %ld3#0) : (!index3, !index3, !index3, !index3) -> !index3
  %staddr = fabric.instance @merge2_index3(%st0#0, %st1#0) : (!index3, !index3) -> !index3
  %stdata = fabric.instance @merge_f32_3(%st0#1, %st1#1) : (!f32_3, !f32_3) -> !f32_3
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
  %data:4 = fabric.instance @split_f32_3(%lddata) : (!f32_3) -> (!f32_3, !f32_3, !f32_3, !f32_3)
  %done:4 = fabric.instance @split4_none3(%lddone) : (!none3) -> (!none3, !none3, !none3, !none3)
  %stored:2 = fabric.instance @split2_none3(%stdone) : (!none3) -> (!none3, !none3)
  fabric.yield %ld0#1, %ld1#1, %ld2#1, %ld3#1, %st0#2, %st1#2 : f32, f32, f32, f32, none, none
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
