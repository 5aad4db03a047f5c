package token_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/sim/token"
	"loom/sim/vector"
)

// TestSymptoms runs graphs that are wired wrong on purpose: the debugging
// symptoms at the end of spec-dataflow-compilation and spec-dataflow-memory, and
// relatives. A case holds graph.dfg.mlir, inputs.json, and message, the outcome
// with the report of the simulator; LOOM_UPDATE writes message anew. The DFG verifier
// refuses each of these graphs.
func TestSymptoms(t *testing.T) {
	files, err := filepath.Glob("testdata/symptom_*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) { symptom(t, f) })
	}
}

func symptom(t *testing.T, path string) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	for _, f := range a.Files {
		text[f.Name] = string(f.Data)
	}
	module, err := mlir.Parse("graph.dfg.mlir", text["graph.dfg.mlir"])
	if err != nil {
		t.Fatal(err)
	}
	var fn *ir.Operation
	module.Walk(func(o *ir.Operation) bool {
		if o.Name == "handshake.func" {
			fn = o
		}
		return fn == nil
	})
	errs := &diag.List{}
	dfg.Verify(fn, errs)
	if !errs.HasErrors() {
		t.Error("the DFG verifier accepts this graph")
	}
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.ParseInputs("inputs.json", []byte(text["inputs.json"]), sig, 64)
	if err != nil {
		t.Fatal(err)
	}
	message := func(o token.Options) string {
		out, err := token.Run(fn, in, o)
		if err != nil {
			t.Fatal(err)
		}
		var results []string
		for _, r := range out.Results {
			results = append(results, vector.FormatScalar(r))
		}
		return string(out.Status) + " [" + strings.Join(results, " ") + "]\n" + strings.Join(out.Detail, "\n") + "\n"
	}
	got := message(token.Options{})
	if os.Getenv("LOOM_UPDATE") != "" && got != text["message"] {
		for i := range a.Files {
			if a.Files[i].Name == "message" {
				a.Files[i].Data = []byte(got)
			}
		}
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(text["message"], got); diff != "" {
		t.Errorf("(-want +got; LOOM_UPDATE=1 rewrites):\n%s", diff)
	}
	// The cause is the same however much room the channels have.
	for capacity := 1; capacity <= 2; capacity++ {
		if got, want := causeOf(message(token.Options{Capacity: capacity})), causeOf(got); got != want {
			t.Errorf("capacity %d names\n%s\nnot\n%s", capacity, got, want)
		}
	}
}

// causeOf are the lines of a message that name a cause.
func causeOf(message string) string {
	var out []string
	for line := range strings.Lines(message) {
		if strings.HasPrefix(line, "raw loop control") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}
