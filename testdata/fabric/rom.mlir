// Read-only memory is memory without store ports (spec-fabric-mem.md, "Read-Only Memory
// Mapping"): stCount = 0, given or left out, and no store queue. Its contents come
// from the host, or through the memref of the module.
!w = !fabric.bits<64>
!index2 = !fabric.tagged<index, i2>
!i16_2 = !fabric.tagged<i16, i2>
!none2 = !fabric.tagged<none, i2>

fabric.memory @table [ldCount = 1, stCount = 0, lsqDepth = 0, is_private = false] : memref<1024xi16>, (index) -> (memref<1024xi16>, i16, none)
fabric.extmemory @external [ldCount = 1, stCount = 0] : memref<?xi16>, (index) -> (i16, none)
fabric.memory @shared [ldCount = 3, is_private = false] : memref<64xi16>, (!index2) -> (memref<64xi16>, !i16_2, !none2)
fabric.extmemory @shared_external [ldCount = 3, stCount = 0, numRegion = 3] : memref<?xi16>, (!index2) -> (!i16_2, !none2)

fabric.fifo @index [depth = 2] : (index) -> index
fabric.load_lane @lane [depth = 4] : (index, !i16_2, !none2) -> (!index2, i16, none)
fabric.temporal_sw @merge [num_route_table = 3] : (!index2, !index2, !index2) -> !index2
fabric.temporal_sw @split [num_route_table = 3] : (!i16_2) -> (!i16_2, !i16_2, !i16_2)
fabric.temporal_sw @split_done [num_route_table = 3] : (!none2) -> (!none2, !none2, !none2)

fabric.module @one_port(%host: memref<?xi16>, %a: !w, %b: !w, %c: !w) -> (memref<1024xi16>, !w, !w, !w) {
  %rom:3 = fabric.instance @table(%a) : (!w) -> (memref<1024xi16>, i16, none)
  %ext:2 = fabric.instance @external(%host, %b) : (memref<?xi16>, !w) -> (i16, none)
  %addr = fabric.instance @index(%c) : (!w) -> index
  %inline:2 = fabric.memory [ldCount = 1] (%addr) : memref<16xi8>, (index) -> (i8, none)
  fabric.yield %rom#0, %rom#1, %ext#0, %inline#0 : memref<1024xi16>, i16, i16, i8
}

fabric.module @several_ports(%host: memref<?xi16>, %a: !w, %b: !w, %c: !w, %d: !w, %e: !w, %f: !w)
    -> (memref<64xi16>, !w, !w, !w, !w, !w, !w) {
  %l0:3 = fabric.instance @lane(%a, %data#0, %done#0) {tag = 0} : (!w, !i16_2, !none2) -> (!index2, i16, none)
  %l1:3 = fabric.instance @lane(%b, %data#1, %done#1) {tag = 1} : (!w, !i16_2, !none2) -> (!index2, i16, none)
  %l2:3 = fabric.instance @lane(%c, %data#2, %done#2) {tag = 2} : (!w, !i16_2, !none2) -> (!index2, i16, none)
  %req = fabric.instance @merge(%l0#0, %l1#0, %l2#0) : (!index2, !index2, !index2) -> !index2
  %rom:3 = fabric.instance @shared(%req) : (!index2) -> (memref<64xi16>, !i16_2, !none2)
  %data:3 = fabric.instance @split(%rom#1) : (!i16_2) -> (!i16_2, !i16_2, !i16_2)
  %done:3 = fabric.instance @split_done(%rom#2) : (!none2) -> (!none2, !none2, !none2)

  %x0:3 = fabric.instance @lane(%d, %xdata#0, %xdone#0) {tag = 0} : (!w, !i16_2, !none2) -> (!index2, i16, none)
  %x1:3 = fabric.instance @lane(%e, %xdata#1, %xdone#1) {tag = 1} : (!w, !i16_2, !none2) -> (!index2, i16, none)
  %x2:3 = fabric.instance @lane(%f, %xdata#2, %xdone#2) {tag = 2} : (!w, !i16_2, !none2) -> (!index2, i16, none)
  %xreq = fabric.instance @merge(%x0#0, %x1#0, %x2#0) : (!index2, !index2, !index2) -> !index2
  %ext:2 = fabric.instance @shared_external(%host, %xreq) : (memref<?xi16>, !index2) -> (!i16_2, !none2)
  %xdata:3 = fabric.instance @split(%ext#0) : (!i16_2) -> (!i16_2, !i16_2, !i16_2)
  %xdone:3 = fabric.instance @split_done(%ext#1) : (!none2) -> (!none2, !none2, !none2)
  fabric.yield %rom#0, %l0#1, %l1#1, %l2#1, %x0#1, %x1#1, %x2#1 : memref<64xi16>, i16, i16, i16, i16, i16, i16
}
