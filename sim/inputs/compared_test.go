package inputs_test

import (
	"slices"
	"testing"
)

// TestComparedCharacters: random texts hold what a kernel looks for: blanks and digits
// here, which are tested as c == ' ' and c - '0' < 10, through a loop and conversions.
func TestComparedCharacters(t *testing.T) {
	fn := graph(t, `func.func @f(%s: memref<?xi8>, %n: index) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %blank = arith.constant 32 : i32
  %minus0 = arith.constant -48 : i32
  %ten = arith.constant 10 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%sum = %none) -> (i32) {
    %c = memref.load %s[%i] : memref<?xi8>
    %w = arith.extsi %c : i8 to i32
    %a = arith.cmpi eq, %w, %blank : i32
    %d = arith.addi %w, %minus0 : i32
    %b = arith.cmpi ult, %d, %ten : i32
    %x = arith.extui %a : i1 to i32
    %y = arith.extui %b : i1 to i32
    %t = arith.addi %sum, %x : i32
    %u = arith.addi %t, %y : i32
    scf.yield %u : i32
  }
  return %r : i32
}`, "const char *")
	blanks, digits, other := 0, 0, 0
	for seed := range uint64(20) {
		for _, c := range random(t, fn, seed, 16).Args[0].Mem.Data {
			switch {
			case c == ' ':
				blanks++
			case c >= '0' && c <= '9':
				digits++
			default:
				other++
			}
		}
	}
	if blanks < 10 || digits < 10 || other < 100 {
		t.Errorf("of 320 characters %d are blanks, %d digits, %d others", blanks, digits, other)
	}
}

// TestComparedTexts: of two texts that are compared with each other, some agree in more
// than their first characters.
func TestComparedTexts(t *testing.T) {
	fn := graph(t, `func.func @f(%s: memref<?xi8>, %p: memref<?xi8>, %n: index) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%sum = %none) -> (i32) {
    %c = memref.load %s[%i] : memref<?xi8>
    %d = memref.load %p[%i] : memref<?xi8>
    %a = arith.cmpi eq, %c, %d : i8
    %x = arith.extui %a : i1 to i32
    %t = arith.addi %sum, %x : i32
    scf.yield %t : i32
  }
  return %r : i32
}`, "const char *", "const char *")
	equal := map[bool]int{}
	for seed := range uint64(20) {
		in := random(t, fn, seed, 16)
		equal[slices.Equal(in.Args[0].Mem.Data[:8], in.Args[1].Mem.Data[:8])]++
	}
	if equal[true] < 5 || equal[false] < 5 {
		t.Errorf("%d pairs of 20 begin alike", equal[true])
	}
}
