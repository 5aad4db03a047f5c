package cost

import (
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strings"
)

// Use replaces the weights, for the test that fits them.
func Use(weights map[Class]Weights) { table = weights }

// Source is the text of table.go with these weights.
func Source(weights map[Class]Weights) string {
	var b strings.Builder
	b.WriteString("package cost\n\n// Written by LOOM_COST=1 LOOM_UPDATE=1 go test ./rtlgen -run TestCost.\n\n" +
		"// table has the weights of the features of each class.\nvar table = map[Class]Weights{\n")
	for _, class := range slices.Sorted(maps.Keys(weights)) {
		fmt.Fprintf(&b, "%q: {\n", class)
		for _, name := range slices.Sorted(maps.Keys(weights[class])) {
			w := weights[class][name]
			fmt.Fprintf(&b, "%q: {%v, %v},\n", name, w.LUTs, w.FFs)
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		panic(err) // the text above is Go
	}
	return string(text)
}
