// b[i] = a[n - 1 - i], from the last element down to the first: a loop that
// counts down, written as a while. It becomes a stream with the test ">=".
func.func @reverse(%a: memref<?xi32>, %b: memref<?xi32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %end = scf.while (%i = %last) : (index) -> index {
    %more = arith.cmpi sge, %i, %zero : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %from = arith.subi %last, %i : index
    %x = memref.load %a[%from] : memref<?xi32>
    memref.store %x, %b[%i] : memref<?xi32>
    %next = arith.subi %i, %one : index
    scf.yield %next : index
  }
  return
}
