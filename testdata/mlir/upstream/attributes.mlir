// Attributes and types of all kinds on operations that carry any.
#map = affine_map<(d0, d1)[s0] -> (d0 * 4 + d1 floordiv 2, s0 mod 3)>
#set = affine_set<(d0) : (d0 >= 0, -d0 + 7 == 0)>
#layout = strided<[?, 1], offset: ?>
#list = [1, "two", 3.0]
!word = i32
!row = memref<?x!word>
!fn = (!word, !row) -> ()

module attributes {
  a.array = [1, 2 : i8, -3 : i16, 4.0, 5.0 : f32, "s", @sym, @a::@b::@"c d", i32, unit, true, [], [[]], {}],
  a.dict = {x = 1 : i32, "quoted key" = 2 : i64, y = {z}},
  a.dense = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>,
  a.splat = dense<1.5> : vector<8xf32>,
  a.i1s = array<i1: true, false>,
  a.i8s = array<i8: 1, -2>,
  a.i32s = array<i32: 1, 2, 3>,
  a.i64s = array<i64>,
  a.f32s = array<f32: 1.0, 0.1, -2.5e10>,
  a.f64s = array<f64: 0.1>,
  a.map = #map,
  a.set = #set,
  a.layout = #layout,
  a.list = #list,
  a.overflow = #arith.overflow<nsw, nuw>,
  a.fast = #arith.fastmath<nnan,ninf>,
  a.type = !fn,
  a.row = !row,
  a.string = "tab\09 newline\0A quote\22 backslash\\ high\C3\A9",
  a.signed = -7 : si8,
  a.unsigned = 200 : ui8,
  a.big = 18446744073709551615 : ui64,
  a.index = 3 : index,
  a.hex = 0xFF : i16,
  a.loc = loc("here":1:2),
  a.unit,
  a.vec = vector<4x8xf32>,
  a.tensor = tensor<?x3xi1>,
  a.encoded = tensor<4xi32, "enc">,
  a.unranked = tensor<*xf32>,
  a.scalable = vector<[4]xi32>,
  a.complex = complex<f32>,
  a.tuple = tuple<i32, tuple<>, index>,
  a.nested = memref<4xmemref<2xi8>>,
  a.space = memref<4xi8, "sram">,
  a.strided = memref<4x?xi8, strided<[?, 2], offset: -1>, 3 : i32>,
  a.widths = [i1, i2, i3, i7, i31, i33, i63, i64, si4, ui5],
  a.floats = [f16, bf16, f32, f64, tf32, f80, f128, f8E4M3FN, f8E5M2],
  a.none = none
} {
  func.func @aliased(%a: !word, %m: !row, %l: memref<?x4xi8, #layout>) -> !word {
    return %a : !word
  }
}
