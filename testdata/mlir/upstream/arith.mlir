// Every operation of arith, scalars and vectors, with flags.
func.func @integers(%a: i32, %b: i32, %i: index, %j: index, %w: i64, %v: vector<4xi8>) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %a, %b overflow<nsw> : i32
  %2 = arith.addi %a, %b overflow<nsw, nuw> : i32
  %3 = arith.subi %0, %1 overflow<nuw> : i32
  %4 = arith.muli %3, %2 overflow<none> : i32
  %5 = arith.shli %4, %b overflow<nuw, nsw> : i32
  %6 = arith.divsi %5, %a : i32
  %7 = arith.divui %6, %a : i32
  %8 = arith.ceildivsi %7, %a : i32
  %9 = arith.ceildivui %8, %a : i32
  %10 = arith.floordivsi %9, %a : i32
  %11 = arith.remsi %10, %a : i32
  %12 = arith.remui %11, %a {note = "kept"} : i32
  %13 = arith.andi %12, %a : i32
  %14 = arith.ori %13, %a : i32
  %15 = arith.xori %14, %a : i32
  %16 = arith.shrsi %15, %a : i32
  %17 = arith.shrui %16, %a : i32
  %18 = arith.maxsi %17, %a : i32
  %19 = arith.maxui %18, %a : i32
  %20 = arith.minsi %19, %a : i32
  %21 = arith.minui %20, %a : i32
  %ix = arith.addi %i, %j : index
  %vv = arith.addi %v, %v : vector<4xi8>
  %sum, %carry = arith.addui_extended %a, %b : i32, i1
  %vs:2 = arith.addui_extended %v, %v : vector<4xi8>, vector<4xi1>
  %lo, %hi = arith.mulsi_extended %a, %b : i32
  %lu:2 = arith.mului_extended %lo, %hi : i32
  %use = arith.addi %lu#0, %lu#1 : i32
  %c = arith.cmpi slt, %a, %b : i32
  %c0 = arith.cmpi eq, %i, %j : index
  %c1 = arith.cmpi ne, %a, %b : i32
  %c2 = arith.cmpi sle, %a, %b : i32
  %c3 = arith.cmpi sgt, %a, %b : i32
  %c4 = arith.cmpi sge, %a, %b : i32
  %c5 = arith.cmpi ult, %a, %b : i32
  %c6 = arith.cmpi ule, %a, %b : i32
  %c7 = arith.cmpi ugt, %a, %b : i32
  %c8 = arith.cmpi uge, %v, %v : vector<4xi8>
  %s0 = arith.select %c, %a, %b : i32
  %s1 = arith.select %c8, %v, %v : vector<4xi1>, vector<4xi8>
  %s2 = arith.select %c, %v, %v : vector<4xi8>
  %e0 = arith.extsi %a : i32 to i64
  %e1 = arith.extui %c : i1 to i32
  %t0 = arith.trunci %w : i64 to i7
  %t1 = arith.trunci %v : vector<4xi8> to vector<4xi3>
  %x0 = arith.index_cast %a : i32 to index
  %x1 = arith.index_cast %i : index to i64
  %x2 = arith.index_castui %a : i32 to index
  %bc = arith.bitcast %a : i32 to f32
  return %use : i32
}

