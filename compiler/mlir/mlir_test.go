package mlir_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/tools/toolstest"
)

const corpus = "../../testdata/mlir"

// files returns the corpus files of a directory with their text.
func files(t testing.TB, dir string) (names []string, texts map[string]string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(corpus, dir, "*.mlir"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	texts = map[string]string{}
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		texts[n] = string(b)
	}
	return names, texts
}

// parse reads and verifies or fails the test with the rendered findings.
func parse(t testing.TB, name, src string) *ir.Operation {
	t.Helper()
	m, err := mlir.ParseAndVerify(name, src)
	if err != nil {
		t.Fatalf("%s", diag.Render(diag.FromError(err), func(string) (string, bool) { return src, true }))
	}
	return m
}

// TestRoundTrip: what is printed reads back as the same text, in both forms,
// with and without locations, and both forms yield the same operations.
func TestRoundTrip(t *testing.T) {
	for _, dir := range []string{"upstream", "dfg"} {
		names, texts := files(t, dir)
		for _, name := range names {
			t.Run(filepath.Base(name), func(t *testing.T) {
				m := parse(t, name, texts[name])
				want := mlir.Print(m, mlir.Options{Debuginfo: true})
				for _, opts := range []mlir.Options{{Debuginfo: true}, {Generic: true, Debuginfo: true}} {
					text := mlir.Print(m, opts)
					again := parse(t, name, text)
					if diff := cmp.Diff(text, mlir.Print(again, opts)); diff != "" {
						t.Errorf("%+v is not idempotent (-first +second):\n%s", opts, diff)
					}
					if diff := cmp.Diff(want, mlir.Print(again, mlir.Options{Debuginfo: true})); diff != "" {
						t.Errorf("%+v reads back differently (-want +got):\n%s", opts, diff)
					}
				}
			})
		}
	}
}

// mlirOpt runs mlir-opt-19 on several inputs in one process and returns its
// output for each.
func mlirOpt(t *testing.T, inputs []string, flags ...string) []string {
	t.Helper()
	const sep = "// -----"
	path := toolstest.Path(t, "mlir-opt-19")
	cmd := exec.Command(path, append([]string{"-split-input-file", "-mlir-print-local-scope"}, flags...)...)
	cmd.Stdin = strings.NewReader(strings.Join(inputs, "\n"+sep+"\n"))
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("mlir-opt-19: %v\n%s", err, stderr.String())
	}
	// An attribute with its default value is dropped when read.
	text := strings.ReplaceAll(stdout.String(), " <{nontemporal = false}>", "")
	out := strings.Split(text, "\n"+sep+"\n")
	if len(out) != len(inputs) {
		t.Fatalf("mlir-opt-19 returned %d modules for %d", len(out), len(inputs))
	}
	return out
}

// argLocs are the locations of block arguments, which are read but not kept.
var argLocs = regexp.MustCompile(` loc\(("[^"]*"(:\d+:\d+)?|unknown)\)([,)]| =)`)

