// LOOM's dialects for MLIR's own tools, generated from the signatures in LOOM.
// mlir-opt-19 --irdl-file=loom.irdl.mlir reads with it what loom prints with --generic.

// handshake: the operations of CIRCT's handshake dialect.
irdl.dialect @handshake {
  irdl.operation @func {
    %sym_name = irdl.base "#builtin.string"
    %function_type = irdl.base "#builtin.type"
    %argNames = irdl.base "#builtin.array"
    %resNames = irdl.base "#builtin.array"
    irdl.attributes {"sym_name" = %sym_name, "function_type" = %function_type, "argNames" = %argNames, "resNames" = %resNames}
    %body = irdl.region with size 2
    irdl.regions(%body)
  }
  irdl.operation @return {
    %R0 = irdl.any
    %R1 = irdl.any
    %R2 = irdl.any
    %R3 = irdl.any
    %R4 = irdl.any
    %R5 = irdl.any
    %R6 = irdl.any
    %R7 = irdl.any
    %R8 = irdl.any
    %R9 = irdl.any
    %R10 = irdl.any
    %R11 = irdl.any
    %R12 = irdl.any
    %R13 = irdl.any
    %R14 = irdl.any
    %R15 = irdl.any
    %R16 = irdl.any
    %R17 = irdl.any
    %R18 = irdl.any
    %R19 = irdl.any
    %R20 = irdl.any
    %R21 = irdl.any
    %R22 = irdl.any
    %R23 = irdl.any
    %R24 = irdl.any
    %R25 = irdl.any
    %R26 = irdl.any
    %R27 = irdl.any
    %R28 = irdl.any
    %R29 = irdl.any
    %R30 = irdl.any
    %R31 = irdl.any
    %R32 = irdl.any
    %R33 = irdl.any
    %R34 = irdl.any
    %R35 = irdl.any
    %R36 = irdl.any
    %R37 = irdl.any
    %R38 = irdl.any
    %R39 = irdl.any
    %R40 = irdl.any
    %R41 = irdl.any
    %R42 = irdl.any
    %R43 = irdl.any
    %R44 = irdl.any
    %R45 = irdl.any
    %R46 = irdl.any
    %R47 = irdl.any
    %R48 = irdl.any
    %R49 = irdl.any
    %R50 = irdl.any
    %R51 = irdl.any
    %R52 = irdl.any
    %R53 = irdl.any
    %R54 = irdl.any
    %R55 = irdl.any
    %R56 = irdl.any
    %R57 = irdl.any
    %R58 = irdl.any
    %R59 = irdl.any
    %R60 = irdl.any
    %R61 = irdl.any
    %R62 = irdl.any
    %R63 = irdl.any
    %K = irdl.is none
    irdl.operands(variadic %R0, variadic %R1, variadic %R2, variadic %R3, variadic %R4, variadic %R5, variadic %R6, variadic %R7, variadic %R8, variadic %R9, variadic %R10, variadic %R11, variadic %R12, variadic %R13, variadic %R14, variadic %R15, variadic %R16, variadic %R17, variadic %R18, variadic %R19, variadic %R20, variadic %R21, variadic %R22, variadic %R23, variadic %R24, variadic %R25, variadic %R26, variadic %R27, variadic %R28, variadic %R29, variadic %R30, variadic %R31, variadic %R32, variadic %R33, variadic %R34, variadic %R35, variadic %R36, variadic %R37, variadic %R38, variadic %R39, variadic %R40, variadic %R41, variadic %R42, variadic %R43, variadic %R44, variadic %R45, variadic %R46, variadic %R47, variadic %R48, variadic %R49, variadic %R50, variadic %R51, variadic %R52, variadic %R53, variadic %R54, variadic %R55, variadic %R56, variadic %R57, variadic %R58, variadic %R59, variadic %R60, variadic %R61, variadic %R62, variadic %R63, %K)
  }
  irdl.operation @constant {
    %K = irdl.is none
    irdl.operands(%K)
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.results(%T)
    %value_0 = irdl.base "#builtin.integer"
    %value_1 = irdl.base "#builtin.float"
    %value = irdl.any_of(%value_0, %value_1)
    irdl.attributes {"value" = %value}
  }
  irdl.operation @cond_br {
    %C = irdl.is i1
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(%C, %T)
    irdl.results(%T, %T)
  }
  irdl.operation @mux {
    %S_0 = irdl.base "!builtin.integer"
    %S_1 = irdl.is index
    %S = irdl.any_of(%S_0, %S_1)
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(%S, variadic %T)
    irdl.results(%T)
  }
  irdl.operation @join {
    %R0 = irdl.any
    %R1 = irdl.any
    %R2 = irdl.any
    %R3 = irdl.any
    %R4 = irdl.any
    %R5 = irdl.any
    %R6 = irdl.any
    %R7 = irdl.any
    %R8 = irdl.any
    %R9 = irdl.any
    %R10 = irdl.any
    %R11 = irdl.any
    %R12 = irdl.any
    %R13 = irdl.any
    %R14 = irdl.any
    %R15 = irdl.any
    %R16 = irdl.any
    %R17 = irdl.any
    %R18 = irdl.any
    %R19 = irdl.any
    %R20 = irdl.any
    %R21 = irdl.any
    %R22 = irdl.any
    %R23 = irdl.any
    %R24 = irdl.any
    %R25 = irdl.any
    %R26 = irdl.any
    %R27 = irdl.any
    %R28 = irdl.any
    %R29 = irdl.any
    %R30 = irdl.any
    %R31 = irdl.any
    %R32 = irdl.any
    %R33 = irdl.any
    %R34 = irdl.any
    %R35 = irdl.any
    %R36 = irdl.any
    %R37 = irdl.any
    %R38 = irdl.any
    %R39 = irdl.any
    %R40 = irdl.any
    %R41 = irdl.any
    %R42 = irdl.any
    %R43 = irdl.any
    %R44 = irdl.any
    %R45 = irdl.any
    %R46 = irdl.any
    %R47 = irdl.any
    %R48 = irdl.any
    %R49 = irdl.any
    %R50 = irdl.any
    %R51 = irdl.any
    %R52 = irdl.any
    %R53 = irdl.any
    %R54 = irdl.any
    %R55 = irdl.any
    %R56 = irdl.any
    %R57 = irdl.any
    %R58 = irdl.any
    %R59 = irdl.any
    %R60 = irdl.any
    %R61 = irdl.any
    %R62 = irdl.any
    %R63 = irdl.any
    irdl.operands(variadic %R0, variadic %R1, variadic %R2, variadic %R3, variadic %R4, variadic %R5, variadic %R6, variadic %R7, variadic %R8, variadic %R9, variadic %R10, variadic %R11, variadic %R12, variadic %R13, variadic %R14, variadic %R15, variadic %R16, variadic %R17, variadic %R18, variadic %R19, variadic %R20, variadic %R21, variadic %R22, variadic %R23, variadic %R24, variadic %R25, variadic %R26, variadic %R27, variadic %R28, variadic %R29, variadic %R30, variadic %R31, variadic %R32, variadic %R33, variadic %R34, variadic %R35, variadic %R36, variadic %R37, variadic %R38, variadic %R39, variadic %R40, variadic %R41, variadic %R42, variadic %R43, variadic %R44, variadic %R45, variadic %R46, variadic %R47, variadic %R48, variadic %R49, variadic %R50, variadic %R51, variadic %R52, variadic %R53, variadic %R54, variadic %R55, variadic %R56, variadic %R57, variadic %R58, variadic %R59, variadic %R60, variadic %R61, variadic %R62, variadic %R63)
    %K = irdl.is none
    irdl.results(%K)
  }
  irdl.operation @load {
    %N_0 = irdl.base "!builtin.integer"
    %N_1 = irdl.is index
    %N = irdl.any_of(%N_0, %N_1)
    %E_0 = irdl.base "!builtin.integer"
    %E_1 = irdl.is index
    %E_2 = irdl.is f16
    %E_3 = irdl.is bf16
    %E_4 = irdl.is f32
    %E_5 = irdl.is f64
    %E = irdl.any_of(%E_0, %E_1, %E_2, %E_3, %E_4, %E_5)
    %K = irdl.is none
    irdl.operands(%N, %E, %K)
    irdl.results(%E, %N)
  }
  irdl.operation @store {
    %N_0 = irdl.base "!builtin.integer"
    %N_1 = irdl.is index
    %N = irdl.any_of(%N_0, %N_1)
    %E_0 = irdl.base "!builtin.integer"
    %E_1 = irdl.is index
    %E_2 = irdl.is f16
    %E_3 = irdl.is bf16
    %E_4 = irdl.is f32
    %E_5 = irdl.is f64
    %E = irdl.any_of(%E_0, %E_1, %E_2, %E_3, %E_4, %E_5)
    %K = irdl.is none
    irdl.operands(%N, %E, %K)
    irdl.results(%E, %N)
  }
  irdl.operation @memory {
    %E_0 = irdl.base "!builtin.integer"
    %E_1 = irdl.is index
    %E_2 = irdl.is f16
    %E_3 = irdl.is bf16
    %E_4 = irdl.is f32
    %E_5 = irdl.is f64
    %E = irdl.any_of(%E_0, %E_1, %E_2, %E_3, %E_4, %E_5)
    %N_0 = irdl.base "!builtin.integer"
    %N_1 = irdl.is index
    %N = irdl.any_of(%N_0, %N_1)
    irdl.operands(variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %N)
    %K = irdl.is none
    irdl.results(variadic %E, variadic %K)
    %memRefType = irdl.base "#builtin.type"
    %ldCount = irdl.base "#builtin.integer"
    %stCount = irdl.base "#builtin.integer"
    %id = irdl.base "#builtin.integer"
    irdl.attributes {"memRefType" = %memRefType, "ldCount" = %ldCount, "stCount" = %stCount, "id" = %id}
  }
  irdl.operation @extmemory {
    %M = irdl.base "!builtin.memref"
    %E_0 = irdl.base "!builtin.integer"
    %E_1 = irdl.is index
    %E_2 = irdl.is f16
    %E_3 = irdl.is bf16
    %E_4 = irdl.is f32
    %E_5 = irdl.is f64
    %E = irdl.any_of(%E_0, %E_1, %E_2, %E_3, %E_4, %E_5)
    %N_0 = irdl.base "!builtin.integer"
    %N_1 = irdl.is index
    %N = irdl.any_of(%N_0, %N_1)
    irdl.operands(%M, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %E, variadic %N, variadic %N)
    %K = irdl.is none
    irdl.results(variadic %E, variadic %K)
    %ldCount = irdl.base "#builtin.integer"
    %stCount = irdl.base "#builtin.integer"
    %id = irdl.base "#builtin.integer"
    irdl.attributes {"ldCount" = %ldCount, "stCount" = %stCount, "id" = %id}
  }
  irdl.operation @fork {
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(%T)
    irdl.results(variadic %T)
  }
  irdl.operation @lazy_fork {
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(%T)
    irdl.results(variadic %T)
  }
  irdl.operation @buffer {
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(%T)
    irdl.results(%T)
    %slots = irdl.base "#builtin.integer"
    %bufferType = irdl.base "#builtin.integer"
    irdl.attributes {"slots" = %slots, "bufferType" = %bufferType}
  }
  irdl.operation @br {
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(%T)
    irdl.results(%T)
  }
  irdl.operation @merge {
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(variadic %T)
    irdl.results(%T)
  }
  irdl.operation @control_merge {
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(variadic %T)
    %S_0 = irdl.base "!builtin.integer"
    %S_1 = irdl.is index
    %S = irdl.any_of(%S_0, %S_1)
    irdl.results(%T, %S)
  }
  irdl.operation @sink {
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(%T)
  }
  irdl.operation @source {
    %K = irdl.is none
    irdl.results(%K)
  }
  irdl.operation @never {
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.results(%T)
  }
  irdl.operation @sync {
    %R0 = irdl.any
    %R1 = irdl.any
    %R2 = irdl.any
    %R3 = irdl.any
    %R4 = irdl.any
    %R5 = irdl.any
    %R6 = irdl.any
    %R7 = irdl.any
    %R8 = irdl.any
    %R9 = irdl.any
    %R10 = irdl.any
    %R11 = irdl.any
    %R12 = irdl.any
    %R13 = irdl.any
    %R14 = irdl.any
    %R15 = irdl.any
    %R16 = irdl.any
    %R17 = irdl.any
    %R18 = irdl.any
    %R19 = irdl.any
    %R20 = irdl.any
    %R21 = irdl.any
    %R22 = irdl.any
    %R23 = irdl.any
    %R24 = irdl.any
    %R25 = irdl.any
    %R26 = irdl.any
    %R27 = irdl.any
    %R28 = irdl.any
    %R29 = irdl.any
    %R30 = irdl.any
    %R31 = irdl.any
    %R32 = irdl.any
    %R33 = irdl.any
    %R34 = irdl.any
    %R35 = irdl.any
    %R36 = irdl.any
    %R37 = irdl.any
    %R38 = irdl.any
    %R39 = irdl.any
    %R40 = irdl.any
    %R41 = irdl.any
    %R42 = irdl.any
    %R43 = irdl.any
    %R44 = irdl.any
    %R45 = irdl.any
    %R46 = irdl.any
    %R47 = irdl.any
    %R48 = irdl.any
    %R49 = irdl.any
    %R50 = irdl.any
    %R51 = irdl.any
    %R52 = irdl.any
    %R53 = irdl.any
    %R54 = irdl.any
    %R55 = irdl.any
    %R56 = irdl.any
    %R57 = irdl.any
    %R58 = irdl.any
    %R59 = irdl.any
    %R60 = irdl.any
    %R61 = irdl.any
    %R62 = irdl.any
    %R63 = irdl.any
    irdl.operands(variadic %R0, variadic %R1, variadic %R2, variadic %R3, variadic %R4, variadic %R5, variadic %R6, variadic %R7, variadic %R8, variadic %R9, variadic %R10, variadic %R11, variadic %R12, variadic %R13, variadic %R14, variadic %R15, variadic %R16, variadic %R17, variadic %R18, variadic %R19, variadic %R20, variadic %R21, variadic %R22, variadic %R23, variadic %R24, variadic %R25, variadic %R26, variadic %R27, variadic %R28, variadic %R29, variadic %R30, variadic %R31, variadic %R32, variadic %R33, variadic %R34, variadic %R35, variadic %R36, variadic %R37, variadic %R38, variadic %R39, variadic %R40, variadic %R41, variadic %R42, variadic %R43, variadic %R44, variadic %R45, variadic %R46, variadic %R47, variadic %R48, variadic %R49, variadic %R50, variadic %R51, variadic %R52, variadic %R53, variadic %R54, variadic %R55, variadic %R56, variadic %R57, variadic %R58, variadic %R59, variadic %R60, variadic %R61, variadic %R62, variadic %R63)
    %O0 = irdl.any
    %O1 = irdl.any
    %O2 = irdl.any
    %O3 = irdl.any
    %O4 = irdl.any
    %O5 = irdl.any
    %O6 = irdl.any
    %O7 = irdl.any
    %O8 = irdl.any
    %O9 = irdl.any
    %O10 = irdl.any
    %O11 = irdl.any
    %O12 = irdl.any
    %O13 = irdl.any
    %O14 = irdl.any
    %O15 = irdl.any
    %O16 = irdl.any
    %O17 = irdl.any
    %O18 = irdl.any
    %O19 = irdl.any
    %O20 = irdl.any
    %O21 = irdl.any
    %O22 = irdl.any
    %O23 = irdl.any
    %O24 = irdl.any
    %O25 = irdl.any
    %O26 = irdl.any
    %O27 = irdl.any
    %O28 = irdl.any
    %O29 = irdl.any
    %O30 = irdl.any
    %O31 = irdl.any
    %O32 = irdl.any
    %O33 = irdl.any
    %O34 = irdl.any
    %O35 = irdl.any
    %O36 = irdl.any
    %O37 = irdl.any
    %O38 = irdl.any
    %O39 = irdl.any
    %O40 = irdl.any
    %O41 = irdl.any
    %O42 = irdl.any
    %O43 = irdl.any
    %O44 = irdl.any
    %O45 = irdl.any
    %O46 = irdl.any
    %O47 = irdl.any
    %O48 = irdl.any
    %O49 = irdl.any
    %O50 = irdl.any
    %O51 = irdl.any
    %O52 = irdl.any
    %O53 = irdl.any
    %O54 = irdl.any
    %O55 = irdl.any
    %O56 = irdl.any
    %O57 = irdl.any
    %O58 = irdl.any
    %O59 = irdl.any
    %O60 = irdl.any
    %O61 = irdl.any
    %O62 = irdl.any
    %O63 = irdl.any
    irdl.results(variadic %O0, variadic %O1, variadic %O2, variadic %O3, variadic %O4, variadic %O5, variadic %O6, variadic %O7, variadic %O8, variadic %O9, variadic %O10, variadic %O11, variadic %O12, variadic %O13, variadic %O14, variadic %O15, variadic %O16, variadic %O17, variadic %O18, variadic %O19, variadic %O20, variadic %O21, variadic %O22, variadic %O23, variadic %O24, variadic %O25, variadic %O26, variadic %O27, variadic %O28, variadic %O29, variadic %O30, variadic %O31, variadic %O32, variadic %O33, variadic %O34, variadic %O35, variadic %O36, variadic %O37, variadic %O38, variadic %O39, variadic %O40, variadic %O41, variadic %O42, variadic %O43, variadic %O44, variadic %O45, variadic %O46, variadic %O47, variadic %O48, variadic %O49, variadic %O50, variadic %O51, variadic %O52, variadic %O53, variadic %O54, variadic %O55, variadic %O56, variadic %O57, variadic %O58, variadic %O59, variadic %O60, variadic %O61, variadic %O62, variadic %O63)
  }
  irdl.operation @pack {
    %R0 = irdl.any
    %R1 = irdl.any
    %R2 = irdl.any
    %R3 = irdl.any
    %R4 = irdl.any
    %R5 = irdl.any
    %R6 = irdl.any
    %R7 = irdl.any
    %R8 = irdl.any
    %R9 = irdl.any
    %R10 = irdl.any
    %R11 = irdl.any
    %R12 = irdl.any
    %R13 = irdl.any
    %R14 = irdl.any
    %R15 = irdl.any
    %R16 = irdl.any
    %R17 = irdl.any
    %R18 = irdl.any
    %R19 = irdl.any
    %R20 = irdl.any
    %R21 = irdl.any
    %R22 = irdl.any
    %R23 = irdl.any
    %R24 = irdl.any
    %R25 = irdl.any
    %R26 = irdl.any
    %R27 = irdl.any
    %R28 = irdl.any
    %R29 = irdl.any
    %R30 = irdl.any
    %R31 = irdl.any
    %R32 = irdl.any
    %R33 = irdl.any
    %R34 = irdl.any
    %R35 = irdl.any
    %R36 = irdl.any
    %R37 = irdl.any
    %R38 = irdl.any
    %R39 = irdl.any
    %R40 = irdl.any
    %R41 = irdl.any
    %R42 = irdl.any
    %R43 = irdl.any
    %R44 = irdl.any
    %R45 = irdl.any
    %R46 = irdl.any
    %R47 = irdl.any
    %R48 = irdl.any
    %R49 = irdl.any
    %R50 = irdl.any
    %R51 = irdl.any
    %R52 = irdl.any
    %R53 = irdl.any
    %R54 = irdl.any
    %R55 = irdl.any
    %R56 = irdl.any
    %R57 = irdl.any
    %R58 = irdl.any
    %R59 = irdl.any
    %R60 = irdl.any
    %R61 = irdl.any
    %R62 = irdl.any
    %R63 = irdl.any
    irdl.operands(variadic %R0, variadic %R1, variadic %R2, variadic %R3, variadic %R4, variadic %R5, variadic %R6, variadic %R7, variadic %R8, variadic %R9, variadic %R10, variadic %R11, variadic %R12, variadic %R13, variadic %R14, variadic %R15, variadic %R16, variadic %R17, variadic %R18, variadic %R19, variadic %R20, variadic %R21, variadic %R22, variadic %R23, variadic %R24, variadic %R25, variadic %R26, variadic %R27, variadic %R28, variadic %R29, variadic %R30, variadic %R31, variadic %R32, variadic %R33, variadic %R34, variadic %R35, variadic %R36, variadic %R37, variadic %R38, variadic %R39, variadic %R40, variadic %R41, variadic %R42, variadic %R43, variadic %R44, variadic %R45, variadic %R46, variadic %R47, variadic %R48, variadic %R49, variadic %R50, variadic %R51, variadic %R52, variadic %R53, variadic %R54, variadic %R55, variadic %R56, variadic %R57, variadic %R58, variadic %R59, variadic %R60, variadic %R61, variadic %R62, variadic %R63)
    %U = irdl.base "!builtin.tuple"
    irdl.results(%U)
  }
  irdl.operation @unpack {
    %U = irdl.base "!builtin.tuple"
    irdl.operands(%U)
    %O0 = irdl.any
    %O1 = irdl.any
    %O2 = irdl.any
    %O3 = irdl.any
    %O4 = irdl.any
    %O5 = irdl.any
    %O6 = irdl.any
    %O7 = irdl.any
    %O8 = irdl.any
    %O9 = irdl.any
    %O10 = irdl.any
    %O11 = irdl.any
    %O12 = irdl.any
    %O13 = irdl.any
    %O14 = irdl.any
    %O15 = irdl.any
    %O16 = irdl.any
    %O17 = irdl.any
    %O18 = irdl.any
    %O19 = irdl.any
    %O20 = irdl.any
    %O21 = irdl.any
    %O22 = irdl.any
    %O23 = irdl.any
    %O24 = irdl.any
    %O25 = irdl.any
    %O26 = irdl.any
    %O27 = irdl.any
    %O28 = irdl.any
    %O29 = irdl.any
    %O30 = irdl.any
    %O31 = irdl.any
    %O32 = irdl.any
    %O33 = irdl.any
    %O34 = irdl.any
    %O35 = irdl.any
    %O36 = irdl.any
    %O37 = irdl.any
    %O38 = irdl.any
    %O39 = irdl.any
    %O40 = irdl.any
    %O41 = irdl.any
    %O42 = irdl.any
    %O43 = irdl.any
    %O44 = irdl.any
    %O45 = irdl.any
    %O46 = irdl.any
    %O47 = irdl.any
    %O48 = irdl.any
    %O49 = irdl.any
    %O50 = irdl.any
    %O51 = irdl.any
    %O52 = irdl.any
    %O53 = irdl.any
    %O54 = irdl.any
    %O55 = irdl.any
    %O56 = irdl.any
    %O57 = irdl.any
    %O58 = irdl.any
    %O59 = irdl.any
    %O60 = irdl.any
    %O61 = irdl.any
    %O62 = irdl.any
    %O63 = irdl.any
    irdl.results(variadic %O0, variadic %O1, variadic %O2, variadic %O3, variadic %O4, variadic %O5, variadic %O6, variadic %O7, variadic %O8, variadic %O9, variadic %O10, variadic %O11, variadic %O12, variadic %O13, variadic %O14, variadic %O15, variadic %O16, variadic %O17, variadic %O18, variadic %O19, variadic %O20, variadic %O21, variadic %O22, variadic %O23, variadic %O24, variadic %O25, variadic %O26, variadic %O27, variadic %O28, variadic %O29, variadic %O30, variadic %O31, variadic %O32, variadic %O33, variadic %O34, variadic %O35, variadic %O36, variadic %O37, variadic %O38, variadic %O39, variadic %O40, variadic %O41, variadic %O42, variadic %O43, variadic %O44, variadic %O45, variadic %O46, variadic %O47, variadic %O48, variadic %O49, variadic %O50, variadic %O51, variadic %O52, variadic %O53, variadic %O54, variadic %O55, variadic %O56, variadic %O57, variadic %O58, variadic %O59, variadic %O60, variadic %O61, variadic %O62, variadic %O63)
  }
  irdl.operation @instance {
    %R0 = irdl.any
    %R1 = irdl.any
    %R2 = irdl.any
    %R3 = irdl.any
    %R4 = irdl.any
    %R5 = irdl.any
    %R6 = irdl.any
    %R7 = irdl.any
    %R8 = irdl.any
    %R9 = irdl.any
    %R10 = irdl.any
    %R11 = irdl.any
    %R12 = irdl.any
    %R13 = irdl.any
    %R14 = irdl.any
    %R15 = irdl.any
    %R16 = irdl.any
    %R17 = irdl.any
    %R18 = irdl.any
    %R19 = irdl.any
    %R20 = irdl.any
    %R21 = irdl.any
    %R22 = irdl.any
    %R23 = irdl.any
    %R24 = irdl.any
    %R25 = irdl.any
    %R26 = irdl.any
    %R27 = irdl.any
    %R28 = irdl.any
    %R29 = irdl.any
    %R30 = irdl.any
    %R31 = irdl.any
    %R32 = irdl.any
    %R33 = irdl.any
    %R34 = irdl.any
    %R35 = irdl.any
    %R36 = irdl.any
    %R37 = irdl.any
    %R38 = irdl.any
    %R39 = irdl.any
    %R40 = irdl.any
    %R41 = irdl.any
    %R42 = irdl.any
    %R43 = irdl.any
    %R44 = irdl.any
    %R45 = irdl.any
    %R46 = irdl.any
    %R47 = irdl.any
    %R48 = irdl.any
    %R49 = irdl.any
    %R50 = irdl.any
    %R51 = irdl.any
    %R52 = irdl.any
    %R53 = irdl.any
    %R54 = irdl.any
    %R55 = irdl.any
    %R56 = irdl.any
    %R57 = irdl.any
    %R58 = irdl.any
    %R59 = irdl.any
    %R60 = irdl.any
    %R61 = irdl.any
    %R62 = irdl.any
    %R63 = irdl.any
    irdl.operands(variadic %R0, variadic %R1, variadic %R2, variadic %R3, variadic %R4, variadic %R5, variadic %R6, variadic %R7, variadic %R8, variadic %R9, variadic %R10, variadic %R11, variadic %R12, variadic %R13, variadic %R14, variadic %R15, variadic %R16, variadic %R17, variadic %R18, variadic %R19, variadic %R20, variadic %R21, variadic %R22, variadic %R23, variadic %R24, variadic %R25, variadic %R26, variadic %R27, variadic %R28, variadic %R29, variadic %R30, variadic %R31, variadic %R32, variadic %R33, variadic %R34, variadic %R35, variadic %R36, variadic %R37, variadic %R38, variadic %R39, variadic %R40, variadic %R41, variadic %R42, variadic %R43, variadic %R44, variadic %R45, variadic %R46, variadic %R47, variadic %R48, variadic %R49, variadic %R50, variadic %R51, variadic %R52, variadic %R53, variadic %R54, variadic %R55, variadic %R56, variadic %R57, variadic %R58, variadic %R59, variadic %R60, variadic %R61, variadic %R62, variadic %R63)
    %O0 = irdl.any
    %O1 = irdl.any
    %O2 = irdl.any
    %O3 = irdl.any
    %O4 = irdl.any
    %O5 = irdl.any
    %O6 = irdl.any
    %O7 = irdl.any
    %O8 = irdl.any
    %O9 = irdl.any
    %O10 = irdl.any
    %O11 = irdl.any
    %O12 = irdl.any
    %O13 = irdl.any
    %O14 = irdl.any
    %O15 = irdl.any
    %O16 = irdl.any
    %O17 = irdl.any
    %O18 = irdl.any
    %O19 = irdl.any
    %O20 = irdl.any
    %O21 = irdl.any
    %O22 = irdl.any
    %O23 = irdl.any
    %O24 = irdl.any
    %O25 = irdl.any
    %O26 = irdl.any
    %O27 = irdl.any
    %O28 = irdl.any
    %O29 = irdl.any
    %O30 = irdl.any
    %O31 = irdl.any
    %O32 = irdl.any
    %O33 = irdl.any
    %O34 = irdl.any
    %O35 = irdl.any
    %O36 = irdl.any
    %O37 = irdl.any
    %O38 = irdl.any
    %O39 = irdl.any
    %O40 = irdl.any
    %O41 = irdl.any
    %O42 = irdl.any
    %O43 = irdl.any
    %O44 = irdl.any
    %O45 = irdl.any
    %O46 = irdl.any
    %O47 = irdl.any
    %O48 = irdl.any
    %O49 = irdl.any
    %O50 = irdl.any
    %O51 = irdl.any
    %O52 = irdl.any
    %O53 = irdl.any
    %O54 = irdl.any
    %O55 = irdl.any
    %O56 = irdl.any
    %O57 = irdl.any
    %O58 = irdl.any
    %O59 = irdl.any
    %O60 = irdl.any
    %O61 = irdl.any
    %O62 = irdl.any
    %O63 = irdl.any
    irdl.results(variadic %O0, variadic %O1, variadic %O2, variadic %O3, variadic %O4, variadic %O5, variadic %O6, variadic %O7, variadic %O8, variadic %O9, variadic %O10, variadic %O11, variadic %O12, variadic %O13, variadic %O14, variadic %O15, variadic %O16, variadic %O17, variadic %O18, variadic %O19, variadic %O20, variadic %O21, variadic %O22, variadic %O23, variadic %O24, variadic %O25, variadic %O26, variadic %O27, variadic %O28, variadic %O29, variadic %O30, variadic %O31, variadic %O32, variadic %O33, variadic %O34, variadic %O35, variadic %O36, variadic %O37, variadic %O38, variadic %O39, variadic %O40, variadic %O41, variadic %O42, variadic %O43, variadic %O44, variadic %O45, variadic %O46, variadic %O47, variadic %O48, variadic %O49, variadic %O50, variadic %O51, variadic %O52, variadic %O53, variadic %O54, variadic %O55, variadic %O56, variadic %O57, variadic %O58, variadic %O59, variadic %O60, variadic %O61, variadic %O62, variadic %O63)
    %module = irdl.base "#builtin.symbol_ref"
    irdl.attributes {"module" = %module}
  }
}

