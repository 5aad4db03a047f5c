module {
  handshake.func @dot(%a: memref<?xi32>, %b: memref<?xi32>, %n: index, %start: none, ...) -> (i32, none) attributes {argNames = ["a", "b", "n", "start"], resNames = ["out0", "done"]} {
    %zero = constant %start {value = 0 : index} : index
    %runs = arith.cmpi sgt, %n, %zero : index
    %start_0, %start_1 = cond_br %runs, %start : none
    %zero_0 = constant %start_0 {value = 0 : index} : index
    %n_0, %n_1 = cond_br %runs, %n : index
    %one = constant %start_0 {value = 1 : index} : index
    %i_raw, %i_more = dataflow.stream %zero_0, %one, %n_0 {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
    %i, %i_next = dataflow.gate %i_raw, %i_more : index, i1 -> index, i1
    %nothing = constant %start_0 {value = 0 : i32} : i32
    %sum = dataflow.carry %i_more, %nothing, %next : i1, i32, i32 -> i32
    %sum_0, %sum_1 = cond_br %i_more, %sum : i32
    %x, %a_addr = load [%i] %a_read, %start_2 : index, i32
    %y, %b_addr = load [%i] %b_read, %start_2 : index, i32
    %product = arith.muli %x, %y : i32
    %next = arith.addi %sum_0, %product : i32
    %nothing_0 = constant %start_1 {value = 0 : i32} : i32
    %total = mux %runs [%nothing_0, %sum_1] : i1, i32
    %a_read, %a_loaded = extmemory[ld = 1, st = 0] (%a : memref<?xi32>) (%a_addr) {id = 0 : i32} : (index) -> (i32, none)
    %b_read, %b_loaded = extmemory[ld = 1, st = 0] (%b : memref<?xi32>) (%b_addr) {id = 1 : i32} : (index) -> (i32, none)
    %start_2 = dataflow.invariant %i_next, %start_0 : i1, none -> none
    %a_loaded_0, %a_loaded_1 = cond_br %i_next, %a_loaded : none
    %b_loaded_0, %b_loaded_1 = cond_br %i_next, %b_loaded : none
    %done = join %a_loaded_1, %b_loaded_1 : none, none
    %order = mux %runs [%start_1, %done] : i1, none
    return %total, %order : i32, none
  }
}
