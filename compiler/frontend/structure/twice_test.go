package structure

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/mlir"
	"loom/compiler/pass"
	"loom/internal/soak"
	"loom/sim/vector"
)

// flagLoop is the text of a random loop that a flag ends, which is set in the first iteration, mostly: constants and what is computed
// are carried beside it, and read in the loop and behind it.
func flagLoop(rng *rand.Rand) string {
	first := "  %five = arith.constant 5 : i32\n  %flag0 = arith.cmpi ult, %b, %five : i32\n"
	if rng.IntN(8) > 0 {
		first = fmt.Sprintf("  %%flag0 = arith.constant %v\n", rng.IntN(8) > 0)
	}
	types := []string{"i1"}
	inits, nexts := []string{"%flag0"}, []string{"%no"}
	pre := first + "  %no = arith.constant false\n"
	args := []string{"%flag"}
	body := ""
	words := []string{"%a", "%b"} // of i32, inside
	narrow := map[string]string{"i8": "extsi", "i16": "extui", "i1": "extui"}
	for i := range 1 + rng.IntN(5) {
		a := fmt.Sprintf("%%v%d", i)
		typ := []string{"i32", "i32", "i16", "i8"}[rng.IntN(4)]
		if rng.IntN(3) > 0 {
			x := rng.IntN(200) - 100
			y := x + []int{1, 1, -1, 7, 0}[rng.IntN(5)]
			if rng.IntN(3) == 0 {
				x, y = 0, 1
			}
			if rng.IntN(4) == 0 && x+90 < 128 {
				y = x + 90
			}
			pre += fmt.Sprintf("  %%x%d = arith.constant %d : %s\n  %%y%d = arith.constant %d : %s\n", i, x, typ, i, y, typ)
			inits, nexts = append(inits, fmt.Sprintf("%%x%d", i)), append(nexts, fmt.Sprintf("%%y%d", i))
		} else {
			typ = "i32"
			inits, nexts = append(inits, []string{"%a", "%b"}[rng.IntN(2)]), append(nexts, "")
		}
		args, types = append(args, a), append(types, typ)
		if typ != "i32" {
			body += fmt.Sprintf("  %%w%d = arith.%s %s : %s to i32\n", i, narrow[typ], a, typ)
			a = fmt.Sprintf("%%w%d", i)
		}
		words = append(words, a)
	}
	if rng.IntN(3) == 0 {
		body += "  %wf = arith.extui %flag : i1 to i32\n"
		words = append(words, "%wf")
	}
	for i := range 1 + rng.IntN(4) {
		op := []string{"addi", "muli", "xori", "subi"}[rng.IntN(4)]
		body += fmt.Sprintf("  %%t%d = arith.%s %s, %s : i32\n", i, op, words[rng.IntN(len(words))], words[rng.IntN(len(words))])
		words = append(words, fmt.Sprintf("%%t%d", i))
	}
	for i, n := range nexts {
		if n == "" {
			nexts[i] = words[rng.IntN(len(words))]
		}
	}
	var heads []string
	for i, a := range args {
		heads = append(heads, a+": "+types[i])
	}
	list := strings.Join(types, ", ")
	return fmt.Sprintf(`func.func @f(%%a: i32, %%b: i32) -> (i32, i32, i32) {
%s  cf.br ^head(%s : %s)
^head(%s):
%s  cf.cond_br %%flag, ^head(%s : %s), ^exit
^exit:
  %%last = arith.extui %%flag : i1 to i32
  return %s, %s, %s : i32, i32, i32
}
`, pre, strings.Join(inits, ", "), list, strings.Join(heads, ", "), body, strings.Join(nexts, ", "), list,
		words[rng.IntN(len(words))], words[rng.IntN(len(words))], append(words, "%last")[rng.IntN(len(words)+1)])
}

// compareFlagLoop runs a loop before and after it is structured.
func compareFlagLoop(t testing.TB, rng *rand.Rand) (form, fault string) {
	text := flagLoop(rng)
	want, got := parse(t, text), parse(t, text)
	if err := Run(got, &diag.List{}, pass.Options{Verify: true}); err != nil {
		return "", err.Error() + text
	}
	printed := mlir.Print(got, mlir.Options{})
	for range 5 {
		v := &vector.Inputs{Args: []vector.Arg{{Scalar: uint64(rng.Uint32())}, {Scalar: uint64(rng.IntN(9))}}}
		a, err := interp.Run(theFunction(want), v, interp.Options{MaxSteps: 500})
		if err != nil {
			return "", err.Error() + text
		}
		b, err := interp.Run(theFunction(got), v, interp.Options{MaxSteps: 1500})
		if err != nil {
			return "", err.Error() + printed
		}
		if d := vector.Diff(a, b); len(d) > 0 {
			return "", fmt.Sprintf("%s\n%s\n%s", strings.Join(d, "\n"), text, printed)
		}
	}
	return formOf(theFunction(got)), ""
}

// TestFlagLoops: a loop that a flag ends after two iterations counts to two and computes the same.
func TestFlagLoops(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	forms := map[string]int{}
	for range soak.Scale(500, 20000) {
		form, fault := compareFlagLoop(t, rng)
		if fault != "" {
			t.Fatal(fault)
		}
		forms[form]++
	}
	t.Log(forms)
	if forms["for"] < 200 {
		t.Errorf("%v", forms)
	}
	defer func() { deviate = "" }()
	for _, deviate = range []deviation{flagIgnored, wrapIgnored} {
		noticed := false
		for range 400 {
			_, fault := compareFlagLoop(t, rng)
			noticed = noticed || fault != ""
		}
		if !noticed {
			t.Errorf("nothing notices that %s", deviate)
		}
	}
}
