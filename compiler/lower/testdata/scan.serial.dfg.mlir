module {
  handshake.func @scan(%x: memref<?xi32>, %b: memref<?xi32>, %n: index, %start: none, ...) -> none attributes {argNames = ["x", "b", "n", "start"], resNames = ["done"]} {
    %one = constant %start {value = 1 : index} : index
    %runs = arith.cmpi sgt, %n, %one : index
    %start_0, %start_1 = cond_br %runs, %start : none
    %one_0 = constant %start_0 {value = 1 : index} : index
    %n_0, %n_1 = cond_br %runs, %n : index
    %i_raw, %i_more = dataflow.stream %one_0, %one_0, %n_0 {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
    %i, %i_next = dataflow.gate %i_raw, %i_more : index, i1 -> index, i1
    %start_2 = dataflow.invariant %i_next, %start_0 : i1, none -> none
    %0 = constant %start_2 {value = -1 : index} : index
    %before = arith.addi %i, %0 : index
    %prefix, %x_addr = load [%before] %x_read, %x_order : index, i32
    %value, %b_addr = load [%i] %b_read, %b_order : index, i32
    %sum = arith.addi %prefix, %value : i32
    %x_data, %x_addr_0 = store [%i] %sum, %x_loaded : index, i32
    %x_read, %x_stored, %x_loaded = extmemory[ld = 1, st = 1] (%x : memref<?xi32>) (%x_data, %x_addr_0, %x_addr) {id = 0 : i32} : (i32, index, index) -> (i32, none, none)
    %b_read, %b_loaded = extmemory[ld = 1, st = 0] (%b : memref<?xi32>) (%b_addr) {id = 1 : i32} : (index) -> (i32, none)
    %x_order = dataflow.carry %i_next, %start_0, %x_stored_0 : i1, none, none -> none
    %x_stored_0, %x_stored_1 = cond_br %i_next, %x_stored : none
    %b_order = dataflow.carry %i_next, %start_0, %b_loaded_0 : i1, none, none -> none
    %b_loaded_0, %b_loaded_1 = cond_br %i_next, %b_loaded : none
    %done = join %x_stored_1, %b_loaded_1 : none, none
    %order = mux %runs [%start_1, %done] : i1, none
    return %order : none
  }
}
