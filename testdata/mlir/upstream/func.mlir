// Declarations, attributes, visibility, calls, blocks.
module @outer attributes {loom.version = 1 : i32} {
  func.func private @declared(i32, memref<?xf32> {loom.restrict}) -> (f32 {loom.unit = "mm"}, i32)
  func.func private @nothing()
  func.func public @visible(%a: i32 {loom.range = [0, 15]}, %b: memref<4xi8>) -> i32 attributes {loom.top, passthrough = ["a", "b"]} {
    return %a : i32
  }
  func.func @multi(%a: i32) -> (i32, f32) {
    %f = arith.constant 1.5 : f32
    return {kept = 1 : i32} %a, %f : i32, f32
  }
  func.func @caller(%a: i32, %m: memref<?xf32>) -> f32 {
    %0:2 = call @multi(%a) : (i32) -> (i32, f32)
    %1, %2 = func.call @declared(%0#0, %m) {inline} : (i32, memref<?xf32>) -> (f32, i32)
    func.call @nothing() : () -> ()
    %f = constant @multi : (i32) -> (i32, f32)
    %3:2 = call_indirect %f(%a) : (i32) -> (i32, f32)
    return %1 : f32
  }
  func.func @"needs quotes $%"(%a: i1) {
    return
  }
  func.func @higher(%f: (i32) -> i32, %g: () -> (), %h: ((i1) -> i2) -> (i3 , i4)) -> ((i32) -> i32) {
    return %f : (i32) -> i32
  }
  module @inner {
    func.func nested @visible() {
      return
    }
  }
  module {
  }
}
