package rtl

import (
	"flag"
	"os"
)

var update = flag.Bool("update", os.Getenv("LOOM_UPDATE") != "", "rewrite generated parts of the documentation")

// soak reports whether LOOM_SOAK asks for the long campaigns.
func soak() bool { return os.Getenv("LOOM_SOAK") != "" }
