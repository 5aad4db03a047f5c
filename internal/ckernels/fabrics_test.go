package ckernels

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"loom/compiler/arch/shipped"
	"loom/compiler/mapper"
	"loom/internal/testkit"
)

const fabricsFile = "../../docs/fabrics.md"

const fabricsHead = `# Kernels on shipped fabrics

Every kernel of testdata/kernels and testdata/kernels/c on every shipped fabric, written by ` + "`make fabrics`" + `: + where it maps, else the
number of the one reason below. Fabrics stand in the order in which ` + "`--arch auto`" + ` tries them, the smallest first.

`

// leastShare of the kernels must map on some shipped fabric.
const leastShare = 0.95

// TestFits maps every kernel on every shipped fabric, and writes which fits where.
func TestFits(t *testing.T) {
	if os.Getenv("LOOM_FABRICS") == "" {
		t.Skip("make fabrics runs it, in some minutes")
	}
	needTools(t)
	all := append(structured(t), load(t)...)
	names := shipped.Names()
	why := make([][]string, len(all)) // by kernel and fabric, "" where it maps
	var wait sync.WaitGroup
	slots := make(chan bool, 2)
	for i, k := range all {
		why[i] = make([]string, len(names))
		wait.Add(1)
		go func() {
			defer wait.Done()
			slots <- true
			defer func() { <-slots }()
			for j, name := range names {
				why[i][j] = misfit(t, k, name)
			}
		}()
	}
	wait.Wait()

	var page, reasons strings.Builder
	page.WriteString(fabricsHead + "| kernel | " + strings.Join(names, " | ") + " |\n|---|" + strings.Repeat("---|", len(names)) + "\n")
	number := map[string]int{}
	fit, lacking := 0, []string{}
	for i, k := range all {
		line, some := "| `"+k.name+"` |", false
		for j := range names {
			cell := "+"
			if w := why[i][j]; w == "" {
				some = true
			} else {
				if number[w] == 0 {
					number[w] = len(number) + 1
					fmt.Fprintf(&reasons, "%d. %s\n", number[w], w)
				}
				cell = fmt.Sprint(number[w])
			}
			line += " " + cell + " |"
			t.Logf("%s on %s: %s", k.name, names[j], map[bool]string{true: "fits", false: why[i][j]}[why[i][j] == ""])
		}
		page.WriteString(line + "\n")
		if some {
			fit++
		} else {
			lacking = append(lacking, k.name)
		}
	}
	last := fmt.Sprintf("%d of %d kernels fit some shipped fabric (%.1f %%)", fit, len(all), 100*float64(fit)/float64(len(all)))
	page.WriteString("\n## Reasons\n\n" + reasons.String() + "\nOn none: " + strings.Join(lacking, ", ") + ".\n\n" + last + "\n")
	if err := os.WriteFile(fabricsFile, []byte(page.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if float64(fit) < leastShare*float64(len(all)) {
		t.Errorf("on none: %s", strings.Join(lacking, ", "))
	}
	fmt.Println(last)
}

// misfit is the reason why a kernel does not map on a fabric, "" where it does.
func misfit(t *testing.T, k *kernel, name string) string {
	res, err := k.compile()
	if err != nil {
		return reason(err)
	}
	f := testkit.Fabric(t, name)
	g, err := graphFor(res.Module, f)
	if err == nil {
		_, err = mapper.Map(g, f, mapper.Options{Budget: updateBudget, Jobs: 1})
	}
	if err != nil {
		return strings.ReplaceAll(reason(err), "|", "\\|")
	}
	return ""
}
