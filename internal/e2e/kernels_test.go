package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"loom/campaign"
	"loom/compiler/diag"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/internal/ladder"
	"loom/sim/vector"
)

// TestKernels runs the kernels of testdata. A case holds kernel.mlir; inputs.json
// with one input file per line; want.json with the outcome of each, which all
// levels must give; or refused with the diagnostics that explain why the mesh cannot
// hold the kernel. A line "mesh: NAME" above the files names the mesh. LOOM_UPDATE
// writes want.json and refused anew.
//
// Every input runs with both memory orders in an ladder.Environment of its own, and on
// all meshes but the largest once under Verilator.
func TestKernels(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases (%v)", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) { kernelCase(t, f) })
	}
}

// section returns the text of a file of the archive, "" when there is none.
func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// expect compares a section with what was found, or writes it under LOOM_UPDATE.
func expect(t *testing.T, path string, a *txtar.Archive, name, found string) {
	t.Helper()
	want := section(a, name)
	if want == found {
		return
	}
	if os.Getenv("LOOM_UPDATE") == "" {
		t.Errorf("%s differs (-want +got):\n%s", name, cmp.Diff(want, found))
		return
	}
	var files []txtar.File
	for _, f := range a.Files {
		if f.Name != name {
			files = append(files, f)
		}
	}
	a.Files = append(files, txtar.File{Name: name, Data: []byte(found)})
	if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

func kernelCase(t *testing.T, path string) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var mesh string
	for line := range strings.Lines(string(a.Comment)) {
		if name, ok := strings.CutPrefix(line, "mesh:"); ok {
			mesh = strings.TrimSpace(name)
		}
	}
	src := section(a, "kernel.mlir")
	if mesh == "" || src == "" {
		t.Fatal("a case needs a line \"mesh: NAME\" and a file kernel.mlir")
	}
	module, err := mlir.ParseAndVerify("kernel.mlir", src)
	if err != nil {
		t.Fatal(err)
	}
	m := loadMesh(t, mesh)
	inputs := strings.Split(strings.TrimSpace(section(a, "inputs.json")), "\n")
	if inputs[0] == "" {
		_, err := ladder.NewDesign(module, m, "serial", mapper.Options{})
		if err == nil {
			t.Fatal("the kernel maps, but has no inputs")
		}
		expect(t, path, a, "refused", refusal(err, src))
		return
	}
	var want strings.Builder
	for i, order := range []string{"serial", "pipelined"} {
		d, err := ladder.NewDesign(module, m, order, mapper.Options{Effort: campaign.Effort})
		if err != nil {
			// A tight fit needs the usual effort.
			d, err = ladder.NewDesign(module, m, order, mapper.Options{})
		}
		if err != nil {
			if i == 0 || ladder.Internal(err) {
				t.Fatal(refusal(err, src))
			}
			continue // the freer order may need more room
		}
		for k, text := range inputs {
			kernelRun(t, d, i, k, text, &want)
		}
	}
	expect(t, path, a, "want.json", want.String())
}

// kernelRun takes one line of inputs through the ladder; under the first order the
// outcome is added to want.
func kernelRun(t *testing.T, d *ladder.Design, order, k int, text string, want *strings.Builder) {
	sig, err := vector.SignatureOf(d.Func)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.ParseInputs("inputs.json", []byte(text), sig, d.Mesh.Fabric.IndexWidth)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := d.Meaning(in)
	if err != nil {
		t.Fatalf("%s: %v: %v", text, err, outcome.Detail)
	}
	if order == 0 {
		want.Write(outcome.JSON(nil))
		want.WriteByte('\n')
	}
	for n := range uint64(4) {
		diff, err := d.Simulate(in, ladder.EnvironmentFor(n))
		if err != nil {
			t.Fatal(err)
		}
		if diff != "" {
			t.Fatalf("%s\n%s", text, diff)
		}
	}
	// One input of a kernel stands under Verilator for the others: they run the
	// same circuit. The largest mesh takes too long to build.
	if d.Mesh.Name != "mesh8x8" && k == 0 && haveVerilator(t) {
		diff, err := d.Cosimulate(in, ladder.EnvironmentFor(uint64(order)))
		if err != nil {
			t.Fatal(err)
		}
		if diff != "" {
			t.Fatalf("%s\n%s", text, diff)
		}
	}
}

// refusal renders diagnostics as a user sees them.
func refusal(err error, src string) string {
	return diag.Render(diag.FromError(err), func(file string) (string, bool) { return src, file == "kernel.mlir" })
}
