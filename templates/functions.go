package templates

import (
	"fmt"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

// sprigNames are the Sprig functions templates may use: those that some template
// calls, and only deterministic ones, without access to time, environment, network
// or randomness.
var sprigNames = []string{"add", "dict", "div", "int", "list", "max", "mul", "reverse", "sub", "upper"}

// functions is the function map of all templates.
func functions() template.FuncMap {
	all := sprig.HermeticTxtFuncMap()
	m := template.FuncMap{
		"include": Render,
		"logic":   logic,
		"bits":    bits,
		"fit":     fit,
	}
	for _, name := range sprigNames {
		m[name] = all[name]
	}
	return m
}

// logic is the type of a signal of some bits, as wide as that of one of 32, so that
// names are aligned.
func logic(width int) string {
	t := "logic"
	if width > 1 {
		t = fmt.Sprintf("logic [%d:0]", width-1)
	}
	return fmt.Sprintf("%-12s", t)
}

// bits selects width bits of a signal of total bits from a position on.
func bits(signal string, at, width, total int) string {
	switch {
	case width == total:
		return signal
	case width == 1:
		return fmt.Sprintf("%s[%d]", signal, at)
	}
	return fmt.Sprintf("%s[%d:%d]", signal, at+width-1, at)
}

// fit takes the token in a signal with from bits of payload and tag bits of tag above
// it. Of the payload the lowest keep bits count; they get the width to, with zeros
// above. The tag stays above the payload.
func fit(signal string, from, keep, to, tag int) string {
	total := from + tag
	if from == to && keep >= to {
		return signal
	}
	keep = min(keep, from, to)
	var parts []string
	if tag > 0 {
		parts = append(parts, bits(signal, from, tag, total))
	}
	if to > keep {
		parts = append(parts, fmt.Sprintf("%d'd0", to-keep))
	}
	if keep > 0 {
		parts = append(parts, bits(signal, 0, keep, total))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
