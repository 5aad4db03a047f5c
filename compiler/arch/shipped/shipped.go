// Package shipped holds the architectures that are built into the program and go by name.
package shipped

import (
	"embed"
	"slices"
	"strings"

	"loom/internal/edit"
)

//go:embed *.yaml
var files embed.FS

// Extension is that of architecture files.
const Extension = ".yaml"

// Text returns the architecture description of that name; ok is false where none has it.
func Text(name string) (text string, ok bool) {
	data, err := files.ReadFile(name + Extension)
	return string(data), err == nil
}

// names are the architectures, the smallest first.
var names = []string{"mesh4x4", "float4x4", "temporal4x4", "mesh6x6", "float6x6", "mixed6x6", "temporal6x6", "mesh8x8", "wide6x6", "double6x6", "mixed8x8", "float8x8", "mixed10x10",
	"mesh12x12", "float12x12", "double10x10", "float16x16", "double16x16"}

// Names lists the architectures, the smallest first.
func Names() []string { return slices.Clone(names) }

// Suggest returns the name that a misspelled one may stand for, "" where none is close.
func Suggest(name string) string {
	best, least := "", 4
	for _, n := range names {
		if d := edit.Distance(strings.ToLower(name), n); d < least {
			best, least = n, d
		}
	}
	return best
}
