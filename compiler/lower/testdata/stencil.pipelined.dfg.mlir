module {
  handshake.func @stencil(%a: memref<?xi32>, %weight: memref<?xi32>, %smooth: memref<?xi32>, %change: memref<?xi32>, %n: index, %start: none, ...) -> none attributes {argNames = ["a", "weight", "smooth", "change", "n", "start"], resNames = ["done"]} {
    %0 = constant %start {value = -1 : index} : index
    %end = arith.addi %n, %0 : index
    %one = constant %start {value = 1 : index} : index
    %runs = arith.cmpi sgt, %end, %one : index
    %start_0, %start_1 = cond_br %runs, %start : none
    %one_0 = constant %start_0 {value = 1 : index} : index
    %end_0, %end_1 = cond_br %runs, %end : index
    %i_raw, %i_more = dataflow.stream %one_0, %one_0, %end_0 {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
    %i, %i_next = dataflow.gate %i_raw, %i_more : index, i1 -> index, i1
    %start_2 = dataflow.invariant %i_next, %start_0 : i1, none -> none
    %1 = constant %start_2 {value = -1 : index} : index
    %before = arith.addi %i, %1 : index
    %one_1 = constant %start_2 {value = 1 : index} : index
    %after = arith.addi %i, %one_1 : index
    %l, %a_addr = load [%before] %a_read, %start_2 : index, i32
    %c, %a_addr_0 = load [%i] %a_read_0, %start_2 : index, i32
    %r, %a_addr_1 = load [%after] %a_read_1, %start_2 : index, i32
    %w, %weight_addr = load [%i] %weight_read, %start_2 : index, i32
    %sides = arith.addi %l, %r : i32
    %middle = arith.addi %c, %c : i32
    %sum = arith.addi %sides, %middle : i32
    %scaled = arith.muli %sum, %w : i32
    %two = constant %start_2 {value = 2 : i32} : i32
    %s = arith.shrsi %scaled, %two : i32
    %d = arith.subi %s, %c : i32
    %smooth_data, %smooth_addr = store [%i] %s, %start_2 : index, i32
    %change_data, %change_addr = store [%i] %d, %start_2 : index, i32
    %a_read, %a_read_0, %a_read_1, %a_loaded, %a_loaded_0, %a_loaded_1 = extmemory[ld = 3, st = 0] (%a : memref<?xi32>) (%a_addr, %a_addr_0, %a_addr_1) {id = 0 : i32} : (index, index, index) -> (i32, i32, i32, none, none, none)
    %weight_read, %weight_loaded = extmemory[ld = 1, st = 0] (%weight : memref<?xi32>) (%weight_addr) {id = 1 : i32} : (index) -> (i32, none)
    %smooth_stored = extmemory[ld = 0, st = 1] (%smooth : memref<?xi32>) (%smooth_data, %smooth_addr) {id = 2 : i32} : (i32, index) -> none
    %change_stored = extmemory[ld = 0, st = 1] (%change : memref<?xi32>) (%change_data, %change_addr) {id = 3 : i32} : (i32, index) -> none
    %a_done = join %a_loaded, %a_loaded_0, %a_loaded_1 : none, none, none
    %a_done_0, %a_done_1 = cond_br %i_next, %a_done : none
    %weight_loaded_0, %weight_loaded_1 = cond_br %i_next, %weight_loaded : none
    %smooth_stored_0, %smooth_stored_1 = cond_br %i_next, %smooth_stored : none
    %change_stored_0, %change_stored_1 = cond_br %i_next, %change_stored : none
    %done = join %a_done_1, %weight_loaded_1, %smooth_stored_1, %change_stored_1 : none, none, none, none
    %order = mux %runs [%start_1, %done] : i1, none
    return %order : none
  }
}
