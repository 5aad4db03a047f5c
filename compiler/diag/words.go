package diag

import (
	"fmt"
	"strings"
)

// Plural counts things: "1 operation", "2 switches", "0 memories".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	stem, isY := strings.CutSuffix(noun, "y")
	switch {
	case isY && !strings.HasSuffix(stem, "a") && !strings.HasSuffix(stem, "e"):
		noun = stem + "ies"
	case strings.HasSuffix(noun, "ch"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
