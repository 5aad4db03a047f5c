package rtl

import (
	"flag"
	"os"
	"os/exec"
	"testing"
)

var update = flag.Bool("update", os.Getenv("LOOM_UPDATE") != "", "rewrite generated parts of the documentation")

// needTool skips a test whose tool is not installed; with LOOM_REQUIRE_TOOLS=1
// a missing tool is a failure.
func needTool(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("LOOM_REQUIRE_TOOLS") == "1" {
				t.Fatalf("%s is not installed", name)
			}
			t.Skipf("%s is not installed", name)
		}
	}
}

// soak tells whether the long campaigns are wanted.
func soak() bool { return os.Getenv("LOOM_SOAK") != "" }