// dataflow: the four state machines of loops, sums in parts, interlocks, and values held for a run.
irdl.dialect @dataflow {
  irdl.operation @stream {
    %N_0 = irdl.base "!builtin.integer"
    %N_1 = irdl.is index
    %N = irdl.any_of(%N_0, %N_1)
    irdl.operands(%N, %N, %N)
    %C = irdl.is i1
    irdl.results(%N, %C)
    %step_op_0 = irdl.is "+="
    %step_op_1 = irdl.is "-="
    %step_op_2 = irdl.is "*="
    %step_op_3 = irdl.is "/="
    %step_op_4 = irdl.is "<<="
    %step_op_5 = irdl.is ">>="
    %step_op = irdl.any_of(%step_op_0, %step_op_1, %step_op_2, %step_op_3, %step_op_4, %step_op_5)
    %cont_cond_0 = irdl.is "<"
    %cont_cond_1 = irdl.is "<="
    %cont_cond_2 = irdl.is ">"
    %cont_cond_3 = irdl.is ">="
    %cont_cond_4 = irdl.is "!="
    %cont_cond = irdl.any_of(%cont_cond_0, %cont_cond_1, %cont_cond_2, %cont_cond_3, %cont_cond_4)
    irdl.attributes {"step_op" = %step_op, "cont_cond" = %cont_cond}
  }
  irdl.operation @gate {
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    %C = irdl.is i1
    irdl.operands(%T, %C)
    irdl.results(%T, %C)
  }
  irdl.operation @carry {
    %C = irdl.is i1
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(%C, %T, %T)
    irdl.results(%T)
  }
  irdl.operation @invariant {
    %C = irdl.is i1
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(%C, %T)
    irdl.results(%T)
  }
  irdl.operation @accumulate {
    %C = irdl.is i1
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(%C, %T, %T)
    irdl.results(%T)
    %operation_0 = irdl.is "addf"
    %operation_1 = irdl.is "subf"
    %operation_2 = irdl.is "mulf"
    %operation = irdl.any_of(%operation_0, %operation_1, %operation_2)
    %parts = irdl.base "#builtin.integer"
    irdl.attributes {"operation" = %operation, "parts" = %parts}
  }
  irdl.operation @hold {
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(%T)
    irdl.results(%T)
  }
  irdl.operation @interlock {
    %N_0 = irdl.base "!builtin.integer"
    %N_1 = irdl.is index
    %N = irdl.any_of(%N_0, %N_1)
    %K = irdl.is none
    irdl.operands(%N, %N, %K)
    irdl.results(%N)
  }
}