func.func @floats(%a: f32, %b: f32, %d: f64, %h: f16, %g: bf16, %i: i32) -> f32 {
  %0 = arith.addf %a, %b : f32
  %1 = arith.subf %0, %b fastmath<fast> : f32
  %2 = arith.mulf %1, %b fastmath<nnan,ninf> : f32
  %3 = arith.divf %2, %b fastmath<reassoc, contract> : f32
  %4 = arith.remf %3, %b fastmath<none> : f32
  %5 = arith.maximumf %4, %b : f32
  %6 = arith.maxnumf %5, %b : f32
  %7 = arith.minimumf %6, %b : f32
  %8 = arith.minnumf %7, %b : f32
  %9 = arith.negf %8 fastmath<nsz> : f32
  %10 = arith.cmpf oeq, %9, %b : f32
  %11 = arith.cmpf ult, %9, %b fastmath<afn,arcp> : f32
  %12 = arith.cmpf false, %9, %b : f32
  %13 = arith.cmpf true, %9, %b : f32
  %14 = arith.cmpf uno, %d, %d : f64
  %15 = arith.extf %a : f32 to f64
  %16 = arith.truncf %d : f64 to f32
  %17 = arith.truncf %d to_nearest_even : f64 to f16
  %18 = arith.sitofp %i : i32 to f32
  %19 = arith.uitofp %i : i32 to f64
  %20 = arith.fptosi %a : f32 to i32
  %21 = arith.fptoui %d : f64 to i64
  %22 = arith.extf %h : f16 to f32
  %23 = arith.truncf %a : f32 to bf16
  return %9 : f32
}

func.func @constants() {
  %0 = arith.constant 0 : i32
  %1 = arith.constant -17 : i32
  %2 = arith.constant true
  %3 = arith.constant false
  %4 = arith.constant 1 : i1
  %5 = arith.constant 0x7FFFFFFF : i32
  %6 = arith.constant 0xFFFFFFFF : i32
  %7 = arith.constant 4294967295 : i32
  %8 = arith.constant -9223372036854775808 : i64
  %9 = arith.constant 18446744073709551615 : i64
  %10 = arith.constant 42 : index
  %11 = arith.constant -1 : index
  %12 = arith.constant 1.0 : f32
  %13 = arith.constant 0.1 : f32
  %14 = arith.constant 0.1 : f64
  %15 = arith.constant 3.14159265358979323846 : f64
  %16 = arith.constant 3.14159265358979323846 : f32
  %17 = arith.constant 1.0e10 : f32
  %18 = arith.constant 1.5e-45 : f32
  %19 = arith.constant 4.9e-324 : f64
  %20 = arith.constant -0.0 : f32
  %21 = arith.constant 0x7F800000 : f32
  %22 = arith.constant 0xFF800000 : f32
  %23 = arith.constant 0x7FC00000 : f32
  %24 = arith.constant 0x7FF0000000000000 : f64
  %25 = arith.constant 0x3F800000 : f32
  %26 = arith.constant 0x3C00 : f16
  %27 = arith.constant 0.1 : f16
  %28 = arith.constant 65504.0 : f16
  %29 = arith.constant 6.0e-8 : f16
  %30 = arith.constant 0.1 : bf16
  %31 = arith.constant 3.0e38 : bf16
  %32 = arith.constant 123456789.0 : f32
  %33 = arith.constant 1.0e300 : f64
  %34 = arith.constant 7 : i3
  %35 = arith.constant -8 : i4
  %36 = arith.constant 1.0
  %37 = arith.constant 12
  %38 = arith.constant dense<[1, -2, 3]> : tensor<3xi32>
  %39 = arith.constant dense<0> : vector<4xi8>
  %40 = arith.constant dense<[[1.0, 2.5], [0.1, -4.0]]> : tensor<2x2xf32>
  %41 = arith.constant dense<true> : vector<2xi1>
  %42 = arith.constant dense<[true, false]> : tensor<2xi1>
  %43 = arith.constant dense<> : tensor<0xi32>
  %44 = arith.constant {tag = "named"} 5 : i8
  %45 = arith.constant dense<[255, 128]> : tensor<2xi8>
  %46 = arith.constant dense<-1.0> : tensor<f32>
  %47 = arith.constant dense<0x7F800000> : tensor<2xf32>
  %48 = arith.constant 16777217.0 : f32
  %49 = arith.constant 1.00000012 : f32
  %50 = arith.constant 5.96e-8 : f16
  %51 = arith.constant 2.9802322387695312e-08 : f16
  %52 = arith.constant 1.0e-40 : f32
  return
}
