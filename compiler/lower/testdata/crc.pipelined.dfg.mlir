module {
  handshake.func @crc(%data: memref<?xi32>, %n: index, %start: none, ...) -> (i32, none) attributes {argNames = ["data", "n", "start"], resNames = ["out0", "done"]} {
    %zero = constant %start {value = 0 : index} : index
    %runs = arith.cmpi sgt, %n, %zero : index
    %start_0, %start_1 = cond_br %runs, %start : none
    %zero_0 = constant %start_0 {value = 0 : index} : index
    %n_0, %n_1 = cond_br %runs, %n : index
    %one = constant %start_0 {value = 1 : index} : index
    %i_raw, %i_more = dataflow.stream %zero_0, %one, %n_0 {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
    %i, %i_next = dataflow.gate %i_raw, %i_more : index, i1 -> index, i1
    %ones = constant %start_0 {value = -1 : i32} : i32
    %c0 = dataflow.carry %i_more, %ones, %c3 : i1, i32, i32 -> i32
    %c0_0, %c0_1 = cond_br %i_more, %c0 : i32
    %word, %data_addr = load [%i] %data_read, %start_2 : index, i32
    %start_2 = dataflow.invariant %i_next, %start_0 : i1, none -> none
    %byte = constant %start_2 {value = 255 : i32} : i32
    %low = arith.andi %word, %byte : i32
    %c1 = arith.xori %c0_0, %low : i32
    %nibble = constant %start_2 {value = 15 : i32} : i32
    %i1 = arith.andi %c1, %nibble : i32
    %x1 = arith.index_cast %i1 : i32 to index
    %t1, %table_addr = load [%x1] %table_read, %start_2 : index, i32
    %four = constant %start_2 {value = 4 : i32} : i32
    %s1 = arith.shrui %c1, %four : i32
    %c2 = arith.xori %t1, %s1 : i32
    %i2 = arith.andi %c2, %nibble : i32
    %x2 = arith.index_cast %i2 : i32 to index
    %t2, %table_addr_0 = load [%x2] %table_read_0, %start_2 : index, i32
    %s2 = arith.shrui %c2, %four : i32
    %c3 = arith.xori %t2, %s2 : i32
    %ones_0 = constant %start_1 {value = -1 : i32} : i32
    %crc = mux %runs [%ones_0, %c0_1] : i1, i32
    %ones_1 = constant %start {value = -1 : i32} : i32
    %out = arith.xori %crc, %ones_1 : i32
    %data_read, %data_loaded = extmemory[ld = 1, st = 0] (%data : memref<?xi32>) (%data_addr) {id = 0 : i32} : (index) -> (i32, none)
    %table_read, %table_read_0, %table_loaded, %table_loaded_0 = memory[ld = 2, st = 0] (%table_addr, %table_addr_0) {id = 1 : i32, loom.init = dense<[0, 498536548, 997073096, 651767980, 1994146192, 1802195444, 1303535960, 1342533948, -306674912, -267414716, -690576408, -882789492, -1687895376, -2032938284, -1609899400, -1111625188]> : tensor<16xi32>, lsq = false} : memref<16xi32>, (index, index) -> (i32, i32, none, none)
    %data_loaded_0, %data_loaded_1 = cond_br %i_next, %data_loaded : none
    %table_done = join %table_loaded, %table_loaded_0 : none, none
    %table_done_0, %table_done_1 = cond_br %i_next, %table_done : none
    %done = join %data_loaded_1, %table_done_1 : none, none
    %order = mux %runs [%start_1, %done] : i1, none
    return %out, %order : i32, none
  }
}
