module {
  fabric.function_unit @load_i32(%addr: index, %mem: i32, %ctrl: none) -> (i32, index) [latency = 0, interval = 1] {
    %0:2 = handshake.load [%addr] %mem, %ctrl : index, i32
    fabric.yield %0#0, %0#1 : i32, index
  }
  fabric.function_unit @store_i32(%addr: index, %data: i32, %ctrl: none) -> (i32, index) [latency = 0, interval = 1] {
    %0:2 = handshake.store [%addr] %data, %ctrl : index, i32
    fabric.yield %0#0, %0#1 : i32, index
  }
  fabric.function_unit @store_i16(%addr: index, %data: i16, %ctrl: none) -> (i16, index) [latency = 0, interval = 1] {
    %0:2 = handshake.store [%addr] %data, %ctrl : index, i16
    fabric.yield %0#0, %0#1 : i16, index
  }
  fabric.spatial_pe @pe_one : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) {
    fabric.instance @load_i32
    fabric.instance @store_i32
    fabric.instance @store_i16
  }
  fabric.spatial_sw @sw_like_0_0 [connectivity_table = [
    0, 1, 1, 1, 1, 1, 1,
    1, 0, 1, 1, 1, 1, 1,
    1, 1, 0, 1, 1, 1, 1,
    1, 1, 1, 0, 0, 0, 0,
    1, 1, 1, 0, 0, 0, 0,
    1, 1, 1, 0, 1, 0, 1]] : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
  fabric.spatial_sw @sw_like_0_1 [connectivity_table = [
    0, 1, 1, 1, 1,
    1, 0, 1, 1, 1,
    1, 1, 0, 1, 1,
    1, 1, 1, 0, 0,
    1, 1, 1, 0, 0]] : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
  fabric.spatial_sw @sw_like_1_0 [connectivity_table = [
    0, 1, 1, 1,
    1, 0, 1, 1,
    1, 1, 0, 1,
    1, 1, 1, 0,
    1, 1, 1, 0]] : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
  fabric.fifo @fifo_2 [depth = 2] : (!fabric.bits<32>) -> !fabric.bits<32>
  fabric.load_lane @load_lane_like_mem_0_ld0 [depth = 4] : (index, !fabric.tagged<i32, i2>, !fabric.tagged<none, i2>) -> (!fabric.tagged<index, i2>, i32, none)
  fabric.store_lane @store_lane_like_mem_0_st0 [lsqDepth = 4, depth = 4] : (index, i32, !fabric.tagged<none, i2>) -> (!fabric.tagged<index, i2>, !fabric.tagged<i32, i2>, none)
  fabric.temporal_sw @temporal_sw_like_mem_0_ldreq [num_route_table = 2] : (!fabric.tagged<index, i2>, !fabric.tagged<index, i2>) -> !fabric.tagged<index, i2>
  fabric.extmemory @extmemory_like_mem_0 [ldCount = 2, stCount = 1, lsqDepth = 4, numRegion = 2] {loom.axi_data_width = 64 : i64, loom.outstanding = 40 : i64} : memref<?xi32>, (!fabric.tagged<index, i2>, !fabric.tagged<index, i2>, !fabric.tagged<i32, i2>) -> (!fabric.tagged<i32, i2>, !fabric.tagged<none, i2>, !fabric.tagged<none, i2>)
  fabric.temporal_sw @temporal_sw_like_mem_0_lddata [num_route_table = 2] : (!fabric.tagged<i32, i2>) -> (!fabric.tagged<i32, i2>, !fabric.tagged<i32, i2>)
  fabric.temporal_sw @temporal_sw_like_mem_0_lddone [num_route_table = 2] : (!fabric.tagged<none, i2>) -> (!fabric.tagged<none, i2>, !fabric.tagged<none, i2>)
  fabric.store_lane @store_lane_like_spm_0_st0 [lsqDepth = 8, depth = 8] : (index, i16, !fabric.tagged<none, i2>) -> (!fabric.tagged<index, i2>, !fabric.tagged<i16, i2>, none)
  fabric.temporal_sw @temporal_sw_like_spm_0_stdata [num_route_table = 2] : (!fabric.tagged<i16, i2>, !fabric.tagged<i16, i2>) -> !fabric.tagged<i16, i2>
  fabric.memory @memory_like_spm_0 [ldCount = 0, stCount = 2, lsqDepth = 2, is_private = false, numRegion = 2] : memref<2048xi16>, (!fabric.tagged<index, i2>, !fabric.tagged<i16, i2>) -> (memref<2048xi16>, !fabric.tagged<none, i2>)
  fabric.module @bridge(%host_mem_0: memref<?xi32>, %in_0: !fabric.bits<32>) -> (memref<2048xi16>, !fabric.bits<32>) [index_width = 32, loom.adg_max_join_fanin = 0] attributes {argNames = ["host_mem_0", "in_0"], resNames = ["host_spm_0", "out_0"]} {
    %sw_0_0:6 = fabric.instance @sw_like_0_0(%link_0_1_w0, %link_1_0_n0, %pe_0_0#0, %mem_0_ld0#1, %mem_0_ld0#2, %mem_0_ld1#1, %in_0) {instance_name = "sw_0_0", loom.loc = array<i64: 0, 0>} : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, i32, none, i32, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
    %sw_0_1:5 = fabric.instance @sw_like_0_1(%link_1_1_n0, %link_0_0_e0, %pe_0_0#1, %mem_0_ld1#2, %mem_0_st0#2) {instance_name = "sw_0_1", loom.loc = array<i64: 2, 0>} : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, none, none) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
    %sw_1_0:5 = fabric.instance @sw_like_1_0(%link_0_0_s0, %link_1_1_w0, %pe_0_0#2, %spm_0_st1#2) {instance_name = "sw_1_0", loom.loc = array<i64: 0, 2>} : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, none) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
    %sw_1_1:5 = fabric.instance @sw_like_1_0(%link_0_1_s0, %link_1_0_e0, %pe_0_0#3, %spm_0_st0#2) {instance_name = "sw_1_1", loom.loc = array<i64: 2, 2>} : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, none) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
    %link_0_0_e0 = fabric.instance @fifo_2(%sw_0_0#0) {instance_name = "link_0_0_e0", loom.loc = array<i64: 1, 0>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %link_0_0_s0 = fabric.instance @fifo_2(%sw_0_0#1) {instance_name = "link_0_0_s0", loom.loc = array<i64: 0, 1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %link_0_1_s0 = fabric.instance @fifo_2(%sw_0_1#0) {instance_name = "link_0_1_s0", loom.loc = array<i64: 2, 1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %link_0_1_w0 = fabric.instance @fifo_2(%sw_0_1#1) {instance_name = "link_0_1_w0", loom.loc = array<i64: 1, 0>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %link_1_0_n0 = fabric.instance @fifo_2(%sw_1_0#0) {instance_name = "link_1_0_n0", loom.loc = array<i64: 0, 1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %link_1_0_e0 = fabric.instance @fifo_2(%sw_1_0#1) {instance_name = "link_1_0_e0", loom.loc = array<i64: 1, 2>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %link_1_1_n0 = fabric.instance @fifo_2(%sw_1_1#0) {instance_name = "link_1_1_n0", loom.loc = array<i64: 2, 1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %link_1_1_w0 = fabric.instance @fifo_2(%sw_1_1#1) {instance_name = "link_1_1_w0", loom.loc = array<i64: 1, 2>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %pe_0_0_q0 = fabric.instance @fifo_2(%sw_0_0#2) {instance_name = "pe_0_0_q0", loom.loc = array<i64: 1, 1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %pe_0_0_q1 = fabric.instance @fifo_2(%sw_0_1#2) {instance_name = "pe_0_0_q1", loom.loc = array<i64: 1, 1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %pe_0_0_q2 = fabric.instance @fifo_2(%sw_1_0#2) {instance_name = "pe_0_0_q2", loom.loc = array<i64: 1, 1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %pe_0_0_q3 = fabric.instance @fifo_2(%sw_1_1#2) {instance_name = "pe_0_0_q3", loom.loc = array<i64: 1, 1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %pe_0_0:4 = fabric.instance @pe_one(%pe_0_0_q0, %pe_0_0_q1, %pe_0_0_q2, %pe_0_0_q3) {instance_name = "pe_0_0", loom.loc = array<i64: 1, 1>} : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
    %mem_0_ld0_addr_q = fabric.instance @fifo_2(%sw_0_0#3) {instance_name = "mem_0_ld0_addr_q", loom.loc = array<i64: 0, -1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %mem_0_ld0:3 = fabric.instance @load_lane_like_mem_0_ld0(%mem_0_ld0_addr_q, %mem_0_lddata#0, %mem_0_lddone#0) {instance_name = "mem_0_ld0", loom.loc = array<i64: 0, -1>} : (!fabric.bits<32>, !fabric.tagged<i32, i2>, !fabric.tagged<none, i2>) -> (!fabric.tagged<index, i2>, i32, none)
    %mem_0_ld1_addr_q = fabric.instance @fifo_2(%sw_0_0#4) {instance_name = "mem_0_ld1_addr_q", loom.loc = array<i64: 0, -2>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %mem_0_ld1:3 = fabric.instance @load_lane_like_mem_0_ld0(%mem_0_ld1_addr_q, %mem_0_lddata#1, %mem_0_lddone#1) {instance_name = "mem_0_ld1", loom.loc = array<i64: 0, -2>} : (!fabric.bits<32>, !fabric.tagged<i32, i2>, !fabric.tagged<none, i2>) -> (!fabric.tagged<index, i2>, i32, none)
    %mem_0_st0_addr_q = fabric.instance @fifo_2(%sw_0_1#3) {instance_name = "mem_0_st0_addr_q", loom.loc = array<i64: 2, -1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %mem_0_st0_data_q = fabric.instance @fifo_2(%sw_0_1#4) {instance_name = "mem_0_st0_data_q", loom.loc = array<i64: 2, -1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %mem_0_st0:3 = fabric.instance @store_lane_like_mem_0_st0(%mem_0_st0_addr_q, %mem_0_st0_data_q, %mem_0#2) {instance_name = "mem_0_st0", loom.loc = array<i64: 2, -1>} : (!fabric.bits<32>, !fabric.bits<32>, !fabric.tagged<none, i2>) -> (!fabric.tagged<index, i2>, !fabric.tagged<i32, i2>, none)
    %mem_0_ldreq = fabric.instance @temporal_sw_like_mem_0_ldreq(%mem_0_ld0#0, %mem_0_ld1#0) {instance_name = "mem_0_ldreq", loom.loc = array<i64: -1, -3>} : (!fabric.tagged<index, i2>, !fabric.tagged<index, i2>) -> !fabric.tagged<index, i2>
    %mem_0:3 = fabric.instance @extmemory_like_mem_0(%host_mem_0, %mem_0_ldreq, %mem_0_st0#0, %mem_0_st0#1) {instance_name = "mem_0", loom.loc = array<i64: 0, -4>} : (memref<?xi32>, !fabric.tagged<index, i2>, !fabric.tagged<index, i2>, !fabric.tagged<i32, i2>) -> (!fabric.tagged<i32, i2>, !fabric.tagged<none, i2>, !fabric.tagged<none, i2>)
    %mem_0_lddata:2 = fabric.instance @temporal_sw_like_mem_0_lddata(%mem_0#0) {instance_name = "mem_0_lddata", loom.loc = array<i64: -1, -4>} : (!fabric.tagged<i32, i2>) -> (!fabric.tagged<i32, i2>, !fabric.tagged<i32, i2>)
    %mem_0_lddone:2 = fabric.instance @temporal_sw_like_mem_0_lddone(%mem_0#1) {instance_name = "mem_0_lddone", loom.loc = array<i64: -1, -5>} : (!fabric.tagged<none, i2>) -> (!fabric.tagged<none, i2>, !fabric.tagged<none, i2>)
    %spm_0_st0_addr_q = fabric.instance @fifo_2(%sw_1_1#3) {instance_name = "spm_0_st0_addr_q", loom.loc = array<i64: 3, 2>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %spm_0_st0_data_q = fabric.instance @fifo_2(%sw_1_1#4) {instance_name = "spm_0_st0_data_q", loom.loc = array<i64: 3, 2>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %spm_0_st0:3 = fabric.instance @store_lane_like_spm_0_st0(%spm_0_st0_addr_q, %spm_0_st0_data_q, %spm_0_stdone#0) {instance_name = "spm_0_st0", loom.loc = array<i64: 3, 2>} : (!fabric.bits<32>, !fabric.bits<32>, !fabric.tagged<none, i2>) -> (!fabric.tagged<index, i2>, !fabric.tagged<i16, i2>, none)
    %spm_0_st1_addr_q = fabric.instance @fifo_2(%sw_1_0#3) {instance_name = "spm_0_st1_addr_q", loom.loc = array<i64: 0, 3>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %spm_0_st1_data_q = fabric.instance @fifo_2(%sw_1_0#4) {instance_name = "spm_0_st1_data_q", loom.loc = array<i64: 0, 3>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %spm_0_st1:3 = fabric.instance @store_lane_like_spm_0_st0(%spm_0_st1_addr_q, %spm_0_st1_data_q, %spm_0_stdone#1) {instance_name = "spm_0_st1", loom.loc = array<i64: 0, 3>} : (!fabric.bits<32>, !fabric.bits<32>, !fabric.tagged<none, i2>) -> (!fabric.tagged<index, i2>, !fabric.tagged<i16, i2>, none)
    %spm_0_staddr = fabric.instance @temporal_sw_like_mem_0_ldreq(%spm_0_st0#0, %spm_0_st1#0) {instance_name = "spm_0_staddr", loom.loc = array<i64: -1, 4>} : (!fabric.tagged<index, i2>, !fabric.tagged<index, i2>) -> !fabric.tagged<index, i2>
    %spm_0_stdata = fabric.instance @temporal_sw_like_spm_0_stdata(%spm_0_st0#1, %spm_0_st1#1) {instance_name = "spm_0_stdata", loom.loc = array<i64: -1, 5>} : (!fabric.tagged<i16, i2>, !fabric.tagged<i16, i2>) -> !fabric.tagged<i16, i2>
    %spm_0:2 = fabric.instance @memory_like_spm_0(%spm_0_staddr, %spm_0_stdata) {instance_name = "spm_0", loom.loc = array<i64: 0, 5>} : (!fabric.tagged<index, i2>, !fabric.tagged<i16, i2>) -> (memref<2048xi16>, !fabric.tagged<none, i2>)
    %spm_0_stdone:2 = fabric.instance @temporal_sw_like_mem_0_lddone(%spm_0#1) {instance_name = "spm_0_stdone", loom.loc = array<i64: -1, 6>} : (!fabric.tagged<none, i2>) -> (!fabric.tagged<none, i2>, !fabric.tagged<none, i2>)
    %out_0_q = fabric.instance @fifo_2(%sw_0_0#5) {instance_name = "out_0_q", loom.loc = array<i64: 0, 0>} : (!fabric.bits<32>) -> !fabric.bits<32>
    fabric.yield %spm_0#0, %out_0_q : memref<2048xi16>, !fabric.bits<32>
  }
}
