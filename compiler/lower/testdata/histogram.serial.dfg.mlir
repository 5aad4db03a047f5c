module {
  handshake.func @histogram(%key: memref<?xi32>, %hist: memref<64xi32>, %n: index, %start: none, ...) -> none attributes {argNames = ["key", "hist", "n", "start"], resNames = ["done"]} {
    %zero = constant %start {value = 0 : index} : index
    %runs = arith.cmpi sgt, %n, %zero : index
    %start_0, %start_1 = cond_br %runs, %start : none
    %zero_0 = constant %start_0 {value = 0 : index} : index
    %n_0, %n_1 = cond_br %runs, %n : index
    %one = constant %start_0 {value = 1 : index} : index
    %i_raw, %i_more = dataflow.stream %zero_0, %one, %n_0 {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
    %i, %i_next = dataflow.gate %i_raw, %i_more : index, i1 -> index, i1
    %k, %key_addr = load [%i] %key_read, %key_order : index, i32
    %start_2 = dataflow.invariant %i_next, %start_0 : i1, none -> none
    %mask = constant %start_2 {value = 63 : i32} : i32
    %low = arith.andi %k, %mask : i32
    %bin = arith.index_cast %low : i32 to index
    %count, %hist_addr = load [%bin] %hist_read, %hist_order : index, i32
    %unit = constant %start_2 {value = 1 : i32} : i32
    %more = arith.addi %count, %unit : i32
    %hist_data, %hist_addr_0 = store [%bin] %more, %hist_loaded : index, i32
    %key_read, %key_loaded = extmemory[ld = 1, st = 0] (%key : memref<?xi32>) (%key_addr) {id = 0 : i32} : (index) -> (i32, none)
    %hist_read, %hist_stored, %hist_loaded = extmemory[ld = 1, st = 1] (%hist : memref<64xi32>) (%hist_data, %hist_addr_0, %hist_addr) {id = 1 : i32} : (i32, index, index) -> (i32, none, none)
    %key_order = dataflow.carry %i_next, %start_0, %key_loaded_0 : i1, none, none -> none
    %key_loaded_0, %key_loaded_1 = cond_br %i_next, %key_loaded : none
    %hist_order = dataflow.carry %i_next, %start_0, %hist_stored_0 : i1, none, none -> none
    %hist_stored_0, %hist_stored_1 = cond_br %i_next, %hist_stored : none
    %done = join %key_loaded_1, %hist_stored_1 : none, none
    %order = mux %runs [%start_1, %done] : i1, none
    return %order : none
  }
}