// fabric: the hardware: definitions have a symbol and no operands, uses on the spot have operands.
irdl.dialect @fabric {
  irdl.type @bits {
    %A = irdl.base "#builtin.integer"
    irdl.parameters(%A)
  }
  irdl.type @tagged {
    %P_0 = irdl.base @fabric::@bits
    %P_1 = irdl.base "!builtin.integer"
    %P_2 = irdl.is index
    %P_3 = irdl.is none
    %P_4 = irdl.is f16
    %P_5 = irdl.is bf16
    %P_6 = irdl.is f32
    %P_7 = irdl.is f64
    %P = irdl.any_of(%P_0, %P_1, %P_2, %P_3, %P_4, %P_5, %P_6, %P_7)
    %W = irdl.base "!builtin.integer"
    irdl.parameters(%P, %W)
  }
  irdl.operation @module {
    %sym_name = irdl.base "#builtin.string"
    %function_type = irdl.base "#builtin.type"
    irdl.attributes {"sym_name" = %sym_name, "function_type" = %function_type}
    %body = irdl.region with size 2
    irdl.regions(%body)
  }
  irdl.operation @function_unit {
    %sym_name = irdl.base "#builtin.string"
    %function_type = irdl.base "#builtin.type"
    irdl.attributes {"sym_name" = %sym_name, "function_type" = %function_type}
    %body = irdl.region with size 2
    irdl.regions(%body)
  }
  irdl.operation @spatial_pe {
    %R0 = irdl.any
    %R1 = irdl.any
    %R2 = irdl.any
    %R3 = irdl.any
    %R4 = irdl.any
    %R5 = irdl.any
    %R6 = irdl.any
    %R7 = irdl.any
    %R8 = irdl.any
    %R9 = irdl.any
    %R10 = irdl.any
    %R11 = irdl.any
    %R12 = irdl.any
    %R13 = irdl.any
    %R14 = irdl.any
    %R15 = irdl.any
    %R16 = irdl.any
    %R17 = irdl.any
    %R18 = irdl.any
    %R19 = irdl.any
    %R20 = irdl.any
    %R21 = irdl.any
    %R22 = irdl.any
    %R23 = irdl.any
    %R24 = irdl.any
    %R25 = irdl.any
    %R26 = irdl.any
    %R27 = irdl.any
    %R28 = irdl.any
    %R29 = irdl.any
    %R30 = irdl.any
    %R31 = irdl.any
    %R32 = irdl.any
    %R33 = irdl.any
    %R34 = irdl.any
    %R35 = irdl.any
    %R36 = irdl.any
    %R37 = irdl.any
    %R38 = irdl.any
    %R39 = irdl.any
    %R40 = irdl.any
    %R41 = irdl.any
    %R42 = irdl.any
    %R43 = irdl.any
    %R44 = irdl.any
    %R45 = irdl.any
    %R46 = irdl.any
    %R47 = irdl.any
    %R48 = irdl.any
    %R49 = irdl.any
    %R50 = irdl.any
    %R51 = irdl.any
    %R52 = irdl.any
    %R53 = irdl.any
    %R54 = irdl.any
    %R55 = irdl.any
    %R56 = irdl.any
    %R57 = irdl.any
    %R58 = irdl.any
    %R59 = irdl.any
    %R60 = irdl.any
    %R61 = irdl.any
    %R62 = irdl.any
    %R63 = irdl.any
    irdl.operands(variadic %R0, variadic %R1, variadic %R2, variadic %R3, variadic %R4, variadic %R5, variadic %R6, variadic %R7, variadic %R8, variadic %R9, variadic %R10, variadic %R11, variadic %R12, variadic %R13, variadic %R14, variadic %R15, variadic %R16, variadic %R17, variadic %R18, variadic %R19, variadic %R20, variadic %R21, variadic %R22, variadic %R23, variadic %R24, variadic %R25, variadic %R26, variadic %R27, variadic %R28, variadic %R29, variadic %R30, variadic %R31, variadic %R32, variadic %R33, variadic %R34, variadic %R35, variadic %R36, variadic %R37, variadic %R38, variadic %R39, variadic %R40, variadic %R41, variadic %R42, variadic %R43, variadic %R44, variadic %R45, variadic %R46, variadic %R47, variadic %R48, variadic %R49, variadic %R50, variadic %R51, variadic %R52, variadic %R53, variadic %R54, variadic %R55, variadic %R56, variadic %R57, variadic %R58, variadic %R59, variadic %R60, variadic %R61, variadic %R62, variadic %R63)
    %O0 = irdl.any
    %O1 = irdl.any
    %O2 = irdl.any
    %O3 = irdl.any
    %O4 = irdl.any
    %O5 = irdl.any
    %O6 = irdl.any
    %O7 = irdl.any
    %O8 = irdl.any
    %O9 = irdl.any
    %O10 = irdl.any
    %O11 = irdl.any
    %O12 = irdl.any
    %O13 = irdl.any
    %O14 = irdl.any
    %O15 = irdl.any
    %O16 = irdl.any
    %O17 = irdl.any
    %O18 = irdl.any
    %O19 = irdl.any
    %O20 = irdl.any
    %O21 = irdl.any
    %O22 = irdl.any
    %O23 = irdl.any
    %O24 = irdl.any
    %O25 = irdl.any
    %O26 = irdl.any
    %O27 = irdl.any
    %O28 = irdl.any
    %O29 = irdl.any
    %O30 = irdl.any
    %O31 = irdl.any
    %O32 = irdl.any
    %O33 = irdl.any
    %O34 = irdl.any
    %O35 = irdl.any
    %O36 = irdl.any
    %O37 = irdl.any
    %O38 = irdl.any
    %O39 = irdl.any
    %O40 = irdl.any
    %O41 = irdl.any
    %O42 = irdl.any
    %O43 = irdl.any
    %O44 = irdl.any
    %O45 = irdl.any
    %O46 = irdl.any
    %O47 = irdl.any
    %O48 = irdl.any
    %O49 = irdl.any
    %O50 = irdl.any
    %O51 = irdl.any
    %O52 = irdl.any
    %O53 = irdl.any
    %O54 = irdl.any
    %O55 = irdl.any
    %O56 = irdl.any
    %O57 = irdl.any
    %O58 = irdl.any
    %O59 = irdl.any
    %O60 = irdl.any
    %O61 = irdl.any
    %O62 = irdl.any
    %O63 = irdl.any
    irdl.results(variadic %O0, variadic %O1, variadic %O2, variadic %O3, variadic %O4, variadic %O5, variadic %O6, variadic %O7, variadic %O8, variadic %O9, variadic %O10, variadic %O11, variadic %O12, variadic %O13, variadic %O14, variadic %O15, variadic %O16, variadic %O17, variadic %O18, variadic %O19, variadic %O20, variadic %O21, variadic %O22, variadic %O23, variadic %O24, variadic %O25, variadic %O26, variadic %O27, variadic %O28, variadic %O29, variadic %O30, variadic %O31, variadic %O32, variadic %O33, variadic %O34, variadic %O35, variadic %O36, variadic %O37, variadic %O38, variadic %O39, variadic %O40, variadic %O41, variadic %O42, variadic %O43, variadic %O44, variadic %O45, variadic %O46, variadic %O47, variadic %O48, variadic %O49, variadic %O50, variadic %O51, variadic %O52, variadic %O53, variadic %O54, variadic %O55, variadic %O56, variadic %O57, variadic %O58, variadic %O59, variadic %O60, variadic %O61, variadic %O62, variadic %O63)
    %body = irdl.region with size 2
    irdl.regions(%body)
  }
  irdl.operation @temporal_pe {
    %R0 = irdl.any
    %R1 = irdl.any
    %R2 = irdl.any
    %R3 = irdl.any
    %R4 = irdl.any
    %R5 = irdl.any
    %R6 = irdl.any
    %R7 = irdl.any
    %R8 = irdl.any
    %R9 = irdl.any
    %R10 = irdl.any
    %R11 = irdl.any
    %R12 = irdl.any
    %R13 = irdl.any
    %R14 = irdl.any
    %R15 = irdl.any
    %R16 = irdl.any
    %R17 = irdl.any
    %R18 = irdl.any
    %R19 = irdl.any
    %R20 = irdl.any
    %R21 = irdl.any
    %R22 = irdl.any
    %R23 = irdl.any
    %R24 = irdl.any
    %R25 = irdl.any
    %R26 = irdl.any
    %R27 = irdl.any
    %R28 = irdl.any
    %R29 = irdl.any
    %R30 = irdl.any
    %R31 = irdl.any
    %R32 = irdl.any
    %R33 = irdl.any
    %R34 = irdl.any
    %R35 = irdl.any
    %R36 = irdl.any
    %R37 = irdl.any
    %R38 = irdl.any
    %R39 = irdl.any
    %R40 = irdl.any
    %R41 = irdl.any
    %R42 = irdl.any
    %R43 = irdl.any
    %R44 = irdl.any
    %R45 = irdl.any
    %R46 = irdl.any
    %R47 = irdl.any
    %R48 = irdl.any
    %R49 = irdl.any
    %R50 = irdl.any
    %R51 = irdl.any
    %R52 = irdl.any
    %R53 = irdl.any
    %R54 = irdl.any
    %R55 = irdl.any
    %R56 = irdl.any
    %R57 = irdl.any
    %R58 = irdl.any
    %R59 = irdl.any
    %R60 = irdl.any
    %R61 = irdl.any
    %R62 = irdl.any
    %R63 = irdl.any
    irdl.operands(variadic %R0, variadic %R1, variadic %R2, variadic %R3, variadic %R4, variadic %R5, variadic %R6, variadic %R7, variadic %R8, variadic %R9, variadic %R10, variadic %R11, variadic %R12, variadic %R13, variadic %R14, variadic %R15, variadic %R16, variadic %R17, variadic %R18, variadic %R19, variadic %R20, variadic %R21, variadic %R22, variadic %R23, variadic %R24, variadic %R25, variadic %R26, variadic %R27, variadic %R28, variadic %R29, variadic %R30, variadic %R31, variadic %R32, variadic %R33, variadic %R34, variadic %R35, variadic %R36, variadic %R37, variadic %R38, variadic %R39, variadic %R40, variadic %R41, variadic %R42, variadic %R43, variadic %R44, variadic %R45, variadic %R46, variadic %R47, variadic %R48, variadic %R49, variadic %R50, variadic %R51, variadic %R52, variadic %R53, variadic %R54, variadic %R55, variadic %R56, variadic %R57, variadic %R58, variadic %R59, variadic %R60, variadic %R61, variadic %R62, variadic %R63)
    %O0 = irdl.any
    %O1 = irdl.any
    %O2 = irdl.any
    %O3 = irdl.any
    %O4 = irdl.any
    %O5 = irdl.any
    %O6 = irdl.any
    %O7 = irdl.any
    %O8 = irdl.any
    %O9 = irdl.any
    %O10 = irdl.any
    %O11 = irdl.any
    %O12 = irdl.any
    %O13 = irdl.any
    %O14 = irdl.any
    %O15 = irdl.any
    %O16 = irdl.any
    %O17 = irdl.any
    %O18 = irdl.any
    %O19 = irdl.any
    %O20 = irdl.any
    %O21 = irdl.any
    %O22 = irdl.any
    %O23 = irdl.any
    %O24 = irdl.any
    %O25 = irdl.any
    %O26 = irdl.any
    %O27 = irdl.any
    %O28 = irdl.any
    %O29 = irdl.any
    %O30 = irdl.any
    %O31 = irdl.any
    %O32 = irdl.any
    %O33 = irdl.any
    %O34 = irdl.any
    %O35 = irdl.any
    %O36 = irdl.any
    %O37 = irdl.any
    %O38 = irdl.any
    %O39 = irdl.any
    %O40 = irdl.any
    %O41 = irdl.any
    %O42 = irdl.any
    %O43 = irdl.any
    %O44 = irdl.any
    %O45 = irdl.any
    %O46 = irdl.any
    %O47 = irdl.any
    %O48 = irdl.any
    %O49 = irdl.any
    %O50 = irdl.any
    %O51 = irdl.any
    %O52 = irdl.any
    %O53 = irdl.any
    %O54 = irdl.any
    %O55 = irdl.any
    %O56 = irdl.any
    %O57 = irdl.any
    %O58 = irdl.any
    %O59 = irdl.any
    %O60 = irdl.any
    %O61 = irdl.any
    %O62 = irdl.any
    %O63 = irdl.any
    irdl.results(variadic %O0, variadic %O1, variadic %O2, variadic %O3, variadic %O4, variadic %O5, variadic %O6, variadic %O7, variadic %O8, variadic %O9, variadic %O10, variadic %O11, variadic %O12, variadic %O13, variadic %O14, variadic %O15, variadic %O16, variadic %O17, variadic %O18, variadic %O19, variadic %O20, variadic %O21, variadic %O22, variadic %O23, variadic %O24, variadic %O25, variadic %O26, variadic %O27, variadic %O28, variadic %O29, variadic %O30, variadic %O31, variadic %O32, variadic %O33, variadic %O34, variadic %O35, variadic %O36, variadic %O37, variadic %O38, variadic %O39, variadic %O40, variadic %O41, variadic %O42, variadic %O43, variadic %O44, variadic %O45, variadic %O46, variadic %O47, variadic %O48, variadic %O49, variadic %O50, variadic %O51, variadic %O52, variadic %O53, variadic %O54, variadic %O55, variadic %O56, variadic %O57, variadic %O58, variadic %O59, variadic %O60, variadic %O61, variadic %O62, variadic %O63)
    %body = irdl.region with size 2
    irdl.regions(%body)
  }
  irdl.operation @instance {
    %R0 = irdl.any
    %R1 = irdl.any
    %R2 = irdl.any
    %R3 = irdl.any
    %R4 = irdl.any
    %R5 = irdl.any
    %R6 = irdl.any
    %R7 = irdl.any
    %R8 = irdl.any
    %R9 = irdl.any
    %R10 = irdl.any
    %R11 = irdl.any
    %R12 = irdl.any
    %R13 = irdl.any
    %R14 = irdl.any
    %R15 = irdl.any
    %R16 = irdl.any
    %R17 = irdl.any
    %R18 = irdl.any
    %R19 = irdl.any
    %R20 = irdl.any
    %R21 = irdl.any
    %R22 = irdl.any
    %R23 = irdl.any
    %R24 = irdl.any
    %R25 = irdl.any
    %R26 = irdl.any
    %R27 = irdl.any
    %R28 = irdl.any
    %R29 = irdl.any
    %R30 = irdl.any
    %R31 = irdl.any
    %R32 = irdl.any
    %R33 = irdl.any
    %R34 = irdl.any
    %R35 = irdl.any
    %R36 = irdl.any
    %R37 = irdl.any
    %R38 = irdl.any
    %R39 = irdl.any
    %R40 = irdl.any
    %R41 = irdl.any
    %R42 = irdl.any
    %R43 = irdl.any
    %R44 = irdl.any
    %R45 = irdl.any
    %R46 = irdl.any
    %R47 = irdl.any
    %R48 = irdl.any
    %R49 = irdl.any
    %R50 = irdl.any
    %R51 = irdl.any
    %R52 = irdl.any
    %R53 = irdl.any
    %R54 = irdl.any
    %R55 = irdl.any
    %R56 = irdl.any
    %R57 = irdl.any
    %R58 = irdl.any
    %R59 = irdl.any
    %R60 = irdl.any
    %R61 = irdl.any
    %R62 = irdl.any
    %R63 = irdl.any
    irdl.operands(variadic %R0, variadic %R1, variadic %R2, variadic %R3, variadic %R4, variadic %R5, variadic %R6, variadic %R7, variadic %R8, variadic %R9, variadic %R10, variadic %R11, variadic %R12, variadic %R13, variadic %R14, variadic %R15, variadic %R16, variadic %R17, variadic %R18, variadic %R19, variadic %R20, variadic %R21, variadic %R22, variadic %R23, variadic %R24, variadic %R25, variadic %R26, variadic %R27, variadic %R28, variadic %R29, variadic %R30, variadic %R31, variadic %R32, variadic %R33, variadic %R34, variadic %R35, variadic %R36, variadic %R37, variadic %R38, variadic %R39, variadic %R40, variadic %R41, variadic %R42, variadic %R43, variadic %R44, variadic %R45, variadic %R46, variadic %R47, variadic %R48, variadic %R49, variadic %R50, variadic %R51, variadic %R52, variadic %R53, variadic %R54, variadic %R55, variadic %R56, variadic %R57, variadic %R58, variadic %R59, variadic %R60, variadic %R61, variadic %R62, variadic %R63)
    %O0 = irdl.any
    %O1 = irdl.any
    %O2 = irdl.any
    %O3 = irdl.any
    %O4 = irdl.any
    %O5 = irdl.any
    %O6 = irdl.any
    %O7 = irdl.any
    %O8 = irdl.any
    %O9 = irdl.any
    %O10 = irdl.any
    %O11 = irdl.any
    %O12 = irdl.any
    %O13 = irdl.any
    %O14 = irdl.any
    %O15 = irdl.any
    %O16 = irdl.any
    %O17 = irdl.any
    %O18 = irdl.any
    %O19 = irdl.any
    %O20 = irdl.any
    %O21 = irdl.any
    %O22 = irdl.any
    %O23 = irdl.any
    %O24 = irdl.any
    %O25 = irdl.any
    %O26 = irdl.any
    %O27 = irdl.any
    %O28 = irdl.any
    %O29 = irdl.any
    %O30 = irdl.any
    %O31 = irdl.any
    %O32 = irdl.any
    %O33 = irdl.any
    %O34 = irdl.any
    %O35 = irdl.any
    %O36 = irdl.any
    %O37 = irdl.any
    %O38 = irdl.any
    %O39 = irdl.any
    %O40 = irdl.any
    %O41 = irdl.any
    %O42 = irdl.any
    %O43 = irdl.any
    %O44 = irdl.any
    %O45 = irdl.any
    %O46 = irdl.any
    %O47 = irdl.any
    %O48 = irdl.any
    %O49 = irdl.any
    %O50 = irdl.any
    %O51 = irdl.any
    %O52 = irdl.any
    %O53 = irdl.any
    %O54 = irdl.any
    %O55 = irdl.any
    %O56 = irdl.any
    %O57 = irdl.any
    %O58 = irdl.any
    %O59 = irdl.any
    %O60 = irdl.any
    %O61 = irdl.any
    %O62 = irdl.any
    %O63 = irdl.any
    irdl.results(variadic %O0, variadic %O1, variadic %O2, variadic %O3, variadic %O4, variadic %O5, variadic %O6, variadic %O7, variadic %O8, variadic %O9, variadic %O10, variadic %O11, variadic %O12, variadic %O13, variadic %O14, variadic %O15, variadic %O16, variadic %O17, variadic %O18, variadic %O19, variadic %O20, variadic %O21, variadic %O22, variadic %O23, variadic %O24, variadic %O25, variadic %O26, variadic %O27, variadic %O28, variadic %O29, variadic %O30, variadic %O31, variadic %O32, variadic %O33, variadic %O34, variadic %O35, variadic %O36, variadic %O37, variadic %O38, variadic %O39, variadic %O40, variadic %O41, variadic %O42, variadic %O43, variadic %O44, variadic %O45, variadic %O46, variadic %O47, variadic %O48, variadic %O49, variadic %O50, variadic %O51, variadic %O52, variadic %O53, variadic %O54, variadic %O55, variadic %O56, variadic %O57, variadic %O58, variadic %O59, variadic %O60, variadic %O61, variadic %O62, variadic %O63)
    %target = irdl.base "#builtin.symbol_ref"
    irdl.attributes {"target" = %target}
  }
  irdl.operation @yield {
    %R0 = irdl.any
    %R1 = irdl.any
    %R2 = irdl.any
    %R3 = irdl.any
    %R4 = irdl.any
    %R5 = irdl.any
    %R6 = irdl.any
    %R7 = irdl.any
    %R8 = irdl.any
    %R9 = irdl.any
    %R10 = irdl.any
    %R11 = irdl.any
    %R12 = irdl.any
    %R13 = irdl.any
    %R14 = irdl.any
    %R15 = irdl.any
    %R16 = irdl.any
    %R17 = irdl.any
    %R18 = irdl.any
    %R19 = irdl.any
    %R20 = irdl.any
    %R21 = irdl.any
    %R22 = irdl.any
    %R23 = irdl.any
    %R24 = irdl.any
    %R25 = irdl.any
    %R26 = irdl.any
    %R27 = irdl.any
    %R28 = irdl.any
    %R29 = irdl.any
    %R30 = irdl.any
    %R31 = irdl.any
    %R32 = irdl.any
    %R33 = irdl.any
    %R34 = irdl.any
    %R35 = irdl.any
    %R36 = irdl.any
    %R37 = irdl.any
    %R38 = irdl.any
    %R39 = irdl.any
    %R40 = irdl.any
    %R41 = irdl.any
    %R42 = irdl.any
    %R43 = irdl.any
    %R44 = irdl.any
    %R45 = irdl.any
    %R46 = irdl.any
    %R47 = irdl.any
    %R48 = irdl.any
    %R49 = irdl.any
    %R50 = irdl.any
    %R51 = irdl.any
    %R52 = irdl.any
    %R53 = irdl.any
    %R54 = irdl.any
    %R55 = irdl.any
    %R56 = irdl.any
    %R57 = irdl.any
    %R58 = irdl.any
    %R59 = irdl.any
    %R60 = irdl.any
    %R61 = irdl.any
    %R62 = irdl.any
    %R63 = irdl.any
    irdl.operands(variadic %R0, variadic %R1, variadic %R2, variadic %R3, variadic %R4, variadic %R5, variadic %R6, variadic %R7, variadic %R8, variadic %R9, variadic %R10, variadic %R11, variadic %R12, variadic %R13, variadic %R14, variadic %R15, variadic %R16, variadic %R17, variadic %R18, variadic %R19, variadic %R20, variadic %R21, variadic %R22, variadic %R23, variadic %R24, variadic %R25, variadic %R26, variadic %R27, variadic %R28, variadic %R29, variadic %R30, variadic %R31, variadic %R32, variadic %R33, variadic %R34, variadic %R35, variadic %R36, variadic %R37, variadic %R38, variadic %R39, variadic %R40, variadic %R41, variadic %R42, variadic %R43, variadic %R44, variadic %R45, variadic %R46, variadic %R47, variadic %R48, variadic %R49, variadic %R50, variadic %R51, variadic %R52, variadic %R53, variadic %R54, variadic %R55, variadic %R56, variadic %R57, variadic %R58, variadic %R59, variadic %R60, variadic %R61, variadic %R62, variadic %R63)
  }
  irdl.operation @mux {
    %T_0 = irdl.base "!builtin.integer"
    %T_1 = irdl.is index
    %T_2 = irdl.is none
    %T_3 = irdl.base "!builtin.tuple"
    %T_4 = irdl.is f16
    %T_5 = irdl.is bf16
    %T_6 = irdl.is f32
    %T_7 = irdl.is f64
    %T = irdl.any_of(%T_0, %T_1, %T_2, %T_3, %T_4, %T_5, %T_6, %T_7)
    irdl.operands(variadic %T)
    irdl.results(variadic %T)
  }
  irdl.operation @fifo {
    %Q_0 = irdl.base @fabric::@bits
    %Q_1 = irdl.base @fabric::@tagged
    %Q_2 = irdl.base "!builtin.integer"
    %Q_3 = irdl.is index
    %Q_4 = irdl.is none
    %Q_5 = irdl.is f16
    %Q_6 = irdl.is bf16
    %Q_7 = irdl.is f32
    %Q_8 = irdl.is f64
    %Q = irdl.any_of(%Q_0, %Q_1, %Q_2, %Q_3, %Q_4, %Q_5, %Q_6, %Q_7, %Q_8)
    irdl.operands(optional %Q)
    %Q2_0 = irdl.base @fabric::@bits
    %Q2_1 = irdl.base @fabric::@tagged
    %Q2_2 = irdl.base "!builtin.integer"
    %Q2_3 = irdl.is index
    %Q2_4 = irdl.is none
    %Q2_5 = irdl.is f16
    %Q2_6 = irdl.is bf16
    %Q2_7 = irdl.is f32
    %Q2_8 = irdl.is f64
    %Q2 = irdl.any_of(%Q2_0, %Q2_1, %Q2_2, %Q2_3, %Q2_4, %Q2_5, %Q2_6, %Q2_7, %Q2_8)
    irdl.results(optional %Q2)
  }
  irdl.operation @add_tag {
    %P_0 = irdl.base @fabric::@bits
    %P_1 = irdl.base "!builtin.integer"
    %P_2 = irdl.is index
    %P_3 = irdl.is none
    %P_4 = irdl.is f16
    %P_5 = irdl.is bf16
    %P_6 = irdl.is f32
    %P_7 = irdl.is f64
    %P = irdl.any_of(%P_0, %P_1, %P_2, %P_3, %P_4, %P_5, %P_6, %P_7)
    irdl.operands(optional %P)
    %G = irdl.base @fabric::@tagged
    irdl.results(optional %G)
  }
  irdl.operation @map_tag {
    %G = irdl.base @fabric::@tagged
    irdl.operands(optional %G)
    %G2 = irdl.base @fabric::@tagged
    irdl.results(optional %G2)
  }
  irdl.operation @del_tag {
    %G = irdl.base @fabric::@tagged
    irdl.operands(optional %G)
    %P_0 = irdl.base @fabric::@bits
    %P_1 = irdl.base "!builtin.integer"
    %P_2 = irdl.is index
    %P_3 = irdl.is none
    %P_4 = irdl.is f16
    %P_5 = irdl.is bf16
    %P_6 = irdl.is f32
    %P_7 = irdl.is f64
    %P = irdl.any_of(%P_0, %P_1, %P_2, %P_3, %P_4, %P_5, %P_6, %P_7)
    irdl.results(optional %P)
  }
  irdl.operation @load_lane {
    %I = irdl.is index
    %G = irdl.base @fabric::@tagged
    %G2 = irdl.base @fabric::@tagged
    irdl.operands(optional %I, optional %G, optional %G2)
    %G3 = irdl.base @fabric::@tagged
    %P_0 = irdl.base @fabric::@bits
    %P_1 = irdl.base "!builtin.integer"
    %P_2 = irdl.is index
    %P_3 = irdl.is none
    %P_4 = irdl.is f16
    %P_5 = irdl.is bf16
    %P_6 = irdl.is f32
    %P_7 = irdl.is f64
    %P = irdl.any_of(%P_0, %P_1, %P_2, %P_3, %P_4, %P_5, %P_6, %P_7)
    %K = irdl.is none
    irdl.results(optional %G3, optional %P, optional %K)
  }
  irdl.operation @store_lane {
    %I = irdl.is index
    %P_0 = irdl.base @fabric::@bits
    %P_1 = irdl.base "!builtin.integer"
    %P_2 = irdl.is index
    %P_3 = irdl.is none
    %P_4 = irdl.is f16
    %P_5 = irdl.is bf16
    %P_6 = irdl.is f32
    %P_7 = irdl.is f64
    %P = irdl.any_of(%P_0, %P_1, %P_2, %P_3, %P_4, %P_5, %P_6, %P_7)
    %G = irdl.base @fabric::@tagged
    irdl.operands(optional %I, optional %P, optional %G)
    %G2 = irdl.base @fabric::@tagged
    %G3 = irdl.base @fabric::@tagged
    %K = irdl.is none
    irdl.results(optional %G2, optional %G3, optional %K)
  }
  irdl.operation @extmemory {
    %R0 = irdl.any
    %R1 = irdl.any
    %R2 = irdl.any
    %R3 = irdl.any
    %R4 = irdl.any
    %R5 = irdl.any
    %R6 = irdl.any
    %R7 = irdl.any
    %R8 = irdl.any
    %R9 = irdl.any
    %R10 = irdl.any
    %R11 = irdl.any
    %R12 = irdl.any
    %R13 = irdl.any
    %R14 = irdl.any
    %R15 = irdl.any
    %R16 = irdl.any
    %R17 = irdl.any
    %R18 = irdl.any
    %R19 = irdl.any
    %R20 = irdl.any
    %R21 = irdl.any
    %R22 = irdl.any
    %R23 = irdl.any
    %R24 = irdl.any
    %R25 = irdl.any
    %R26 = irdl.any
    %R27 = irdl.any
    %R28 = irdl.any
    %R29 = irdl.any
    %R30 = irdl.any
    %R31 = irdl.any
    %R32 = irdl.any
    %R33 = irdl.any
    %R34 = irdl.any
    %R35 = irdl.any
    %R36 = irdl.any
    %R37 = irdl.any
    %R38 = irdl.any
    %R39 = irdl.any
    %R40 = irdl.any
    %R41 = irdl.any
    %R42 = irdl.any
    %R43 = irdl.any
    %R44 = irdl.any
    %R45 = irdl.any
    %R46 = irdl.any
    %R47 = irdl.any
    %R48 = irdl.any
    %R49 = irdl.any
    %R50 = irdl.any
    %R51 = irdl.any
    %R52 = irdl.any
    %R53 = irdl.any
    %R54 = irdl.any
    %R55 = irdl.any
    %R56 = irdl.any
    %R57 = irdl.any
    %R58 = irdl.any
    %R59 = irdl.any
    %R60 = irdl.any
    %R61 = irdl.any
    %R62 = irdl.any
    %R63 = irdl.any
    irdl.operands(variadic %R0, variadic %R1, variadic %R2, variadic %R3, variadic %R4, variadic %R5, variadic %R6, variadic %R7, variadic %R8, variadic %R9, variadic %R10, variadic %R11, variadic %R12, variadic %R13, variadic %R14, variadic %R15, variadic %R16, variadic %R17, variadic %R18, variadic %R19, variadic %R20, variadic %R21, variadic %R22, variadic %R23, variadic %R24, variadic %R25, variadic %R26, variadic %R27, variadic %R28, variadic %R29, variadic %R30, variadic %R31, variadic %R32, variadic %R33, variadic %R34, variadic %R35, variadic %R36, variadic %R37, variadic %R38, variadic %R39, variadic %R40, variadic %R41, variadic %R42, variadic %R43, variadic %R44, variadic %R45, variadic %R46, variadic %R47, variadic %R48, variadic %R49, variadic %R50, variadic %R51, variadic %R52, variadic %R53, variadic %R54, variadic %R55, variadic %R56, variadic %R57, variadic %R58, variadic %R59, variadic %R60, variadic %R61, variadic %R62, variadic %R63)
    %O0 = irdl.any
    %O1 = irdl.any
    %O2 = irdl.any
    %O3 = irdl.any
    %O4 = irdl.any
    %O5 = irdl.any
    %O6 = irdl.any
    %O7 = irdl.any
    %O8 = irdl.any
    %O9 = irdl.any
    %O10 = irdl.any
    %O11 = irdl.any
    %O12 = irdl.any
    %O13 = irdl.any
    %O14 = irdl.any
    %O15 = irdl.any
    %O16 = irdl.any
    %O17 = irdl.any
    %O18 = irdl.any
    %O19 = irdl.any
    %O20 = irdl.any
    %O21 = irdl.any
    %O22 = irdl.any
    %O23 = irdl.any
    %O24 = irdl.any
    %O25 = irdl.any
    %O26 = irdl.any
    %O27 = irdl.any
    %O28 = irdl.any
    %O29 = irdl.any
    %O30 = irdl.any
    %O31 = irdl.any
    %O32 = irdl.any
    %O33 = irdl.any
    %O34 = irdl.any
    %O35 = irdl.any
    %O36 = irdl.any
    %O37 = irdl.any
    %O38 = irdl.any
    %O39 = irdl.any
    %O40 = irdl.any
    %O41 = irdl.any
    %O42 = irdl.any
    %O43 = irdl.any
    %O44 = irdl.any
    %O45 = irdl.any
    %O46 = irdl.any
    %O47 = irdl.any
    %O48 = irdl.any
    %O49 = irdl.any
    %O50 = irdl.any
    %O51 = irdl.any
    %O52 = irdl.any
    %O53 = irdl.any
    %O54 = irdl.any
    %O55 = irdl.any
    %O56 = irdl.any
    %O57 = irdl.any
    %O58 = irdl.any
    %O59 = irdl.any
    %O60 = irdl.any
    %O61 = irdl.any
    %O62 = irdl.any
    %O63 = irdl.any
    irdl.results(variadic %O0, variadic %O1, variadic %O2, variadic %O3, variadic %O4, variadic %O5, variadic %O6, variadic %O7, variadic %O8, variadic %O9, variadic %O10, variadic %O11, variadic %O12, variadic %O13, variadic %O14, variadic %O15, variadic %O16, variadic %O17, variadic %O18, variadic %O19, variadic %O20, variadic %O21, variadic %O22, variadic %O23, variadic %O24, variadic %O25, variadic %O26, variadic %O27, variadic %O28, variadic %O29, variadic %O30, variadic %O31, variadic %O32, variadic %O33, variadic %O34, variadic %O35, variadic %O36, variadic %O37, variadic %O38, variadic %O39, variadic %O40, variadic %O41, variadic %O42, variadic %O43, variadic %O44, variadic %O45, variadic %O46, variadic %O47, variadic %O48, variadic %O49, variadic %O50, variadic %O51, variadic %O52, variadic %O53, variadic %O54, variadic %O55, variadic %O56, variadic %O57, variadic %O58, variadic %O59, variadic %O60, variadic %O61, variadic %O62, variadic %O63)
  }
  irdl.operation @memory {
    %R0 = irdl.any
    %R1 = irdl.any
    %R2 = irdl.any
    %R3 = irdl.any
    %R4 = irdl.any
    %R5 = irdl.any
    %R6 = irdl.any
    %R7 = irdl.any
    %R8 = irdl.any
    %R9 = irdl.any
    %R10 = irdl.any
    %R11 = irdl.any
    %R12 = irdl.any
    %R13 = irdl.any
    %R14 = irdl.any
    %R15 = irdl.any
    %R16 = irdl.any
    %R17 = irdl.any
    %R18 = irdl.any
    %R19 = irdl.any
    %R20 = irdl.any
    %R21 = irdl.any
    %R22 = irdl.any
    %R23 = irdl.any
    %R24 = irdl.any
    %R25 = irdl.any
    %R26 = irdl.any
    %R27 = irdl.any
    %R28 = irdl.any
    %R29 = irdl.any
    %R30 = irdl.any
    %R31 = irdl.any
    %R32 = irdl.any
    %R33 = irdl.any
    %R34 = irdl.any
    %R35 = irdl.any
    %R36 = irdl.any
    %R37 = irdl.any
    %R38 = irdl.any
    %R39 = irdl.any
    %R40 = irdl.any
    %R41 = irdl.any
    %R42 = irdl.any
    %R43 = irdl.any
    %R44 = irdl.any
    %R45 = irdl.any
    %R46 = irdl.any
    %R47 = irdl.any
    %R48 = irdl.any
    %R49 = irdl.any
    %R50 = irdl.any
    %R51 = irdl.any
    %R52 = irdl.any
    %R53 = irdl.any
    %R54 = irdl.any
    %R55 = irdl.any
    %R56 = irdl.any
    %R57 = irdl.any
    %R58 = irdl.any
    %R59 = irdl.any
    %R60 = irdl.any
    %R61 = irdl.any
    %R62 = irdl.any
    %R63 = irdl.any
    irdl.operands(variadic %R0, variadic %R1, variadic %R2, variadic %R3, variadic %R4, variadic %R5, variadic %R6, variadic %R7, variadic %R8, variadic %R9, variadic %R10, variadic %R11, variadic %R12, variadic %R13, variadic %R14, variadic %R15, variadic %R16, variadic %R17, variadic %R18, variadic %R19, variadic %R20, variadic %R21, variadic %R22, variadic %R23, variadic %R24, variadic %R25, variadic %R26, variadic %R27, variadic %R28, variadic %R29, variadic %R30, variadic %R31, variadic %R32, variadic %R33, variadic %R34, variadic %R35, variadic %R36, variadic %R37, variadic %R38, variadic %R39, variadic %R40, variadic %R41, variadic %R42, variadic %R43, variadic %R44, variadic %R45, variadic %R46, variadic %R47, variadic %R48, variadic %R49, variadic %R50, variadic %R51, variadic %R52, variadic %R53, variadic %R54, variadic %R55, variadic %R56, variadic %R57, variadic %R58, variadic %R59, variadic %R60, variadic %R61, variadic %R62, variadic %R63)
    %O0 = irdl.any
    %O1 = irdl.any
    %O2 = irdl.any
    %O3 = irdl.any
    %O4 = irdl.any
    %O5 = irdl.any
    %O6 = irdl.any
    %O7 = irdl.any
    %O8 = irdl.any
    %O9 = irdl.any
    %O10 = irdl.any
    %O11 = irdl.any
    %O12 = irdl.any
    %O13 = irdl.any
    %O14 = irdl.any
    %O15 = irdl.any
    %O16 = irdl.any
    %O17 = irdl.any
    %O18 = irdl.any
    %O19 = irdl.any
    %O20 = irdl.any
    %O21 = irdl.any
    %O22 = irdl.any
    %O23 = irdl.any
    %O24 = irdl.any
    %O25 = irdl.any
    %O26 = irdl.any
    %O27 = irdl.any
    %O28 = irdl.any
    %O29 = irdl.any
    %O30 = irdl.any
    %O31 = irdl.any
    %O32 = irdl.any
    %O33 = irdl.any
    %O34 = irdl.any
    %O35 = irdl.any
    %O36 = irdl.any
    %O37 = irdl.any
    %O38 = irdl.any
    %O39 = irdl.any
    %O40 = irdl.any
    %O41 = irdl.any
    %O42 = irdl.any
    %O43 = irdl.any
    %O44 = irdl.any
    %O45 = irdl.any
    %O46 = irdl.any
    %O47 = irdl.any
    %O48 = irdl.any
    %O49 = irdl.any
    %O50 = irdl.any
    %O51 = irdl.any
    %O52 = irdl.any
    %O53 = irdl.any
    %O54 = irdl.any
    %O55 = irdl.any
    %O56 = irdl.any
    %O57 = irdl.any
    %O58 = irdl.any
    %O59 = irdl.any
    %O60 = irdl.any
    %O61 = irdl.any
    %O62 = irdl.any
    %O63 = irdl.any
    irdl.results(variadic %O0, variadic %O1, variadic %O2, variadic %O3, variadic %O4, variadic %O5, variadic %O6, variadic %O7, variadic %O8, variadic %O9, variadic %O10, variadic %O11, variadic %O12, variadic %O13, variadic %O14, variadic %O15, variadic %O16, variadic %O17, variadic %O18, variadic %O19, variadic %O20, variadic %O21, variadic %O22, variadic %O23, variadic %O24, variadic %O25, variadic %O26, variadic %O27, variadic %O28, variadic %O29, variadic %O30, variadic %O31, variadic %O32, variadic %O33, variadic %O34, variadic %O35, variadic %O36, variadic %O37, variadic %O38, variadic %O39, variadic %O40, variadic %O41, variadic %O42, variadic %O43, variadic %O44, variadic %O45, variadic %O46, variadic %O47, variadic %O48, variadic %O49, variadic %O50, variadic %O51, variadic %O52, variadic %O53, variadic %O54, variadic %O55, variadic %O56, variadic %O57, variadic %O58, variadic %O59, variadic %O60, variadic %O61, variadic %O62, variadic %O63)
  }
  irdl.operation @spatial_sw {
    %R0 = irdl.any
    %R1 = irdl.any
    %R2 = irdl.any
    %R3 = irdl.any
    %R4 = irdl.any
    %R5 = irdl.any
    %R6 = irdl.any
    %R7 = irdl.any
    %R8 = irdl.any
    %R9 = irdl.any
    %R10 = irdl.any
    %R11 = irdl.any
    %R12 = irdl.any
    %R13 = irdl.any
    %R14 = irdl.any
    %R15 = irdl.any
    %R16 = irdl.any
    %R17 = irdl.any
    %R18 = irdl.any
    %R19 = irdl.any
    %R20 = irdl.any
    %R21 = irdl.any
    %R22 = irdl.any
    %R23 = irdl.any
    %R24 = irdl.any
    %R25 = irdl.any
    %R26 = irdl.any
    %R27 = irdl.any
    %R28 = irdl.any
    %R29 = irdl.any
    %R30 = irdl.any
    %R31 = irdl.any
    %R32 = irdl.any
    %R33 = irdl.any
    %R34 = irdl.any
    %R35 = irdl.any
    %R36 = irdl.any
    %R37 = irdl.any
    %R38 = irdl.any
    %R39 = irdl.any
    %R40 = irdl.any
    %R41 = irdl.any
    %R42 = irdl.any
    %R43 = irdl.any
    %R44 = irdl.any
    %R45 = irdl.any
    %R46 = irdl.any
    %R47 = irdl.any
    %R48 = irdl.any
    %R49 = irdl.any
    %R50 = irdl.any
    %R51 = irdl.any
    %R52 = irdl.any
    %R53 = irdl.any
    %R54 = irdl.any
    %R55 = irdl.any
    %R56 = irdl.any
    %R57 = irdl.any
    %R58 = irdl.any
    %R59 = irdl.any
    %R60 = irdl.any
    %R61 = irdl.any
    %R62 = irdl.any
    %R63 = irdl.any
    irdl.operands(variadic %R0, variadic %R1, variadic %R2, variadic %R3, variadic %R4, variadic %R5, variadic %R6, variadic %R7, variadic %R8, variadic %R9, variadic %R10, variadic %R11, variadic %R12, variadic %R13, variadic %R14, variadic %R15, variadic %R16, variadic %R17, variadic %R18, variadic %R19, variadic %R20, variadic %R21, variadic %R22, variadic %R23, variadic %R24, variadic %R25, variadic %R26, variadic %R27, variadic %R28, variadic %R29, variadic %R30, variadic %R31, variadic %R32, variadic %R33, variadic %R34, variadic %R35, variadic %R36, variadic %R37, variadic %R38, variadic %R39, variadic %R40, variadic %R41, variadic %R42, variadic %R43, variadic %R44, variadic %R45, variadic %R46, variadic %R47, variadic %R48, variadic %R49, variadic %R50, variadic %R51, variadic %R52, variadic %R53, variadic %R54, variadic %R55, variadic %R56, variadic %R57, variadic %R58, variadic %R59, variadic %R60, variadic %R61, variadic %R62, variadic %R63)
    %O0 = irdl.any
    %O1 = irdl.any
    %O2 = irdl.any
    %O3 = irdl.any
    %O4 = irdl.any
    %O5 = irdl.any
    %O6 = irdl.any
    %O7 = irdl.any
    %O8 = irdl.any
    %O9 = irdl.any
    %O10 = irdl.any
    %O11 = irdl.any
    %O12 = irdl.any
    %O13 = irdl.any
    %O14 = irdl.any
    %O15 = irdl.any
    %O16 = irdl.any
    %O17 = irdl.any
    %O18 = irdl.any
    %O19 = irdl.any
    %O20 = irdl.any
    %O21 = irdl.any
    %O22 = irdl.any
    %O23 = irdl.any
    %O24 = irdl.any
    %O25 = irdl.any
    %O26 = irdl.any
    %O27 = irdl.any
    %O28 = irdl.any
    %O29 = irdl.any
    %O30 = irdl.any
    %O31 = irdl.any
    %O32 = irdl.any
    %O33 = irdl.any
    %O34 = irdl.any
    %O35 = irdl.any
    %O36 = irdl.any
    %O37 = irdl.any
    %O38 = irdl.any
    %O39 = irdl.any
    %O40 = irdl.any
    %O41 = irdl.any
    %O42 = irdl.any
    %O43 = irdl.any
    %O44 = irdl.any
    %O45 = irdl.any
    %O46 = irdl.any
    %O47 = irdl.any
    %O48 = irdl.any
    %O49 = irdl.any
    %O50 = irdl.any
    %O51 = irdl.any
    %O52 = irdl.any
    %O53 = irdl.any
    %O54 = irdl.any
    %O55 = irdl.any
    %O56 = irdl.any
    %O57 = irdl.any
    %O58 = irdl.any
    %O59 = irdl.any
    %O60 = irdl.any
    %O61 = irdl.any
    %O62 = irdl.any
    %O63 = irdl.any
    irdl.results(variadic %O0, variadic %O1, variadic %O2, variadic %O3, variadic %O4, variadic %O5, variadic %O6, variadic %O7, variadic %O8, variadic %O9, variadic %O10, variadic %O11, variadic %O12, variadic %O13, variadic %O14, variadic %O15, variadic %O16, variadic %O17, variadic %O18, variadic %O19, variadic %O20, variadic %O21, variadic %O22, variadic %O23, variadic %O24, variadic %O25, variadic %O26, variadic %O27, variadic %O28, variadic %O29, variadic %O30, variadic %O31, variadic %O32, variadic %O33, variadic %O34, variadic %O35, variadic %O36, variadic %O37, variadic %O38, variadic %O39, variadic %O40, variadic %O41, variadic %O42, variadic %O43, variadic %O44, variadic %O45, variadic %O46, variadic %O47, variadic %O48, variadic %O49, variadic %O50, variadic %O51, variadic %O52, variadic %O53, variadic %O54, variadic %O55, variadic %O56, variadic %O57, variadic %O58, variadic %O59, variadic %O60, variadic %O61, variadic %O62, variadic %O63)
  }
  irdl.operation @temporal_sw {
    %R0 = irdl.any
    %R1 = irdl.any
    %R2 = irdl.any
    %R3 = irdl.any
    %R4 = irdl.any
    %R5 = irdl.any
    %R6 = irdl.any
    %R7 = irdl.any
    %R8 = irdl.any
    %R9 = irdl.any
    %R10 = irdl.any
    %R11 = irdl.any
    %R12 = irdl.any
    %R13 = irdl.any
    %R14 = irdl.any
    %R15 = irdl.any
    %R16 = irdl.any
    %R17 = irdl.any
    %R18 = irdl.any
    %R19 = irdl.any
    %R20 = irdl.any
    %R21 = irdl.any
    %R22 = irdl.any
    %R23 = irdl.any
    %R24 = irdl.any
    %R25 = irdl.any
    %R26 = irdl.any
    %R27 = irdl.any
    %R28 = irdl.any
    %R29 = irdl.any
    %R30 = irdl.any
    %R31 = irdl.any
    %R32 = irdl.any
    %R33 = irdl.any
    %R34 = irdl.any
    %R35 = irdl.any
    %R36 = irdl.any
    %R37 = irdl.any
    %R38 = irdl.any
    %R39 = irdl.any
    %R40 = irdl.any
    %R41 = irdl.any
    %R42 = irdl.any
    %R43 = irdl.any
    %R44 = irdl.any
    %R45 = irdl.any
    %R46 = irdl.any
    %R47 = irdl.any
    %R48 = irdl.any
    %R49 = irdl.any
    %R50 = irdl.any
    %R51 = irdl.any
    %R52 = irdl.any
    %R53 = irdl.any
    %R54 = irdl.any
    %R55 = irdl.any
    %R56 = irdl.any
    %R57 = irdl.any
    %R58 = irdl.any
    %R59 = irdl.any
    %R60 = irdl.any
    %R61 = irdl.any
    %R62 = irdl.any
    %R63 = irdl.any
    irdl.operands(variadic %R0, variadic %R1, variadic %R2, variadic %R3, variadic %R4, variadic %R5, variadic %R6, variadic %R7, variadic %R8, variadic %R9, variadic %R10, variadic %R11, variadic %R12, variadic %R13, variadic %R14, variadic %R15, variadic %R16, variadic %R17, variadic %R18, variadic %R19, variadic %R20, variadic %R21, variadic %R22, variadic %R23, variadic %R24, variadic %R25, variadic %R26, variadic %R27, variadic %R28, variadic %R29, variadic %R30, variadic %R31, variadic %R32, variadic %R33, variadic %R34, variadic %R35, variadic %R36, variadic %R37, variadic %R38, variadic %R39, variadic %R40, variadic %R41, variadic %R42, variadic %R43, variadic %R44, variadic %R45, variadic %R46, variadic %R47, variadic %R48, variadic %R49, variadic %R50, variadic %R51, variadic %R52, variadic %R53, variadic %R54, variadic %R55, variadic %R56, variadic %R57, variadic %R58, variadic %R59, variadic %R60, variadic %R61, variadic %R62, variadic %R63)
    %O0 = irdl.any
    %O1 = irdl.any
    %O2 = irdl.any
    %O3 = irdl.any
    %O4 = irdl.any
    %O5 = irdl.any
    %O6 = irdl.any
    %O7 = irdl.any
    %O8 = irdl.any
    %O9 = irdl.any
    %O10 = irdl.any
    %O11 = irdl.any
    %O12 = irdl.any
    %O13 = irdl.any
    %O14 = irdl.any
    %O15 = irdl.any
    %O16 = irdl.any
    %O17 = irdl.any
    %O18 = irdl.any
    %O19 = irdl.any
    %O20 = irdl.any
    %O21 = irdl.any
    %O22 = irdl.any
    %O23 = irdl.any
    %O24 = irdl.any
    %O25 = irdl.any
    %O26 = irdl.any
    %O27 = irdl.any
    %O28 = irdl.any
    %O29 = irdl.any
    %O30 = irdl.any
    %O31 = irdl.any
    %O32 = irdl.any
    %O33 = irdl.any
    %O34 = irdl.any
    %O35 = irdl.any
    %O36 = irdl.any
    %O37 = irdl.any
    %O38 = irdl.any
    %O39 = irdl.any
    %O40 = irdl.any
    %O41 = irdl.any
    %O42 = irdl.any
    %O43 = irdl.any
    %O44 = irdl.any
    %O45 = irdl.any
    %O46 = irdl.any
    %O47 = irdl.any
    %O48 = irdl.any
    %O49 = irdl.any
    %O50 = irdl.any
    %O51 = irdl.any
    %O52 = irdl.any
    %O53 = irdl.any
    %O54 = irdl.any
    %O55 = irdl.any
    %O56 = irdl.any
    %O57 = irdl.any
    %O58 = irdl.any
    %O59 = irdl.any
    %O60 = irdl.any
    %O61 = irdl.any
    %O62 = irdl.any
    %O63 = irdl.any
    irdl.results(variadic %O0, variadic %O1, variadic %O2, variadic %O3, variadic %O4, variadic %O5, variadic %O6, variadic %O7, variadic %O8, variadic %O9, variadic %O10, variadic %O11, variadic %O12, variadic %O13, variadic %O14, variadic %O15, variadic %O16, variadic %O17, variadic %O18, variadic %O19, variadic %O20, variadic %O21, variadic %O22, variadic %O23, variadic %O24, variadic %O25, variadic %O26, variadic %O27, variadic %O28, variadic %O29, variadic %O30, variadic %O31, variadic %O32, variadic %O33, variadic %O34, variadic %O35, variadic %O36, variadic %O37, variadic %O38, variadic %O39, variadic %O40, variadic %O41, variadic %O42, variadic %O43, variadic %O44, variadic %O45, variadic %O46, variadic %O47, variadic %O48, variadic %O49, variadic %O50, variadic %O51, variadic %O52, variadic %O53, variadic %O54, variadic %O55, variadic %O56, variadic %O57, variadic %O58, variadic %O59, variadic %O60, variadic %O61, variadic %O62, variadic %O63)
  }
}
