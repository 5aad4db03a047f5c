package rtl

import (
	"flag"
	"os"
)

var update = flag.Bool("update", os.Getenv("LOOM_UPDATE") != "", "rewrite generated parts of the documentation")

// soak tells whether the long campaigns are wanted.
func soak() bool { return os.Getenv("LOOM_SOAK") != "" }
