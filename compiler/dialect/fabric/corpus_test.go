package fabric_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"loom/compiler/arch"
	"loom/compiler/diag"
	_ "loom/compiler/dialect/arith"
	_ "loom/compiler/dialect/builtin"
	_ "loom/compiler/dialect/dataflow"
	_ "loom/compiler/dialect/fabric"
	_ "loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/mlir"
)

var update = flag.Bool("update", os.Getenv("LOOM_UPDATE") != "", "rewrite the expected findings of the corpus")

const corpus = "../../../testdata/fabric"

// findings parses and verifies a text and, where that is clean and holds a
// fabric, flattens it; it returns "line:col SYMBOL" for everything found.
func findings(t *testing.T, text string) []string {
	t.Helper()
	m, err := mlir.Parse("x.mlir", text)
	if err != nil {
		t.Fatalf("does not parse: %v\n%s", err, text)
	}
	var errs diag.List
	ir.Verify(m, &errs)
	if !errs.HasErrors() && strings.Contains(text, "fabric.module @") {
		if _, err := arch.FromModule(m, ""); err != nil {
			errs.All = append(errs.All, diag.FromError(err).All...)
		}
	}
	seen := map[string]bool{}
	var out []string
	for _, d := range errs.All {
		sym := d.Symbol
		if sym == "" {
			sym = "(" + d.Message + ")"
		}
		s := fmt.Sprintf("%d:%d %s", d.Pos.Line, d.Pos.Col, sym)
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	sort.Strings(out)
	return out
}

var marker = regexp.MustCompile(`^//( *)\^ (.*)$`)

// marked takes the markers out of a text and returns what they expect.
func marked(text string) (plain string, want []string) {
	var lines []string
	for _, l := range strings.SplitAfter(text, "\n") {
		if m := marker.FindStringSubmatch(strings.TrimSuffix(l, "\n")); m != nil {
			want = append(want, fmt.Sprintf("%d:%d %s", len(lines), len(m[1])+3, m[2]))
			continue
		}
		lines = append(lines, l)
	}
	sort.Strings(want)
	return strings.Join(lines, ""), want
}

// mark writes findings below their lines.
func mark(plain string, got []string) string {
	var b strings.Builder
	for i, l := range strings.SplitAfter(plain, "\n") {
		b.WriteString(l)
		for _, g := range got {
			var line, col int
			var sym string
			fmt.Sscanf(g, "%d:%d %s", &line, &col, &sym)
			if line == i+1 {
				fmt.Fprintf(&b, "//%s^ %s\n", strings.Repeat(" ", max(col-3, 0)), sym)
			}
		}
	}
	return b.String()
}

// TestCorpus checks every rule's bad and good text: the bad one gives exactly the
// marked findings, among them its symbol; the good one none, and it survives
// printing and parsing in both forms. Every symbol has an example.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	covered := map[string]bool{}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range ar.Files {
			f := &ar.Files[i]
			symbol, kind, _ := strings.Cut(f.Name, "/")
			symbol, _, _ = strings.Cut(symbol, ".")
			t.Run(f.Name, func(t *testing.T) {
				plain, want := marked(string(f.Data))
				got := findings(t, plain)
				if *update {
					f.Data = []byte(mark(plain, got))
				} else if d := cmp.Diff(want, got); d != "" {
					t.Errorf("findings (-want +got):\n%s", d)
				}
				switch kind {
				case "bad":
					covered[symbol] = true
					if !strings.Contains(strings.Join(got, "\n")+"\n", " "+symbol+"\n") {
						t.Errorf("%s is not found: %v", symbol, got)
					}
				default:
					if len(got) > 0 {
						t.Errorf("the good text has findings: %v", got)
					}
					roundTrip(t, plain)
				}
			})
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, s := range arch.CompileSymbols() {
		if !covered[s.Name] {
			t.Errorf("%s has no example in the corpus", s.Name)
		}
		delete(covered, s.Name)
	}
	for s := range covered {
		t.Errorf("%s is not in the table of symbols", s)
	}
}

// roundTrip prints a text in both forms and reads both back.
func roundTrip(t *testing.T, text string) {
	t.Helper()
	m, err := mlir.ParseAndVerify("x.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	custom := mlir.Print(m, mlir.Options{})
	for _, opts := range []mlir.Options{{}, {Generic: true}} {
		printed := mlir.Print(m, opts)
		again, err := mlir.ParseAndVerify("printed.mlir", printed)
		if err != nil {
			t.Fatalf("what was printed does not parse: %v\n%s", err, printed)
		}
		if d := cmp.Diff(custom, mlir.Print(again, mlir.Options{})); d != "" {
			t.Errorf("printing is not stable (generic %t):\n%s", opts.Generic, d)
		}
	}
	if bytes.Contains([]byte(custom), []byte(`"fabric.`)) {
		t.Errorf("an operation of the dialect was printed in the generic form:\n%s", custom)
	}
}

// TestSymbolsOfSource checks that every symbol in the Go sources of the fabric
// packages is in the table.
func TestSymbolsOfSource(t *testing.T) {
	known := map[string]bool{}
	for _, s := range arch.CompileSymbols() {
		if known[s.Name] {
			t.Errorf("%s is twice in the table", s.Name)
		}
		known[s.Name] = true
	}
	re := regexp.MustCompile(`"(CPL_[A-Z_]+)"`)
	for _, dir := range []string{".", "../../arch", "../../arch/build"} {
		files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range re.FindAllStringSubmatch(string(src), -1) {
				if !known[m[1]] {
					t.Errorf("%s: %s is not in the table of symbols", file, m[1])
				}
			}
		}
	}
}
