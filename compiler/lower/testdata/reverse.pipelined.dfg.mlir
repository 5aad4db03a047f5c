module {
  handshake.func @reverse(%a: memref<?xi32>, %b: memref<?xi32>, %n: index, %start: none, ...) -> none attributes {argNames = ["a", "b", "n", "start"], resNames = ["done"]} {
    %0 = constant %start {value = -1 : index} : index
    %last = arith.addi %n, %0 : index
    %zero = constant %start {value = 0 : index} : index
    %runs = arith.cmpi sge, %last, %zero : index
    %last_0, %last_1 = cond_br %runs, %last : index
    %start_0, %start_1 = cond_br %runs, %start : none
    %zero_0 = constant %start_0 {value = 0 : index} : index
    %1 = constant %start_0 {value = -1 : index} : index
    %i_raw, %i_more = dataflow.stream %last_0, %1, %zero_0 {step_op = "+=", cont_cond = ">="} : (index, index, index) -> (index, i1)
    %i, %i_next = dataflow.gate %i_raw, %i_more : index, i1 -> index, i1
    %last_2 = dataflow.invariant %i_next, %last_0 : i1, index -> index
    %from = arith.subi %last_2, %i : index
    %x, %a_addr = load [%from] %a_read, %start_2 : index, i32
    %b_data, %b_addr = store [%i] %x, %start_2 : index, i32
    %a_read, %a_loaded = extmemory[ld = 1, st = 0] (%a : memref<?xi32>) (%a_addr) {id = 0 : i32} : (index) -> (i32, none)
    %b_stored = extmemory[ld = 0, st = 1] (%b : memref<?xi32>) (%b_data, %b_addr) {id = 1 : i32} : (i32, index) -> none
    %start_2 = dataflow.invariant %i_next, %start_0 : i1, none -> none
    %a_loaded_0, %a_loaded_1 = cond_br %i_next, %a_loaded : none
    %b_stored_0, %b_stored_1 = cond_br %i_next, %b_stored : none
    %done = join %a_loaded_1, %b_stored_1 : none, none
    %order = mux %runs [%start_1, %done] : i1, none
    return %order : none
  }
}
