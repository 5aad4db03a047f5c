module {
  fabric.function_unit @mac(%a: i32, %b: i32, %c: i32) -> i32 [latency = 1, interval = 2] {
    %p = arith.muli %a, %b : i32
    %s = arith.addi %p, %c : i32
    fabric.yield %s : i32
  }
  fabric.function_unit @twice(%a: i32) -> i32 [latency = 0, interval = 1] {
    %s = arith.addi %a, %a : i32
    fabric.yield %s : i32
  }
  fabric.function_unit @extsi_i8_i32(%a: i8) -> i32 [latency = 0, interval = 1] {
    %0 = arith.extsi %a : i8 to i32
    fabric.yield %0 : i32
  }
  fabric.function_unit @extsi_i16_i32(%a: i16) -> i32 [latency = 0, interval = 1] {
    %0 = arith.extsi %a : i16 to i32
    fabric.yield %0 : i32
  }
  fabric.function_unit @stream_index_shl(%start: index, %step: index, %bound: index) -> (index, i1) [latency = -1, interval = -1] {
    %0:2 = dataflow.stream %start, %step, %bound {step_op = "<<=", cont_cond = "<"} : (index, index, index) -> (index, i1)
    fabric.yield %0#0, %0#1 : index, i1
  }
  fabric.function_unit @join_2(%in0: none, %in1: none) -> none [latency = 0, interval = 1] {
    %0 = handshake.join %in0, %in1 : none, none
    fabric.yield %0 : none
  }
  fabric.function_unit @constant_i1(%ctrl: none) -> i1 [latency = 0, interval = 1] {
    %0 = handshake.constant %ctrl {value = false} : i1
    fabric.yield %0 : i1
  }
  fabric.function_unit @mux_i32_3(%sel: index, %in0: i32, %in1: i32, %in2: i32) -> i32 [latency = 0, interval = 1] {
    %0 = handshake.mux %sel [%in0, %in1, %in2] : index, i32
    fabric.yield %0 : i32
  }
  fabric.spatial_pe @pe_one : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) {
    fabric.instance @mac
    fabric.instance @twice
    fabric.instance @extsi_i8_i32
    fabric.instance @extsi_i16_i32
    fabric.instance @stream_index_shl
    fabric.instance @join_2
    fabric.instance @constant_i1
    fabric.instance @mux_i32_3
  }
  fabric.spatial_sw @sw_like_0_0 [connectivity_table = [
    0, 1, 1, 1, 1, 1,
    1, 0, 1, 1, 1, 1,
    1, 1, 0, 0, 1, 1,
    1, 1, 0, 0, 0, 0,
    1, 1, 0, 0, 0, 0,
    1, 1, 1, 0, 1, 1]] : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
  fabric.spatial_sw @sw_like_0_1 [connectivity_table = [
    0, 1, 1, 1,
    1, 0, 1, 1,
    1, 1, 0, 1,
    1, 1, 0, 0]] : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
  fabric.spatial_sw @sw_like_1_1 [connectivity_table = [
    0, 1, 1, 1, 1, 1,
    1, 0, 1, 1, 1, 1,
    1, 1, 0, 0, 1, 1,
    1, 1, 0, 0, 0, 0,
    1, 1, 0, 0, 0, 0]] : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
  fabric.fifo @fifo_2 [depth = 2] : (!fabric.bits<32>) -> !fabric.bits<32>
  fabric.extmemory @extmemory_like_mem_0 [ldCount = 1, stCount = 1, lsqDepth = 2] : memref<?xi16>, (index, index, i16) -> (i16, none, none)
  fabric.memory @memory_like_spm_0 [ldCount = 1, stCount = 1, lsqDepth = 4, is_private = false, numRegion = 2] : memref<100xi32>, (index, index, i32) -> (memref<100xi32>, i32, none, none)
  fabric.module @tiny(%host_mem_0: memref<?xi16>, %in_0: !fabric.bits<32>, %in_1: !fabric.bits<32>) -> (memref<100xi32>, !fabric.bits<32>) [index_width = 32, loom.adg_max_join_fanin = 2] attributes {argNames = ["host_mem_0", "in_0", "in_1"], resNames = ["host_spm_0", "out_0"]} {
    %sw_0_0:6 = fabric.instance @sw_like_0_0(%link_0_1_w0, %link_1_0_n0, %pe_0_0#0, %mem_0#0, %mem_0#2, %in_0) {instance_name = "sw_0_0", loom.loc = array<i64: 0, 0>} : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, i16, none, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
    %sw_0_1:4 = fabric.instance @sw_like_0_1(%link_1_1_n0, %link_0_0_e0, %pe_0_0#1, %mem_0#1) {instance_name = "sw_0_1", loom.loc = array<i64: 2, 0>} : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, none) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
    %sw_1_0:4 = fabric.instance @sw_like_0_1(%link_0_0_s0, %link_1_1_w0, %pe_0_0#2, %spm_0#2) {instance_name = "sw_1_0", loom.loc = array<i64: 0, 2>} : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, none) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
    %sw_1_1:5 = fabric.instance @sw_like_1_1(%link_0_1_s0, %link_1_0_e0, %pe_0_0#3, %spm_0#1, %spm_0#3, %in_1) {instance_name = "sw_1_1", loom.loc = array<i64: 2, 2>} : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, i32, none, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
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
    %mem_0_ldaddr_q = fabric.instance @fifo_2(%sw_0_0#3) {instance_name = "mem_0_ldaddr_q", loom.loc = array<i64: 0, -1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %mem_0_staddr_q = fabric.instance @fifo_2(%sw_0_1#3) {instance_name = "mem_0_staddr_q", loom.loc = array<i64: 0, -1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %mem_0_stdata_q = fabric.instance @fifo_2(%sw_0_0#4) {instance_name = "mem_0_stdata_q", loom.loc = array<i64: 0, -1>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %mem_0:3 = fabric.instance @extmemory_like_mem_0(%host_mem_0, %mem_0_ldaddr_q, %mem_0_staddr_q, %mem_0_stdata_q) {instance_name = "mem_0", loom.loc = array<i64: 0, -1>} : (memref<?xi16>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (i16, none, none)
    %spm_0_ldaddr_q = fabric.instance @fifo_2(%sw_1_1#3) {instance_name = "spm_0_ldaddr_q", loom.loc = array<i64: 3, 2>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %spm_0_staddr_q = fabric.instance @fifo_2(%sw_1_0#3) {instance_name = "spm_0_staddr_q", loom.loc = array<i64: 3, 2>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %spm_0_stdata_q = fabric.instance @fifo_2(%sw_1_1#4) {instance_name = "spm_0_stdata_q", loom.loc = array<i64: 3, 2>} : (!fabric.bits<32>) -> !fabric.bits<32>
    %spm_0:4 = fabric.instance @memory_like_spm_0(%spm_0_ldaddr_q, %spm_0_staddr_q, %spm_0_stdata_q) {instance_name = "spm_0", loom.loc = array<i64: 3, 2>} : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (memref<100xi32>, i32, none, none)
    %out_0_q = fabric.instance @fifo_2(%sw_0_0#5) {instance_name = "out_0_q", loom.loc = array<i64: 0, 0>} : (!fabric.bits<32>) -> !fabric.bits<32>
    fabric.yield %spm_0#0, %out_0_q : memref<100xi32>, !fabric.bits<32>
  }
}
