module {
  handshake.func @condcopy(%a: memref<?xi32>, %b: memref<?xi32>, %limit: i32, %n: index, %start: none, ...) -> none attributes {argNames = ["a", "b", "limit", "n", "start"], resNames = ["done"]} {
    %zero = constant %start {value = 0 : index} : index
    %runs = arith.cmpi sgt, %n, %zero : index
    %start_0, %start_1 = cond_br %runs, %start : none
    %zero_0 = constant %start_0 {value = 0 : index} : index
    %n_0, %n_1 = cond_br %runs, %n : index
    %one = constant %start_0 {value = 1 : index} : index
    %i_raw, %i_more = dataflow.stream %zero_0, %one, %n_0 {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
    %i, %i_next = dataflow.gate %i_raw, %i_more : index, i1 -> index, i1
    %x, %a_addr = load [%i] %a_read, %start_2 : index, i32
    %limit_0, %limit_1 = cond_br %runs, %limit : i32
    %limit_2 = dataflow.invariant %i_next, %limit_0 : i1, i32 -> i32
    %above = arith.cmpi sgt, %x, %limit_2 : i32
    %i_0, %i_1 = cond_br %above, %i : index
    %x_0, %x_1 = cond_br %above, %x : i32
    %b_data, %b_addr = store [%i_0] %x_0, %start_3 : index, i32
    %a_read, %a_loaded = extmemory[ld = 1, st = 0] (%a : memref<?xi32>) (%a_addr) {id = 0 : i32} : (index) -> (i32, none)
    %b_stored = extmemory[ld = 0, st = 1] (%b : memref<?xi32>) (%b_data, %b_addr) {id = 1 : i32} : (i32, index) -> none
    %start_2 = dataflow.invariant %i_next, %start_0 : i1, none -> none
    %a_loaded_0, %a_loaded_1 = cond_br %i_next, %a_loaded : none
    %start_3, %start_4 = cond_br %above, %start_2 : none
    %b_order = mux %above [%start_4, %b_stored] : i1, none
    %b_order_0, %b_order_1 = cond_br %i_next, %b_order : none
    %done = join %a_loaded_1, %b_order_1 : none, none
    %order = mux %runs [%start_1, %done] : i1, none
    return %order : none
  }
}
