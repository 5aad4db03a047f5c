module {
  handshake.func @oddeven(%x: memref<?xi32>, %n: index, %start: none, ...) -> none attributes {argNames = ["x", "n", "start"], resNames = ["done"]} {
    %0 = constant %start {value = -1 : index} : index
    %end = arith.addi %n, %0 : index
    %zero = constant %start {value = 0 : index} : index
    %runs = arith.cmpi sgt, %n, %zero : index
    %start_0, %start_1 = cond_br %runs, %start : none
    %zero_0 = constant %start_0 {value = 0 : index} : index
    %n_0, %n_1 = cond_br %runs, %n : index
    %one = constant %start_0 {value = 1 : index} : index
    %pass_raw, %pass_more = dataflow.stream %zero_0, %one, %n_0 {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
    %pass, %pass_next = dataflow.gate %pass_raw, %pass_more : index, i1 -> index, i1
    %start_2 = dataflow.invariant %pass_next, %start_0 : i1, none -> none
    %one_0 = constant %start_2 {value = 1 : index} : index
    %first = arith.andi %pass, %one_0 : index
    %end_0, %end_1 = cond_br %runs, %end : index
    %end_2 = dataflow.invariant %pass_next, %end_0 : i1, index -> index
    %runs_0 = arith.cmpi slt, %first, %end_2 : index
    %first_0, %first_1 = cond_br %runs_0, %first : index
    %end_3, %end_4 = cond_br %runs_0, %end_2 : index
    %start_3, %start_4 = cond_br %runs_0, %start_2 : none
    %two = constant %start_3 {value = 2 : index} : index
    %j_raw, %j_more = dataflow.stream %first_0, %two, %end_3 {step_op = "+=", cont_cond = "<", loom.independent = array<i64: 0>} : (index, index, index) -> (index, i1)
    %j, %j_next = dataflow.gate %j_raw, %j_more : index, i1 -> index, i1
    %start_5 = dataflow.invariant %j_next, %start_3 : i1, none -> none
    %one_1 = constant %start_5 {value = 1 : index} : index
    %k = arith.addi %j, %one_1 : index
    %a, %x_addr = load [%j] %x_read, %x_order_2 : index, i32
    %b, %x_addr_0 = load [%k] %x_read_0, %x_order_2 : index, i32
    %low = arith.minsi %a, %b : i32
    %high = arith.maxsi %a, %b : i32
    %x_data, %x_addr_1 = store [%j] %low, %x_done : index, i32
    %x_data_0, %x_addr_2 = store [%k] %high, %x_stored : index, i32
    %x_read, %x_read_0, %x_stored, %x_stored_0, %x_loaded, %x_loaded_0 = extmemory[ld = 2, st = 2] (%x : memref<?xi32>) (%x_data, %x_addr_1, %x_data_0, %x_addr_2, %x_addr, %x_addr_0) {id = 0 : i32} : (i32, index, i32, index, index, index) -> (i32, i32, none, none, none, none)
    %x_order = dataflow.carry %pass_next, %start_0, %x_order_4 : i1, none, none -> none
    %x_order_0, %x_order_1 = cond_br %runs_0, %x_order : none
    %x_order_2 = dataflow.invariant %j_next, %x_order_0 : i1, none -> none
    %x_done = join %x_loaded, %x_loaded_0 : none, none
    %x_stored_1, %x_stored_2 = cond_br %j_next, %x_stored_0 : none
    %x_order_3 = mux %runs_0 [%x_order_1, %x_stored_2] : i1, none
    %x_order_4, %x_order_5 = cond_br %pass_next, %x_order_3 : none
    %x_order_6 = mux %runs [%start_1, %x_order_5] : i1, none
    return %x_order_6 : none
  }
}
