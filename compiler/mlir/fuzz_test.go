package mlir_test

import (
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/soak"
)

// FuzzParse: no text makes the parser fail in itself or report something
// without a position; and what it accepts prints to text that reads back the same,
// in both forms.
func FuzzParse(f *testing.F) {
	for _, dir := range []string{"upstream", "dfg"} {
		_, texts := files(f, dir)
		for _, text := range texts {
			f.Add(text)
			// Small seeds mutate better than whole files.
			for _, part := range strings.SplitAfter(text, "\n}\n") {
				f.Add(part)
			}
		}
	}
	archives, _ := filepath.Glob(filepath.Join(corpus, "errors", "*.txtar"))
	for _, path := range archives {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if strings.HasSuffix(file.Name, ".mlir") {
				f.Add(string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, src string) { checkText(t, src) })
}

// checkText checks on any text: the parser does not fail in itself and reports
// nothing without a position; what it accepts prints to text that reads back the
// same, in both forms.
func checkText(t *testing.T, src string) (accepted bool) {
	m, err := mlir.Parse("fuzz.mlir", src)
	if err != nil {
		for _, d := range diag.FromError(err).All {
			if d.Severity == diag.Internal || !d.Pos.IsValid() {
				t.Fatalf("bad finding: %v\n%s", d, src)
			}
		}
		return false
	}
	// Whatever was read prints; the generic form of anything reads back.
	mlir.Print(m, mlir.Options{})
	if _, err := mlir.Parse("generic.mlir", mlir.Print(m, mlir.Options{Generic: true})); err != nil {
		t.Fatalf("the generic form does not read back: %v\n%s\n%s", err, src, mlir.Print(m, mlir.Options{Generic: true}))
	}
	var errs diag.List
	if ir.Verify(m, &errs); errs.HasErrors() {
		for _, d := range errs.All {
			if !d.Pos.IsValid() {
				t.Fatalf("a finding without position: %v\n%s", d, src)
			}
		}
		return false
	}
	var texts []string
	for _, opts := range []mlir.Options{{Debuginfo: true}, {Generic: true, Debuginfo: true}} {
		text := mlir.Print(m, opts)
		again, err := mlir.ParseAndVerify("printed.mlir", text)
		if err != nil {
			t.Fatalf("%+v does not read back: %v\n%s\n%s", opts, err, src, text)
		}
		if second := mlir.Print(again, opts); second != text {
			t.Fatalf("%+v is not idempotent:\n%s\n---\n%s", opts, text, second)
		}
		texts = append(texts, mlir.Print(again, mlir.Options{Debuginfo: true}))
	}
	if texts[0] != texts[1] {
		t.Fatalf("the two forms differ:\n%s\n---\n%s", texts[0], texts[1])
	}
	return true
}

var tokens = regexp.MustCompile(`"[^"\n]*"|[%@^#!]?[A-Za-z_$][\w$.]*|%\d+|\d+(\.\d*)?|->|\s+|.`)

// TestMutations: the corpus with a few tokens removed, doubled, exchanged or
// replaced by others from anywhere in it. Unlike byte-wise fuzzing this keeps
// most of the text meaningful and so reaches deep.
func TestMutations(t *testing.T) {
	var units [][]string
	var pool []string
	for _, dir := range []string{"upstream", "dfg"} {
		names, texts := files(t, dir)
		for _, name := range names {
			// The generic form can express more faults than the custom one.
			parts := strings.SplitAfter(texts[name], "\n}\n")
			for _, op := range parse(t, name, texts[name]).Regions[0].Entry().Ops {
				parts = append(parts, mlir.Print(op, mlir.Options{Generic: true}))
			}
			for _, part := range parts {
				words := tokens.FindAllString(part, -1)
				pool = append(pool, words...)
				units = append(units, words)
			}
		}
	}
	rounds := soak.Scale(4000, 400000)
	rng := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range rounds {
		words := slices.Clone(units[rng.IntN(len(units))])
		if len(words) < 3 {
			continue
		}
		for range 1 + rng.IntN(3) {
			i, j := rng.IntN(len(words)), rng.IntN(len(words))
			switch rng.IntN(5) {
			case 0:
				words[i] = ""
			case 1:
				words[i] += " " + words[i]
			case 2:
				words[i], words[j] = words[j], words[i]
			case 3:
				words[i] = words[j]
			case 4:
				words[i] = pool[rng.IntN(len(pool))]
			}
		}
		if checkText(t, strings.Join(words, "")) {
			accepted++
		}
	}
	t.Logf("%d of %d mutants are legal", accepted, rounds)
	if accepted == 0 {
		t.Error("no mutant is legal: the mutations destroy everything")
	}
}
