package ckernels

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/mapper"
	"loom/internal/testkit"
)

const tableFile = "../../testdata/kernels/c/README.md"

const tableHead = `# C and C++ kernels

Written for this project, to try the front end on what loop kernels are made of. The comment at the head of a file
states what it computes and what is special, and the sizes for which random inputs make sense; files NAME.N.json are
further inputs. "Operations" are those of the dataflow graph; "fabric" is the smallest shipped one of its width that it fits, or else the error
on the fabric that lacks least. The table is written by ` + "`LOOM_UPDATE=1 go test ./internal/ckernels`" + `, which keeps the fabric of a kernel
that still has as many operations; ` + "`LOOM_UPDATE=all`" + ` maps everything anew.

| kernel | lines | what it computes | special | operations | fabric |
|---|---|---|---|---|---|
`

// TestTable holds the table of the README against the kernels: what is written of them
// and the number of operations are up to date. Where no fabric takes a kernel according
// to the table, that is still so, unless only placement or routing can find out.
func TestTable(t *testing.T) {
	needTools(t)
	old, err := os.ReadFile(tableFile)
	if err != nil && os.Getenv("LOOM_UPDATE") == "" {
		t.Fatal(err)
	}
	known := parseTable(string(old))
	kernels := slices.DeleteFunc(slices.Clone(load(t)), func(k *kernel) bool { return strings.Contains(k.name, "/") })
	rows := make([]string, len(kernels))
	var all sync.WaitGroup
	slots := make(chan bool, 2)
	for i, k := range kernels {
		all.Add(1)
		go func() {
			defer all.Done()
			slots <- true
			defer func() { <-slots }()
			rows[i] = tableRow(t, k, known[k.name])
		}()
	}
	all.Wait()
	text := tableHead + strings.Join(rows, "")
	if text == string(old) {
		return
	}
	if os.Getenv("LOOM_UPDATE") == "" {
		t.Errorf("%s is out of date (-there +now); LOOM_UPDATE=1 writes it:\n%s", tableFile, cmp.Diff(string(old), text))
		return
	}
	if err := os.WriteFile(tableFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tableRow is the line of one kernel.
func tableRow(t *testing.T, k *kernel, known row) string {
	res, err := k.compile()
	if err != nil {
		t.Errorf("%s: %s", k.name, render(err))
		return ""
	}
	f := testkit.Fabric(t, meshes[len(meshes)-1])
	g, err := graphFor(res.Module, f)
	if err != nil {
		t.Errorf("%s: %s", k.name, render(err))
		return ""
	}
	operations := strconv.Itoa(len(g.Regions[0].Entry().Ops) - 1)
	where := known.fabric + known.why
	switch update := os.Getenv("LOOM_UPDATE"); {
	case update == "all" || update != "" && (known.operations != operations || where == ""):
		mesh, why := smallest(t, k)
		where = mesh + strings.ReplaceAll(why, "|", "/")
	case known.fabric == "" && !strings.HasPrefix(known.why, "no mapping") && !strings.Contains(known.why, "routed"):
		quick := mapper.Effort{Attempts: 1, Candidates: 1, Moves: 1, Cooling: 50, Iterations: 1}
		mesh, lacks := first(t, k, largest, mapper.Options{Effort: quick})
		if mesh != "" {
			t.Errorf("%s fits %s, but the table has: %s", k.name, mesh, known.why)
		} else {
			where = strings.ReplaceAll(reason(lacks), "|", "/")
		}
	}
	return fmt.Sprintf("| `%s` | %d | %s | %s | %s | %s |\n", filepath.Base(k.path), k.lines(), strings.TrimSuffix(k.does, "."),
		strings.TrimSuffix(k.special, "."), operations, where)
}
