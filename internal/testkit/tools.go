package testkit

import (
	"os"
	"testing"

	"loom/internal/tools"
)

// NeedTools skips a test whose outside programs are not installed; with
// LOOM_REQUIRE_TOOLS set, as in make test, they must be.
func NeedTools(t testing.TB, names ...string) {
	t.Helper()
	for _, n := range names {
		if _, err := tools.Find(n); err != nil {
			if os.Getenv("LOOM_REQUIRE_TOOLS") != "" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
}
