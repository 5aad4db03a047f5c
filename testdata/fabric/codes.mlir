// A fabric on which every hardware error code can be provoked from its boundary: tag
// operations around a temporal switch, a spatial switch, a PE with a stream and a
// comparison, and all four kinds of memories. One access of each tagged memory and
// family has a lane, the other, bare, reaches the port with any tag and with halves of
// stores.
!t = !fabric.bits<32>
!h = !fabric.bits<16>
!d = !fabric.bits<1>
!t2 = !fabric.tagged<!t, i2>
!t3 = !fabric.tagged<!t, i3>
!index2 = !fabric.tagged<index, i2>
!none2 = !fabric.tagged<none, i2>
!i32_2 = !fabric.tagged<i32, i2>
!i16_2 = !fabric.tagged<i16, i2>

fabric.add_tag @tag : (!t) -> !t2
fabric.add_tag @tag_index : (index) -> !index2
fabric.add_tag @tag_i32 : (i32) -> !i32_2
fabric.add_tag @tag_i16 : (i16) -> !i16_2
fabric.del_tag @untag2 : (!t2) -> !t
fabric.del_tag @untag3 : (!t3) -> !t
fabric.del_tag @untag_i32 : (!i32_2) -> i32
fabric.del_tag @untag_i16 : (!i16_2) -> i16
fabric.del_tag @untag_none : (!none2) -> none
fabric.map_tag @map [table_size = 3] : (!t2) -> !t3
fabric.temporal_sw @exchange [num_route_table = 4] : (!t2, !t2, !t2) -> (!t2, !t2)
fabric.temporal_sw @merge_index [num_route_table = 2] : (!index2, !index2) -> !index2
fabric.temporal_sw @merge_i32 [num_route_table = 2] : (!i32_2, !i32_2) -> !i32_2
fabric.temporal_sw @merge_i16 [num_route_table = 2] : (!i16_2, !i16_2) -> !i16_2
fabric.temporal_sw @split_i32 [num_route_table = 2] : (!i32_2) -> (!i32_2, !i32_2)
fabric.temporal_sw @split_i16 [num_route_table = 2] : (!i16_2) -> (!i16_2, !i16_2)
fabric.temporal_sw @split_none [num_route_table = 2] : (!none2) -> (!none2, !none2)
fabric.load_lane @load_i32 [depth = 4] : (index, !i32_2, !none2) -> (!index2, i32, none)
fabric.load_lane @load_i16 [depth = 6] : (index, !i16_2, !none2) -> (!index2, i16, none)
fabric.store_lane @store_i32 [lsqDepth = 2, depth = 4] : (index, i32, !none2) -> (!index2, !i32_2, none)
fabric.store_lane @store_i16 [lsqDepth = 2, depth = 4] : (index, i16, !none2) -> (!index2, !i16_2, none)
fabric.spatial_sw @steer : (!t, !t) -> (!t, !t)
fabric.memory @ram_def [ldCount = 2, stCount = 2, lsqDepth = 2, is_private = false, numRegion = 3]
  : memref<24xi32>, (!index2, !index2, !i32_2) -> (memref<24xi32>, !i32_2, !none2, !none2)
fabric.memory @pad_def [ldCount = 1, stCount = 1, lsqDepth = 2, is_private = false, numRegion = 2]
  : memref<12xi16>, (index, index, i16) -> (memref<12xi16>, i16, none, none)
fabric.extmemory @dram_def [ldCount = 2, stCount = 2, lsqDepth = 2, numRegion = 3] {loom.bounds = true}
  : memref<?xi16>, (!index2, !index2, !i16_2) -> (!i16_2, !none2, !none2)
fabric.extmemory @far_def [ldCount = 1, stCount = 1, lsqDepth = 2, numRegion = 2] {loom.bounds = true}
  : memref<?xi32>, (index, index, i32) -> (i32, none, none)
fabric.spatial_pe @pe_def : (!t, !t, !t) -> (!t, !t) {
  fabric.function_unit @count(%start: i32, %step: i32, %bound: i32) -> (i32, i1) [latency = -1, interval = -1] {
    %r:2 = dataflow.stream %start, %step, %bound {step_op = "+=", cont_cond = "<"} : (i32, i32, i32) -> (i32, i1)
    fabric.yield %r#0, %r#1 : i32, i1
  }
  fabric.function_unit @compare(%a: i32, %b: i32) -> i1 [latency = 1, interval = 1] {
    %r = arith.cmpi slt, %a, %b : i32
    fabric.yield %r : i1
  }
}

