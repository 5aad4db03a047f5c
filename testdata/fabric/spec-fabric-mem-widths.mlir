// The worked example of spec-fabric-mem.md, "Port Width by Category": elements of i32,
// two load ports, one store port, tags of clog2(2) = 1 bit. One bit is what the tags
// need; a half-open region cannot end after tag 1 then, which a warning reports.
!w = !fabric.bits<64>
!index1 = !fabric.tagged<index, i1>
!i32_1 = !fabric.tagged<i32, i1>
!none1 = !fabric.tagged<none, i1>
fabric.load_lane @load [depth = 4] : (index, !i32_1, !none1) -> (!index1, i32, none)
fabric.store_lane @store [lsqDepth = 4, depth = 4] : (index, i32, !none1) -> (!index1, !i32_1, none)
fabric.temporal_sw @merge [num_route_table = 2] : (!index1, !index1) -> !index1
fabric.temporal_sw @split [num_route_table = 2] : (!i32_1) -> (!i32_1, !i32_1)
fabric.temporal_sw @split_done [num_route_table = 2] : (!none1) -> (!none1, !none1)
fabric.memory @tagged [ldCount = 2, stCount = 1, lsqDepth = 4] : memref<256xi32>, (!index1, !index1, !i32_1) -> (!i32_1, !none1, !none1)
fabric.memory @plain [ldCount = 1, stCount = 1, lsqDepth = 4] : memref<256xi32>, (index, index, i32) -> (i32, none, none)

fabric.module @widths(%la0: !w, %la1: !w, %sa: !w, %sd: !w) -> (!w, !w, !w) {
  %ld0:3 = fabric.instance @load(%la0, %data#0, %done#0) {tag = 0} : (!w, !i32_1, !none1) -> (!index1, i32, none)
  %ld1:3 = fabric.instance @load(%la1, %data#1, %done#1) {tag = 1} : (!w, !i32_1, !none1) -> (!index1, i32, none)
  %st:3 = fabric.instance @store(%sa, %sd, %mem#2) {tag = 0} : (!w, !w, !none1) -> (!index1, !i32_1, none)
  %ldaddr = fabric.instance @merge(%ld0#0, %ld1#0) : (!index1, !index1) -> !index1
  %mem:3 = fabric.instance @tagged(%ldaddr, %st#0, %st#1) : (!index1, !index1, !i32_1) -> (!i32_1, !none1, !none1)
  %data:2 = fabric.instance @split(%mem#0) : (!i32_1) -> (!i32_1, !i32_1)
  %done:2 = fabric.instance @split_done(%mem#1) : (!none1) -> (!none1, !none1)
  fabric.yield %ld0#1, %ld1#1, %st#2 : i32, i32, none
}

// Without tags done ports have the one bit that hardware needs.
fabric.module @untagged(%la: !w, %sa: !w, %sd: !w) -> (!w, !w, !w) {
  %mem:3 = fabric.instance @plain(%la, %sa, %sd) : (!w, !w, !w) -> (i32, none, none)
  fabric.yield %mem#0, %mem#1, %mem#2 : i32, none, none
}