// TestAgainstMLIR: mlir-opt-19 understands what is printed, and understands
// the same; and what it prints itself, in any form, is read and printed so.
func TestAgainstMLIR(t *testing.T) {
	names, texts := files(t, "upstream")
	var sources []string
	for _, n := range names {
		sources = append(sources, texts[n])
	}
	canonical := mlirOpt(t, sources)
	reprint := func(sources []string, opts mlir.Options) []string {
		var out []string
		for i, s := range sources {
			out = append(out, mlir.Print(parse(t, names[i], s), opts))
		}
		return out
	}
	compare := func(what string, want, got []string) {
		t.Helper()
		for i := range want {
			if diff := cmp.Diff(want[i], got[i]); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", names[i], what, diff)
			}
		}
	}
	compare("custom form", canonical, mlirOpt(t, reprint(sources, mlir.Options{})))
	compare("generic form", canonical, mlirOpt(t, reprint(sources, mlir.Options{Generic: true})))

	generic := mlirOpt(t, sources, "-mlir-print-op-generic")
	compare("mlir-opt's generic form", canonical, mlirOpt(t, reprint(generic, mlir.Options{})))
	compare("mlir-opt's custom form", canonical, mlirOpt(t, reprint(canonical, mlir.Options{Generic: true})))
	compare("mlir-opt's custom form, generically", generic, mlirOpt(t, reprint(canonical, mlir.Options{}), "-mlir-print-op-generic"))

	strip := func(texts []string) []string {
		var out []string
		for _, s := range texts {
			for argLocs.MatchString(s) {
				s = argLocs.ReplaceAllString(s, "$3")
			}
			out = append(out, s)
		}
		return out
	}
	for _, flags := range [][]string{{"-mlir-print-debuginfo"}, {"-mlir-print-debuginfo", "-mlir-print-op-generic"}} {
		local := mlirOpt(t, sources, flags...)
		aliased := mlirOpt(t, sources, append(flags, "-mlir-print-local-scope=false")...)
		for what, debug := range map[string][]string{"locations": local, "aliased locations": aliased} {
			compare(what, strip(local), strip(mlirOpt(t, reprint(debug, mlir.Options{Debuginfo: true}), flags...)))
		}
	}
}

// TestBytes: what mlir-opt-19 prints as bytes is what it prints as numbers.
func TestBytes(t *testing.T) {
	var sources []string
	for _, elem := range []string{"i1", "i5", "i8", "si8", "ui16", "i16", "i32", "i48", "i64", "index", "f16", "bf16", "f32", "f64"} {
		var values, rows []string
		for i := range 120 {
			v := strconv.Itoa((i*i*37 - 60*i) % 13)
			switch {
			case strings.Contains(elem, "f"):
				v = strconv.Itoa(i-60) + ".25"
			case elem == "i1" || elem[0] == 'u':
				v = strconv.Itoa(i * i % 7 % 2)
			}
			values = append(values, v)
		}
		for i := 0; i < 120; i += 8 {
			rows = append(rows, "["+strings.Join(values[i:i+8], ", ")+"]")
		}
		sources = append(sources, fmt.Sprintf("module attributes {t.a = dense<[%s]> : tensor<120x%s>, t.b = dense<[%s]> : vector<15x8x%s>} {\n}\n",
			strings.Join(values, ", "), elem, strings.Join(rows, ", "), elem))
	}
	bytes, numbers := mlirOpt(t, sources, "-allow-unregistered-dialect"), mlirOpt(t, sources, "-allow-unregistered-dialect", "-mlir-print-elementsattrs-with-hex-if-larger=-1")
	for i, text := range bytes {
		if !strings.Contains(text, `dense<"0x`) {
			t.Fatalf("no bytes:\n%s", text)
		}
		if diff := cmp.Diff(mlir.Print(parse(t, "numbers.mlir", numbers[i]), mlir.Options{}), mlir.Print(parse(t, "bytes.mlir", text), mlir.Options{})); diff != "" {
			t.Errorf("-numbers +bytes:\n%s", diff)
		}
	}
	for text, want := range map[string]string{
		`dense<"0x05000000"> : tensor<200xi32>`:       "dense<5> : tensor<200xi32>",
		`dense<"0xFF"> : tensor<200xi1>`:              "dense<true> : tensor<200xi1>",
		`dense<"0x0500"> : tensor<2xi32>`:             "2 bytes for tensor<2xi32>, which takes 8",
		`dense<"0x050"> : tensor<2xi32>`:              "two hexadecimal digits",
		`dense<"0x0000803F000080BF"> : tensor<2xf32>`: "dense<[1.000000e+00, -1.000000e+00]>",
	} {
		m, err := mlir.ParseAndVerify("m.mlir", "module attributes {t.a = "+text+"} {\n}\n")
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = mlir.Print(m, mlir.Options{})
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
