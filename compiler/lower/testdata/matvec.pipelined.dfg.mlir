module {
  handshake.func @matvec(%A: memref<?x16xi32>, %x: memref<?xi32>, %y: memref<?xi32>, %rows: index, %cols: index, %start: none, ...) -> none attributes {argNames = ["A", "x", "y", "rows", "cols", "start"], resNames = ["done"]} {
    %zero = constant %start {value = 0 : index} : index
    %runs = arith.cmpi sgt, %rows, %zero : index
    %cols_0, %cols_1 = cond_br %runs, %cols : index
    %start_0, %start_1 = cond_br %runs, %start : none
    %zero_0 = constant %start_0 {value = 0 : index} : index
    %runs_0 = arith.cmpi sgt, %cols_0, %zero_0 : index
    %rows_0, %rows_1 = cond_br %runs, %rows : index
    %one = constant %start_0 {value = 1 : index} : index
    %i_raw, %i_more = dataflow.stream %zero_0, %one, %rows_0 {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
    %i, %i_next = dataflow.gate %i_raw, %i_more : index, i1 -> index, i1
    %runs_1 = dataflow.invariant %i_next, %runs_0 : i1, i1 -> i1
    %i_0, %i_1 = cond_br %runs_1, %i : index
    %start_2 = dataflow.invariant %i_next, %start_0 : i1, none -> none
    %start_3, %start_4 = cond_br %runs_1, %start_2 : none
    %0 = constant %start_3 {value = 4 : index} : index
    %1 = arith.shli %i_0, %0 : index
    %zero_1 = constant %start_3 {value = 0 : index} : index
    %cols_2 = dataflow.invariant %i_next, %cols_0 : i1, index -> index
    %cols_3, %cols_4 = cond_br %runs_1, %cols_2 : index
    %one_0 = constant %start_3 {value = 1 : index} : index
    %j_raw, %j_more = dataflow.stream %zero_1, %one_0, %cols_3 {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
    %j, %j_next = dataflow.gate %j_raw, %j_more : index, i1 -> index, i1
    %nothing = constant %start_3 {value = 0 : i32} : i32
    %sum = dataflow.carry %j_more, %nothing, %next : i1, i32, i32 -> i32
    %sum_0, %sum_1 = cond_br %j_more, %sum : i32
    %2 = dataflow.invariant %j_next, %1 : i1, index -> index
    %3 = arith.addi %2, %j : index
    %a, %A_addr = load [%3] %A_read, %start_5 : index, i32
    %b, %x_addr = load [%j] %x_read, %start_5 : index, i32
    %product = arith.muli %a, %b : i32
    %next = arith.addi %sum_0, %product : i32
    %nothing_0 = constant %start_4 {value = 0 : i32} : i32
    %total = mux %runs_1 [%nothing_0, %sum_1] : i1, i32
    %y_data, %y_addr = store [%i] %total, %start_2 : index, i32
    %A_read, %A_loaded = extmemory[ld = 1, st = 0] (%A : memref<?x16xi32>) (%A_addr) {id = 0 : i32} : (index) -> (i32, none)
    %x_read, %x_loaded = extmemory[ld = 1, st = 0] (%x : memref<?xi32>) (%x_addr) {id = 1 : i32} : (index) -> (i32, none)
    %y_stored = extmemory[ld = 0, st = 1] (%y : memref<?xi32>) (%y_data, %y_addr) {id = 2 : i32} : (i32, index) -> none
    %start_5 = dataflow.invariant %j_next, %start_3 : i1, none -> none
    %A_loaded_0, %A_loaded_1 = cond_br %j_next, %A_loaded : none
    %A_order = mux %runs_1 [%start_4, %A_loaded_1] : i1, none
    %A_order_0, %A_order_1 = cond_br %i_next, %A_order : none
    %x_loaded_0, %x_loaded_1 = cond_br %j_next, %x_loaded : none
    %x_order = mux %runs_1 [%start_4, %x_loaded_1] : i1, none
    %x_order_0, %x_order_1 = cond_br %i_next, %x_order : none
    %y_stored_0, %y_stored_1 = cond_br %i_next, %y_stored : none
    %done = join %A_order_1, %x_order_1, %y_stored_1 : none, none, none
    %order = mux %runs [%start_1, %done] : i1, none
    return %order : none
  }
}
