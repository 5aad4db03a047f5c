// Made of library.c by TestLibraryText: LOOM_UPDATE=1 makes it again.
// function lib_copysign
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg126: f64, %arg127: f64):
    %0 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %1 = "llvm.intr.fabs"(%arg126) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %2 = "llvm.bitcast"(%1) : (f64) -> i64
    %3 = "llvm.bitcast"(%arg127) : (f64) -> i64
    %4 = "llvm.and"(%3, %0) : (i64, i64) -> i64
    %5 = "llvm.or"(%4, %2) : (i64, i64) -> i64
    %6 = "llvm.bitcast"(%5) : (i64) -> f64
    "llvm.return"(%6) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64, f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_copysign"} : () -> ()
}) : () -> ()
// function lib_ceil
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg125: f64):
    %0 = "llvm.fneg"(%arg125) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %1 = "llvm.intr.floor"(%0) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %2 = "llvm.fneg"(%1) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.return"(%2) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_ceil"} : () -> ()
}) : () -> ()
// function lib_trunc
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg124: f64):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %1 = "llvm.fcmp"(%arg124, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%1)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %2 = "llvm.fneg"(%arg124) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %3 = "llvm.intr.floor"(%2) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %4 = "llvm.fneg"(%3) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.br"(%4)[^bb3] : (f64) -> ()
  ^bb2:
    %5 = "llvm.intr.floor"(%arg124) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.br"(%5)[^bb3] : (f64) -> ()
  ^bb3(%arg0: f64):
    "llvm.return"(%arg0) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_trunc"} : () -> ()
}) : () -> ()
// function lib_round
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg123: f64):
    %0 = "llvm.mlir.constant"() {value = 5.000000e-01 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %3 = "llvm.intr.fabs"(%arg123) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %4 = "llvm.intr.floor"(%3) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %5 = "llvm.fsub"(%3, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %6 = "llvm.fcmp"(%5, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 3 : i64} : (f64, f64) -> i1
    %7 = "llvm.fadd"(%4, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %8 = "llvm.select"(%6, %7, %4) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %9 = "llvm.intr.fabs"(%8) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %10 = "llvm.bitcast"(%9) : (f64) -> i64
    %11 = "llvm.bitcast"(%arg123) : (f64) -> i64
    %12 = "llvm.and"(%11, %2) : (i64, i64) -> i64
    %13 = "llvm.or"(%12, %10) : (i64, i64) -> i64
    %14 = "llvm.bitcast"(%13) : (i64) -> f64
    "llvm.return"(%14) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_round"} : () -> ()
}) : () -> ()
// function lib_rint
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg122: f64):
    %0 = "llvm.mlir.constant"() {value = 5.000000e-01 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %3 = "llvm.intr.fabs"(%arg122) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %4 = "llvm.intr.floor"(%3) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %5 = "llvm.fsub"(%3, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %6 = "llvm.fcmp"(%5, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%6)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %7 = "llvm.fmul"(%4, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %8 = "llvm.intr.floor"(%7) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %9 = "llvm.fcmp"(%7, %8) {fastmathFlags = #llvm.fastmath<none>, predicate = 13 : i64} : (f64, f64) -> i1
    %10 = "llvm.fcmp"(%5, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %11 = "llvm.and"(%10, %9) : (i1, i1) -> i1
    "llvm.cond_br"(%11, %4)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f64) -> ()
  ^bb2:
    %12 = "llvm.fadd"(%4, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%12)[^bb3] : (f64) -> ()
  ^bb3(%arg0: f64):
    %13 = "llvm.intr.fabs"(%arg0) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %14 = "llvm.bitcast"(%13) : (f64) -> i64
    %15 = "llvm.bitcast"(%arg122) : (f64) -> i64
    %16 = "llvm.and"(%15, %2) : (i64, i64) -> i64
    %17 = "llvm.or"(%16, %14) : (i64, i64) -> i64
    %18 = "llvm.bitcast"(%17) : (i64) -> f64
    "llvm.return"(%18) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_rint"} : () -> ()
}) : () -> ()
// function lib_ldexp
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg120: f64, %arg121: i32):
    %0 = "llvm.mlir.constant"() {value = 3069 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = -3069 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = 1023 : i32} : () -> i32
    %3 = "llvm.mlir.constant"() {value = 8.98846567431158e+307 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = -1023 : i32} : () -> i32
    %5 = "llvm.mlir.constant"() {value = 2046 : i32} : () -> i32
    %6 = "llvm.mlir.constant"() {value = -1022 : i32} : () -> i32
    %7 = "llvm.mlir.constant"() {value = 2.004168360008973e-292 : f64} : () -> f64
    %8 = "llvm.mlir.constant"() {value = 969 : i32} : () -> i32
    %9 = "llvm.mlir.constant"() {value = -1991 : i32} : () -> i32
    %10 = "llvm.mlir.constant"() {value = 52 : i64} : () -> i64
    %11 = "llvm.intr.smin"(%arg121, %0) : (i32, i32) -> i32
    %12 = "llvm.intr.smax"(%11, %1) : (i32, i32) -> i32
    %13 = "llvm.icmp"(%arg121, %2) {predicate = 4 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%13, %12, %arg120, %arg120, %12)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 2, 2>} : (i1, i32, f64, f64, i32) -> ()
  ^bb1(%arg0: f64, %arg1: i32):
    %14 = "llvm.icmp"(%arg1, %6) {predicate = 2 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%14, %arg1, %arg0, %arg0, %arg1)[^bb3, ^bb4] {operandSegmentSizes = array<i32: 1, 2, 2>} : (i1, i32, f64, f64, i32) -> ()
  ^bb2(%arg2: i32, %arg3: f64):
    %15 = "llvm.fmul"(%arg3, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %16 = "llvm.add"(%arg2, %4) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %17 = "llvm.icmp"(%arg2, %5) {predicate = 4 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%17, %16, %15, %15, %16)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 2, 2>} : (i1, i32, f64, f64, i32) -> ()
  ^bb3(%arg4: i32, %arg5: f64):
    %18 = "llvm.fmul"(%arg5, %7) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %19 = "llvm.add"(%arg4, %8) {overflowFlags = #llvm.overflow<nsw, nuw>} : (i32, i32) -> i32
    %20 = "llvm.icmp"(%arg4, %9) {predicate = 6 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%20, %19, %18, %18, %19)[^bb3, ^bb4] {operandSegmentSizes = array<i32: 1, 2, 2>} : (i1, i32, f64, f64, i32) -> ()
  ^bb4(%arg6: f64, %arg7: i32):
    %21 = "llvm.add"(%arg7, %2) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %22 = "llvm.sext"(%21) : (i32) -> i64
    %23 = "llvm.shl"(%22, %10) {overflowFlags = #llvm.overflow<nuw>} : (i64, i64) -> i64
    %24 = "llvm.bitcast"(%23) : (i64) -> f64
    %25 = "llvm.fmul"(%arg6, %24) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.return"(%25) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64, i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_ldexp"} : () -> ()
}) : () -> ()
// function lib_frexp
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg118: f64, %arg119: !llvm.ptr):
    %0 = "llvm.mlir.constant"() {value = 0 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 1.7976931348623157e+308 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 52 : i64} : () -> i64
    %4 = "llvm.mlir.constant"() {value = 2047 : i64} : () -> i64
    %5 = "llvm.mlir.constant"() {value = 0 : i64} : () -> i64
    %6 = "llvm.mlir.constant"() {value = -1022 : i32} : () -> i32
    %7 = "llvm.mlir.constant"() {value = 9.007199254740992e+15 : f64} : () -> f64
    %8 = "llvm.mlir.constant"() {value = 2047 : i32} : () -> i32
    %9 = "llvm.mlir.constant"() {value = -1075 : i32} : () -> i32
    %10 = "llvm.mlir.constant"() {value = -53 : i64} : () -> i64
    %11 = "llvm.mlir.constant"() {value = 1 : i64} : () -> i64
    %12 = "llvm.mlir.constant"() {value = -9218868437227405313 : i64} : () -> i64
    %13 = "llvm.mlir.constant"() {value = 4602678819172646912 : i64} : () -> i64
    "llvm.store"(%0, %arg119) {alignment = 4 : i64, ordering = 0 : i64} : (i32, !llvm.ptr) -> ()
    %14 = "llvm.fcmp"(%arg118, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %15 = "llvm.intr.fabs"(%arg118) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %16 = "llvm.fcmp"(%15, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 9 : i64} : (f64, f64) -> i1
    %17 = "llvm.or"(%14, %16) : (i1, i1) -> i1
    "llvm.cond_br"(%17, %arg118)[^bb5, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb1:
    %18 = "llvm.bitcast"(%arg118) : (f64) -> i64
    %19 = "llvm.lshr"(%18, %3) : (i64, i64) -> i64
    %20 = "llvm.and"(%19, %4) : (i64, i64) -> i64
    %21 = "llvm.icmp"(%20, %5) {predicate = 0 : i64} : (i64, i64) -> i1
    "llvm.cond_br"(%21)[^bb3, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb2:
    %22 = "llvm.trunc"(%20) : (i64) -> i32
    %23 = "llvm.add"(%22, %6) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %24 = "llvm.fmul"(%arg118, %7) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%24, %23, %20)[^bb4] : (f64, i32, i64) -> ()
  ^bb3:
    %25 = "llvm.fmul"(%arg118, %7) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %26 = "llvm.bitcast"(%25) : (f64) -> i64
    %27 = "llvm.lshr"(%26, %3) : (i64, i64) -> i64
    %28 = "llvm.trunc"(%27) : (i64) -> i32
    %29 = "llvm.and"(%28, %8) : (i32, i32) -> i32
    %30 = "llvm.add"(%29, %9) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %31 = "llvm.and"(%27, %4) : (i64, i64) -> i64
    %32 = "llvm.add"(%31, %10) {overflowFlags = #llvm.overflow<nsw>} : (i64, i64) -> i64
    "llvm.br"(%25, %30, %32)[^bb4] : (f64, i32, i64) -> ()
  ^bb4(%arg0: f64, %arg1: i32, %arg2: i64):
    "llvm.store"(%arg1, %arg119) {alignment = 4 : i64, ordering = 0 : i64} : (i32, !llvm.ptr) -> ()
    %33 = "llvm.icmp"(%arg2, %11) {predicate = 2 : i64} : (i64, i64) -> i1
    %34 = "llvm.select"(%33, %arg0, %arg118) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %35 = "llvm.bitcast"(%34) : (f64) -> i64
    %36 = "llvm.and"(%35, %12) : (i64, i64) -> i64
    %37 = "llvm.or"(%36, %13) : (i64, i64) -> i64
    %38 = "llvm.bitcast"(%37) : (i64) -> f64
    "llvm.br"(%38)[^bb5] : (f64) -> ()
  ^bb5(%arg3: f64):
    "llvm.return"(%arg3) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64, ptr)>, linkage = #llvm.linkage<external>, sym_name = "lib_frexp"} : () -> ()
}) : () -> ()
// function lib_modf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg116: f64, %arg117: !llvm.ptr):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %2 = "llvm.fcmp"(%arg116, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%2)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %3 = "llvm.fneg"(%arg116) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %4 = "llvm.intr.floor"(%3) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %5 = "llvm.fneg"(%4) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.br"(%5)[^bb3] : (f64) -> ()
  ^bb2:
    %6 = "llvm.intr.floor"(%arg116) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.br"(%6)[^bb3] : (f64) -> ()
  ^bb3(%arg0: f64):
    "llvm.store"(%arg0, %arg117) {alignment = 8 : i64, ordering = 0 : i64} : (f64, !llvm.ptr) -> ()
    %7 = "llvm.fcmp"(%arg0, %arg116) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %8 = "llvm.fsub"(%arg116, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %9 = "llvm.intr.fabs"(%8) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %10 = "llvm.select"(%7, %0, %9) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %11 = "llvm.bitcast"(%10) : (f64) -> i64
    %12 = "llvm.bitcast"(%arg116) : (f64) -> i64
    %13 = "llvm.and"(%12, %1) : (i64, i64) -> i64
    %14 = "llvm.or"(%13, %11) : (i64, i64) -> i64
    %15 = "llvm.bitcast"(%14) : (i64) -> f64
    "llvm.return"(%15) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64, ptr)>, linkage = #llvm.linkage<external>, sym_name = "lib_modf"} : () -> ()
}) : () -> ()
// function lib_logb
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg115: f64):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 0x7FF0000000000000 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 52 : i64} : () -> i64
    %3 = "llvm.mlir.constant"() {value = 2047 : i64} : () -> i64
    %4 = "llvm.mlir.constant"() {value = 0 : i64} : () -> i64
    %5 = "llvm.mlir.constant"() {value = 9.007199254740992e+15 : f64} : () -> f64
    %6 = "llvm.mlir.constant"() {value = -53 : i64} : () -> i64
    %7 = "llvm.mlir.constant"() {value = -1023 : i32} : () -> i32
    %8 = "llvm.mlir.constant"() {value = -1.000000e+00 : f64} : () -> f64
    %9 = "llvm.fcmp"(%arg115, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %10 = "llvm.intr.fabs"(%arg115) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.cond_br"(%9)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %11 = "llvm.fdiv"(%8, %10) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%11)[^bb7] : (f64) -> ()
  ^bb2:
    %12 = "llvm.fcmp"(%10, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 8 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%12)[^bb3, ^bb4] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb3:
    %13 = "llvm.fmul"(%arg115, %arg115) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%13)[^bb7] : (f64) -> ()
  ^bb4:
    %14 = "llvm.bitcast"(%arg115) : (f64) -> i64
    %15 = "llvm.lshr"(%14, %2) : (i64, i64) -> i64
    %16 = "llvm.and"(%15, %3) : (i64, i64) -> i64
    %17 = "llvm.icmp"(%16, %4) {predicate = 0 : i64} : (i64, i64) -> i1
    "llvm.cond_br"(%17, %16)[^bb5, ^bb6] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, i64) -> ()
  ^bb5:
    %18 = "llvm.fmul"(%arg115, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %19 = "llvm.bitcast"(%18) : (f64) -> i64
    %20 = "llvm.lshr"(%19, %2) : (i64, i64) -> i64
    %21 = "llvm.and"(%20, %3) : (i64, i64) -> i64
    %22 = "llvm.add"(%21, %6) {overflowFlags = #llvm.overflow<nsw>} : (i64, i64) -> i64
    "llvm.br"(%22)[^bb6] : (i64) -> ()
  ^bb6(%arg0: i64):
    %23 = "llvm.trunc"(%arg0) : (i64) -> i32
    %24 = "llvm.add"(%23, %7) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %25 = "llvm.sitofp"(%24) : (i32) -> f64
    "llvm.br"(%25)[^bb7] : (f64) -> ()
  ^bb7(%arg1: f64):
    "llvm.return"(%arg1) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_logb"} : () -> ()
}) : () -> ()
// function lib_nextafter
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg113: f64, %arg114: f64):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 1 : i64} : () -> i64
    %2 = "llvm.mlir.constant"() {value = -1 : i64} : () -> i64
    %3 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %4 = "llvm.fcmp"(%arg113, %arg114) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%4)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %5 = "llvm.fadd"(%arg113, %arg114) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%5)[^bb6] : (f64) -> ()
  ^bb2:
    %6 = "llvm.fcmp"(%arg113, %arg114) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%6, %arg114)[^bb6, ^bb3] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb3:
    %7 = "llvm.fcmp"(%arg113, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%7)[^bb4, ^bb5] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb4:
    %8 = "llvm.bitcast"(%arg114) : (f64) -> i64
    %9 = "llvm.and"(%8, %3) : (i64, i64) -> i64
    %10 = "llvm.or"(%9, %1) : (i64, i64) -> i64
    %11 = "llvm.bitcast"(%10) : (i64) -> f64
    "llvm.br"(%11)[^bb6] : (f64) -> ()
  ^bb5:
    %12 = "llvm.bitcast"(%arg113) : (f64) -> i64
    %13 = "llvm.fcmp"(%arg113, %arg114) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    %14 = "llvm.fcmp"(%arg113, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 12 : i64} : (f64, f64) -> i1
    %15 = "llvm.xor"(%14, %13) : (i1, i1) -> i1
    %16 = "llvm.select"(%15, %1, %2) {fastmathFlags = #llvm.fastmath<none>} : (i1, i64, i64) -> i64
    %17 = "llvm.add"(%16, %12) {overflowFlags = #llvm.overflow<none>} : (i64, i64) -> i64
    %18 = "llvm.bitcast"(%17) : (i64) -> f64
    "llvm.br"(%18)[^bb6] : (f64) -> ()
  ^bb6(%arg0: f64):
    "llvm.return"(%arg0) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64, f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_nextafter"} : () -> ()
}) : () -> ()
// function lib_remainder
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg111: f64, %arg112: f64):
    %0 = "llvm.mlir.constant"() {value = 2.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 0x7FF0000000000000 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 4.450147717014403e-308 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = 5.000000e-01 : f64} : () -> f64
    %5 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %6 = "llvm.intr.fabs"(%arg112) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %7 = "llvm.fmul"(%6, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %8 = "llvm.fcmp"(%7, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 8 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%8)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %9 = "llvm.frem"(%arg111, %7) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %10 = "llvm.intr.fabs"(%9) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %11 = "llvm.intr.fabs"(%arg111) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.br"(%11, %10)[^bb3] : (f64, f64) -> ()
  ^bb2:
    %12 = "llvm.intr.fabs"(%arg111) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.br"(%12, %12)[^bb3] : (f64, f64) -> ()
  ^bb3(%arg0: f64, %arg1: f64):
    %13 = "llvm.fcmp"(%arg112, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 6 : i64} : (f64, f64) -> i1
    %14 = "llvm.fcmp"(%arg0, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 6 : i64} : (f64, f64) -> i1
    %15 = "llvm.and"(%13, %14) : (i1, i1) -> i1
    "llvm.cond_br"(%15)[^bb5, ^bb4] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb4:
    %16 = "llvm.fmul"(%arg111, %arg112) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %17 = "llvm.fdiv"(%16, %16) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%17)[^bb15] : (f64) -> ()
  ^bb5:
    %18 = "llvm.fcmp"(%6, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%18)[^bb6, ^bb9] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb6:
    %19 = "llvm.fadd"(%arg1, %arg1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %20 = "llvm.fcmp"(%19, %6) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%20, %arg1)[^bb7, ^bb12] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f64) -> ()
  ^bb7:
    %21 = "llvm.fsub"(%arg1, %6) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %22 = "llvm.fadd"(%21, %21) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %23 = "llvm.fcmp"(%22, %6) {fastmathFlags = #llvm.fastmath<none>, predicate = 11 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%23, %21)[^bb12, ^bb8] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb8:
    %24 = "llvm.fsub"(%21, %6) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%24)[^bb12] : (f64) -> ()
  ^bb9:
    %25 = "llvm.fmul"(%6, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %26 = "llvm.fcmp"(%arg1, %25) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%26, %arg1)[^bb10, ^bb12] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f64) -> ()
  ^bb10:
    %27 = "llvm.fsub"(%arg1, %6) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %28 = "llvm.fcmp"(%27, %25) {fastmathFlags = #llvm.fastmath<none>, predicate = 11 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%28, %27)[^bb12, ^bb11] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb11:
    %29 = "llvm.fsub"(%27, %6) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%29)[^bb12] : (f64) -> ()
  ^bb12(%arg2: f64):
    %30 = "llvm.fcmp"(%arg2, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%30)[^bb13, ^bb14] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb13:
    %31 = "llvm.bitcast"(%arg111) : (f64) -> i64
    %32 = "llvm.and"(%31, %5) : (i64, i64) -> i64
    %33 = "llvm.bitcast"(%32) : (i64) -> f64
    "llvm.br"(%33)[^bb15] : (f64) -> ()
  ^bb14:
    %34 = "llvm.fcmp"(%arg111, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    %35 = "llvm.fneg"(%arg2) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %36 = "llvm.select"(%34, %35, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    "llvm.br"(%36)[^bb15] : (f64) -> ()
  ^bb15(%arg3: f64):
    "llvm.return"(%arg3) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64, f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_remainder"} : () -> ()
}) : () -> ()
// function lib_log
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg110: f64):
    %0 = "llvm.mlir.constant"() {value = 6.931471805599453e-01 : f64} : () -> f64
    %1 = "llvm.intr.log2"(%arg110) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %2 = "llvm.fmul"(%1, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.return"(%2) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_log"} : () -> ()
}) : () -> ()
// function lib_log10
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg109: f64):
    %0 = "llvm.mlir.constant"() {value = 3.010299956639812e-01 : f64} : () -> f64
    %1 = "llvm.intr.log2"(%arg109) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %2 = "llvm.fmul"(%1, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.return"(%2) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_log10"} : () -> ()
}) : () -> ()
// function lib_log1p
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg108: f64):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 6.931471805599453e-01 : f64} : () -> f64
    %3 = "llvm.fadd"(%arg108, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %4 = "llvm.fcmp"(%3, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%4, %arg108)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb1:
    %5 = "llvm.fadd"(%3, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %6 = "llvm.fcmp"(%5, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %7 = "llvm.intr.log2"(%3) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %8 = "llvm.fmul"(%7, %2) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.cond_br"(%6, %8)[^bb3, ^bb2] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb2:
    %9 = "llvm.fdiv"(%arg108, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %10 = "llvm.fmul"(%8, %9) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%10)[^bb3] : (f64) -> ()
  ^bb3(%arg0: f64):
    "llvm.return"(%arg0) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_log1p"} : () -> ()
}) : () -> ()
// function lib_exp2
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg107: f64):
    %0 = "llvm.mlir.constant"() {value = -2.038000e+03 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 2.038000e+03 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 5.000000e-01 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %5 = "llvm.mlir.constant"() {value = 6.931471805599453e-01 : f64} : () -> f64
    %6 = "llvm.mlir.constant"() {value = 1023 : i32} : () -> i32
    %7 = "llvm.mlir.constant"() {value = 52 : i64} : () -> i64
    %8 = "llvm.fcmp"(%arg107, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%8)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %9 = "llvm.fcmp"(%arg107, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 7 : i64} : (f64, f64) -> i1
    %10 = "llvm.select"(%9, %1, %arg107) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    "llvm.br"(%10)[^bb3] : (f64) -> ()
  ^bb2:
    %11 = "llvm.fcmp"(%arg107, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    %12 = "llvm.select"(%11, %2, %arg107) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %13 = "llvm.fadd"(%12, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %14 = "llvm.intr.floor"(%13) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %15 = "llvm.fptosi"(%14) : (f64) -> i32
    %16 = "llvm.ashr"(%15, %4) : (i32, i32) -> i32
    %17 = "llvm.fsub"(%12, %14) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %18 = "llvm.fmul"(%17, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %19 = "llvm.intr.exp"(%18) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %20 = "llvm.add"(%16, %6) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %21 = "llvm.zext"(%20) : (i32) -> i64
    %22 = "llvm.shl"(%21, %7) {overflowFlags = #llvm.overflow<none>} : (i64, i64) -> i64
    %23 = "llvm.bitcast"(%22) : (i64) -> f64
    %24 = "llvm.fmul"(%19, %23) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %25 = "llvm.add"(%15, %6) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %26 = "llvm.sub"(%25, %16) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %27 = "llvm.zext"(%26) : (i32) -> i64
    %28 = "llvm.shl"(%27, %7) {overflowFlags = #llvm.overflow<none>} : (i64, i64) -> i64
    %29 = "llvm.bitcast"(%28) : (i64) -> f64
    %30 = "llvm.fmul"(%24, %29) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%30)[^bb3] : (f64) -> ()
  ^bb3(%arg0: f64):
    "llvm.return"(%arg0) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_exp2"} : () -> ()
}) : () -> ()
// function lib_exp10
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg106: f64):
    %0 = "llvm.mlir.constant"() {value = 3.321928094887362e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = -2.038000e+03 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 2.038000e+03 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = 5.000000e-01 : f64} : () -> f64
    %5 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %6 = "llvm.mlir.constant"() {value = 6.931471805599453e-01 : f64} : () -> f64
    %7 = "llvm.mlir.constant"() {value = 1023 : i32} : () -> i32
    %8 = "llvm.mlir.constant"() {value = 52 : i64} : () -> i64
    %9 = "llvm.mlir.constant"() {value = 5.200000e+01 : f64} : () -> f64
    %10 = "llvm.fmul"(%arg106, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %11 = "llvm.fcmp"(%10, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%11)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %12 = "llvm.fcmp"(%10, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 7 : i64} : (f64, f64) -> i1
    %13 = "llvm.select"(%12, %2, %10) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    "llvm.br"(%13)[^bb3] : (f64) -> ()
  ^bb2:
    %14 = "llvm.fcmp"(%10, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    %15 = "llvm.select"(%14, %3, %10) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %16 = "llvm.fadd"(%15, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %17 = "llvm.intr.floor"(%16) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %18 = "llvm.fptosi"(%17) : (f64) -> i32
    %19 = "llvm.ashr"(%18, %5) : (i32, i32) -> i32
    %20 = "llvm.fsub"(%15, %17) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %21 = "llvm.fmul"(%20, %6) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %22 = "llvm.intr.exp"(%21) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %23 = "llvm.add"(%19, %7) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %24 = "llvm.zext"(%23) : (i32) -> i64
    %25 = "llvm.shl"(%24, %8) {overflowFlags = #llvm.overflow<none>} : (i64, i64) -> i64
    %26 = "llvm.bitcast"(%25) : (i64) -> f64
    %27 = "llvm.fmul"(%22, %26) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %28 = "llvm.add"(%18, %7) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %29 = "llvm.sub"(%28, %19) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %30 = "llvm.zext"(%29) : (i32) -> i64
    %31 = "llvm.shl"(%30, %8) {overflowFlags = #llvm.overflow<none>} : (i64, i64) -> i64
    %32 = "llvm.bitcast"(%31) : (i64) -> f64
    %33 = "llvm.fmul"(%27, %32) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%33)[^bb3] : (f64) -> ()
  ^bb3(%arg0: f64):
    %34 = "llvm.intr.floor"(%arg106) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %35 = "llvm.fcmp"(%34, %arg106) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %36 = "llvm.fcmp"(%arg106, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 3 : i64} : (f64, f64) -> i1
    %37 = "llvm.and"(%36, %35) : (i1, i1) -> i1
    %38 = "llvm.fcmp"(%10, %9) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    %39 = "llvm.and"(%38, %37) : (i1, i1) -> i1
    "llvm.cond_br"(%39, %arg0)[^bb4, ^bb5] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f64) -> ()
  ^bb4:
    %40 = "llvm.fadd"(%arg0, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %41 = "llvm.intr.floor"(%40) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.br"(%41)[^bb5] : (f64) -> ()
  ^bb5(%arg1: f64):
    "llvm.return"(%arg1) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_exp10"} : () -> ()
}) : () -> ()
// function lib_expm1
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg105: f64):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 3.7099999999999994e+01 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 6.931471805599453e-01 : f64} : () -> f64
    %4 = "llvm.intr.exp"(%arg105) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %5 = "llvm.fcmp"(%4, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%5, %arg105)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb1:
    %6 = "llvm.fadd"(%4, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %7 = "llvm.fcmp"(%6, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 13 : i64} : (f64, f64) -> i1
    %8 = "llvm.fcmp"(%arg105, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    %9 = "llvm.and"(%8, %7) : (i1, i1) -> i1
    "llvm.cond_br"(%9, %6)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f64) -> ()
  ^bb2:
    %10 = "llvm.intr.log2"(%4) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %11 = "llvm.fmul"(%10, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %12 = "llvm.fdiv"(%arg105, %11) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %13 = "llvm.fmul"(%6, %12) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%13)[^bb3] : (f64) -> ()
  ^bb3(%arg0: f64):
    "llvm.return"(%arg0) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_expm1"} : () -> ()
}) : () -> ()
// function lib_pow
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg103: f64, %arg104: f64):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = false} : () -> i1
    %3 = "llvm.mlir.constant"() {value = 5.000000e-01 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = 0x7FF0000000000000 : f64} : () -> f64
    %5 = "llvm.mlir.constant"() {value = -2.038000e+03 : f64} : () -> f64
    %6 = "llvm.mlir.constant"() {value = 2.038000e+03 : f64} : () -> f64
    %7 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %8 = "llvm.mlir.constant"() {value = 6.931471805599453e-01 : f64} : () -> f64
    %9 = "llvm.mlir.constant"() {value = 1023 : i32} : () -> i32
    %10 = "llvm.mlir.constant"() {value = 52 : i64} : () -> i64
    %11 = "llvm.mlir.constant"() {value = 4.600000e+01 : f64} : () -> f64
    %12 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %13 = "llvm.intr.fabs"(%arg103) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %14 = "llvm.fcmp"(%arg104, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %15 = "llvm.fcmp"(%arg103, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %16 = "llvm.or"(%15, %14) : (i1, i1) -> i1
    "llvm.cond_br"(%16, %1)[^bb18, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb1:
    %17 = "llvm.fcmp"(%arg103, %arg104) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%17)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb2:
    %18 = "llvm.fadd"(%arg103, %arg104) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%18)[^bb18] : (f64) -> ()
  ^bb3:
    %19 = "llvm.intr.floor"(%arg104) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %20 = "llvm.fcmp"(%19, %arg104) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%20, %2)[^bb4, ^bb5] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, i1) -> ()
  ^bb4:
    %21 = "llvm.fmul"(%arg104, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %22 = "llvm.intr.floor"(%21) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %23 = "llvm.fcmp"(%22, %21) {fastmathFlags = #llvm.fastmath<none>, predicate = 13 : i64} : (f64, f64) -> i1
    "llvm.br"(%23)[^bb5] : (i1) -> ()
  ^bb5(%arg0: i1):
    %24 = "llvm.fcmp"(%arg103, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %25 = "llvm.fcmp"(%13, %4) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %26 = "llvm.or"(%24, %25) : (i1, i1) -> i1
    "llvm.cond_br"(%26)[^bb6, ^bb7] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb6:
    %27 = "llvm.fcmp"(%arg104, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 12 : i64} : (f64, f64) -> i1
    %28 = "llvm.xor"(%24, %27) : (i1, i1) -> i1
    %29 = "llvm.select"(%28, %0, %4) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    "llvm.br"(%29)[^bb14] : (f64) -> ()
  ^bb7:
    %30 = "llvm.fcmp"(%13, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%30, %1)[^bb14, ^bb8] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb8:
    %31 = "llvm.intr.log2"(%13) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %32 = "llvm.fmul"(%31, %arg104) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %33 = "llvm.fcmp"(%32, %5) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%33)[^bb10, ^bb9] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb9:
    %34 = "llvm.fcmp"(%32, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 7 : i64} : (f64, f64) -> i1
    %35 = "llvm.select"(%34, %0, %32) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    "llvm.br"(%35)[^bb11] : (f64) -> ()
  ^bb10:
    %36 = "llvm.fcmp"(%32, %6) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    %37 = "llvm.select"(%36, %6, %32) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %38 = "llvm.fadd"(%37, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %39 = "llvm.intr.floor"(%38) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %40 = "llvm.fptosi"(%39) : (f64) -> i32
    %41 = "llvm.ashr"(%40, %7) : (i32, i32) -> i32
    %42 = "llvm.fsub"(%37, %39) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %43 = "llvm.fmul"(%42, %8) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %44 = "llvm.intr.exp"(%43) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %45 = "llvm.add"(%41, %9) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %46 = "llvm.zext"(%45) : (i32) -> i64
    %47 = "llvm.shl"(%46, %10) {overflowFlags = #llvm.overflow<none>} : (i64, i64) -> i64
    %48 = "llvm.bitcast"(%47) : (i64) -> f64
    %49 = "llvm.fmul"(%44, %48) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %50 = "llvm.add"(%40, %9) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %51 = "llvm.sub"(%50, %41) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %52 = "llvm.zext"(%51) : (i32) -> i64
    %53 = "llvm.shl"(%52, %10) {overflowFlags = #llvm.overflow<none>} : (i64, i64) -> i64
    %54 = "llvm.bitcast"(%53) : (i64) -> f64
    %55 = "llvm.fmul"(%49, %54) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%55)[^bb11] : (f64) -> ()
  ^bb11(%arg1: f64):
    %56 = "llvm.fcmp"(%arg104, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    %57 = "llvm.fcmp"(%32, %11) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    %58 = "llvm.and"(%56, %57) : (i1, i1) -> i1
    %59 = "llvm.intr.floor"(%13) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %60 = "llvm.fcmp"(%59, %13) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %61 = "llvm.and"(%60, %58) : (i1, i1) -> i1
    %62 = "llvm.and"(%20, %61) : (i1, i1) -> i1
    "llvm.cond_br"(%62, %arg1)[^bb12, ^bb13] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f64) -> ()
  ^bb12:
    %63 = "llvm.fadd"(%arg1, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %64 = "llvm.intr.floor"(%63) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.br"(%64)[^bb13] : (f64) -> ()
  ^bb13(%arg2: f64):
    %65 = "llvm.fcmp"(%arg103, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 10 : i64} : (f64, f64) -> i1
    %66 = "llvm.or"(%65, %20) : (i1, i1) -> i1
    %67 = "llvm.fsub"(%arg103, %arg103) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %68 = "llvm.fdiv"(%67, %67) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %69 = "llvm.select"(%66, %arg2, %68) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    "llvm.br"(%69)[^bb14] : (f64) -> ()
  ^bb14(%arg3: f64):
    %70 = "llvm.fcmp"(%arg103, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    %71 = "llvm.and"(%70, %arg0) : (i1, i1) -> i1
    "llvm.cond_br"(%71)[^bb15, ^bb16] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb15:
    %72 = "llvm.fneg"(%arg3) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.br"(%72)[^bb18] : (f64) -> ()
  ^bb16:
    %73 = "llvm.fcmp"(%arg3, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %74 = "llvm.and"(%arg0, %73) : (i1, i1) -> i1
    "llvm.cond_br"(%74, %arg3)[^bb17, ^bb18] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f64) -> ()
  ^bb17:
    %75 = "llvm.intr.fabs"(%arg3) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %76 = "llvm.bitcast"(%75) : (f64) -> i64
    %77 = "llvm.bitcast"(%arg103) : (f64) -> i64
    %78 = "llvm.and"(%77, %12) : (i64, i64) -> i64
    %79 = "llvm.or"(%78, %76) : (i64, i64) -> i64
    %80 = "llvm.bitcast"(%79) : (i64) -> f64
    "llvm.br"(%80)[^bb18] : (f64) -> ()
  ^bb18(%arg4: f64):
    "llvm.return"(%arg4) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64, f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_pow"} : () -> ()
}) : () -> ()
// function lib_powi
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg101: f64, %arg102: i32):
    %0 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = 0 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 3 : i32} : () -> i32
    %4 = "llvm.mlir.constant"() {value = 2 : i32} : () -> i32
    %5 = "llvm.and"(%arg102, %0) : (i32, i32) -> i32
    %6 = "llvm.icmp"(%5, %1) {predicate = 0 : i64} : (i32, i32) -> i1
    %7 = "llvm.select"(%6, %2, %arg101) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %8 = "llvm.add"(%arg102, %0) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %9 = "llvm.icmp"(%8, %3) {predicate = 6 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%9, %7, %7, %arg102, %arg101)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 3>} : (i1, f64, f64, i32, f64) -> ()
  ^bb1(%arg0: f64, %arg1: i32, %arg2: f64):
    %10 = "llvm.sdiv"(%arg1, %4) : (i32, i32) -> i32
    %11 = "llvm.fmul"(%arg2, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %12 = "llvm.and"(%10, %0) : (i32, i32) -> i32
    %13 = "llvm.icmp"(%12, %1) {predicate = 0 : i64} : (i32, i32) -> i1
    %14 = "llvm.fmul"(%11, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %15 = "llvm.select"(%13, %arg0, %14) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %16 = "llvm.add"(%10, %0) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %17 = "llvm.icmp"(%16, %3) {predicate = 6 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%17, %15, %15, %10, %11)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 3>} : (i1, f64, f64, i32, f64) -> ()
  ^bb2(%arg3: f64):
    %18 = "llvm.icmp"(%arg102, %1) {predicate = 2 : i64} : (i32, i32) -> i1
    %19 = "llvm.fdiv"(%2, %arg3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %20 = "llvm.select"(%18, %19, %arg3) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    "llvm.return"(%20) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64, i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_powi"} : () -> ()
}) : () -> ()
// function lib_cbrt
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg100: f64):
    %0 = "llvm.mlir.constant"() {value = 2.3104906018664842e-01 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 3.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %3 = "llvm.intr.is.fpclass"(%arg100) {bit = 615 : i32} : (f64) -> i1
    "llvm.cond_br"(%3, %arg100)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb1:
    %4 = "llvm.intr.fabs"(%arg100) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %5 = "llvm.intr.log2"(%4) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %6 = "llvm.fmul"(%5, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %7 = "llvm.intr.exp"(%6) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %8 = "llvm.fdiv"(%4, %7) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %9 = "llvm.fdiv"(%8, %7) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %10 = "llvm.fsub"(%7, %9) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %11 = "llvm.fdiv"(%10, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %12 = "llvm.fsub"(%7, %11) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %13 = "llvm.intr.fabs"(%12) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %14 = "llvm.bitcast"(%13) : (f64) -> i64
    %15 = "llvm.bitcast"(%arg100) : (f64) -> i64
    %16 = "llvm.and"(%15, %2) : (i64, i64) -> i64
    %17 = "llvm.or"(%16, %14) : (i64, i64) -> i64
    %18 = "llvm.bitcast"(%17) : (i64) -> f64
    "llvm.br"(%18)[^bb2] : (f64) -> ()
  ^bb2(%arg0: f64):
    "llvm.return"(%arg0) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_cbrt"} : () -> ()
}) : () -> ()
// function lib_tan
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg99: f64):
    %0 = "llvm.intr.sin"(%arg99) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %1 = "llvm.intr.cos"(%arg99) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %2 = "llvm.fdiv"(%0, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.return"(%2) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_tan"} : () -> ()
}) : () -> ()
// function lib_atan
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg98: f64):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 1.000000e-05 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 2.730000e-01 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 7.853981633974483e-01 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = 1.4285714285714285e-01 : f64} : () -> f64
    %5 = "llvm.mlir.constant"() {value = 2.000000e-01 : f64} : () -> f64
    %6 = "llvm.mlir.constant"() {value = 3.333333333333333e-01 : f64} : () -> f64
    %7 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %8 = "llvm.mlir.constant"() {value = 1.5707963267948966e+00 : f64} : () -> f64
    %9 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %10 = "llvm.intr.fabs"(%arg98) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %11 = "llvm.fcmp"(%10, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    %12 = "llvm.fdiv"(%0, %10) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %13 = "llvm.select"(%11, %12, %10) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %14 = "llvm.fcmp"(%13, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%14)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %15 = "llvm.fmul"(%13, %13) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %16 = "llvm.fmul"(%13, %15) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %17 = "llvm.fmul"(%16, %6) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %18 = "llvm.fsub"(%13, %17) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%18)[^bb3] : (f64) -> ()
  ^bb2:
    %19 = "llvm.fsub"(%0, %13) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %20 = "llvm.fmul"(%19, %2) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %21 = "llvm.fadd"(%20, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %22 = "llvm.fmul"(%13, %21) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %23 = "llvm.intr.cos"(%22) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %24 = "llvm.fmul"(%13, %23) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %25 = "llvm.intr.sin"(%22) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %26 = "llvm.fsub"(%24, %25) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %27 = "llvm.fmul"(%13, %25) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %28 = "llvm.fadd"(%23, %27) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %29 = "llvm.fdiv"(%26, %28) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %30 = "llvm.fmul"(%29, %29) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %31 = "llvm.fmul"(%29, %30) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %32 = "llvm.fmul"(%30, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %33 = "llvm.fsub"(%5, %32) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %34 = "llvm.fmul"(%30, %33) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %35 = "llvm.fsub"(%6, %34) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %36 = "llvm.fmul"(%31, %35) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %37 = "llvm.fsub"(%29, %36) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %38 = "llvm.fadd"(%22, %37) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%38)[^bb3] : (f64) -> ()
  ^bb3(%arg0: f64):
    %39 = "llvm.fcmp"(%arg98, %7) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%39, %arg98)[^bb5, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb4:
    %40 = "llvm.fsub"(%8, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %41 = "llvm.select"(%11, %40, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %42 = "llvm.intr.fabs"(%41) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %43 = "llvm.bitcast"(%42) : (f64) -> i64
    %44 = "llvm.bitcast"(%arg98) : (f64) -> i64
    %45 = "llvm.and"(%44, %9) : (i64, i64) -> i64
    %46 = "llvm.or"(%45, %43) : (i64, i64) -> i64
    %47 = "llvm.bitcast"(%46) : (i64) -> f64
    "llvm.br"(%47)[^bb5] : (f64) -> ()
  ^bb5(%arg1: f64):
    "llvm.return"(%arg1) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_atan"} : () -> ()
}) : () -> ()
// function lib_atan2
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg96: f64, %arg97: f64):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 0x7FF0000000000000 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 1.000000e-05 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = 2.730000e-01 : f64} : () -> f64
    %5 = "llvm.mlir.constant"() {value = 7.853981633974483e-01 : f64} : () -> f64
    %6 = "llvm.mlir.constant"() {value = 1.4285714285714285e-01 : f64} : () -> f64
    %7 = "llvm.mlir.constant"() {value = 2.000000e-01 : f64} : () -> f64
    %8 = "llvm.mlir.constant"() {value = 3.333333333333333e-01 : f64} : () -> f64
    %9 = "llvm.mlir.constant"() {value = 1.5707963267948966e+00 : f64} : () -> f64
    %10 = "llvm.mlir.constant"() {value = 0 : i64} : () -> i64
    %11 = "llvm.mlir.constant"() {value = 3.141592653589793e+00 : f64} : () -> f64
    %12 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %13 = "llvm.intr.fabs"(%arg96) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %14 = "llvm.intr.fabs"(%arg97) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %15 = "llvm.fcmp"(%arg97, %arg96) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%15)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %16 = "llvm.fadd"(%arg96, %arg97) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%16)[^bb8] : (f64) -> ()
  ^bb2:
    %17 = "llvm.fcmp"(%13, %14) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    %18 = "llvm.select"(%17, %13, %14) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %19 = "llvm.fcmp"(%18, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%19, %0)[^bb5, ^bb3] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb3:
    %20 = "llvm.select"(%17, %14, %13) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %21 = "llvm.fcmp"(%20, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%21, %2)[^bb6, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb4:
    %22 = "llvm.fdiv"(%20, %18) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %23 = "llvm.fcmp"(%22, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%23, %22, %22)[^bb5, ^bb6] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, f64, f64) -> ()
  ^bb5(%arg0: f64):
    %24 = "llvm.fmul"(%arg0, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %25 = "llvm.fmul"(%arg0, %24) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %26 = "llvm.fmul"(%25, %8) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %27 = "llvm.fsub"(%arg0, %26) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%27)[^bb7] : (f64) -> ()
  ^bb6(%arg1: f64):
    %28 = "llvm.fsub"(%2, %arg1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %29 = "llvm.fmul"(%28, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %30 = "llvm.fadd"(%29, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %31 = "llvm.fmul"(%arg1, %30) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %32 = "llvm.intr.cos"(%31) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %33 = "llvm.fmul"(%arg1, %32) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %34 = "llvm.intr.sin"(%31) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %35 = "llvm.fsub"(%33, %34) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %36 = "llvm.fmul"(%arg1, %34) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %37 = "llvm.fadd"(%32, %36) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %38 = "llvm.fdiv"(%35, %37) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %39 = "llvm.fmul"(%38, %38) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %40 = "llvm.fmul"(%38, %39) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %41 = "llvm.fmul"(%39, %6) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %42 = "llvm.fsub"(%7, %41) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %43 = "llvm.fmul"(%39, %42) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %44 = "llvm.fsub"(%8, %43) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %45 = "llvm.fmul"(%40, %44) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %46 = "llvm.fsub"(%38, %45) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %47 = "llvm.fadd"(%31, %46) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%47)[^bb7] : (f64) -> ()
  ^bb7(%arg2: f64):
    %48 = "llvm.fsub"(%9, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %49 = "llvm.select"(%17, %48, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %50 = "llvm.bitcast"(%arg97) : (f64) -> i64
    %51 = "llvm.icmp"(%50, %10) {predicate = 2 : i64} : (i64, i64) -> i1
    %52 = "llvm.fsub"(%11, %49) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %53 = "llvm.select"(%51, %52, %49) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %54 = "llvm.intr.fabs"(%53) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %55 = "llvm.bitcast"(%54) : (f64) -> i64
    %56 = "llvm.bitcast"(%arg96) : (f64) -> i64
    %57 = "llvm.and"(%56, %12) : (i64, i64) -> i64
    %58 = "llvm.or"(%57, %55) : (i64, i64) -> i64
    %59 = "llvm.bitcast"(%58) : (i64) -> f64
    "llvm.br"(%59)[^bb8] : (f64) -> ()
  ^bb8(%arg3: f64):
    "llvm.return"(%arg3) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64, f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_atan2"} : () -> ()
}) : () -> ()
// function lib_asin
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg95: f64):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 0x7FF0000000000000 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 1.000000e-05 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = 2.730000e-01 : f64} : () -> f64
    %5 = "llvm.mlir.constant"() {value = 7.853981633974483e-01 : f64} : () -> f64
    %6 = "llvm.mlir.constant"() {value = 1.4285714285714285e-01 : f64} : () -> f64
    %7 = "llvm.mlir.constant"() {value = 2.000000e-01 : f64} : () -> f64
    %8 = "llvm.mlir.constant"() {value = 3.333333333333333e-01 : f64} : () -> f64
    %9 = "llvm.mlir.constant"() {value = 1.5707963267948966e+00 : f64} : () -> f64
    %10 = "llvm.mlir.constant"() {value = 0 : i64} : () -> i64
    %11 = "llvm.mlir.constant"() {value = 3.141592653589793e+00 : f64} : () -> f64
    %12 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %13 = "llvm.fsub"(%0, %arg95) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %14 = "llvm.fadd"(%arg95, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %15 = "llvm.fmul"(%13, %14) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %16 = "llvm.intr.sqrt"(%15) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %17 = "llvm.intr.fabs"(%arg95) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %18 = "llvm.intr.fabs"(%16) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %19 = "llvm.fcmp"(%16, %arg95) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%19)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %20 = "llvm.fadd"(%16, %arg95) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%20)[^bb8] : (f64) -> ()
  ^bb2:
    %21 = "llvm.fcmp"(%17, %18) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    %22 = "llvm.select"(%21, %17, %18) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %23 = "llvm.fcmp"(%22, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%23, %1)[^bb5, ^bb3] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb3:
    %24 = "llvm.select"(%21, %18, %17) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %25 = "llvm.fcmp"(%24, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%25, %0)[^bb6, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb4:
    %26 = "llvm.fdiv"(%24, %22) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %27 = "llvm.fcmp"(%26, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%27, %26, %26)[^bb5, ^bb6] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, f64, f64) -> ()
  ^bb5(%arg0: f64):
    %28 = "llvm.fmul"(%arg0, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %29 = "llvm.fmul"(%arg0, %28) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %30 = "llvm.fmul"(%29, %8) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %31 = "llvm.fsub"(%arg0, %30) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%31)[^bb7] : (f64) -> ()
  ^bb6(%arg1: f64):
    %32 = "llvm.fsub"(%0, %arg1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %33 = "llvm.fmul"(%32, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %34 = "llvm.fadd"(%33, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %35 = "llvm.fmul"(%arg1, %34) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %36 = "llvm.intr.cos"(%35) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %37 = "llvm.fmul"(%arg1, %36) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %38 = "llvm.intr.sin"(%35) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %39 = "llvm.fsub"(%37, %38) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %40 = "llvm.fmul"(%arg1, %38) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %41 = "llvm.fadd"(%36, %40) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %42 = "llvm.fdiv"(%39, %41) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %43 = "llvm.fmul"(%42, %42) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %44 = "llvm.fmul"(%42, %43) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %45 = "llvm.fmul"(%43, %6) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %46 = "llvm.fsub"(%7, %45) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %47 = "llvm.fmul"(%43, %46) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %48 = "llvm.fsub"(%8, %47) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %49 = "llvm.fmul"(%44, %48) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %50 = "llvm.fsub"(%42, %49) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %51 = "llvm.fadd"(%35, %50) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%51)[^bb7] : (f64) -> ()
  ^bb7(%arg2: f64):
    %52 = "llvm.fsub"(%9, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %53 = "llvm.select"(%21, %52, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %54 = "llvm.bitcast"(%16) : (f64) -> i64
    %55 = "llvm.icmp"(%54, %10) {predicate = 2 : i64} : (i64, i64) -> i1
    %56 = "llvm.fsub"(%11, %53) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %57 = "llvm.select"(%55, %56, %53) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %58 = "llvm.intr.fabs"(%57) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %59 = "llvm.bitcast"(%58) : (f64) -> i64
    %60 = "llvm.bitcast"(%arg95) : (f64) -> i64
    %61 = "llvm.and"(%60, %12) : (i64, i64) -> i64
    %62 = "llvm.or"(%61, %59) : (i64, i64) -> i64
    %63 = "llvm.bitcast"(%62) : (i64) -> f64
    "llvm.br"(%63)[^bb8] : (f64) -> ()
  ^bb8(%arg3: f64):
    "llvm.return"(%arg3) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_asin"} : () -> ()
}) : () -> ()
// function lib_acos
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg94: f64):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 0x7FF0000000000000 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 1.000000e-05 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = 2.730000e-01 : f64} : () -> f64
    %5 = "llvm.mlir.constant"() {value = 7.853981633974483e-01 : f64} : () -> f64
    %6 = "llvm.mlir.constant"() {value = 1.4285714285714285e-01 : f64} : () -> f64
    %7 = "llvm.mlir.constant"() {value = 2.000000e-01 : f64} : () -> f64
    %8 = "llvm.mlir.constant"() {value = 3.333333333333333e-01 : f64} : () -> f64
    %9 = "llvm.mlir.constant"() {value = 1.5707963267948966e+00 : f64} : () -> f64
    %10 = "llvm.mlir.constant"() {value = 0 : i64} : () -> i64
    %11 = "llvm.mlir.constant"() {value = 3.141592653589793e+00 : f64} : () -> f64
    %12 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %13 = "llvm.mlir.constant"() {value = 2.000000e+00 : f64} : () -> f64
    %14 = "llvm.fsub"(%0, %arg94) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %15 = "llvm.intr.sqrt"(%14) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %16 = "llvm.fadd"(%arg94, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %17 = "llvm.intr.sqrt"(%16) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %18 = "llvm.intr.fabs"(%15) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %19 = "llvm.intr.fabs"(%17) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %20 = "llvm.fcmp"(%17, %15) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%20)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %21 = "llvm.fadd"(%15, %17) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%21)[^bb8] : (f64) -> ()
  ^bb2:
    %22 = "llvm.fcmp"(%18, %19) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    %23 = "llvm.select"(%22, %18, %19) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %24 = "llvm.fcmp"(%23, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%24, %1)[^bb5, ^bb3] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb3:
    %25 = "llvm.select"(%22, %19, %18) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %26 = "llvm.fcmp"(%25, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%26, %0)[^bb6, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb4:
    %27 = "llvm.fdiv"(%25, %23) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %28 = "llvm.fcmp"(%27, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%28, %27, %27)[^bb5, ^bb6] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, f64, f64) -> ()
  ^bb5(%arg0: f64):
    %29 = "llvm.fmul"(%arg0, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %30 = "llvm.fmul"(%arg0, %29) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %31 = "llvm.fmul"(%30, %8) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %32 = "llvm.fsub"(%arg0, %31) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%32)[^bb7] : (f64) -> ()
  ^bb6(%arg1: f64):
    %33 = "llvm.fsub"(%0, %arg1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %34 = "llvm.fmul"(%33, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %35 = "llvm.fadd"(%34, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %36 = "llvm.fmul"(%arg1, %35) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %37 = "llvm.intr.cos"(%36) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %38 = "llvm.fmul"(%arg1, %37) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %39 = "llvm.intr.sin"(%36) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %40 = "llvm.fsub"(%38, %39) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %41 = "llvm.fmul"(%arg1, %39) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %42 = "llvm.fadd"(%37, %41) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %43 = "llvm.fdiv"(%40, %42) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %44 = "llvm.fmul"(%43, %43) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %45 = "llvm.fmul"(%43, %44) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %46 = "llvm.fmul"(%44, %6) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %47 = "llvm.fsub"(%7, %46) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %48 = "llvm.fmul"(%44, %47) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %49 = "llvm.fsub"(%8, %48) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %50 = "llvm.fmul"(%45, %49) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %51 = "llvm.fsub"(%43, %50) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %52 = "llvm.fadd"(%36, %51) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%52)[^bb7] : (f64) -> ()
  ^bb7(%arg2: f64):
    %53 = "llvm.fsub"(%9, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %54 = "llvm.select"(%22, %53, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %55 = "llvm.bitcast"(%17) : (f64) -> i64
    %56 = "llvm.icmp"(%55, %10) {predicate = 2 : i64} : (i64, i64) -> i1
    %57 = "llvm.fsub"(%11, %54) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %58 = "llvm.select"(%56, %57, %54) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %59 = "llvm.intr.fabs"(%58) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %60 = "llvm.bitcast"(%59) : (f64) -> i64
    %61 = "llvm.bitcast"(%15) : (f64) -> i64
    %62 = "llvm.and"(%61, %12) : (i64, i64) -> i64
    %63 = "llvm.or"(%62, %60) : (i64, i64) -> i64
    %64 = "llvm.bitcast"(%63) : (i64) -> f64
    "llvm.br"(%64)[^bb8] : (f64) -> ()
  ^bb8(%arg3: f64):
    %65 = "llvm.fmul"(%arg3, %13) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.return"(%65) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_acos"} : () -> ()
}) : () -> ()
// function lib_sinh
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg93: f64):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 3.7099999999999994e+01 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 6.931471805599453e-01 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = 7.160999999999999e+02 : f64} : () -> f64
    %5 = "llvm.mlir.constant"() {value = 5.000000e-01 : f64} : () -> f64
    %6 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %7 = "llvm.intr.fabs"(%arg93) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %8 = "llvm.intr.exp"(%7) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %9 = "llvm.fcmp"(%8, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%9, %7)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb1:
    %10 = "llvm.fadd"(%8, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %11 = "llvm.fcmp"(%10, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 13 : i64} : (f64, f64) -> i1
    %12 = "llvm.fcmp"(%7, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    %13 = "llvm.and"(%12, %11) : (i1, i1) -> i1
    "llvm.cond_br"(%13, %10)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f64) -> ()
  ^bb2:
    %14 = "llvm.intr.log2"(%8) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %15 = "llvm.fmul"(%14, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %16 = "llvm.fdiv"(%7, %15) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %17 = "llvm.fmul"(%10, %16) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%17)[^bb3] : (f64) -> ()
  ^bb3(%arg0: f64):
    %18 = "llvm.fcmp"(%7, %4) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%18)[^bb4, ^bb5] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb4:
    %19 = "llvm.fmul"(%7, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %20 = "llvm.intr.exp"(%19) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %21 = "llvm.fmul"(%20, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %22 = "llvm.fmul"(%20, %21) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%22)[^bb6] : (f64) -> ()
  ^bb5:
    %23 = "llvm.fadd"(%arg0, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %24 = "llvm.fdiv"(%arg0, %23) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %25 = "llvm.fadd"(%arg0, %24) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %26 = "llvm.fmul"(%25, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%26)[^bb6] : (f64) -> ()
  ^bb6(%arg1: f64):
    %27 = "llvm.intr.fabs"(%arg1) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %28 = "llvm.bitcast"(%27) : (f64) -> i64
    %29 = "llvm.bitcast"(%arg93) : (f64) -> i64
    %30 = "llvm.and"(%29, %6) : (i64, i64) -> i64
    %31 = "llvm.or"(%30, %28) : (i64, i64) -> i64
    %32 = "llvm.bitcast"(%31) : (i64) -> f64
    "llvm.return"(%32) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_sinh"} : () -> ()
}) : () -> ()
// function lib_cosh
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg92: f64):
    %0 = "llvm.mlir.constant"() {value = 7.160999999999999e+02 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 5.000000e-01 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %3 = "llvm.intr.fabs"(%arg92) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %4 = "llvm.fcmp"(%3, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    %5 = "llvm.select"(%4, %1, %2) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %6 = "llvm.fmul"(%3, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %7 = "llvm.intr.exp"(%6) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.cond_br"(%4)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %8 = "llvm.fmul"(%7, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %9 = "llvm.fmul"(%7, %8) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%9)[^bb3] : (f64) -> ()
  ^bb2:
    %10 = "llvm.fdiv"(%2, %7) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %11 = "llvm.fadd"(%7, %10) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %12 = "llvm.fmul"(%11, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%12)[^bb3] : (f64) -> ()
  ^bb3(%arg0: f64):
    "llvm.return"(%arg0) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_cosh"} : () -> ()
}) : () -> ()
// function lib_tanh
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg91: f64):
    %0 = "llvm.mlir.constant"() {value = 5.300000e+01 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 2.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 1.060000e+02 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = -1.000000e+00 : f64} : () -> f64
    %5 = "llvm.mlir.constant"() {value = 3.7099999999999994e+01 : f64} : () -> f64
    %6 = "llvm.mlir.constant"() {value = 6.931471805599453e-01 : f64} : () -> f64
    %7 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %8 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %9 = "llvm.intr.fabs"(%arg91) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %10 = "llvm.fcmp"(%9, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    %11 = "llvm.fmul"(%9, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %12 = "llvm.select"(%10, %2, %11) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %13 = "llvm.intr.exp"(%12) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %14 = "llvm.fcmp"(%13, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%14, %12)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb1:
    %15 = "llvm.fadd"(%13, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %16 = "llvm.fcmp"(%15, %4) {fastmathFlags = #llvm.fastmath<none>, predicate = 13 : i64} : (f64, f64) -> i1
    %17 = "llvm.fcmp"(%12, %5) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    %18 = "llvm.and"(%17, %16) : (i1, i1) -> i1
    "llvm.cond_br"(%18, %15)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f64) -> ()
  ^bb2:
    %19 = "llvm.intr.log2"(%13) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %20 = "llvm.fmul"(%19, %6) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %21 = "llvm.fdiv"(%12, %20) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %22 = "llvm.fmul"(%15, %21) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%22)[^bb3] : (f64) -> ()
  ^bb3(%arg0: f64):
    %23 = "llvm.fcmp"(%arg91, %7) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%23, %arg91)[^bb5, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb4:
    %24 = "llvm.fadd"(%arg0, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %25 = "llvm.fdiv"(%arg0, %24) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %26 = "llvm.intr.fabs"(%25) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %27 = "llvm.bitcast"(%26) : (f64) -> i64
    %28 = "llvm.bitcast"(%arg91) : (f64) -> i64
    %29 = "llvm.and"(%28, %8) : (i64, i64) -> i64
    %30 = "llvm.or"(%29, %27) : (i64, i64) -> i64
    %31 = "llvm.bitcast"(%30) : (i64) -> f64
    "llvm.br"(%31)[^bb5] : (f64) -> ()
  ^bb5(%arg1: f64):
    "llvm.return"(%arg1) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_tanh"} : () -> ()
}) : () -> ()
// function lib_asinh
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg90: f64):
    %0 = "llvm.mlir.constant"() {value = 9.007199254740992e+15 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = -1.000000e+00 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 6.931471805599453e-01 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %5 = "llvm.intr.fabs"(%arg90) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %6 = "llvm.fcmp"(%5, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%6)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %7 = "llvm.intr.log2"(%5) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %8 = "llvm.fmul"(%7, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %9 = "llvm.fadd"(%8, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%9)[^bb5] : (f64) -> ()
  ^bb2:
    %10 = "llvm.fmul"(%arg90, %arg90) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %11 = "llvm.fadd"(%10, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %12 = "llvm.intr.sqrt"(%11) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %13 = "llvm.fadd"(%12, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %14 = "llvm.fdiv"(%10, %13) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %15 = "llvm.fadd"(%5, %14) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %16 = "llvm.fadd"(%15, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %17 = "llvm.fcmp"(%16, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%17, %15)[^bb5, ^bb3] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb3:
    %18 = "llvm.fadd"(%16, %2) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %19 = "llvm.fcmp"(%18, %16) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %20 = "llvm.intr.log2"(%16) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %21 = "llvm.fmul"(%20, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.cond_br"(%19, %21)[^bb5, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb4:
    %22 = "llvm.fdiv"(%15, %18) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %23 = "llvm.fmul"(%21, %22) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%23)[^bb5] : (f64) -> ()
  ^bb5(%arg0: f64):
    %24 = "llvm.intr.fabs"(%arg0) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %25 = "llvm.bitcast"(%24) : (f64) -> i64
    %26 = "llvm.bitcast"(%arg90) : (f64) -> i64
    %27 = "llvm.and"(%26, %4) : (i64, i64) -> i64
    %28 = "llvm.or"(%27, %25) : (i64, i64) -> i64
    %29 = "llvm.bitcast"(%28) : (i64) -> f64
    "llvm.return"(%29) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_asinh"} : () -> ()
}) : () -> ()
// function lib_acosh
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg89: f64):
    %0 = "llvm.mlir.constant"() {value = 9.007199254740992e+15 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 6.931471805599453e-01 : f64} : () -> f64
    %4 = "llvm.fcmp"(%arg89, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%4)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %5 = "llvm.intr.log2"(%arg89) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %6 = "llvm.fmul"(%5, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %7 = "llvm.fadd"(%6, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%7)[^bb5] : (f64) -> ()
  ^bb2:
    %8 = "llvm.fadd"(%arg89, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %9 = "llvm.fadd"(%8, %8) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %10 = "llvm.fmul"(%8, %8) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %11 = "llvm.fadd"(%9, %10) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %12 = "llvm.intr.sqrt"(%11) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %13 = "llvm.fadd"(%8, %12) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %14 = "llvm.fadd"(%13, %2) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %15 = "llvm.fcmp"(%14, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%15, %13)[^bb5, ^bb3] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb3:
    %16 = "llvm.fadd"(%14, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %17 = "llvm.fcmp"(%16, %14) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %18 = "llvm.intr.log2"(%14) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %19 = "llvm.fmul"(%18, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.cond_br"(%17, %19)[^bb5, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb4:
    %20 = "llvm.fdiv"(%13, %16) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %21 = "llvm.fmul"(%19, %20) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%21)[^bb5] : (f64) -> ()
  ^bb5(%arg0: f64):
    "llvm.return"(%arg0) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_acosh"} : () -> ()
}) : () -> ()
// function lib_atanh
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg88: f64):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 6.931471805599453e-01 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 5.000000e-01 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %5 = "llvm.intr.fabs"(%arg88) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %6 = "llvm.fadd"(%5, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %7 = "llvm.fsub"(%0, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %8 = "llvm.fdiv"(%6, %7) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %9 = "llvm.fadd"(%8, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %10 = "llvm.fcmp"(%9, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%10, %8)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb1:
    %11 = "llvm.fadd"(%9, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %12 = "llvm.fcmp"(%11, %9) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %13 = "llvm.intr.log2"(%9) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %14 = "llvm.fmul"(%13, %2) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.cond_br"(%12, %14)[^bb3, ^bb2] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb2:
    %15 = "llvm.fdiv"(%8, %11) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %16 = "llvm.fmul"(%14, %15) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%16)[^bb3] : (f64) -> ()
  ^bb3(%arg0: f64):
    %17 = "llvm.fmul"(%arg0, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %18 = "llvm.intr.fabs"(%17) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %19 = "llvm.bitcast"(%18) : (f64) -> i64
    %20 = "llvm.bitcast"(%arg88) : (f64) -> i64
    %21 = "llvm.and"(%20, %4) : (i64, i64) -> i64
    %22 = "llvm.or"(%21, %19) : (i64, i64) -> i64
    %23 = "llvm.bitcast"(%22) : (i64) -> f64
    "llvm.return"(%23) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_atanh"} : () -> ()
}) : () -> ()
// function lib_erf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg87: f64):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 2.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 7.000000e+00 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = 50 : i32} : () -> i32
    %5 = "llvm.mlir.constant"() {value = 5.000000e-01 : f64} : () -> f64
    %6 = "llvm.mlir.constant"() {value = -1 : i32} : () -> i32
    %7 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %8 = "llvm.mlir.constant"() {value = 5.641895835477563e-01 : f64} : () -> f64
    %9 = "llvm.mlir.constant"() {value = 1.1283791670955126e+00 : f64} : () -> f64
    %10 = "llvm.mlir.constant"() {value = -9223372036854775808 : i64} : () -> i64
    %11 = "llvm.intr.fabs"(%arg87) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %12 = "llvm.fcmp"(%arg87, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%12, %arg87)[^bb9, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb1:
    %13 = "llvm.fcmp"(%11, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%13)[^bb2, ^bb5] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb2:
    %14 = "llvm.fmul"(%arg87, %arg87) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %15 = "llvm.fmul"(%14, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%7, %11, %11)[^bb3] : (i32, f64, f64) -> ()
  ^bb3(%arg0: i32, %arg1: f64, %arg2: f64):
    %16 = "llvm.shl"(%arg0, %7) {overflowFlags = #llvm.overflow<nsw, nuw>} : (i32, i32) -> i32
    %17 = "llvm.or"(%16, %7) : (i32, i32) -> i32
    %18 = "llvm.sitofp"(%17) : (i32) -> f64
    %19 = "llvm.fdiv"(%15, %18) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %20 = "llvm.fmul"(%arg2, %19) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %21 = "llvm.fadd"(%arg1, %20) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %22 = "llvm.add"(%arg0, %7) {overflowFlags = #llvm.overflow<nsw, nuw>} : (i32, i32) -> i32
    %23 = "llvm.icmp"(%22, %4) {predicate = 0 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%23, %22, %21, %20)[^bb4, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 3>} : (i1, i32, f64, f64) -> ()
  ^bb4:
    %24 = "llvm.fmul"(%21, %9) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %25 = "llvm.fneg"(%14) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %26 = "llvm.intr.exp"(%25) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %27 = "llvm.fmul"(%26, %24) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%27)[^bb8] : (f64) -> ()
  ^bb5:
    %28 = "llvm.fcmp"(%11, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%28, %3, %4, %11)[^bb8, ^bb6] {operandSegmentSizes = array<i32: 1, 1, 2>} : (i1, f64, i32, f64) -> ()
  ^bb6(%arg3: i32, %arg4: f64):
    %29 = "llvm.sitofp"(%arg3) : (i32) -> f64
    %30 = "llvm.fmul"(%29, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %31 = "llvm.fdiv"(%30, %arg4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %32 = "llvm.fadd"(%11, %31) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %33 = "llvm.add"(%arg3, %6) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %34 = "llvm.icmp"(%arg3, %7) {predicate = 8 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%34, %33, %32)[^bb6, ^bb7] {operandSegmentSizes = array<i32: 1, 2, 0>} : (i1, i32, f64) -> ()
  ^bb7:
    %35 = "llvm.fneg"(%11) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %36 = "llvm.fmul"(%11, %35) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %37 = "llvm.intr.exp"(%36) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %38 = "llvm.fdiv"(%37, %32) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %39 = "llvm.fmul"(%38, %8) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %40 = "llvm.fsub"(%3, %39) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%40)[^bb8] : (f64) -> ()
  ^bb8(%arg5: f64):
    %41 = "llvm.intr.fabs"(%arg5) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %42 = "llvm.bitcast"(%41) : (f64) -> i64
    %43 = "llvm.bitcast"(%arg87) : (f64) -> i64
    %44 = "llvm.and"(%43, %10) : (i64, i64) -> i64
    %45 = "llvm.or"(%44, %42) : (i64, i64) -> i64
    %46 = "llvm.bitcast"(%45) : (i64) -> f64
    "llvm.br"(%46)[^bb9] : (f64) -> ()
  ^bb9(%arg6: f64):
    "llvm.return"(%arg6) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_erf"} : () -> ()
}) : () -> ()
// function lib_erfc
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg86: f64):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 3.000000e+01 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 2.000000e+00 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 50 : i32} : () -> i32
    %4 = "llvm.mlir.constant"() {value = 5.000000e-01 : f64} : () -> f64
    %5 = "llvm.mlir.constant"() {value = -1 : i32} : () -> i32
    %6 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %7 = "llvm.mlir.constant"() {value = 5.641895835477563e-01 : f64} : () -> f64
    %8 = "llvm.mlir.constant"() {value = -7.000000e+00 : f64} : () -> f64
    %9 = "llvm.mlir.constant"() {value = -1.000000e+00 : f64} : () -> f64
    %10 = "llvm.mlir.constant"() {value = -2.000000e+00 : f64} : () -> f64
    %11 = "llvm.mlir.constant"() {value = 1.1283791670955126e+00 : f64} : () -> f64
    %12 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %13 = "llvm.fcmp"(%arg86, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%13, %arg86)[^bb14, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb1:
    %14 = "llvm.fcmp"(%arg86, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%14, %0)[^bb14, ^bb2] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb2:
    %15 = "llvm.fcmp"(%arg86, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%15, %3, %arg86)[^bb3, ^bb12] {operandSegmentSizes = array<i32: 1, 0, 2>} : (i1, i32, f64) -> ()
  ^bb3:
    %16 = "llvm.fcmp"(%arg86, %8) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%16, %9)[^bb11, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb4:
    %17 = "llvm.fcmp"(%arg86, %10) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%17)[^bb5, ^bb8] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb5:
    %18 = "llvm.fneg"(%arg86) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.br"(%3, %18)[^bb6] : (i32, f64) -> ()
  ^bb6(%arg0: i32, %arg1: f64):
    %19 = "llvm.sitofp"(%arg0) : (i32) -> f64
    %20 = "llvm.fmul"(%19, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %21 = "llvm.fdiv"(%20, %arg1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %22 = "llvm.fsub"(%21, %arg86) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %23 = "llvm.add"(%arg0, %5) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %24 = "llvm.icmp"(%arg0, %6) {predicate = 8 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%24, %23, %22)[^bb6, ^bb7] {operandSegmentSizes = array<i32: 1, 2, 0>} : (i1, i32, f64) -> ()
  ^bb7:
    %25 = "llvm.fmul"(%18, %arg86) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %26 = "llvm.intr.exp"(%25) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %27 = "llvm.fdiv"(%26, %22) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %28 = "llvm.fmul"(%27, %7) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %29 = "llvm.fadd"(%28, %9) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%29)[^bb11] : (f64) -> ()
  ^bb8:
    %30 = "llvm.fmul"(%arg86, %arg86) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %31 = "llvm.fmul"(%30, %2) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%6, %arg86, %arg86)[^bb9] : (i32, f64, f64) -> ()
  ^bb9(%arg2: i32, %arg3: f64, %arg4: f64):
    %32 = "llvm.shl"(%arg2, %6) {overflowFlags = #llvm.overflow<nsw, nuw>} : (i32, i32) -> i32
    %33 = "llvm.or"(%32, %6) : (i32, i32) -> i32
    %34 = "llvm.sitofp"(%33) : (i32) -> f64
    %35 = "llvm.fdiv"(%31, %34) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %36 = "llvm.fmul"(%arg4, %35) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %37 = "llvm.fadd"(%arg3, %36) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %38 = "llvm.add"(%arg2, %6) {overflowFlags = #llvm.overflow<nsw, nuw>} : (i32, i32) -> i32
    %39 = "llvm.icmp"(%38, %3) {predicate = 0 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%39, %38, %37, %36)[^bb10, ^bb9] {operandSegmentSizes = array<i32: 1, 0, 3>} : (i1, i32, f64, f64) -> ()
  ^bb10:
    %40 = "llvm.fmul"(%37, %11) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %41 = "llvm.fneg"(%30) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %42 = "llvm.intr.exp"(%41) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %43 = "llvm.fmul"(%42, %40) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%43)[^bb11] : (f64) -> ()
  ^bb11(%arg5: f64):
    %44 = "llvm.fsub"(%12, %arg5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%44)[^bb14] : (f64) -> ()
  ^bb12(%arg6: i32, %arg7: f64):
    %45 = "llvm.sitofp"(%arg6) : (i32) -> f64
    %46 = "llvm.fmul"(%45, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %47 = "llvm.fdiv"(%46, %arg7) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %48 = "llvm.fadd"(%47, %arg86) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %49 = "llvm.add"(%arg6, %5) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %50 = "llvm.icmp"(%arg6, %6) {predicate = 8 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%50, %49, %48)[^bb12, ^bb13] {operandSegmentSizes = array<i32: 1, 2, 0>} : (i1, i32, f64) -> ()
  ^bb13:
    %51 = "llvm.fneg"(%arg86) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %52 = "llvm.fmul"(%51, %arg86) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %53 = "llvm.intr.exp"(%52) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %54 = "llvm.fdiv"(%53, %48) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %55 = "llvm.fmul"(%54, %7) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%55)[^bb14] : (f64) -> ()
  ^bb14(%arg8: f64):
    "llvm.return"(%arg8) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_erfc"} : () -> ()
}) : () -> ()
// function lib_hypot
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg84: f64, %arg85: f64):
    %0 = "llvm.mlir.constant"() {value = 0x7FF0000000000000 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 3.3519519824856493e+153 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 4.383618698016806e-193 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = 2.2812203088110976e+192 : f64} : () -> f64
    %5 = "llvm.mlir.constant"() {value = 1.3435752215134178e-138 : f64} : () -> f64
    %6 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %7 = "llvm.intr.fabs"(%arg84) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %8 = "llvm.intr.fabs"(%arg85) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %9 = "llvm.fcmp"(%7, %8) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    %10 = "llvm.select"(%9, %7, %8) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %11 = "llvm.select"(%9, %8, %7) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %12 = "llvm.fcmp"(%7, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %13 = "llvm.fcmp"(%8, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %14 = "llvm.or"(%12, %13) : (i1, i1) -> i1
    "llvm.cond_br"(%14, %0)[^bb8, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb1:
    %15 = "llvm.fcmp"(%arg84, %arg85) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%15)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb2:
    %16 = "llvm.fadd"(%arg84, %arg85) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%16)[^bb8] : (f64) -> ()
  ^bb3:
    %17 = "llvm.fcmp"(%10, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%17, %1)[^bb8, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f64) -> ()
  ^bb4:
    %18 = "llvm.fcmp"(%10, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%18, %3, %4)[^bb7, ^bb5] {operandSegmentSizes = array<i32: 1, 2, 0>} : (i1, f64, f64) -> ()
  ^bb5:
    %19 = "llvm.fcmp"(%10, %5) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    "llvm.cond_br"(%19, %6, %6)[^bb6, ^bb7] {operandSegmentSizes = array<i32: 1, 0, 2>} : (i1, f64, f64) -> ()
  ^bb6:
    "llvm.br"(%4, %3)[^bb7] : (f64, f64) -> ()
  ^bb7(%arg0: f64, %arg1: f64):
    %20 = "llvm.fmul"(%10, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %21 = "llvm.fmul"(%11, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %22 = "llvm.fmul"(%20, %20) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %23 = "llvm.fmul"(%21, %21) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %24 = "llvm.fadd"(%22, %23) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %25 = "llvm.intr.sqrt"(%24) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %26 = "llvm.fmul"(%arg1, %25) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%26)[^bb8] : (f64) -> ()
  ^bb8(%arg2: f64):
    "llvm.return"(%arg2) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64, f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_hypot"} : () -> ()
}) : () -> ()
// function lib_fdim
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg82: f64, %arg83: f64):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f64} : () -> f64
    %1 = "llvm.fcmp"(%arg82, %arg83) {fastmathFlags = #llvm.fastmath<none>, predicate = 5 : i64} : (f64, f64) -> i1
    %2 = "llvm.fsub"(%arg82, %arg83) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %3 = "llvm.select"(%1, %0, %2) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    "llvm.return"(%3) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64, f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_fdim"} : () -> ()
}) : () -> ()
// function lib_lgamma
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg81: f64):
    %0 = "llvm.mlir.constant"() {value = 5.000000e-01 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 7.500000e+00 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 6.931471805599453e-01 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = 9.189385332046728e-01 : f64} : () -> f64
    %5 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %6 = "llvm.mlir.constant"() {value = 6.765203681218851e+02 : f64} : () -> f64
    %7 = "llvm.mlir.constant"() {value = 9.999999999998099e-01 : f64} : () -> f64
    %8 = "llvm.mlir.constant"() {value = 2.000000e+00 : f64} : () -> f64
    %9 = "llvm.mlir.constant"() {value = 1.2591392167224028e+03 : f64} : () -> f64
    %10 = "llvm.mlir.constant"() {value = 3.000000e+00 : f64} : () -> f64
    %11 = "llvm.mlir.constant"() {value = 7.713234287776531e+02 : f64} : () -> f64
    %12 = "llvm.mlir.constant"() {value = 4.000000e+00 : f64} : () -> f64
    %13 = "llvm.mlir.constant"() {value = 1.766150291621406e+02 : f64} : () -> f64
    %14 = "llvm.mlir.constant"() {value = 5.000000e+00 : f64} : () -> f64
    %15 = "llvm.mlir.constant"() {value = 1.2507343278686905e+01 : f64} : () -> f64
    %16 = "llvm.mlir.constant"() {value = 6.000000e+00 : f64} : () -> f64
    %17 = "llvm.mlir.constant"() {value = 1.3857109526572012e-01 : f64} : () -> f64
    %18 = "llvm.mlir.constant"() {value = 7.000000e+00 : f64} : () -> f64
    %19 = "llvm.mlir.constant"() {value = 9.984369578019572e-06 : f64} : () -> f64
    %20 = "llvm.mlir.constant"() {value = 8.000000e+00 : f64} : () -> f64
    %21 = "llvm.mlir.constant"() {value = 1.5056327351493116e-07 : f64} : () -> f64
    %22 = "llvm.mlir.constant"() {value = 3.141592653589793e+00 : f64} : () -> f64
    %23 = "llvm.fcmp"(%arg81, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    %24 = "llvm.fneg"(%arg81) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %25 = "llvm.fadd"(%arg81, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %26 = "llvm.select"(%23, %24, %25) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %27 = "llvm.fadd"(%26, %2) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %28 = "llvm.fadd"(%26, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %29 = "llvm.intr.log2"(%27) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %30 = "llvm.fmul"(%29, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %31 = "llvm.fmul"(%28, %30) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %32 = "llvm.fadd"(%31, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %33 = "llvm.fsub"(%32, %27) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %34 = "llvm.fadd"(%26, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %35 = "llvm.fdiv"(%6, %34) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %36 = "llvm.fadd"(%35, %7) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %37 = "llvm.fadd"(%26, %8) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %38 = "llvm.fdiv"(%9, %37) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %39 = "llvm.fsub"(%36, %38) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %40 = "llvm.fadd"(%26, %10) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %41 = "llvm.fdiv"(%11, %40) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %42 = "llvm.fadd"(%41, %39) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %43 = "llvm.fadd"(%26, %12) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %44 = "llvm.fdiv"(%13, %43) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %45 = "llvm.fsub"(%42, %44) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %46 = "llvm.fadd"(%26, %14) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %47 = "llvm.fdiv"(%15, %46) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %48 = "llvm.fadd"(%47, %45) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %49 = "llvm.fadd"(%26, %16) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %50 = "llvm.fdiv"(%17, %49) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %51 = "llvm.fsub"(%48, %50) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %52 = "llvm.fadd"(%26, %18) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %53 = "llvm.fdiv"(%19, %52) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %54 = "llvm.fadd"(%53, %51) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %55 = "llvm.fadd"(%26, %20) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %56 = "llvm.fdiv"(%21, %55) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %57 = "llvm.fadd"(%56, %54) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %58 = "llvm.intr.log2"(%57) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %59 = "llvm.fmul"(%58, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %60 = "llvm.fadd"(%33, %59) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.cond_br"(%23, %60)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f64) -> ()
  ^bb1:
    %61 = "llvm.fmul"(%arg81, %22) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %62 = "llvm.intr.sin"(%61) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %63 = "llvm.intr.fabs"(%62) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %64 = "llvm.fdiv"(%22, %63) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %65 = "llvm.intr.log2"(%64) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %66 = "llvm.fmul"(%65, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %67 = "llvm.fsub"(%66, %60) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%67)[^bb2] : (f64) -> ()
  ^bb2(%arg0: f64):
    "llvm.return"(%arg0) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_lgamma"} : () -> ()
}) : () -> ()
// function lib_tgamma
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg80: f64):
    %0 = "llvm.mlir.constant"() {value = 5.000000e-01 : f64} : () -> f64
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f64} : () -> f64
    %2 = "llvm.mlir.constant"() {value = 7.500000e+00 : f64} : () -> f64
    %3 = "llvm.mlir.constant"() {value = 6.931471805599453e-01 : f64} : () -> f64
    %4 = "llvm.mlir.constant"() {value = 2.5066282746310007e+00 : f64} : () -> f64
    %5 = "llvm.mlir.constant"() {value = 1.000000e+00 : f64} : () -> f64
    %6 = "llvm.mlir.constant"() {value = 6.765203681218851e+02 : f64} : () -> f64
    %7 = "llvm.mlir.constant"() {value = 9.999999999998099e-01 : f64} : () -> f64
    %8 = "llvm.mlir.constant"() {value = 2.000000e+00 : f64} : () -> f64
    %9 = "llvm.mlir.constant"() {value = 1.2591392167224028e+03 : f64} : () -> f64
    %10 = "llvm.mlir.constant"() {value = 3.000000e+00 : f64} : () -> f64
    %11 = "llvm.mlir.constant"() {value = 7.713234287776531e+02 : f64} : () -> f64
    %12 = "llvm.mlir.constant"() {value = 4.000000e+00 : f64} : () -> f64
    %13 = "llvm.mlir.constant"() {value = 1.766150291621406e+02 : f64} : () -> f64
    %14 = "llvm.mlir.constant"() {value = 5.000000e+00 : f64} : () -> f64
    %15 = "llvm.mlir.constant"() {value = 1.2507343278686905e+01 : f64} : () -> f64
    %16 = "llvm.mlir.constant"() {value = 6.000000e+00 : f64} : () -> f64
    %17 = "llvm.mlir.constant"() {value = 1.3857109526572012e-01 : f64} : () -> f64
    %18 = "llvm.mlir.constant"() {value = 7.000000e+00 : f64} : () -> f64
    %19 = "llvm.mlir.constant"() {value = 9.984369578019572e-06 : f64} : () -> f64
    %20 = "llvm.mlir.constant"() {value = 8.000000e+00 : f64} : () -> f64
    %21 = "llvm.mlir.constant"() {value = 1.5056327351493116e-07 : f64} : () -> f64
    %22 = "llvm.mlir.constant"() {value = 4.503599627370496e+15 : f64} : () -> f64
    %23 = "llvm.mlir.constant"() {value = false} : () -> i1
    %24 = "llvm.mlir.constant"() {value = 3.141592653589793e+00 : f64} : () -> f64
    %25 = "llvm.fcmp"(%arg80, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    %26 = "llvm.fneg"(%arg80) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %27 = "llvm.fadd"(%arg80, %1) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %28 = "llvm.select"(%25, %26, %27) {fastmathFlags = #llvm.fastmath<none>} : (i1, f64, f64) -> f64
    %29 = "llvm.fadd"(%28, %2) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %30 = "llvm.fadd"(%28, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %31 = "llvm.fmul"(%30, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %32 = "llvm.intr.log2"(%29) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %33 = "llvm.fmul"(%32, %3) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %34 = "llvm.fmul"(%31, %33) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %35 = "llvm.intr.exp"(%34) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %36 = "llvm.fneg"(%29) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %37 = "llvm.intr.exp"(%36) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %38 = "llvm.fmul"(%35, %4) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %39 = "llvm.fmul"(%37, %38) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %40 = "llvm.fmul"(%35, %39) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %41 = "llvm.fadd"(%28, %5) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %42 = "llvm.fdiv"(%6, %41) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %43 = "llvm.fadd"(%42, %7) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %44 = "llvm.fadd"(%28, %8) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %45 = "llvm.fdiv"(%9, %44) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %46 = "llvm.fsub"(%43, %45) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %47 = "llvm.fadd"(%28, %10) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %48 = "llvm.fdiv"(%11, %47) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %49 = "llvm.fadd"(%48, %46) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %50 = "llvm.fadd"(%28, %12) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %51 = "llvm.fdiv"(%13, %50) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %52 = "llvm.fsub"(%49, %51) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %53 = "llvm.fadd"(%28, %14) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %54 = "llvm.fdiv"(%15, %53) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %55 = "llvm.fadd"(%54, %52) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %56 = "llvm.fadd"(%28, %16) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %57 = "llvm.fdiv"(%17, %56) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %58 = "llvm.fsub"(%55, %57) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %59 = "llvm.fadd"(%28, %18) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %60 = "llvm.fdiv"(%19, %59) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %61 = "llvm.fadd"(%60, %58) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %62 = "llvm.fadd"(%28, %20) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %63 = "llvm.fdiv"(%21, %62) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %64 = "llvm.fadd"(%63, %61) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %65 = "llvm.fmul"(%40, %64) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %66 = "llvm.fcmp"(%arg80, %5) {fastmathFlags = #llvm.fastmath<none>, predicate = 3 : i64} : (f64, f64) -> i1
    %67 = "llvm.intr.floor"(%arg80) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %68 = "llvm.fcmp"(%67, %arg80) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f64, f64) -> i1
    %69 = "llvm.and"(%66, %68) : (i1, i1) -> i1
    %70 = "llvm.fcmp"(%65, %22) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f64, f64) -> i1
    %71 = "llvm.select"(%69, %70, %23) {fastmathFlags = #llvm.fastmath<none>} : (i1, i1, i1) -> i1
    "llvm.cond_br"(%71, %65)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f64) -> ()
  ^bb1:
    %72 = "llvm.fadd"(%65, %0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %73 = "llvm.intr.floor"(%72) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    "llvm.br"(%73)[^bb2] : (f64) -> ()
  ^bb2(%arg0: f64):
    "llvm.cond_br"(%25, %arg0)[^bb3, ^bb4] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f64) -> ()
  ^bb3:
    %74 = "llvm.fmul"(%arg80, %24) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %75 = "llvm.intr.sin"(%74) {fastmathFlags = #llvm.fastmath<none>} : (f64) -> f64
    %76 = "llvm.fmul"(%75, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    %77 = "llvm.fdiv"(%24, %76) {fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
    "llvm.br"(%77)[^bb4] : (f64) -> ()
  ^bb4(%arg1: f64):
    "llvm.return"(%arg1) : (f64) -> ()
  }) {function_type = !llvm.func<f64 (f64)>, linkage = #llvm.linkage<external>, sym_name = "lib_tgamma"} : () -> ()
}) : () -> ()
// function lib_copysignf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg78: f32, %arg79: f32):
    %0 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %1 = "llvm.intr.fabs"(%arg78) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %2 = "llvm.bitcast"(%1) : (f32) -> i32
    %3 = "llvm.bitcast"(%arg79) : (f32) -> i32
    %4 = "llvm.and"(%3, %0) : (i32, i32) -> i32
    %5 = "llvm.or"(%4, %2) : (i32, i32) -> i32
    %6 = "llvm.bitcast"(%5) : (i32) -> f32
    "llvm.return"(%6) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32, f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_copysignf"} : () -> ()
}) : () -> ()
// function lib_ceilf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg77: f32):
    %0 = "llvm.fneg"(%arg77) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %1 = "llvm.intr.floor"(%0) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %2 = "llvm.fneg"(%1) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.return"(%2) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_ceilf"} : () -> ()
}) : () -> ()
// function lib_truncf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg76: f32):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %1 = "llvm.fcmp"(%arg76, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%1)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %2 = "llvm.fneg"(%arg76) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %3 = "llvm.intr.floor"(%2) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %4 = "llvm.fneg"(%3) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.br"(%4)[^bb3] : (f32) -> ()
  ^bb2:
    %5 = "llvm.intr.floor"(%arg76) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.br"(%5)[^bb3] : (f32) -> ()
  ^bb3(%arg0: f32):
    "llvm.return"(%arg0) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_truncf"} : () -> ()
}) : () -> ()
// function lib_roundf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg75: f32):
    %0 = "llvm.mlir.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %3 = "llvm.intr.fabs"(%arg75) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %4 = "llvm.intr.floor"(%3) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %5 = "llvm.fsub"(%3, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %6 = "llvm.fcmp"(%5, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 3 : i64} : (f32, f32) -> i1
    %7 = "llvm.fadd"(%4, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %8 = "llvm.select"(%6, %7, %4) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %9 = "llvm.intr.fabs"(%8) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %10 = "llvm.bitcast"(%9) : (f32) -> i32
    %11 = "llvm.bitcast"(%arg75) : (f32) -> i32
    %12 = "llvm.and"(%11, %2) : (i32, i32) -> i32
    %13 = "llvm.or"(%12, %10) : (i32, i32) -> i32
    %14 = "llvm.bitcast"(%13) : (i32) -> f32
    "llvm.return"(%14) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_roundf"} : () -> ()
}) : () -> ()
// function lib_rintf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg74: f32):
    %0 = "llvm.mlir.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %3 = "llvm.intr.fabs"(%arg74) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %4 = "llvm.intr.floor"(%3) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %5 = "llvm.fsub"(%3, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %6 = "llvm.fcmp"(%5, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%6)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %7 = "llvm.fmul"(%4, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %8 = "llvm.intr.floor"(%7) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %9 = "llvm.fcmp"(%7, %8) {fastmathFlags = #llvm.fastmath<none>, predicate = 13 : i64} : (f32, f32) -> i1
    %10 = "llvm.fcmp"(%5, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %11 = "llvm.and"(%10, %9) : (i1, i1) -> i1
    "llvm.cond_br"(%11, %4)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f32) -> ()
  ^bb2:
    %12 = "llvm.fadd"(%4, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%12)[^bb3] : (f32) -> ()
  ^bb3(%arg0: f32):
    %13 = "llvm.intr.fabs"(%arg0) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %14 = "llvm.bitcast"(%13) : (f32) -> i32
    %15 = "llvm.bitcast"(%arg74) : (f32) -> i32
    %16 = "llvm.and"(%15, %2) : (i32, i32) -> i32
    %17 = "llvm.or"(%16, %14) : (i32, i32) -> i32
    %18 = "llvm.bitcast"(%17) : (i32) -> f32
    "llvm.return"(%18) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_rintf"} : () -> ()
}) : () -> ()
// function lib_ldexpf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg72: f32, %arg73: i32):
    %0 = "llvm.mlir.constant"() {value = 381 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = -381 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = 127 : i32} : () -> i32
    %3 = "llvm.mlir.constant"() {value = 1.7014118e+38 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = -127 : i32} : () -> i32
    %5 = "llvm.mlir.constant"() {value = 254 : i32} : () -> i32
    %6 = "llvm.mlir.constant"() {value = -126 : i32} : () -> i32
    %7 = "llvm.mlir.constant"() {value = 1.9721523e-31 : f32} : () -> f32
    %8 = "llvm.mlir.constant"() {value = 102 : i32} : () -> i32
    %9 = "llvm.mlir.constant"() {value = -228 : i32} : () -> i32
    %10 = "llvm.mlir.constant"() {value = 23 : i32} : () -> i32
    %11 = "llvm.mlir.constant"() {value = 1065353216 : i32} : () -> i32
    %12 = "llvm.intr.smin"(%arg73, %0) : (i32, i32) -> i32
    %13 = "llvm.intr.smax"(%12, %1) : (i32, i32) -> i32
    %14 = "llvm.icmp"(%arg73, %2) {predicate = 4 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%14, %13, %arg72, %arg72, %13)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 2, 2>} : (i1, i32, f32, f32, i32) -> ()
  ^bb1(%arg0: f32, %arg1: i32):
    %15 = "llvm.icmp"(%arg1, %6) {predicate = 2 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%15, %arg1, %arg0, %arg0, %arg1)[^bb3, ^bb4] {operandSegmentSizes = array<i32: 1, 2, 2>} : (i1, i32, f32, f32, i32) -> ()
  ^bb2(%arg2: i32, %arg3: f32):
    %16 = "llvm.fmul"(%arg3, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %17 = "llvm.add"(%arg2, %4) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %18 = "llvm.icmp"(%arg2, %5) {predicate = 4 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%18, %17, %16, %16, %17)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 2, 2>} : (i1, i32, f32, f32, i32) -> ()
  ^bb3(%arg4: i32, %arg5: f32):
    %19 = "llvm.fmul"(%arg5, %7) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %20 = "llvm.add"(%arg4, %8) {overflowFlags = #llvm.overflow<nsw, nuw>} : (i32, i32) -> i32
    %21 = "llvm.icmp"(%arg4, %9) {predicate = 6 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%21, %20, %19, %19, %20)[^bb3, ^bb4] {operandSegmentSizes = array<i32: 1, 2, 2>} : (i1, i32, f32, f32, i32) -> ()
  ^bb4(%arg6: f32, %arg7: i32):
    %22 = "llvm.shl"(%arg7, %10) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %23 = "llvm.add"(%22, %11) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %24 = "llvm.bitcast"(%23) : (i32) -> f32
    %25 = "llvm.fmul"(%arg6, %24) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.return"(%25) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32, i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_ldexpf"} : () -> ()
}) : () -> ()
// function lib_frexpf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg70: f32, %arg71: !llvm.ptr):
    %0 = "llvm.mlir.constant"() {value = 0 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 3.4028235e+38 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 23 : i32} : () -> i32
    %4 = "llvm.mlir.constant"() {value = 255 : i32} : () -> i32
    %5 = "llvm.mlir.constant"() {value = -126 : i32} : () -> i32
    %6 = "llvm.mlir.constant"() {value = 1.6777216e+07 : f32} : () -> f32
    %7 = "llvm.mlir.constant"() {value = -150 : i32} : () -> i32
    %8 = "llvm.mlir.constant"() {value = -24 : i32} : () -> i32
    %9 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %10 = "llvm.mlir.constant"() {value = -2139095041 : i32} : () -> i32
    %11 = "llvm.mlir.constant"() {value = 1056964608 : i32} : () -> i32
    "llvm.store"(%0, %arg71) {alignment = 4 : i64, ordering = 0 : i64} : (i32, !llvm.ptr) -> ()
    %12 = "llvm.fcmp"(%arg70, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %13 = "llvm.intr.fabs"(%arg70) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %14 = "llvm.fcmp"(%13, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 9 : i64} : (f32, f32) -> i1
    %15 = "llvm.or"(%12, %14) : (i1, i1) -> i1
    "llvm.cond_br"(%15, %arg70)[^bb5, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb1:
    %16 = "llvm.bitcast"(%arg70) : (f32) -> i32
    %17 = "llvm.lshr"(%16, %3) : (i32, i32) -> i32
    %18 = "llvm.and"(%17, %4) : (i32, i32) -> i32
    %19 = "llvm.icmp"(%18, %0) {predicate = 0 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%19)[^bb3, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb2:
    %20 = "llvm.add"(%18, %5) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %21 = "llvm.fmul"(%arg70, %6) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%21, %20, %18)[^bb4] : (f32, i32, i32) -> ()
  ^bb3:
    %22 = "llvm.fmul"(%arg70, %6) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %23 = "llvm.bitcast"(%22) : (f32) -> i32
    %24 = "llvm.lshr"(%23, %3) : (i32, i32) -> i32
    %25 = "llvm.and"(%24, %4) : (i32, i32) -> i32
    %26 = "llvm.add"(%25, %7) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %27 = "llvm.add"(%25, %8) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    "llvm.br"(%22, %26, %27)[^bb4] : (f32, i32, i32) -> ()
  ^bb4(%arg0: f32, %arg1: i32, %arg2: i32):
    "llvm.store"(%arg1, %arg71) {alignment = 4 : i64, ordering = 0 : i64} : (i32, !llvm.ptr) -> ()
    %28 = "llvm.icmp"(%arg2, %9) {predicate = 2 : i64} : (i32, i32) -> i1
    %29 = "llvm.select"(%28, %arg0, %arg70) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %30 = "llvm.bitcast"(%29) : (f32) -> i32
    %31 = "llvm.and"(%30, %10) : (i32, i32) -> i32
    %32 = "llvm.or"(%31, %11) : (i32, i32) -> i32
    %33 = "llvm.bitcast"(%32) : (i32) -> f32
    "llvm.br"(%33)[^bb5] : (f32) -> ()
  ^bb5(%arg3: f32):
    "llvm.return"(%arg3) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32, ptr)>, linkage = #llvm.linkage<external>, sym_name = "lib_frexpf"} : () -> ()
}) : () -> ()
// function lib_modff
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg68: f32, %arg69: !llvm.ptr):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %2 = "llvm.fcmp"(%arg68, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%2)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %3 = "llvm.fneg"(%arg68) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %4 = "llvm.intr.floor"(%3) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %5 = "llvm.fneg"(%4) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.br"(%5)[^bb3] : (f32) -> ()
  ^bb2:
    %6 = "llvm.intr.floor"(%arg68) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.br"(%6)[^bb3] : (f32) -> ()
  ^bb3(%arg0: f32):
    "llvm.store"(%arg0, %arg69) {alignment = 4 : i64, ordering = 0 : i64} : (f32, !llvm.ptr) -> ()
    %7 = "llvm.fcmp"(%arg0, %arg68) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %8 = "llvm.fsub"(%arg68, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %9 = "llvm.intr.fabs"(%8) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %10 = "llvm.select"(%7, %0, %9) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %11 = "llvm.bitcast"(%10) : (f32) -> i32
    %12 = "llvm.bitcast"(%arg68) : (f32) -> i32
    %13 = "llvm.and"(%12, %1) : (i32, i32) -> i32
    %14 = "llvm.or"(%13, %11) : (i32, i32) -> i32
    %15 = "llvm.bitcast"(%14) : (i32) -> f32
    "llvm.return"(%15) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32, ptr)>, linkage = #llvm.linkage<external>, sym_name = "lib_modff"} : () -> ()
}) : () -> ()
// function lib_logbf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg67: f32):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 0x7F800000 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 23 : i32} : () -> i32
    %3 = "llvm.mlir.constant"() {value = 255 : i32} : () -> i32
    %4 = "llvm.mlir.constant"() {value = 0 : i32} : () -> i32
    %5 = "llvm.mlir.constant"() {value = 1.6777216e+07 : f32} : () -> f32
    %6 = "llvm.mlir.constant"() {value = -24 : i32} : () -> i32
    %7 = "llvm.mlir.constant"() {value = -127 : i32} : () -> i32
    %8 = "llvm.mlir.constant"() {value = -1.000000e+00 : f32} : () -> f32
    %9 = "llvm.fcmp"(%arg67, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %10 = "llvm.intr.fabs"(%arg67) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.cond_br"(%9)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %11 = "llvm.fdiv"(%8, %10) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%11)[^bb7] : (f32) -> ()
  ^bb2:
    %12 = "llvm.fcmp"(%10, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 8 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%12)[^bb3, ^bb4] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb3:
    %13 = "llvm.fmul"(%arg67, %arg67) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%13)[^bb7] : (f32) -> ()
  ^bb4:
    %14 = "llvm.bitcast"(%arg67) : (f32) -> i32
    %15 = "llvm.lshr"(%14, %2) : (i32, i32) -> i32
    %16 = "llvm.and"(%15, %3) : (i32, i32) -> i32
    %17 = "llvm.icmp"(%16, %4) {predicate = 0 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%17, %16)[^bb5, ^bb6] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, i32) -> ()
  ^bb5:
    %18 = "llvm.fmul"(%arg67, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %19 = "llvm.bitcast"(%18) : (f32) -> i32
    %20 = "llvm.lshr"(%19, %2) : (i32, i32) -> i32
    %21 = "llvm.and"(%20, %3) : (i32, i32) -> i32
    %22 = "llvm.add"(%21, %6) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    "llvm.br"(%22)[^bb6] : (i32) -> ()
  ^bb6(%arg0: i32):
    %23 = "llvm.add"(%arg0, %7) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %24 = "llvm.sitofp"(%23) : (i32) -> f32
    "llvm.br"(%24)[^bb7] : (f32) -> ()
  ^bb7(%arg1: f32):
    "llvm.return"(%arg1) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_logbf"} : () -> ()
}) : () -> ()
// function lib_nextafterf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg65: f32, %arg66: f32):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = -1 : i32} : () -> i32
    %3 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %4 = "llvm.fcmp"(%arg65, %arg66) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%4)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %5 = "llvm.fadd"(%arg65, %arg66) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%5)[^bb6] : (f32) -> ()
  ^bb2:
    %6 = "llvm.fcmp"(%arg65, %arg66) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%6, %arg66)[^bb6, ^bb3] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb3:
    %7 = "llvm.fcmp"(%arg65, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%7)[^bb4, ^bb5] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb4:
    %8 = "llvm.bitcast"(%arg66) : (f32) -> i32
    %9 = "llvm.and"(%8, %3) : (i32, i32) -> i32
    %10 = "llvm.or"(%9, %1) : (i32, i32) -> i32
    %11 = "llvm.bitcast"(%10) : (i32) -> f32
    "llvm.br"(%11)[^bb6] : (f32) -> ()
  ^bb5:
    %12 = "llvm.bitcast"(%arg65) : (f32) -> i32
    %13 = "llvm.fcmp"(%arg65, %arg66) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    %14 = "llvm.fcmp"(%arg65, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 12 : i64} : (f32, f32) -> i1
    %15 = "llvm.xor"(%14, %13) : (i1, i1) -> i1
    %16 = "llvm.select"(%15, %1, %2) {fastmathFlags = #llvm.fastmath<none>} : (i1, i32, i32) -> i32
    %17 = "llvm.add"(%16, %12) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %18 = "llvm.bitcast"(%17) : (i32) -> f32
    "llvm.br"(%18)[^bb6] : (f32) -> ()
  ^bb6(%arg0: f32):
    "llvm.return"(%arg0) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32, f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_nextafterf"} : () -> ()
}) : () -> ()
// function lib_remainderf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg63: f32, %arg64: f32):
    %0 = "llvm.mlir.constant"() {value = 2.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 0x7F800000 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 2.3509887e-38 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %6 = "llvm.intr.fabs"(%arg64) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %7 = "llvm.fmul"(%6, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %8 = "llvm.fcmp"(%7, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 8 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%8)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %9 = "llvm.frem"(%arg63, %7) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %10 = "llvm.intr.fabs"(%9) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %11 = "llvm.intr.fabs"(%arg63) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.br"(%11, %10)[^bb3] : (f32, f32) -> ()
  ^bb2:
    %12 = "llvm.intr.fabs"(%arg63) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.br"(%12, %12)[^bb3] : (f32, f32) -> ()
  ^bb3(%arg0: f32, %arg1: f32):
    %13 = "llvm.fcmp"(%arg64, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 6 : i64} : (f32, f32) -> i1
    %14 = "llvm.fcmp"(%arg0, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 6 : i64} : (f32, f32) -> i1
    %15 = "llvm.and"(%13, %14) : (i1, i1) -> i1
    "llvm.cond_br"(%15)[^bb5, ^bb4] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb4:
    %16 = "llvm.fmul"(%arg63, %arg64) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %17 = "llvm.fdiv"(%16, %16) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%17)[^bb15] : (f32) -> ()
  ^bb5:
    %18 = "llvm.fcmp"(%6, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%18)[^bb6, ^bb9] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb6:
    %19 = "llvm.fadd"(%arg1, %arg1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %20 = "llvm.fcmp"(%19, %6) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%20, %arg1)[^bb7, ^bb12] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f32) -> ()
  ^bb7:
    %21 = "llvm.fsub"(%arg1, %6) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %22 = "llvm.fadd"(%21, %21) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %23 = "llvm.fcmp"(%22, %6) {fastmathFlags = #llvm.fastmath<none>, predicate = 11 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%23, %21)[^bb12, ^bb8] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb8:
    %24 = "llvm.fsub"(%21, %6) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%24)[^bb12] : (f32) -> ()
  ^bb9:
    %25 = "llvm.fmul"(%6, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %26 = "llvm.fcmp"(%arg1, %25) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%26, %arg1)[^bb10, ^bb12] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f32) -> ()
  ^bb10:
    %27 = "llvm.fsub"(%arg1, %6) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %28 = "llvm.fcmp"(%27, %25) {fastmathFlags = #llvm.fastmath<none>, predicate = 11 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%28, %27)[^bb12, ^bb11] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb11:
    %29 = "llvm.fsub"(%27, %6) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%29)[^bb12] : (f32) -> ()
  ^bb12(%arg2: f32):
    %30 = "llvm.fcmp"(%arg2, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%30)[^bb13, ^bb14] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb13:
    %31 = "llvm.bitcast"(%arg63) : (f32) -> i32
    %32 = "llvm.and"(%31, %5) : (i32, i32) -> i32
    %33 = "llvm.bitcast"(%32) : (i32) -> f32
    "llvm.br"(%33)[^bb15] : (f32) -> ()
  ^bb14:
    %34 = "llvm.fcmp"(%arg63, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    %35 = "llvm.fneg"(%arg2) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %36 = "llvm.select"(%34, %35, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    "llvm.br"(%36)[^bb15] : (f32) -> ()
  ^bb15(%arg3: f32):
    "llvm.return"(%arg3) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32, f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_remainderf"} : () -> ()
}) : () -> ()
// function lib_logf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg62: f32):
    %0 = "llvm.mlir.constant"() {value = 6.931472e-01 : f32} : () -> f32
    %1 = "llvm.intr.log2"(%arg62) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %2 = "llvm.fmul"(%1, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.return"(%2) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_logf"} : () -> ()
}) : () -> ()
// function lib_log10f
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg61: f32):
    %0 = "llvm.mlir.constant"() {value = 3.010300e-01 : f32} : () -> f32
    %1 = "llvm.intr.log2"(%arg61) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %2 = "llvm.fmul"(%1, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.return"(%2) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_log10f"} : () -> ()
}) : () -> ()
// function lib_log1pf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg60: f32):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 6.931472e-01 : f32} : () -> f32
    %3 = "llvm.fadd"(%arg60, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %4 = "llvm.fcmp"(%3, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%4, %arg60)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb1:
    %5 = "llvm.fadd"(%3, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %6 = "llvm.fcmp"(%5, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %7 = "llvm.intr.log2"(%3) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %8 = "llvm.fmul"(%7, %2) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.cond_br"(%6, %8)[^bb3, ^bb2] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb2:
    %9 = "llvm.fdiv"(%arg60, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %10 = "llvm.fmul"(%8, %9) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%10)[^bb3] : (f32) -> ()
  ^bb3(%arg0: f32):
    "llvm.return"(%arg0) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_log1pf"} : () -> ()
}) : () -> ()
// function lib_exp2f
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg59: f32):
    %0 = "llvm.mlir.constant"() {value = -2.460000e+02 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 2.460000e+02 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %5 = "llvm.mlir.constant"() {value = 6.931472e-01 : f32} : () -> f32
    %6 = "llvm.mlir.constant"() {value = 23 : i32} : () -> i32
    %7 = "llvm.mlir.constant"() {value = 1065353216 : i32} : () -> i32
    %8 = "llvm.fcmp"(%arg59, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%8)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %9 = "llvm.fcmp"(%arg59, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 7 : i64} : (f32, f32) -> i1
    %10 = "llvm.select"(%9, %1, %arg59) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    "llvm.br"(%10)[^bb3] : (f32) -> ()
  ^bb2:
    %11 = "llvm.fcmp"(%arg59, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    %12 = "llvm.select"(%11, %2, %arg59) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %13 = "llvm.fadd"(%12, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %14 = "llvm.intr.floor"(%13) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %15 = "llvm.fptosi"(%14) : (f32) -> i32
    %16 = "llvm.ashr"(%15, %4) : (i32, i32) -> i32
    %17 = "llvm.fsub"(%12, %14) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %18 = "llvm.fmul"(%17, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %19 = "llvm.intr.exp"(%18) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %20 = "llvm.shl"(%16, %6) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %21 = "llvm.add"(%20, %7) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %22 = "llvm.bitcast"(%21) : (i32) -> f32
    %23 = "llvm.fmul"(%19, %22) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %24 = "llvm.sub"(%15, %16) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %25 = "llvm.shl"(%24, %6) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %26 = "llvm.add"(%25, %7) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %27 = "llvm.bitcast"(%26) : (i32) -> f32
    %28 = "llvm.fmul"(%23, %27) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%28)[^bb3] : (f32) -> ()
  ^bb3(%arg0: f32):
    "llvm.return"(%arg0) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_exp2f"} : () -> ()
}) : () -> ()
// function lib_exp10f
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg58: f32):
    %0 = "llvm.mlir.constant"() {value = 3.321928e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = -2.460000e+02 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 2.460000e+02 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %6 = "llvm.mlir.constant"() {value = 6.931472e-01 : f32} : () -> f32
    %7 = "llvm.mlir.constant"() {value = 23 : i32} : () -> i32
    %8 = "llvm.mlir.constant"() {value = 1065353216 : i32} : () -> i32
    %9 = "llvm.mlir.constant"() {value = 2.300000e+01 : f32} : () -> f32
    %10 = "llvm.fmul"(%arg58, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %11 = "llvm.fcmp"(%10, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%11)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %12 = "llvm.fcmp"(%10, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 7 : i64} : (f32, f32) -> i1
    %13 = "llvm.select"(%12, %2, %10) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    "llvm.br"(%13)[^bb3] : (f32) -> ()
  ^bb2:
    %14 = "llvm.fcmp"(%10, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    %15 = "llvm.select"(%14, %3, %10) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %16 = "llvm.fadd"(%15, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %17 = "llvm.intr.floor"(%16) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %18 = "llvm.fptosi"(%17) : (f32) -> i32
    %19 = "llvm.ashr"(%18, %5) : (i32, i32) -> i32
    %20 = "llvm.fsub"(%15, %17) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %21 = "llvm.fmul"(%20, %6) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %22 = "llvm.intr.exp"(%21) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %23 = "llvm.shl"(%19, %7) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %24 = "llvm.add"(%23, %8) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %25 = "llvm.bitcast"(%24) : (i32) -> f32
    %26 = "llvm.fmul"(%22, %25) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %27 = "llvm.sub"(%18, %19) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %28 = "llvm.shl"(%27, %7) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %29 = "llvm.add"(%28, %8) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %30 = "llvm.bitcast"(%29) : (i32) -> f32
    %31 = "llvm.fmul"(%26, %30) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%31)[^bb3] : (f32) -> ()
  ^bb3(%arg0: f32):
    %32 = "llvm.intr.floor"(%arg58) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %33 = "llvm.fcmp"(%32, %arg58) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %34 = "llvm.fcmp"(%arg58, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 3 : i64} : (f32, f32) -> i1
    %35 = "llvm.and"(%34, %33) : (i1, i1) -> i1
    %36 = "llvm.fcmp"(%10, %9) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    %37 = "llvm.and"(%36, %35) : (i1, i1) -> i1
    "llvm.cond_br"(%37, %arg0)[^bb4, ^bb5] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f32) -> ()
  ^bb4:
    %38 = "llvm.fadd"(%arg0, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %39 = "llvm.intr.floor"(%38) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.br"(%39)[^bb5] : (f32) -> ()
  ^bb5(%arg1: f32):
    "llvm.return"(%arg1) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_exp10f"} : () -> ()
}) : () -> ()
// function lib_expm1f
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg57: f32):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 1.680000e+01 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 6.931472e-01 : f32} : () -> f32
    %4 = "llvm.intr.exp"(%arg57) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %5 = "llvm.fcmp"(%4, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%5, %arg57)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb1:
    %6 = "llvm.fadd"(%4, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %7 = "llvm.fcmp"(%6, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 13 : i64} : (f32, f32) -> i1
    %8 = "llvm.fcmp"(%arg57, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    %9 = "llvm.and"(%8, %7) : (i1, i1) -> i1
    "llvm.cond_br"(%9, %6)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f32) -> ()
  ^bb2:
    %10 = "llvm.intr.log2"(%4) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %11 = "llvm.fmul"(%10, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %12 = "llvm.fdiv"(%arg57, %11) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %13 = "llvm.fmul"(%6, %12) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%13)[^bb3] : (f32) -> ()
  ^bb3(%arg0: f32):
    "llvm.return"(%arg0) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_expm1f"} : () -> ()
}) : () -> ()
// function lib_powf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg55: f32, %arg56: f32):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = false} : () -> i1
    %3 = "llvm.mlir.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = 0x7F800000 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = -2.460000e+02 : f32} : () -> f32
    %6 = "llvm.mlir.constant"() {value = 2.460000e+02 : f32} : () -> f32
    %7 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %8 = "llvm.mlir.constant"() {value = 6.931472e-01 : f32} : () -> f32
    %9 = "llvm.mlir.constant"() {value = 23 : i32} : () -> i32
    %10 = "llvm.mlir.constant"() {value = 1065353216 : i32} : () -> i32
    %11 = "llvm.mlir.constant"() {value = 1.700000e+01 : f32} : () -> f32
    %12 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %13 = "llvm.intr.fabs"(%arg55) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %14 = "llvm.fcmp"(%arg56, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %15 = "llvm.fcmp"(%arg55, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %16 = "llvm.or"(%15, %14) : (i1, i1) -> i1
    "llvm.cond_br"(%16, %1)[^bb18, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb1:
    %17 = "llvm.fcmp"(%arg55, %arg56) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%17)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb2:
    %18 = "llvm.fadd"(%arg55, %arg56) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%18)[^bb18] : (f32) -> ()
  ^bb3:
    %19 = "llvm.intr.floor"(%arg56) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %20 = "llvm.fcmp"(%19, %arg56) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%20, %2)[^bb4, ^bb5] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, i1) -> ()
  ^bb4:
    %21 = "llvm.fmul"(%arg56, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %22 = "llvm.intr.floor"(%21) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %23 = "llvm.fcmp"(%22, %21) {fastmathFlags = #llvm.fastmath<none>, predicate = 13 : i64} : (f32, f32) -> i1
    "llvm.br"(%23)[^bb5] : (i1) -> ()
  ^bb5(%arg0: i1):
    %24 = "llvm.fcmp"(%arg55, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %25 = "llvm.fcmp"(%13, %4) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %26 = "llvm.or"(%24, %25) : (i1, i1) -> i1
    "llvm.cond_br"(%26)[^bb6, ^bb7] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb6:
    %27 = "llvm.fcmp"(%arg56, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 12 : i64} : (f32, f32) -> i1
    %28 = "llvm.xor"(%24, %27) : (i1, i1) -> i1
    %29 = "llvm.select"(%28, %0, %4) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    "llvm.br"(%29)[^bb14] : (f32) -> ()
  ^bb7:
    %30 = "llvm.fcmp"(%13, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%30, %1)[^bb14, ^bb8] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb8:
    %31 = "llvm.intr.log2"(%13) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %32 = "llvm.fmul"(%31, %arg56) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %33 = "llvm.fcmp"(%32, %5) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%33)[^bb10, ^bb9] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb9:
    %34 = "llvm.fcmp"(%32, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 7 : i64} : (f32, f32) -> i1
    %35 = "llvm.select"(%34, %0, %32) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    "llvm.br"(%35)[^bb11] : (f32) -> ()
  ^bb10:
    %36 = "llvm.fcmp"(%32, %6) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    %37 = "llvm.select"(%36, %6, %32) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %38 = "llvm.fadd"(%37, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %39 = "llvm.intr.floor"(%38) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %40 = "llvm.fptosi"(%39) : (f32) -> i32
    %41 = "llvm.ashr"(%40, %7) : (i32, i32) -> i32
    %42 = "llvm.fsub"(%37, %39) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %43 = "llvm.fmul"(%42, %8) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %44 = "llvm.intr.exp"(%43) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %45 = "llvm.shl"(%41, %9) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %46 = "llvm.add"(%45, %10) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %47 = "llvm.bitcast"(%46) : (i32) -> f32
    %48 = "llvm.fmul"(%44, %47) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %49 = "llvm.sub"(%40, %41) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %50 = "llvm.shl"(%49, %9) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %51 = "llvm.add"(%50, %10) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %52 = "llvm.bitcast"(%51) : (i32) -> f32
    %53 = "llvm.fmul"(%48, %52) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%53)[^bb11] : (f32) -> ()
  ^bb11(%arg1: f32):
    %54 = "llvm.fcmp"(%arg56, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    %55 = "llvm.fcmp"(%32, %11) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    %56 = "llvm.and"(%54, %55) : (i1, i1) -> i1
    %57 = "llvm.intr.floor"(%13) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %58 = "llvm.fcmp"(%57, %13) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %59 = "llvm.and"(%58, %56) : (i1, i1) -> i1
    %60 = "llvm.and"(%20, %59) : (i1, i1) -> i1
    "llvm.cond_br"(%60, %arg1)[^bb12, ^bb13] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f32) -> ()
  ^bb12:
    %61 = "llvm.fadd"(%arg1, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %62 = "llvm.intr.floor"(%61) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.br"(%62)[^bb13] : (f32) -> ()
  ^bb13(%arg2: f32):
    %63 = "llvm.fcmp"(%arg55, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 10 : i64} : (f32, f32) -> i1
    %64 = "llvm.or"(%63, %20) : (i1, i1) -> i1
    %65 = "llvm.fsub"(%arg55, %arg55) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %66 = "llvm.fdiv"(%65, %65) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %67 = "llvm.select"(%64, %arg2, %66) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    "llvm.br"(%67)[^bb14] : (f32) -> ()
  ^bb14(%arg3: f32):
    %68 = "llvm.fcmp"(%arg55, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    %69 = "llvm.and"(%68, %arg0) : (i1, i1) -> i1
    "llvm.cond_br"(%69)[^bb15, ^bb16] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb15:
    %70 = "llvm.fneg"(%arg3) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.br"(%70)[^bb18] : (f32) -> ()
  ^bb16:
    %71 = "llvm.fcmp"(%arg3, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %72 = "llvm.and"(%arg0, %71) : (i1, i1) -> i1
    "llvm.cond_br"(%72, %arg3)[^bb17, ^bb18] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f32) -> ()
  ^bb17:
    %73 = "llvm.intr.fabs"(%arg3) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %74 = "llvm.bitcast"(%73) : (f32) -> i32
    %75 = "llvm.bitcast"(%arg55) : (f32) -> i32
    %76 = "llvm.and"(%75, %12) : (i32, i32) -> i32
    %77 = "llvm.or"(%76, %74) : (i32, i32) -> i32
    %78 = "llvm.bitcast"(%77) : (i32) -> f32
    "llvm.br"(%78)[^bb18] : (f32) -> ()
  ^bb18(%arg4: f32):
    "llvm.return"(%arg4) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32, f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_powf"} : () -> ()
}) : () -> ()
// function lib_powif
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg53: f32, %arg54: i32):
    %0 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = 0 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 3 : i32} : () -> i32
    %4 = "llvm.mlir.constant"() {value = 2 : i32} : () -> i32
    %5 = "llvm.and"(%arg54, %0) : (i32, i32) -> i32
    %6 = "llvm.icmp"(%5, %1) {predicate = 0 : i64} : (i32, i32) -> i1
    %7 = "llvm.select"(%6, %2, %arg53) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %8 = "llvm.add"(%arg54, %0) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %9 = "llvm.icmp"(%8, %3) {predicate = 6 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%9, %7, %7, %arg54, %arg53)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 3>} : (i1, f32, f32, i32, f32) -> ()
  ^bb1(%arg0: f32, %arg1: i32, %arg2: f32):
    %10 = "llvm.sdiv"(%arg1, %4) : (i32, i32) -> i32
    %11 = "llvm.fmul"(%arg2, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %12 = "llvm.and"(%10, %0) : (i32, i32) -> i32
    %13 = "llvm.icmp"(%12, %1) {predicate = 0 : i64} : (i32, i32) -> i1
    %14 = "llvm.fmul"(%11, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %15 = "llvm.select"(%13, %arg0, %14) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %16 = "llvm.add"(%10, %0) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %17 = "llvm.icmp"(%16, %3) {predicate = 6 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%17, %15, %15, %10, %11)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 3>} : (i1, f32, f32, i32, f32) -> ()
  ^bb2(%arg3: f32):
    %18 = "llvm.icmp"(%arg54, %1) {predicate = 2 : i64} : (i32, i32) -> i1
    %19 = "llvm.fdiv"(%2, %arg3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %20 = "llvm.select"(%18, %19, %arg3) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    "llvm.return"(%20) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32, i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_powif"} : () -> ()
}) : () -> ()
// function lib_cbrtf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg52: f32):
    %0 = "llvm.mlir.constant"() {value = 2.3104906e-01 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 3.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %3 = "llvm.intr.is.fpclass"(%arg52) {bit = 615 : i32} : (f32) -> i1
    "llvm.cond_br"(%3, %arg52)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb1:
    %4 = "llvm.intr.fabs"(%arg52) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %5 = "llvm.intr.log2"(%4) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %6 = "llvm.fmul"(%5, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %7 = "llvm.intr.exp"(%6) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %8 = "llvm.fdiv"(%4, %7) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %9 = "llvm.fdiv"(%8, %7) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %10 = "llvm.fsub"(%7, %9) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %11 = "llvm.fdiv"(%10, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %12 = "llvm.fsub"(%7, %11) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %13 = "llvm.intr.fabs"(%12) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %14 = "llvm.bitcast"(%13) : (f32) -> i32
    %15 = "llvm.bitcast"(%arg52) : (f32) -> i32
    %16 = "llvm.and"(%15, %2) : (i32, i32) -> i32
    %17 = "llvm.or"(%16, %14) : (i32, i32) -> i32
    %18 = "llvm.bitcast"(%17) : (i32) -> f32
    "llvm.br"(%18)[^bb2] : (f32) -> ()
  ^bb2(%arg0: f32):
    "llvm.return"(%arg0) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_cbrtf"} : () -> ()
}) : () -> ()
// function lib_tanf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg51: f32):
    %0 = "llvm.intr.sin"(%arg51) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %1 = "llvm.intr.cos"(%arg51) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %2 = "llvm.fdiv"(%0, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.return"(%2) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_tanf"} : () -> ()
}) : () -> ()
// function lib_atanf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg50: f32):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 1.000000e-05 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 2.730000e-01 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 7.853982e-01 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = 1.4285715e-01 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = 2.000000e-01 : f32} : () -> f32
    %6 = "llvm.mlir.constant"() {value = 3.3333334e-01 : f32} : () -> f32
    %7 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %8 = "llvm.mlir.constant"() {value = 1.5707964e+00 : f32} : () -> f32
    %9 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %10 = "llvm.intr.fabs"(%arg50) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %11 = "llvm.fcmp"(%10, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    %12 = "llvm.fdiv"(%0, %10) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %13 = "llvm.select"(%11, %12, %10) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %14 = "llvm.fcmp"(%13, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%14)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %15 = "llvm.fmul"(%13, %13) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %16 = "llvm.fmul"(%13, %15) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %17 = "llvm.fmul"(%16, %6) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %18 = "llvm.fsub"(%13, %17) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%18)[^bb3] : (f32) -> ()
  ^bb2:
    %19 = "llvm.fsub"(%0, %13) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %20 = "llvm.fmul"(%19, %2) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %21 = "llvm.fadd"(%20, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %22 = "llvm.fmul"(%13, %21) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %23 = "llvm.intr.cos"(%22) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %24 = "llvm.fmul"(%13, %23) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %25 = "llvm.intr.sin"(%22) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %26 = "llvm.fsub"(%24, %25) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %27 = "llvm.fmul"(%13, %25) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %28 = "llvm.fadd"(%23, %27) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %29 = "llvm.fdiv"(%26, %28) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %30 = "llvm.fmul"(%29, %29) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %31 = "llvm.fmul"(%29, %30) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %32 = "llvm.fmul"(%30, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %33 = "llvm.fsub"(%5, %32) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %34 = "llvm.fmul"(%30, %33) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %35 = "llvm.fsub"(%6, %34) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %36 = "llvm.fmul"(%31, %35) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %37 = "llvm.fsub"(%29, %36) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %38 = "llvm.fadd"(%22, %37) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%38)[^bb3] : (f32) -> ()
  ^bb3(%arg0: f32):
    %39 = "llvm.fcmp"(%arg50, %7) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%39, %arg50)[^bb5, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb4:
    %40 = "llvm.fsub"(%8, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %41 = "llvm.select"(%11, %40, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %42 = "llvm.intr.fabs"(%41) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %43 = "llvm.bitcast"(%42) : (f32) -> i32
    %44 = "llvm.bitcast"(%arg50) : (f32) -> i32
    %45 = "llvm.and"(%44, %9) : (i32, i32) -> i32
    %46 = "llvm.or"(%45, %43) : (i32, i32) -> i32
    %47 = "llvm.bitcast"(%46) : (i32) -> f32
    "llvm.br"(%47)[^bb5] : (f32) -> ()
  ^bb5(%arg1: f32):
    "llvm.return"(%arg1) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_atanf"} : () -> ()
}) : () -> ()
// function lib_atan2f
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg48: f32, %arg49: f32):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 0x7F800000 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 1.000000e-05 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = 2.730000e-01 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = 7.853982e-01 : f32} : () -> f32
    %6 = "llvm.mlir.constant"() {value = 1.4285715e-01 : f32} : () -> f32
    %7 = "llvm.mlir.constant"() {value = 2.000000e-01 : f32} : () -> f32
    %8 = "llvm.mlir.constant"() {value = 3.3333334e-01 : f32} : () -> f32
    %9 = "llvm.mlir.constant"() {value = 1.5707964e+00 : f32} : () -> f32
    %10 = "llvm.mlir.constant"() {value = 0 : i32} : () -> i32
    %11 = "llvm.mlir.constant"() {value = 3.1415927e+00 : f32} : () -> f32
    %12 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %13 = "llvm.intr.fabs"(%arg48) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %14 = "llvm.intr.fabs"(%arg49) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %15 = "llvm.fcmp"(%arg49, %arg48) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%15)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %16 = "llvm.fadd"(%arg48, %arg49) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%16)[^bb8] : (f32) -> ()
  ^bb2:
    %17 = "llvm.fcmp"(%13, %14) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    %18 = "llvm.select"(%17, %13, %14) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %19 = "llvm.fcmp"(%18, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%19, %0)[^bb5, ^bb3] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb3:
    %20 = "llvm.select"(%17, %14, %13) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %21 = "llvm.fcmp"(%20, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%21, %2)[^bb6, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb4:
    %22 = "llvm.fdiv"(%20, %18) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %23 = "llvm.fcmp"(%22, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%23, %22, %22)[^bb5, ^bb6] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, f32, f32) -> ()
  ^bb5(%arg0: f32):
    %24 = "llvm.fmul"(%arg0, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %25 = "llvm.fmul"(%arg0, %24) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %26 = "llvm.fmul"(%25, %8) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %27 = "llvm.fsub"(%arg0, %26) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%27)[^bb7] : (f32) -> ()
  ^bb6(%arg1: f32):
    %28 = "llvm.fsub"(%2, %arg1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %29 = "llvm.fmul"(%28, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %30 = "llvm.fadd"(%29, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %31 = "llvm.fmul"(%arg1, %30) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %32 = "llvm.intr.cos"(%31) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %33 = "llvm.fmul"(%arg1, %32) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %34 = "llvm.intr.sin"(%31) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %35 = "llvm.fsub"(%33, %34) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %36 = "llvm.fmul"(%arg1, %34) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %37 = "llvm.fadd"(%32, %36) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %38 = "llvm.fdiv"(%35, %37) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %39 = "llvm.fmul"(%38, %38) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %40 = "llvm.fmul"(%38, %39) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %41 = "llvm.fmul"(%39, %6) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %42 = "llvm.fsub"(%7, %41) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %43 = "llvm.fmul"(%39, %42) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %44 = "llvm.fsub"(%8, %43) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %45 = "llvm.fmul"(%40, %44) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %46 = "llvm.fsub"(%38, %45) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %47 = "llvm.fadd"(%31, %46) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%47)[^bb7] : (f32) -> ()
  ^bb7(%arg2: f32):
    %48 = "llvm.fsub"(%9, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %49 = "llvm.select"(%17, %48, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %50 = "llvm.bitcast"(%arg49) : (f32) -> i32
    %51 = "llvm.icmp"(%50, %10) {predicate = 2 : i64} : (i32, i32) -> i1
    %52 = "llvm.fsub"(%11, %49) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %53 = "llvm.select"(%51, %52, %49) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %54 = "llvm.intr.fabs"(%53) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %55 = "llvm.bitcast"(%54) : (f32) -> i32
    %56 = "llvm.bitcast"(%arg48) : (f32) -> i32
    %57 = "llvm.and"(%56, %12) : (i32, i32) -> i32
    %58 = "llvm.or"(%57, %55) : (i32, i32) -> i32
    %59 = "llvm.bitcast"(%58) : (i32) -> f32
    "llvm.br"(%59)[^bb8] : (f32) -> ()
  ^bb8(%arg3: f32):
    "llvm.return"(%arg3) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32, f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_atan2f"} : () -> ()
}) : () -> ()
// function lib_asinf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg47: f32):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 0x7F800000 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 1.000000e-05 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = 2.730000e-01 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = 7.853982e-01 : f32} : () -> f32
    %6 = "llvm.mlir.constant"() {value = 1.4285715e-01 : f32} : () -> f32
    %7 = "llvm.mlir.constant"() {value = 2.000000e-01 : f32} : () -> f32
    %8 = "llvm.mlir.constant"() {value = 3.3333334e-01 : f32} : () -> f32
    %9 = "llvm.mlir.constant"() {value = 1.5707964e+00 : f32} : () -> f32
    %10 = "llvm.mlir.constant"() {value = 0 : i32} : () -> i32
    %11 = "llvm.mlir.constant"() {value = 3.1415927e+00 : f32} : () -> f32
    %12 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %13 = "llvm.fsub"(%0, %arg47) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %14 = "llvm.fadd"(%arg47, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %15 = "llvm.fmul"(%13, %14) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %16 = "llvm.intr.sqrt"(%15) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %17 = "llvm.intr.fabs"(%arg47) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %18 = "llvm.intr.fabs"(%16) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %19 = "llvm.fcmp"(%16, %arg47) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%19)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %20 = "llvm.fadd"(%16, %arg47) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%20)[^bb8] : (f32) -> ()
  ^bb2:
    %21 = "llvm.fcmp"(%17, %18) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    %22 = "llvm.select"(%21, %17, %18) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %23 = "llvm.fcmp"(%22, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%23, %1)[^bb5, ^bb3] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb3:
    %24 = "llvm.select"(%21, %18, %17) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %25 = "llvm.fcmp"(%24, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%25, %0)[^bb6, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb4:
    %26 = "llvm.fdiv"(%24, %22) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %27 = "llvm.fcmp"(%26, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%27, %26, %26)[^bb5, ^bb6] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, f32, f32) -> ()
  ^bb5(%arg0: f32):
    %28 = "llvm.fmul"(%arg0, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %29 = "llvm.fmul"(%arg0, %28) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %30 = "llvm.fmul"(%29, %8) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %31 = "llvm.fsub"(%arg0, %30) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%31)[^bb7] : (f32) -> ()
  ^bb6(%arg1: f32):
    %32 = "llvm.fsub"(%0, %arg1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %33 = "llvm.fmul"(%32, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %34 = "llvm.fadd"(%33, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %35 = "llvm.fmul"(%arg1, %34) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %36 = "llvm.intr.cos"(%35) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %37 = "llvm.fmul"(%arg1, %36) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %38 = "llvm.intr.sin"(%35) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %39 = "llvm.fsub"(%37, %38) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %40 = "llvm.fmul"(%arg1, %38) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %41 = "llvm.fadd"(%36, %40) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %42 = "llvm.fdiv"(%39, %41) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %43 = "llvm.fmul"(%42, %42) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %44 = "llvm.fmul"(%42, %43) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %45 = "llvm.fmul"(%43, %6) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %46 = "llvm.fsub"(%7, %45) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %47 = "llvm.fmul"(%43, %46) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %48 = "llvm.fsub"(%8, %47) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %49 = "llvm.fmul"(%44, %48) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %50 = "llvm.fsub"(%42, %49) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %51 = "llvm.fadd"(%35, %50) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%51)[^bb7] : (f32) -> ()
  ^bb7(%arg2: f32):
    %52 = "llvm.fsub"(%9, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %53 = "llvm.select"(%21, %52, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %54 = "llvm.bitcast"(%16) : (f32) -> i32
    %55 = "llvm.icmp"(%54, %10) {predicate = 2 : i64} : (i32, i32) -> i1
    %56 = "llvm.fsub"(%11, %53) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %57 = "llvm.select"(%55, %56, %53) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %58 = "llvm.intr.fabs"(%57) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %59 = "llvm.bitcast"(%58) : (f32) -> i32
    %60 = "llvm.bitcast"(%arg47) : (f32) -> i32
    %61 = "llvm.and"(%60, %12) : (i32, i32) -> i32
    %62 = "llvm.or"(%61, %59) : (i32, i32) -> i32
    %63 = "llvm.bitcast"(%62) : (i32) -> f32
    "llvm.br"(%63)[^bb8] : (f32) -> ()
  ^bb8(%arg3: f32):
    "llvm.return"(%arg3) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_asinf"} : () -> ()
}) : () -> ()
// function lib_acosf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg46: f32):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 0x7F800000 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 1.000000e-05 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = 2.730000e-01 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = 7.853982e-01 : f32} : () -> f32
    %6 = "llvm.mlir.constant"() {value = 1.4285715e-01 : f32} : () -> f32
    %7 = "llvm.mlir.constant"() {value = 2.000000e-01 : f32} : () -> f32
    %8 = "llvm.mlir.constant"() {value = 3.3333334e-01 : f32} : () -> f32
    %9 = "llvm.mlir.constant"() {value = 1.5707964e+00 : f32} : () -> f32
    %10 = "llvm.mlir.constant"() {value = 0 : i32} : () -> i32
    %11 = "llvm.mlir.constant"() {value = 3.1415927e+00 : f32} : () -> f32
    %12 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %13 = "llvm.mlir.constant"() {value = 2.000000e+00 : f32} : () -> f32
    %14 = "llvm.fsub"(%0, %arg46) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %15 = "llvm.intr.sqrt"(%14) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %16 = "llvm.fadd"(%arg46, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %17 = "llvm.intr.sqrt"(%16) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %18 = "llvm.intr.fabs"(%15) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %19 = "llvm.intr.fabs"(%17) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %20 = "llvm.fcmp"(%17, %15) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%20)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %21 = "llvm.fadd"(%15, %17) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%21)[^bb8] : (f32) -> ()
  ^bb2:
    %22 = "llvm.fcmp"(%18, %19) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    %23 = "llvm.select"(%22, %18, %19) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %24 = "llvm.fcmp"(%23, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%24, %1)[^bb5, ^bb3] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb3:
    %25 = "llvm.select"(%22, %19, %18) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %26 = "llvm.fcmp"(%25, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%26, %0)[^bb6, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb4:
    %27 = "llvm.fdiv"(%25, %23) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %28 = "llvm.fcmp"(%27, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%28, %27, %27)[^bb5, ^bb6] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, f32, f32) -> ()
  ^bb5(%arg0: f32):
    %29 = "llvm.fmul"(%arg0, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %30 = "llvm.fmul"(%arg0, %29) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %31 = "llvm.fmul"(%30, %8) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %32 = "llvm.fsub"(%arg0, %31) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%32)[^bb7] : (f32) -> ()
  ^bb6(%arg1: f32):
    %33 = "llvm.fsub"(%0, %arg1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %34 = "llvm.fmul"(%33, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %35 = "llvm.fadd"(%34, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %36 = "llvm.fmul"(%arg1, %35) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %37 = "llvm.intr.cos"(%36) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %38 = "llvm.fmul"(%arg1, %37) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %39 = "llvm.intr.sin"(%36) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %40 = "llvm.fsub"(%38, %39) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %41 = "llvm.fmul"(%arg1, %39) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %42 = "llvm.fadd"(%37, %41) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %43 = "llvm.fdiv"(%40, %42) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %44 = "llvm.fmul"(%43, %43) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %45 = "llvm.fmul"(%43, %44) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %46 = "llvm.fmul"(%44, %6) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %47 = "llvm.fsub"(%7, %46) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %48 = "llvm.fmul"(%44, %47) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %49 = "llvm.fsub"(%8, %48) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %50 = "llvm.fmul"(%45, %49) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %51 = "llvm.fsub"(%43, %50) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %52 = "llvm.fadd"(%36, %51) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%52)[^bb7] : (f32) -> ()
  ^bb7(%arg2: f32):
    %53 = "llvm.fsub"(%9, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %54 = "llvm.select"(%22, %53, %arg2) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %55 = "llvm.bitcast"(%17) : (f32) -> i32
    %56 = "llvm.icmp"(%55, %10) {predicate = 2 : i64} : (i32, i32) -> i1
    %57 = "llvm.fsub"(%11, %54) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %58 = "llvm.select"(%56, %57, %54) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %59 = "llvm.intr.fabs"(%58) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %60 = "llvm.bitcast"(%59) : (f32) -> i32
    %61 = "llvm.bitcast"(%15) : (f32) -> i32
    %62 = "llvm.and"(%61, %12) : (i32, i32) -> i32
    %63 = "llvm.or"(%62, %60) : (i32, i32) -> i32
    %64 = "llvm.bitcast"(%63) : (i32) -> f32
    "llvm.br"(%64)[^bb8] : (f32) -> ()
  ^bb8(%arg3: f32):
    %65 = "llvm.fmul"(%arg3, %13) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.return"(%65) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_acosf"} : () -> ()
}) : () -> ()
// function lib_sinhf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg45: f32):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 1.680000e+01 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 6.931472e-01 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = 8.890000e+01 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %6 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %7 = "llvm.intr.fabs"(%arg45) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %8 = "llvm.intr.exp"(%7) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %9 = "llvm.fcmp"(%8, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%9, %7)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb1:
    %10 = "llvm.fadd"(%8, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %11 = "llvm.fcmp"(%10, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 13 : i64} : (f32, f32) -> i1
    %12 = "llvm.fcmp"(%7, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    %13 = "llvm.and"(%12, %11) : (i1, i1) -> i1
    "llvm.cond_br"(%13, %10)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f32) -> ()
  ^bb2:
    %14 = "llvm.intr.log2"(%8) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %15 = "llvm.fmul"(%14, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %16 = "llvm.fdiv"(%7, %15) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %17 = "llvm.fmul"(%10, %16) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%17)[^bb3] : (f32) -> ()
  ^bb3(%arg0: f32):
    %18 = "llvm.fcmp"(%7, %4) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%18)[^bb4, ^bb5] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb4:
    %19 = "llvm.fmul"(%7, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %20 = "llvm.intr.exp"(%19) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %21 = "llvm.fmul"(%20, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %22 = "llvm.fmul"(%20, %21) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%22)[^bb6] : (f32) -> ()
  ^bb5:
    %23 = "llvm.fadd"(%arg0, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %24 = "llvm.fdiv"(%arg0, %23) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %25 = "llvm.fadd"(%arg0, %24) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %26 = "llvm.fmul"(%25, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%26)[^bb6] : (f32) -> ()
  ^bb6(%arg1: f32):
    %27 = "llvm.intr.fabs"(%arg1) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %28 = "llvm.bitcast"(%27) : (f32) -> i32
    %29 = "llvm.bitcast"(%arg45) : (f32) -> i32
    %30 = "llvm.and"(%29, %6) : (i32, i32) -> i32
    %31 = "llvm.or"(%30, %28) : (i32, i32) -> i32
    %32 = "llvm.bitcast"(%31) : (i32) -> f32
    "llvm.return"(%32) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_sinhf"} : () -> ()
}) : () -> ()
// function lib_coshf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg44: f32):
    %0 = "llvm.mlir.constant"() {value = 8.890000e+01 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %3 = "llvm.intr.fabs"(%arg44) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %4 = "llvm.fcmp"(%3, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    %5 = "llvm.select"(%4, %1, %2) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %6 = "llvm.fmul"(%3, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %7 = "llvm.intr.exp"(%6) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.cond_br"(%4)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %8 = "llvm.fmul"(%7, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %9 = "llvm.fmul"(%7, %8) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%9)[^bb3] : (f32) -> ()
  ^bb2:
    %10 = "llvm.fdiv"(%2, %7) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %11 = "llvm.fadd"(%7, %10) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %12 = "llvm.fmul"(%11, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%12)[^bb3] : (f32) -> ()
  ^bb3(%arg0: f32):
    "llvm.return"(%arg0) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_coshf"} : () -> ()
}) : () -> ()
// function lib_tanhf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg43: f32):
    %0 = "llvm.mlir.constant"() {value = 2.400000e+01 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 2.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 4.800000e+01 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = -1.000000e+00 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = 1.680000e+01 : f32} : () -> f32
    %6 = "llvm.mlir.constant"() {value = 6.931472e-01 : f32} : () -> f32
    %7 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %8 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %9 = "llvm.intr.fabs"(%arg43) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %10 = "llvm.fcmp"(%9, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    %11 = "llvm.fmul"(%9, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %12 = "llvm.select"(%10, %2, %11) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %13 = "llvm.intr.exp"(%12) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %14 = "llvm.fcmp"(%13, %3) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%14, %12)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb1:
    %15 = "llvm.fadd"(%13, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %16 = "llvm.fcmp"(%15, %4) {fastmathFlags = #llvm.fastmath<none>, predicate = 13 : i64} : (f32, f32) -> i1
    %17 = "llvm.fcmp"(%12, %5) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    %18 = "llvm.and"(%17, %16) : (i1, i1) -> i1
    "llvm.cond_br"(%18, %15)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f32) -> ()
  ^bb2:
    %19 = "llvm.intr.log2"(%13) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %20 = "llvm.fmul"(%19, %6) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %21 = "llvm.fdiv"(%12, %20) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %22 = "llvm.fmul"(%15, %21) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%22)[^bb3] : (f32) -> ()
  ^bb3(%arg0: f32):
    %23 = "llvm.fcmp"(%arg43, %7) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%23, %arg43)[^bb5, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb4:
    %24 = "llvm.fadd"(%arg0, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %25 = "llvm.fdiv"(%arg0, %24) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %26 = "llvm.intr.fabs"(%25) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %27 = "llvm.bitcast"(%26) : (f32) -> i32
    %28 = "llvm.bitcast"(%arg43) : (f32) -> i32
    %29 = "llvm.and"(%28, %8) : (i32, i32) -> i32
    %30 = "llvm.or"(%29, %27) : (i32, i32) -> i32
    %31 = "llvm.bitcast"(%30) : (i32) -> f32
    "llvm.br"(%31)[^bb5] : (f32) -> ()
  ^bb5(%arg1: f32):
    "llvm.return"(%arg1) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_tanhf"} : () -> ()
}) : () -> ()
// function lib_asinhf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg42: f32):
    %0 = "llvm.mlir.constant"() {value = 1.6777216e+07 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = -1.000000e+00 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 6.931472e-01 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %5 = "llvm.intr.fabs"(%arg42) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %6 = "llvm.fcmp"(%5, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%6)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %7 = "llvm.intr.log2"(%5) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %8 = "llvm.fmul"(%7, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %9 = "llvm.fadd"(%8, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%9)[^bb5] : (f32) -> ()
  ^bb2:
    %10 = "llvm.fmul"(%arg42, %arg42) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %11 = "llvm.fadd"(%10, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %12 = "llvm.intr.sqrt"(%11) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %13 = "llvm.fadd"(%12, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %14 = "llvm.fdiv"(%10, %13) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %15 = "llvm.fadd"(%5, %14) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %16 = "llvm.fadd"(%15, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %17 = "llvm.fcmp"(%16, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%17, %15)[^bb5, ^bb3] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb3:
    %18 = "llvm.fadd"(%16, %2) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %19 = "llvm.fcmp"(%18, %16) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %20 = "llvm.intr.log2"(%16) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %21 = "llvm.fmul"(%20, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.cond_br"(%19, %21)[^bb5, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb4:
    %22 = "llvm.fdiv"(%15, %18) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %23 = "llvm.fmul"(%21, %22) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%23)[^bb5] : (f32) -> ()
  ^bb5(%arg0: f32):
    %24 = "llvm.intr.fabs"(%arg0) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %25 = "llvm.bitcast"(%24) : (f32) -> i32
    %26 = "llvm.bitcast"(%arg42) : (f32) -> i32
    %27 = "llvm.and"(%26, %4) : (i32, i32) -> i32
    %28 = "llvm.or"(%27, %25) : (i32, i32) -> i32
    %29 = "llvm.bitcast"(%28) : (i32) -> f32
    "llvm.return"(%29) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_asinhf"} : () -> ()
}) : () -> ()
// function lib_acoshf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg41: f32):
    %0 = "llvm.mlir.constant"() {value = 1.6777216e+07 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 6.931472e-01 : f32} : () -> f32
    %4 = "llvm.fcmp"(%arg41, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%4)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    %5 = "llvm.intr.log2"(%arg41) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %6 = "llvm.fmul"(%5, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %7 = "llvm.fadd"(%6, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%7)[^bb5] : (f32) -> ()
  ^bb2:
    %8 = "llvm.fadd"(%arg41, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %9 = "llvm.fadd"(%8, %8) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %10 = "llvm.fmul"(%8, %8) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %11 = "llvm.fadd"(%9, %10) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %12 = "llvm.intr.sqrt"(%11) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %13 = "llvm.fadd"(%8, %12) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %14 = "llvm.fadd"(%13, %2) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %15 = "llvm.fcmp"(%14, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%15, %13)[^bb5, ^bb3] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb3:
    %16 = "llvm.fadd"(%14, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %17 = "llvm.fcmp"(%16, %14) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %18 = "llvm.intr.log2"(%14) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %19 = "llvm.fmul"(%18, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.cond_br"(%17, %19)[^bb5, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb4:
    %20 = "llvm.fdiv"(%13, %16) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %21 = "llvm.fmul"(%19, %20) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%21)[^bb5] : (f32) -> ()
  ^bb5(%arg0: f32):
    "llvm.return"(%arg0) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_acoshf"} : () -> ()
}) : () -> ()
// function lib_atanhf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg40: f32):
    %0 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 6.931472e-01 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %5 = "llvm.intr.fabs"(%arg40) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %6 = "llvm.fadd"(%5, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %7 = "llvm.fsub"(%0, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %8 = "llvm.fdiv"(%6, %7) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %9 = "llvm.fadd"(%8, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %10 = "llvm.fcmp"(%9, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%10, %8)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb1:
    %11 = "llvm.fadd"(%9, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %12 = "llvm.fcmp"(%11, %9) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %13 = "llvm.intr.log2"(%9) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %14 = "llvm.fmul"(%13, %2) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.cond_br"(%12, %14)[^bb3, ^bb2] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb2:
    %15 = "llvm.fdiv"(%8, %11) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %16 = "llvm.fmul"(%14, %15) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%16)[^bb3] : (f32) -> ()
  ^bb3(%arg0: f32):
    %17 = "llvm.fmul"(%arg0, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %18 = "llvm.intr.fabs"(%17) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %19 = "llvm.bitcast"(%18) : (f32) -> i32
    %20 = "llvm.bitcast"(%arg40) : (f32) -> i32
    %21 = "llvm.and"(%20, %4) : (i32, i32) -> i32
    %22 = "llvm.or"(%21, %19) : (i32, i32) -> i32
    %23 = "llvm.bitcast"(%22) : (i32) -> f32
    "llvm.return"(%23) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_atanhf"} : () -> ()
}) : () -> ()
// function lib_erff
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg39: f32):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 7.000000e+00 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 50 : i32} : () -> i32
    %4 = "llvm.mlir.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = -1 : i32} : () -> i32
    %6 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %7 = "llvm.mlir.constant"() {value = 5.641896e-01 : f32} : () -> f32
    %8 = "llvm.mlir.constant"() {value = 2.000000e+00 : f32} : () -> f32
    %9 = "llvm.mlir.constant"() {value = 1.1283792e+00 : f32} : () -> f32
    %10 = "llvm.mlir.constant"() {value = -2147483648 : i32} : () -> i32
    %11 = "llvm.intr.fabs"(%arg39) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %12 = "llvm.fcmp"(%arg39, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%12, %arg39)[^bb9, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb1:
    %13 = "llvm.fcmp"(%11, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%13)[^bb2, ^bb5] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb2:
    %14 = "llvm.fmul"(%arg39, %arg39) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %15 = "llvm.fmul"(%14, %8) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%6, %11, %11)[^bb3] : (i32, f32, f32) -> ()
  ^bb3(%arg0: i32, %arg1: f32, %arg2: f32):
    %16 = "llvm.shl"(%arg0, %6) {overflowFlags = #llvm.overflow<nsw, nuw>} : (i32, i32) -> i32
    %17 = "llvm.or"(%16, %6) : (i32, i32) -> i32
    %18 = "llvm.sitofp"(%17) : (i32) -> f32
    %19 = "llvm.fdiv"(%15, %18) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %20 = "llvm.fmul"(%arg2, %19) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %21 = "llvm.fadd"(%arg1, %20) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %22 = "llvm.add"(%arg0, %6) {overflowFlags = #llvm.overflow<nsw, nuw>} : (i32, i32) -> i32
    %23 = "llvm.icmp"(%22, %3) {predicate = 0 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%23, %22, %21, %20)[^bb4, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 3>} : (i1, i32, f32, f32) -> ()
  ^bb4:
    %24 = "llvm.fmul"(%21, %9) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %25 = "llvm.fneg"(%14) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %26 = "llvm.intr.exp"(%25) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %27 = "llvm.fmul"(%26, %24) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%27)[^bb8] : (f32) -> ()
  ^bb5:
    %28 = "llvm.fcmp"(%11, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%28, %1, %3, %11)[^bb8, ^bb6] {operandSegmentSizes = array<i32: 1, 1, 2>} : (i1, f32, i32, f32) -> ()
  ^bb6(%arg3: i32, %arg4: f32):
    %29 = "llvm.sitofp"(%arg3) : (i32) -> f32
    %30 = "llvm.fmul"(%29, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %31 = "llvm.fdiv"(%30, %arg4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %32 = "llvm.fadd"(%11, %31) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %33 = "llvm.add"(%arg3, %5) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %34 = "llvm.icmp"(%arg3, %6) {predicate = 8 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%34, %33, %32)[^bb6, ^bb7] {operandSegmentSizes = array<i32: 1, 2, 0>} : (i1, i32, f32) -> ()
  ^bb7:
    %35 = "llvm.fneg"(%11) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %36 = "llvm.fmul"(%11, %35) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %37 = "llvm.intr.exp"(%36) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %38 = "llvm.fdiv"(%37, %32) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %39 = "llvm.fmul"(%38, %7) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %40 = "llvm.fsub"(%1, %39) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%40)[^bb8] : (f32) -> ()
  ^bb8(%arg5: f32):
    %41 = "llvm.intr.fabs"(%arg5) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %42 = "llvm.bitcast"(%41) : (f32) -> i32
    %43 = "llvm.bitcast"(%arg39) : (f32) -> i32
    %44 = "llvm.and"(%43, %10) : (i32, i32) -> i32
    %45 = "llvm.or"(%44, %42) : (i32, i32) -> i32
    %46 = "llvm.bitcast"(%45) : (i32) -> f32
    "llvm.br"(%46)[^bb9] : (f32) -> ()
  ^bb9(%arg6: f32):
    "llvm.return"(%arg6) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_erff"} : () -> ()
}) : () -> ()
// function lib_erfcf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg38: f32):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 3.000000e+01 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 50 : i32} : () -> i32
    %4 = "llvm.mlir.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = -1 : i32} : () -> i32
    %6 = "llvm.mlir.constant"() {value = 1 : i32} : () -> i32
    %7 = "llvm.mlir.constant"() {value = 5.641896e-01 : f32} : () -> f32
    %8 = "llvm.mlir.constant"() {value = -7.000000e+00 : f32} : () -> f32
    %9 = "llvm.mlir.constant"() {value = -1.000000e+00 : f32} : () -> f32
    %10 = "llvm.mlir.constant"() {value = 2.000000e+00 : f32} : () -> f32
    %11 = "llvm.mlir.constant"() {value = 1.1283792e+00 : f32} : () -> f32
    %12 = "llvm.fcmp"(%arg38, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%12, %arg38)[^bb14, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb1:
    %13 = "llvm.fcmp"(%arg38, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%13, %0)[^bb14, ^bb2] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb2:
    %14 = "llvm.fcmp"(%arg38, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%14, %3, %arg38)[^bb3, ^bb12] {operandSegmentSizes = array<i32: 1, 0, 2>} : (i1, i32, f32) -> ()
  ^bb3:
    %15 = "llvm.fcmp"(%arg38, %8) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%15, %9)[^bb11, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb4:
    %16 = "llvm.fcmp"(%arg38, %9) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%16)[^bb5, ^bb8] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb5:
    %17 = "llvm.fneg"(%arg38) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.br"(%3, %17)[^bb6] : (i32, f32) -> ()
  ^bb6(%arg0: i32, %arg1: f32):
    %18 = "llvm.sitofp"(%arg0) : (i32) -> f32
    %19 = "llvm.fmul"(%18, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %20 = "llvm.fdiv"(%19, %arg1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %21 = "llvm.fsub"(%20, %arg38) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %22 = "llvm.add"(%arg0, %5) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %23 = "llvm.icmp"(%arg0, %6) {predicate = 8 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%23, %22, %21)[^bb6, ^bb7] {operandSegmentSizes = array<i32: 1, 2, 0>} : (i1, i32, f32) -> ()
  ^bb7:
    %24 = "llvm.fmul"(%17, %arg38) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %25 = "llvm.intr.exp"(%24) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %26 = "llvm.fdiv"(%25, %21) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %27 = "llvm.fmul"(%26, %7) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %28 = "llvm.fadd"(%27, %9) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%28)[^bb11] : (f32) -> ()
  ^bb8:
    %29 = "llvm.fmul"(%arg38, %arg38) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %30 = "llvm.fmul"(%29, %10) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%6, %arg38, %arg38)[^bb9] : (i32, f32, f32) -> ()
  ^bb9(%arg2: i32, %arg3: f32, %arg4: f32):
    %31 = "llvm.shl"(%arg2, %6) {overflowFlags = #llvm.overflow<nsw, nuw>} : (i32, i32) -> i32
    %32 = "llvm.or"(%31, %6) : (i32, i32) -> i32
    %33 = "llvm.sitofp"(%32) : (i32) -> f32
    %34 = "llvm.fdiv"(%30, %33) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %35 = "llvm.fmul"(%arg4, %34) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %36 = "llvm.fadd"(%arg3, %35) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %37 = "llvm.add"(%arg2, %6) {overflowFlags = #llvm.overflow<nsw, nuw>} : (i32, i32) -> i32
    %38 = "llvm.icmp"(%37, %3) {predicate = 0 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%38, %37, %36, %35)[^bb10, ^bb9] {operandSegmentSizes = array<i32: 1, 0, 3>} : (i1, i32, f32, f32) -> ()
  ^bb10:
    %39 = "llvm.fmul"(%36, %11) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %40 = "llvm.fneg"(%29) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %41 = "llvm.intr.exp"(%40) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %42 = "llvm.fmul"(%41, %39) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%42)[^bb11] : (f32) -> ()
  ^bb11(%arg5: f32):
    %43 = "llvm.fsub"(%2, %arg5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%43)[^bb14] : (f32) -> ()
  ^bb12(%arg6: i32, %arg7: f32):
    %44 = "llvm.sitofp"(%arg6) : (i32) -> f32
    %45 = "llvm.fmul"(%44, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %46 = "llvm.fdiv"(%45, %arg7) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %47 = "llvm.fadd"(%46, %arg38) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %48 = "llvm.add"(%arg6, %5) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %49 = "llvm.icmp"(%arg6, %6) {predicate = 8 : i64} : (i32, i32) -> i1
    "llvm.cond_br"(%49, %48, %47)[^bb12, ^bb13] {operandSegmentSizes = array<i32: 1, 2, 0>} : (i1, i32, f32) -> ()
  ^bb13:
    %50 = "llvm.fneg"(%arg38) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %51 = "llvm.fmul"(%50, %arg38) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %52 = "llvm.intr.exp"(%51) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %53 = "llvm.fdiv"(%52, %47) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %54 = "llvm.fmul"(%53, %7) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%54)[^bb14] : (f32) -> ()
  ^bb14(%arg8: f32):
    "llvm.return"(%arg8) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_erfcf"} : () -> ()
}) : () -> ()
// function lib_hypotf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg36: f32, %arg37: f32):
    %0 = "llvm.mlir.constant"() {value = 0x7F800000 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 4.611686e+18 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 1.6543612e-24 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = 6.044629e+23 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = 1.8189894e-12 : f32} : () -> f32
    %6 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %7 = "llvm.intr.fabs"(%arg36) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %8 = "llvm.intr.fabs"(%arg37) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %9 = "llvm.fcmp"(%7, %8) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    %10 = "llvm.select"(%9, %7, %8) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %11 = "llvm.select"(%9, %8, %7) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %12 = "llvm.fcmp"(%7, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %13 = "llvm.fcmp"(%8, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %14 = "llvm.or"(%12, %13) : (i1, i1) -> i1
    "llvm.cond_br"(%14, %0)[^bb8, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb1:
    %15 = "llvm.fcmp"(%arg36, %arg37) {fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%15)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb2:
    %16 = "llvm.fadd"(%arg36, %arg37) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%16)[^bb8] : (f32) -> ()
  ^bb3:
    %17 = "llvm.fcmp"(%10, %1) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%17, %1)[^bb8, ^bb4] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, f32) -> ()
  ^bb4:
    %18 = "llvm.fcmp"(%10, %2) {fastmathFlags = #llvm.fastmath<none>, predicate = 2 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%18, %3, %4)[^bb7, ^bb5] {operandSegmentSizes = array<i32: 1, 2, 0>} : (i1, f32, f32) -> ()
  ^bb5:
    %19 = "llvm.fcmp"(%10, %5) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    "llvm.cond_br"(%19, %6, %6)[^bb6, ^bb7] {operandSegmentSizes = array<i32: 1, 0, 2>} : (i1, f32, f32) -> ()
  ^bb6:
    "llvm.br"(%4, %3)[^bb7] : (f32, f32) -> ()
  ^bb7(%arg0: f32, %arg1: f32):
    %20 = "llvm.fmul"(%10, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %21 = "llvm.fmul"(%11, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %22 = "llvm.fmul"(%20, %20) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %23 = "llvm.fmul"(%21, %21) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %24 = "llvm.fadd"(%22, %23) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %25 = "llvm.intr.sqrt"(%24) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %26 = "llvm.fmul"(%arg1, %25) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%26)[^bb8] : (f32) -> ()
  ^bb8(%arg2: f32):
    "llvm.return"(%arg2) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32, f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_hypotf"} : () -> ()
}) : () -> ()
// function lib_fdimf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg34: f32, %arg35: f32):
    %0 = "llvm.mlir.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %1 = "llvm.fcmp"(%arg34, %arg35) {fastmathFlags = #llvm.fastmath<none>, predicate = 5 : i64} : (f32, f32) -> i1
    %2 = "llvm.fsub"(%arg34, %arg35) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %3 = "llvm.select"(%1, %0, %2) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    "llvm.return"(%3) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32, f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_fdimf"} : () -> ()
}) : () -> ()
// function lib_lgammaf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg33: f32):
    %0 = "llvm.mlir.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 7.500000e+00 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 6.931472e-01 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = 9.189385e-01 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %6 = "llvm.mlir.constant"() {value = 6.765204e+02 : f32} : () -> f32
    %7 = "llvm.mlir.constant"() {value = 2.000000e+00 : f32} : () -> f32
    %8 = "llvm.mlir.constant"() {value = 1.2591392e+03 : f32} : () -> f32
    %9 = "llvm.mlir.constant"() {value = 3.000000e+00 : f32} : () -> f32
    %10 = "llvm.mlir.constant"() {value = 7.713234e+02 : f32} : () -> f32
    %11 = "llvm.mlir.constant"() {value = 4.000000e+00 : f32} : () -> f32
    %12 = "llvm.mlir.constant"() {value = 1.7661504e+02 : f32} : () -> f32
    %13 = "llvm.mlir.constant"() {value = 5.000000e+00 : f32} : () -> f32
    %14 = "llvm.mlir.constant"() {value = 1.2507343e+01 : f32} : () -> f32
    %15 = "llvm.mlir.constant"() {value = 6.000000e+00 : f32} : () -> f32
    %16 = "llvm.mlir.constant"() {value = 1.385711e-01 : f32} : () -> f32
    %17 = "llvm.mlir.constant"() {value = 7.000000e+00 : f32} : () -> f32
    %18 = "llvm.mlir.constant"() {value = 9.984369e-06 : f32} : () -> f32
    %19 = "llvm.mlir.constant"() {value = 8.000000e+00 : f32} : () -> f32
    %20 = "llvm.mlir.constant"() {value = 1.5056327e-07 : f32} : () -> f32
    %21 = "llvm.mlir.constant"() {value = 3.1415927e+00 : f32} : () -> f32
    %22 = "llvm.fcmp"(%arg33, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    %23 = "llvm.fneg"(%arg33) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %24 = "llvm.fadd"(%arg33, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %25 = "llvm.select"(%22, %23, %24) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %26 = "llvm.fadd"(%25, %2) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %27 = "llvm.fadd"(%25, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %28 = "llvm.intr.log2"(%26) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %29 = "llvm.fmul"(%28, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %30 = "llvm.fmul"(%27, %29) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %31 = "llvm.fadd"(%30, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %32 = "llvm.fsub"(%31, %26) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %33 = "llvm.fadd"(%25, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %34 = "llvm.fdiv"(%6, %33) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %35 = "llvm.fadd"(%34, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %36 = "llvm.fadd"(%25, %7) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %37 = "llvm.fdiv"(%8, %36) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %38 = "llvm.fsub"(%35, %37) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %39 = "llvm.fadd"(%25, %9) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %40 = "llvm.fdiv"(%10, %39) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %41 = "llvm.fadd"(%40, %38) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %42 = "llvm.fadd"(%25, %11) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %43 = "llvm.fdiv"(%12, %42) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %44 = "llvm.fsub"(%41, %43) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %45 = "llvm.fadd"(%25, %13) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %46 = "llvm.fdiv"(%14, %45) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %47 = "llvm.fadd"(%46, %44) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %48 = "llvm.fadd"(%25, %15) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %49 = "llvm.fdiv"(%16, %48) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %50 = "llvm.fsub"(%47, %49) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %51 = "llvm.fadd"(%25, %17) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %52 = "llvm.fdiv"(%18, %51) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %53 = "llvm.fadd"(%52, %50) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %54 = "llvm.fadd"(%25, %19) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %55 = "llvm.fdiv"(%20, %54) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %56 = "llvm.fadd"(%55, %53) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %57 = "llvm.intr.log2"(%56) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %58 = "llvm.fmul"(%57, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %59 = "llvm.fadd"(%32, %58) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.cond_br"(%22, %59)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f32) -> ()
  ^bb1:
    %60 = "llvm.fmul"(%arg33, %21) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %61 = "llvm.intr.sin"(%60) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %62 = "llvm.intr.fabs"(%61) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %63 = "llvm.fdiv"(%21, %62) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %64 = "llvm.intr.log2"(%63) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %65 = "llvm.fmul"(%64, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %66 = "llvm.fsub"(%65, %59) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%66)[^bb2] : (f32) -> ()
  ^bb2(%arg0: f32):
    "llvm.return"(%arg0) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_lgammaf"} : () -> ()
}) : () -> ()
// function lib_tgammaf
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg32: f32):
    %0 = "llvm.mlir.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %1 = "llvm.mlir.constant"() {value = -1.000000e+00 : f32} : () -> f32
    %2 = "llvm.mlir.constant"() {value = 7.500000e+00 : f32} : () -> f32
    %3 = "llvm.mlir.constant"() {value = 6.931472e-01 : f32} : () -> f32
    %4 = "llvm.mlir.constant"() {value = 2.5066283e+00 : f32} : () -> f32
    %5 = "llvm.mlir.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %6 = "llvm.mlir.constant"() {value = 6.765204e+02 : f32} : () -> f32
    %7 = "llvm.mlir.constant"() {value = 2.000000e+00 : f32} : () -> f32
    %8 = "llvm.mlir.constant"() {value = 1.2591392e+03 : f32} : () -> f32
    %9 = "llvm.mlir.constant"() {value = 3.000000e+00 : f32} : () -> f32
    %10 = "llvm.mlir.constant"() {value = 7.713234e+02 : f32} : () -> f32
    %11 = "llvm.mlir.constant"() {value = 4.000000e+00 : f32} : () -> f32
    %12 = "llvm.mlir.constant"() {value = 1.7661504e+02 : f32} : () -> f32
    %13 = "llvm.mlir.constant"() {value = 5.000000e+00 : f32} : () -> f32
    %14 = "llvm.mlir.constant"() {value = 1.2507343e+01 : f32} : () -> f32
    %15 = "llvm.mlir.constant"() {value = 6.000000e+00 : f32} : () -> f32
    %16 = "llvm.mlir.constant"() {value = 1.385711e-01 : f32} : () -> f32
    %17 = "llvm.mlir.constant"() {value = 7.000000e+00 : f32} : () -> f32
    %18 = "llvm.mlir.constant"() {value = 9.984369e-06 : f32} : () -> f32
    %19 = "llvm.mlir.constant"() {value = 8.000000e+00 : f32} : () -> f32
    %20 = "llvm.mlir.constant"() {value = 1.5056327e-07 : f32} : () -> f32
    %21 = "llvm.mlir.constant"() {value = 8.388608e+06 : f32} : () -> f32
    %22 = "llvm.mlir.constant"() {value = false} : () -> i1
    %23 = "llvm.mlir.constant"() {value = 3.1415927e+00 : f32} : () -> f32
    %24 = "llvm.fcmp"(%arg32, %0) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    %25 = "llvm.fneg"(%arg32) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %26 = "llvm.fadd"(%arg32, %1) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %27 = "llvm.select"(%24, %25, %26) {fastmathFlags = #llvm.fastmath<none>} : (i1, f32, f32) -> f32
    %28 = "llvm.fadd"(%27, %2) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %29 = "llvm.fadd"(%27, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %30 = "llvm.fmul"(%29, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %31 = "llvm.intr.log2"(%28) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %32 = "llvm.fmul"(%31, %3) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %33 = "llvm.fmul"(%30, %32) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %34 = "llvm.intr.exp"(%33) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %35 = "llvm.fneg"(%28) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %36 = "llvm.intr.exp"(%35) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %37 = "llvm.fmul"(%34, %4) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %38 = "llvm.fmul"(%36, %37) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %39 = "llvm.fmul"(%34, %38) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %40 = "llvm.fadd"(%27, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %41 = "llvm.fdiv"(%6, %40) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %42 = "llvm.fadd"(%41, %5) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %43 = "llvm.fadd"(%27, %7) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %44 = "llvm.fdiv"(%8, %43) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %45 = "llvm.fsub"(%42, %44) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %46 = "llvm.fadd"(%27, %9) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %47 = "llvm.fdiv"(%10, %46) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %48 = "llvm.fadd"(%47, %45) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %49 = "llvm.fadd"(%27, %11) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %50 = "llvm.fdiv"(%12, %49) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %51 = "llvm.fsub"(%48, %50) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %52 = "llvm.fadd"(%27, %13) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %53 = "llvm.fdiv"(%14, %52) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %54 = "llvm.fadd"(%53, %51) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %55 = "llvm.fadd"(%27, %15) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %56 = "llvm.fdiv"(%16, %55) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %57 = "llvm.fsub"(%54, %56) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %58 = "llvm.fadd"(%27, %17) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %59 = "llvm.fdiv"(%18, %58) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %60 = "llvm.fadd"(%59, %57) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %61 = "llvm.fadd"(%27, %19) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %62 = "llvm.fdiv"(%20, %61) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %63 = "llvm.fadd"(%62, %60) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %64 = "llvm.fmul"(%39, %63) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %65 = "llvm.fcmp"(%arg32, %5) {fastmathFlags = #llvm.fastmath<none>, predicate = 3 : i64} : (f32, f32) -> i1
    %66 = "llvm.intr.floor"(%arg32) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %67 = "llvm.fcmp"(%66, %arg32) {fastmathFlags = #llvm.fastmath<none>, predicate = 1 : i64} : (f32, f32) -> i1
    %68 = "llvm.and"(%65, %67) : (i1, i1) -> i1
    %69 = "llvm.fcmp"(%64, %21) {fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64} : (f32, f32) -> i1
    %70 = "llvm.select"(%68, %69, %22) {fastmathFlags = #llvm.fastmath<none>} : (i1, i1, i1) -> i1
    "llvm.cond_br"(%70, %64)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f32) -> ()
  ^bb1:
    %71 = "llvm.fadd"(%64, %0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %72 = "llvm.intr.floor"(%71) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    "llvm.br"(%72)[^bb2] : (f32) -> ()
  ^bb2(%arg0: f32):
    "llvm.cond_br"(%24, %arg0)[^bb3, ^bb4] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, f32) -> ()
  ^bb3:
    %73 = "llvm.fmul"(%arg32, %23) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %74 = "llvm.intr.sin"(%73) {fastmathFlags = #llvm.fastmath<none>} : (f32) -> f32
    %75 = "llvm.fmul"(%74, %arg0) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    %76 = "llvm.fdiv"(%23, %75) {fastmathFlags = #llvm.fastmath<none>} : (f32, f32) -> f32
    "llvm.br"(%76)[^bb4] : (f32) -> ()
  ^bb4(%arg1: f32):
    "llvm.return"(%arg1) : (f32) -> ()
  }) {function_type = !llvm.func<f32 (f32)>, linkage = #llvm.linkage<external>, sym_name = "lib_tgammaf"} : () -> ()
}) : () -> ()
// function lib_strlen
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg31: !llvm.ptr):
    %0 = "llvm.mlir.constant"() {value = 0 : i64} : () -> i64
    %1 = "llvm.mlir.constant"() {value = 0 : i8} : () -> i8
    %2 = "llvm.mlir.constant"() {value = 1 : i64} : () -> i64
    "llvm.br"(%0)[^bb1] : (i64) -> ()
  ^bb1(%arg0: i64):
    %3 = "llvm.getelementptr"(%arg31, %arg0) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    %4 = "llvm.load"(%3) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %5 = "llvm.icmp"(%4, %1) {predicate = 0 : i64} : (i8, i8) -> i1
    %6 = "llvm.add"(%arg0, %2) {overflowFlags = #llvm.overflow<none>} : (i64, i64) -> i64
    "llvm.cond_br"(%5, %6)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, i64) -> ()
  ^bb2:
    "llvm.return"(%arg0) : (i64) -> ()
  }) {function_type = !llvm.func<i64 (ptr)>, linkage = #llvm.linkage<external>, sym_name = "lib_strlen"} : () -> ()
}) : () -> ()
// function lib_strnlen
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg29: !llvm.ptr, %arg30: i64):
    %0 = "llvm.mlir.constant"() {value = 0 : i64} : () -> i64
    %1 = "llvm.mlir.constant"() {value = 0 : i8} : () -> i8
    %2 = "llvm.mlir.constant"() {value = 1 : i64} : () -> i64
    %3 = "llvm.icmp"(%arg30, %0) {predicate = 0 : i64} : (i64, i64) -> i1
    "llvm.cond_br"(%3, %0, %0)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, i64, i64) -> ()
  ^bb1(%arg0: i64):
    %4 = "llvm.getelementptr"(%arg29, %arg0) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    %5 = "llvm.load"(%4) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %6 = "llvm.icmp"(%5, %1) {predicate = 0 : i64} : (i8, i8) -> i1
    "llvm.cond_br"(%6, %arg0)[^bb3, ^bb2] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, i64) -> ()
  ^bb2:
    %7 = "llvm.add"(%arg0, %2) {overflowFlags = #llvm.overflow<nuw>} : (i64, i64) -> i64
    %8 = "llvm.icmp"(%7, %arg30) {predicate = 0 : i64} : (i64, i64) -> i1
    "llvm.cond_br"(%8, %arg30, %7)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, i64, i64) -> ()
  ^bb3(%arg1: i64):
    "llvm.return"(%arg1) : (i64) -> ()
  }) {function_type = !llvm.func<i64 (ptr, i64)>, linkage = #llvm.linkage<external>, sym_name = "lib_strnlen"} : () -> ()
}) : () -> ()
// function lib_strcmp
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg27: !llvm.ptr, %arg28: !llvm.ptr):
    %0 = "llvm.mlir.constant"() {value = 0 : i8} : () -> i8
    %1 = "llvm.mlir.constant"() {value = 0 : i64} : () -> i64
    %2 = "llvm.mlir.constant"() {value = 0 : i32} : () -> i32
    %3 = "llvm.mlir.constant"() {value = 1 : i64} : () -> i64
    %4 = "llvm.load"(%arg27) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %5 = "llvm.icmp"(%4, %0) {predicate = 0 : i64} : (i8, i8) -> i1
    "llvm.cond_br"(%5, %1, %2, %4, %1)[^bb4, ^bb1] {operandSegmentSizes = array<i32: 1, 2, 2>} : (i1, i64, i32, i8, i64) -> ()
  ^bb1(%arg0: i8, %arg1: i64):
    %6 = "llvm.getelementptr"(%arg28, %arg1) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    %7 = "llvm.load"(%6) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %8 = "llvm.icmp"(%arg0, %7) {predicate = 0 : i64} : (i8, i8) -> i1
    "llvm.cond_br"(%8, %arg1, %arg0)[^bb2, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 2>} : (i1, i64, i8) -> ()
  ^bb2:
    %9 = "llvm.add"(%arg1, %3) {overflowFlags = #llvm.overflow<none>} : (i64, i64) -> i64
    %10 = "llvm.getelementptr"(%arg27, %9) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    %11 = "llvm.load"(%10) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %12 = "llvm.icmp"(%11, %0) {predicate = 0 : i64} : (i8, i8) -> i1
    "llvm.cond_br"(%12, %9, %0, %11, %9)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 2, 2>} : (i1, i64, i8, i8, i64) -> ()
  ^bb3(%arg2: i64, %arg3: i8):
    %13 = "llvm.zext"(%arg3) : (i8) -> i32
    "llvm.br"(%arg2, %13)[^bb4] : (i64, i32) -> ()
  ^bb4(%arg4: i64, %arg5: i32):
    %14 = "llvm.getelementptr"(%arg28, %arg4) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    %15 = "llvm.load"(%14) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %16 = "llvm.zext"(%15) : (i8) -> i32
    %17 = "llvm.sub"(%arg5, %16) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    "llvm.return"(%17) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (ptr, ptr)>, linkage = #llvm.linkage<external>, sym_name = "lib_strcmp"} : () -> ()
}) : () -> ()
// function lib_strncmp
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg24: !llvm.ptr, %arg25: !llvm.ptr, %arg26: i64):
    %0 = "llvm.mlir.constant"() {value = 0 : i64} : () -> i64
    %1 = "llvm.mlir.constant"() {value = 0 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = 0 : i8} : () -> i8
    %3 = "llvm.mlir.constant"() {value = 1 : i64} : () -> i64
    %4 = "llvm.mlir.constant"() {value = true} : () -> i1
    %5 = "llvm.icmp"(%arg26, %0) {predicate = 0 : i64} : (i64, i64) -> i1
    "llvm.cond_br"(%5, %1, %0)[^bb4, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, i32, i64) -> ()
  ^bb1(%arg0: i64):
    %6 = "llvm.getelementptr"(%arg24, %arg0) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    %7 = "llvm.load"(%6) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %8 = "llvm.getelementptr"(%arg25, %arg0) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    %9 = "llvm.load"(%8) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %10 = "llvm.icmp"(%7, %9) {predicate = 0 : i64} : (i8, i8) -> i1
    "llvm.cond_br"(%10)[^bb3, ^bb2] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb2:
    %11 = "llvm.zext"(%7) : (i8) -> i32
    %12 = "llvm.zext"(%9) : (i8) -> i32
    %13 = "llvm.sub"(%11, %12) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    "llvm.br"(%13)[^bb4] : (i32) -> ()
  ^bb3:
    %14 = "llvm.icmp"(%7, %2) {predicate = 0 : i64} : (i8, i8) -> i1
    %15 = "llvm.add"(%arg0, %3) {overflowFlags = #llvm.overflow<nuw>} : (i64, i64) -> i64
    %16 = "llvm.icmp"(%15, %arg26) {predicate = 0 : i64} : (i64, i64) -> i1
    %17 = "llvm.select"(%14, %4, %16) {fastmathFlags = #llvm.fastmath<none>} : (i1, i1, i1) -> i1
    "llvm.cond_br"(%17, %1, %15)[^bb4, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, i32, i64) -> ()
  ^bb4(%arg1: i32):
    "llvm.return"(%arg1) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (ptr, ptr, i64)>, linkage = #llvm.linkage<external>, sym_name = "lib_strncmp"} : () -> ()
}) : () -> ()
// function lib_memcmp
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg21: !llvm.ptr, %arg22: !llvm.ptr, %arg23: i64):
    %0 = "llvm.mlir.constant"() {value = 0 : i64} : () -> i64
    %1 = "llvm.mlir.constant"() {value = 0 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = 1 : i64} : () -> i64
    %3 = "llvm.icmp"(%arg23, %0) {predicate = 0 : i64} : (i64, i64) -> i1
    "llvm.cond_br"(%3, %1, %0)[^bb4, ^bb2] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, i32, i64) -> ()
  ^bb1:
    %4 = "llvm.add"(%arg0, %2) {overflowFlags = #llvm.overflow<nuw>} : (i64, i64) -> i64
    %5 = "llvm.icmp"(%4, %arg23) {predicate = 0 : i64} : (i64, i64) -> i1
    "llvm.cond_br"(%5, %1, %4)[^bb4, ^bb2] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, i32, i64) -> ()
  ^bb2(%arg0: i64):
    %6 = "llvm.getelementptr"(%arg21, %arg0) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    %7 = "llvm.load"(%6) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %8 = "llvm.getelementptr"(%arg22, %arg0) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    %9 = "llvm.load"(%8) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %10 = "llvm.icmp"(%7, %9) {predicate = 0 : i64} : (i8, i8) -> i1
    "llvm.cond_br"(%10)[^bb1, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb3:
    %11 = "llvm.zext"(%9) : (i8) -> i32
    %12 = "llvm.zext"(%7) : (i8) -> i32
    %13 = "llvm.sub"(%12, %11) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    "llvm.br"(%13)[^bb4] : (i32) -> ()
  ^bb4(%arg1: i32):
    "llvm.return"(%arg1) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (ptr, ptr, i64)>, linkage = #llvm.linkage<external>, sym_name = "lib_memcmp"} : () -> ()
}) : () -> ()
// function lib_strcpy
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg19: !llvm.ptr, %arg20: !llvm.ptr):
    %0 = "llvm.mlir.constant"() {value = 0 : i64} : () -> i64
    %1 = "llvm.mlir.constant"() {value = 1 : i64} : () -> i64
    %2 = "llvm.mlir.constant"() {value = 0 : i8} : () -> i8
    "llvm.br"(%0)[^bb1] : (i64) -> ()
  ^bb1(%arg0: i64):
    %3 = "llvm.getelementptr"(%arg20, %arg0) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    %4 = "llvm.load"(%3) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %5 = "llvm.getelementptr"(%arg19, %arg0) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    "llvm.store"(%4, %5) {alignment = 1 : i64, ordering = 0 : i64} : (i8, !llvm.ptr) -> ()
    %6 = "llvm.add"(%arg0, %1) {overflowFlags = #llvm.overflow<none>} : (i64, i64) -> i64
    %7 = "llvm.icmp"(%4, %2) {predicate = 0 : i64} : (i8, i8) -> i1
    "llvm.cond_br"(%7, %6)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, i64) -> ()
  ^bb2:
    "llvm.return"(%arg19) : (!llvm.ptr) -> ()
  }) {function_type = !llvm.func<ptr (ptr, ptr)>, linkage = #llvm.linkage<external>, sym_name = "lib_strcpy"} : () -> ()
}) : () -> ()
// function lib_strncpy
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg16: !llvm.ptr, %arg17: !llvm.ptr, %arg18: i64):
    %0 = "llvm.mlir.constant"() {value = 0 : i64} : () -> i64
    %1 = "llvm.mlir.constant"() {value = 0 : i8} : () -> i8
    %2 = "llvm.mlir.constant"() {value = 1 : i64} : () -> i64
    %3 = "llvm.icmp"(%arg18, %0) {predicate = 0 : i64} : (i64, i64) -> i1
    "llvm.cond_br"(%3, %0, %0)[^bb3, ^bb1] {operandSegmentSizes = array<i32: 1, 1, 1>} : (i1, i64, i64) -> ()
  ^bb1(%arg0: i64):
    %4 = "llvm.getelementptr"(%arg17, %arg0) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    %5 = "llvm.load"(%4) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %6 = "llvm.icmp"(%5, %1) {predicate = 0 : i64} : (i8, i8) -> i1
    "llvm.cond_br"(%6, %arg0)[^bb3, ^bb2] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, i64) -> ()
  ^bb2:
    %7 = "llvm.getelementptr"(%arg16, %arg0) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    "llvm.store"(%5, %7) {alignment = 1 : i64, ordering = 0 : i64} : (i8, !llvm.ptr) -> ()
    %8 = "llvm.add"(%arg0, %2) {overflowFlags = #llvm.overflow<nuw>} : (i64, i64) -> i64
    %9 = "llvm.icmp"(%8, %arg18) {predicate = 0 : i64} : (i64, i64) -> i1
    "llvm.cond_br"(%9, %8)[^bb5, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, i64) -> ()
  ^bb3(%arg1: i64):
    %10 = "llvm.icmp"(%arg1, %arg18) {predicate = 6 : i64} : (i64, i64) -> i1
    "llvm.cond_br"(%10, %arg1)[^bb4, ^bb5] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, i64) -> ()
  ^bb4(%arg2: i64):
    %11 = "llvm.getelementptr"(%arg16, %arg2) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    "llvm.store"(%1, %11) {alignment = 1 : i64, ordering = 0 : i64} : (i8, !llvm.ptr) -> ()
    %12 = "llvm.add"(%arg2, %2) {overflowFlags = #llvm.overflow<nuw>} : (i64, i64) -> i64
    %13 = "llvm.icmp"(%12, %arg18) {predicate = 0 : i64} : (i64, i64) -> i1
    "llvm.cond_br"(%13, %12)[^bb5, ^bb4] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, i64) -> ()
  ^bb5:
    "llvm.return"(%arg16) : (!llvm.ptr) -> ()
  }) {function_type = !llvm.func<ptr (ptr, ptr, i64)>, linkage = #llvm.linkage<external>, sym_name = "lib_strncpy"} : () -> ()
}) : () -> ()
// function lib_strcat
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg14: !llvm.ptr, %arg15: !llvm.ptr):
    %0 = "llvm.mlir.constant"() {value = 0 : i64} : () -> i64
    %1 = "llvm.mlir.constant"() {value = 0 : i8} : () -> i8
    %2 = "llvm.mlir.constant"() {value = 1 : i64} : () -> i64
    "llvm.br"(%0)[^bb1] : (i64) -> ()
  ^bb1(%arg0: i64):
    %3 = "llvm.getelementptr"(%arg14, %arg0) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    %4 = "llvm.load"(%3) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %5 = "llvm.icmp"(%4, %1) {predicate = 0 : i64} : (i8, i8) -> i1
    %6 = "llvm.add"(%arg0, %2) {overflowFlags = #llvm.overflow<none>} : (i64, i64) -> i64
    "llvm.cond_br"(%5, %6)[^bb2, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, i64) -> ()
  ^bb2:
    %7 = "llvm.getelementptr"(%arg14, %arg0) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    "llvm.br"(%0)[^bb3] : (i64) -> ()
  ^bb3(%arg1: i64):
    %8 = "llvm.getelementptr"(%arg15, %arg1) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    %9 = "llvm.load"(%8) {alignment = 1 : i64, ordering = 0 : i64} : (!llvm.ptr) -> i8
    %10 = "llvm.getelementptr"(%7, %arg1) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr
    "llvm.store"(%9, %10) {alignment = 1 : i64, ordering = 0 : i64} : (i8, !llvm.ptr) -> ()
    %11 = "llvm.add"(%arg1, %2) {overflowFlags = #llvm.overflow<none>} : (i64, i64) -> i64
    %12 = "llvm.icmp"(%9, %1) {predicate = 0 : i64} : (i8, i8) -> i1
    "llvm.cond_br"(%12, %11)[^bb4, ^bb3] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, i64) -> ()
  ^bb4:
    "llvm.return"(%arg14) : (!llvm.ptr) -> ()
  }) {function_type = !llvm.func<ptr (ptr, ptr)>, linkage = #llvm.linkage<external>, sym_name = "lib_strcat"} : () -> ()
}) : () -> ()
// function lib_isupper
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg13: i32):
    %0 = "llvm.mlir.constant"() {value = -65 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = 26 : i32} : () -> i32
    %2 = "llvm.add"(%arg13, %0) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %3 = "llvm.icmp"(%2, %1) {predicate = 6 : i64} : (i32, i32) -> i1
    %4 = "llvm.zext"(%3) : (i1) -> i32
    "llvm.return"(%4) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_isupper"} : () -> ()
}) : () -> ()
// function lib_islower
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg12: i32):
    %0 = "llvm.mlir.constant"() {value = -97 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = 26 : i32} : () -> i32
    %2 = "llvm.add"(%arg12, %0) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %3 = "llvm.icmp"(%2, %1) {predicate = 6 : i64} : (i32, i32) -> i1
    %4 = "llvm.zext"(%3) : (i1) -> i32
    "llvm.return"(%4) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_islower"} : () -> ()
}) : () -> ()
// function lib_isdigit
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg11: i32):
    %0 = "llvm.mlir.constant"() {value = -48 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = 10 : i32} : () -> i32
    %2 = "llvm.add"(%arg11, %0) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %3 = "llvm.icmp"(%2, %1) {predicate = 6 : i64} : (i32, i32) -> i1
    %4 = "llvm.zext"(%3) : (i1) -> i32
    "llvm.return"(%4) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_isdigit"} : () -> ()
}) : () -> ()
// function lib_isalpha
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg10: i32):
    %0 = "llvm.mlir.constant"() {value = -33 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = -65 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = 26 : i32} : () -> i32
    %3 = "llvm.and"(%arg10, %0) : (i32, i32) -> i32
    %4 = "llvm.add"(%3, %1) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %5 = "llvm.icmp"(%4, %2) {predicate = 6 : i64} : (i32, i32) -> i1
    %6 = "llvm.zext"(%5) : (i1) -> i32
    "llvm.return"(%6) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_isalpha"} : () -> ()
}) : () -> ()
// function lib_isalnum
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg9: i32):
    %0 = "llvm.mlir.constant"() {value = -33 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = -65 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = 26 : i32} : () -> i32
    %3 = "llvm.mlir.constant"() {value = -48 : i32} : () -> i32
    %4 = "llvm.mlir.constant"() {value = 10 : i32} : () -> i32
    %5 = "llvm.and"(%arg9, %0) : (i32, i32) -> i32
    %6 = "llvm.add"(%5, %1) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %7 = "llvm.icmp"(%6, %2) {predicate = 6 : i64} : (i32, i32) -> i1
    %8 = "llvm.add"(%arg9, %3) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %9 = "llvm.icmp"(%8, %4) {predicate = 6 : i64} : (i32, i32) -> i1
    %10 = "llvm.or"(%9, %7) : (i1, i1) -> i1
    %11 = "llvm.zext"(%10) : (i1) -> i32
    "llvm.return"(%11) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_isalnum"} : () -> ()
}) : () -> ()
// function lib_isxdigit
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg8: i32):
    %0 = "llvm.mlir.constant"() {value = -48 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = 10 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = 32 : i32} : () -> i32
    %3 = "llvm.mlir.constant"() {value = -97 : i32} : () -> i32
    %4 = "llvm.mlir.constant"() {value = 6 : i32} : () -> i32
    %5 = "llvm.add"(%arg8, %0) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %6 = "llvm.icmp"(%5, %1) {predicate = 6 : i64} : (i32, i32) -> i1
    %7 = "llvm.or"(%arg8, %2) : (i32, i32) -> i32
    %8 = "llvm.add"(%7, %3) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %9 = "llvm.icmp"(%8, %4) {predicate = 6 : i64} : (i32, i32) -> i1
    %10 = "llvm.or"(%6, %9) : (i1, i1) -> i1
    %11 = "llvm.zext"(%10) : (i1) -> i32
    "llvm.return"(%11) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_isxdigit"} : () -> ()
}) : () -> ()
// function lib_isspace
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg7: i32):
    %0 = "llvm.mlir.constant"() {value = 32 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = -9 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = 5 : i32} : () -> i32
    %3 = "llvm.icmp"(%arg7, %0) {predicate = 0 : i64} : (i32, i32) -> i1
    %4 = "llvm.add"(%arg7, %1) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %5 = "llvm.icmp"(%4, %2) {predicate = 6 : i64} : (i32, i32) -> i1
    %6 = "llvm.or"(%3, %5) : (i1, i1) -> i1
    %7 = "llvm.zext"(%6) : (i1) -> i32
    "llvm.return"(%7) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_isspace"} : () -> ()
}) : () -> ()
// function lib_isblank
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg6: i32):
    %0 = "llvm.mlir.constant"() {value = 32 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = 9 : i32} : () -> i32
    %2 = "llvm.icmp"(%arg6, %0) {predicate = 0 : i64} : (i32, i32) -> i1
    %3 = "llvm.icmp"(%arg6, %1) {predicate = 0 : i64} : (i32, i32) -> i1
    %4 = "llvm.or"(%2, %3) : (i1, i1) -> i1
    %5 = "llvm.zext"(%4) : (i1) -> i32
    "llvm.return"(%5) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_isblank"} : () -> ()
}) : () -> ()
// function lib_isprint
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg5: i32):
    %0 = "llvm.mlir.constant"() {value = -32 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = 95 : i32} : () -> i32
    %2 = "llvm.add"(%arg5, %0) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %3 = "llvm.icmp"(%2, %1) {predicate = 6 : i64} : (i32, i32) -> i1
    %4 = "llvm.zext"(%3) : (i1) -> i32
    "llvm.return"(%4) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_isprint"} : () -> ()
}) : () -> ()
// function lib_isgraph
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg4: i32):
    %0 = "llvm.mlir.constant"() {value = -33 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = 94 : i32} : () -> i32
    %2 = "llvm.add"(%arg4, %0) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %3 = "llvm.icmp"(%2, %1) {predicate = 6 : i64} : (i32, i32) -> i1
    %4 = "llvm.zext"(%3) : (i1) -> i32
    "llvm.return"(%4) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_isgraph"} : () -> ()
}) : () -> ()
// function lib_iscntrl
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg3: i32):
    %0 = "llvm.mlir.constant"() {value = 32 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = 127 : i32} : () -> i32
    %2 = "llvm.icmp"(%arg3, %0) {predicate = 6 : i64} : (i32, i32) -> i1
    %3 = "llvm.icmp"(%arg3, %1) {predicate = 0 : i64} : (i32, i32) -> i1
    %4 = "llvm.or"(%2, %3) : (i1, i1) -> i1
    %5 = "llvm.zext"(%4) : (i1) -> i32
    "llvm.return"(%5) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_iscntrl"} : () -> ()
}) : () -> ()
// function lib_ispunct
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg2: i32):
    %0 = "llvm.mlir.constant"() {value = -33 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = 94 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = -91 : i32} : () -> i32
    %3 = "llvm.mlir.constant"() {value = -26 : i32} : () -> i32
    %4 = "llvm.mlir.constant"() {value = -58 : i32} : () -> i32
    %5 = "llvm.mlir.constant"() {value = -10 : i32} : () -> i32
    %6 = "llvm.add"(%arg2, %0) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %7 = "llvm.icmp"(%6, %1) {predicate = 6 : i64} : (i32, i32) -> i1
    %8 = "llvm.and"(%arg2, %0) : (i32, i32) -> i32
    %9 = "llvm.add"(%8, %2) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %10 = "llvm.icmp"(%9, %3) {predicate = 6 : i64} : (i32, i32) -> i1
    %11 = "llvm.add"(%arg2, %4) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %12 = "llvm.icmp"(%11, %5) {predicate = 6 : i64} : (i32, i32) -> i1
    %13 = "llvm.and"(%12, %10) : (i1, i1) -> i1
    %14 = "llvm.and"(%7, %13) : (i1, i1) -> i1
    %15 = "llvm.zext"(%14) : (i1) -> i32
    "llvm.return"(%15) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_ispunct"} : () -> ()
}) : () -> ()
// function lib_toupper
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg1: i32):
    %0 = "llvm.mlir.constant"() {value = -123 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = -26 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = -32 : i32} : () -> i32
    %3 = "llvm.add"(%arg1, %0) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %4 = "llvm.icmp"(%3, %1) {predicate = 6 : i64} : (i32, i32) -> i1
    %5 = "llvm.add"(%arg1, %2) {overflowFlags = #llvm.overflow<nsw>} : (i32, i32) -> i32
    %6 = "llvm.select"(%4, %arg1, %5) {fastmathFlags = #llvm.fastmath<none>} : (i1, i32, i32) -> i32
    "llvm.return"(%6) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_toupper"} : () -> ()
}) : () -> ()
// function lib_tolower
"builtin.module"() ({
  "llvm.func"() ({
  ^bb0(%arg0: i32):
    %0 = "llvm.mlir.constant"() {value = -91 : i32} : () -> i32
    %1 = "llvm.mlir.constant"() {value = -26 : i32} : () -> i32
    %2 = "llvm.mlir.constant"() {value = 32 : i32} : () -> i32
    %3 = "llvm.add"(%arg0, %0) {overflowFlags = #llvm.overflow<none>} : (i32, i32) -> i32
    %4 = "llvm.icmp"(%3, %1) {predicate = 6 : i64} : (i32, i32) -> i1
    %5 = "llvm.add"(%arg0, %2) {overflowFlags = #llvm.overflow<nsw, nuw>} : (i32, i32) -> i32
    %6 = "llvm.select"(%4, %arg0, %5) {fastmathFlags = #llvm.fastmath<none>} : (i1, i32, i32) -> i32
    "llvm.return"(%6) : (i32) -> ()
  }) {function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "lib_tolower"} : () -> ()
}) : () -> ()