fabric.module @codes(%dram_mem: memref<?xi16>, %far_mem: memref<?xi32>,
    %t0: !t, %t1: !t, %t2: !t, %s0: !t, %s1: !t, %p0: !t, %p1: !t, %p2: !t,
    %ram_ld0: !t, %ram_ld1: !t, %ram_st0: !t, %ram_st0v: !t, %ram_st1: !t, %ram_st1v: !t,
    %dram_ld0: !t, %dram_ld1: !t, %dram_st0: !t, %dram_st0v: !t, %dram_st1: !t, %dram_st1v: !t,
    %pad_ld: !t, %pad_st: !t, %pad_stv: !t, %far_ld: !t, %far_st: !t, %far_stv: !t)
    -> (memref<24xi32>, memref<12xi16>, !t, !t, !t, !t, !t, !t,
        !t, !d, !t, !d, !d, !d, !h, !d, !h, !d, !d, !d, !h, !d, !d, !t, !d, !d)
    [index_width = 32, deadlock_timeout = 60] attributes {
      argNames = ["dram_mem", "far_mem", "t0", "t1", "t2", "s0", "s1", "p0", "p1", "p2",
        "ram_ld0", "ram_ld1", "ram_st0", "ram_st0v", "ram_st1", "ram_st1v",
        "dram_ld0", "dram_ld1", "dram_st0", "dram_st0v", "dram_st1", "dram_st1v",
        "pad_ld", "pad_st", "pad_stv", "far_ld", "far_st", "far_stv"],
      resNames = ["ram_mem", "pad_mem", "mapped", "passed", "steered0", "steered1", "pe0", "pe1",
        "ram_ld0v", "ram_ld0d", "ram_ld1v", "ram_ld1d", "ram_st0d", "ram_st1d",
        "dram_ld0v", "dram_ld0d", "dram_ld1v", "dram_ld1d", "dram_st0d", "dram_st1d",
        "pad_ldv", "pad_ldd", "pad_std", "far_ldv", "far_ldd", "far_std"]} {
  // Tags alone.
  %tag0 = fabric.instance @tag(%t0) {instance_name = "tag0"} : (!t) -> !t2
  %tag1 = fabric.instance @tag(%t1) {instance_name = "tag1"} : (!t) -> !t2
  %tag2 = fabric.instance @tag(%t2) {instance_name = "tag2"} : (!t) -> !t2
  %x:2 = fabric.instance @exchange(%tag0, %tag1, %tag2) {instance_name = "exchange"} : (!t2, !t2, !t2) -> (!t2, !t2)
  %m = fabric.instance @map(%x#0) {instance_name = "map"} : (!t2) -> !t3
  %mapped = fabric.instance @untag3(%m) {instance_name = "untag_mapped"} : (!t3) -> !t
  %passed = fabric.instance @untag2(%x#1) {instance_name = "untag_passed"} : (!t2) -> !t

  %s:2 = fabric.instance @steer(%s0, %s1) {instance_name = "steer"} : (!t, !t) -> (!t, !t)
  %pe:2 = fabric.instance @pe_def(%p0, %p1, %p2) {instance_name = "pe"} : (!t, !t, !t) -> (!t, !t)

  // The tagged memory on chip.
  %rl0:3 = fabric.instance @load_i32(%ram_ld0, %rd#0, %rf#0) {instance_name = "ram_load"} : (!t, !i32_2, !none2) -> (!index2, i32, none)
  %rl1 = fabric.instance @tag_index(%ram_ld1) {instance_name = "ram_ld1_tag"} : (!t) -> !index2
  %rla = fabric.instance @merge_index(%rl0#0, %rl1) {instance_name = "ram_ldaddr"} : (!index2, !index2) -> !index2
  %rs0:3 = fabric.instance @store_i32(%ram_st0, %ram_st0v, %rs#0) {instance_name = "ram_store"}
    : (!t, !t, !none2) -> (!index2, !i32_2, none)
  %rs1a = fabric.instance @tag_index(%ram_st1) {instance_name = "ram_st1_tag"} : (!t) -> !index2
  %rs1d = fabric.instance @tag_i32(%ram_st1v) {instance_name = "ram_st1v_tag"} : (!t) -> !i32_2
  %rsa = fabric.instance @merge_index(%rs0#0, %rs1a) {instance_name = "ram_staddr"} : (!index2, !index2) -> !index2
  %rsd = fabric.instance @merge_i32(%rs0#1, %rs1d) {instance_name = "ram_stdata"} : (!i32_2, !i32_2) -> !i32_2
  %ram:4 = fabric.instance @ram_def(%rla, %rsa, %rsd) {instance_name = "ram"}
    : (!index2, !index2, !i32_2) -> (memref<24xi32>, !i32_2, !none2, !none2)
  %rd:2 = fabric.instance @split_i32(%ram#1) {instance_name = "ram_lddata"} : (!i32_2) -> (!i32_2, !i32_2)
  %rf:2 = fabric.instance @split_none(%ram#2) {instance_name = "ram_lddone"} : (!none2) -> (!none2, !none2)
  %rs:2 = fabric.instance @split_none(%ram#3) {instance_name = "ram_stdone"} : (!none2) -> (!none2, !none2)
  %rl1v = fabric.instance @untag_i32(%rd#1) {instance_name = "ram_ld1v_untag"} : (!i32_2) -> i32
  %rl1f = fabric.instance @untag_none(%rf#1) {instance_name = "ram_ld1d_untag"} : (!none2) -> none
  %rs1f = fabric.instance @untag_none(%rs#1) {instance_name = "ram_st1d_untag"} : (!none2) -> none

  // The tagged external memory.
  %dl0:3 = fabric.instance @load_i16(%dram_ld0, %dd#0, %df#0) {instance_name = "dram_load"} : (!t, !i16_2, !none2) -> (!index2, i16, none)
  %dl1 = fabric.instance @tag_index(%dram_ld1) {instance_name = "dram_ld1_tag"} : (!t) -> !index2
  %dla = fabric.instance @merge_index(%dl0#0, %dl1) {instance_name = "dram_ldaddr"} : (!index2, !index2) -> !index2
  %ds0:3 = fabric.instance @store_i16(%dram_st0, %dram_st0v, %ds#0) {instance_name = "dram_store"}
    : (!t, !t, !none2) -> (!index2, !i16_2, none)
  %ds1a = fabric.instance @tag_index(%dram_st1) {instance_name = "dram_st1_tag"} : (!t) -> !index2
  %ds1d = fabric.instance @tag_i16(%dram_st1v) {instance_name = "dram_st1v_tag"} : (!t) -> !i16_2
  %dsa = fabric.instance @merge_index(%ds0#0, %ds1a) {instance_name = "dram_staddr"} : (!index2, !index2) -> !index2
  %dsd = fabric.instance @merge_i16(%ds0#1, %ds1d) {instance_name = "dram_stdata"} : (!i16_2, !i16_2) -> !i16_2
  %dram:3 = fabric.instance @dram_def(%dram_mem, %dla, %dsa, %dsd) {instance_name = "dram"}
    : (memref<?xi16>, !index2, !index2, !i16_2) -> (!i16_2, !none2, !none2)
  %dd:2 = fabric.instance @split_i16(%dram#0) {instance_name = "dram_lddata"} : (!i16_2) -> (!i16_2, !i16_2)
  %df:2 = fabric.instance @split_none(%dram#1) {instance_name = "dram_lddone"} : (!none2) -> (!none2, !none2)
  %ds:2 = fabric.instance @split_none(%dram#2) {instance_name = "dram_stdone"} : (!none2) -> (!none2, !none2)
  %dl1v = fabric.instance @untag_i16(%dd#1) {instance_name = "dram_ld1v_untag"} : (!i16_2) -> i16
  %dl1f = fabric.instance @untag_none(%df#1) {instance_name = "dram_ld1d_untag"} : (!none2) -> none
  %ds1f = fabric.instance @untag_none(%ds#1) {instance_name = "dram_st1d_untag"} : (!none2) -> none

  // Memories with one port of each kind.
  %pad:4 = fabric.instance @pad_def(%pad_ld, %pad_st, %pad_stv) {instance_name = "pad"} : (!t, !t, !t) -> (memref<12xi16>, i16, none, none)
  %far:3 = fabric.instance @far_def(%far_mem, %far_ld, %far_st, %far_stv) {instance_name = "far"}
    : (memref<?xi32>, !t, !t, !t) -> (i32, none, none)

  fabric.yield %ram#0, %pad#0, %mapped, %passed, %s#0, %s#1, %pe#0, %pe#1,
    %rl0#1, %rl0#2, %rl1v, %rl1f, %rs0#2, %rs1f, %dl0#1, %dl0#2, %dl1v, %dl1f, %ds0#2, %ds1f,
    %pad#1, %pad#2, %pad#3, %far#0, %far#1, %far#2
    : memref<24xi32>, memref<12xi16>, !t, !t, !t, !t, !t, !t,
      i32, none, i32, none, none, none, i16, none, i16, none, none, none, i16, none, none, i32, none, none
}
