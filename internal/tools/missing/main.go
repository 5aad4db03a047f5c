// Command missing prints the Debian packages that a set of commands needs and this
// machine lacks, on one line: for scripts/deps.sh, so that the table of package tools
// is the only list. Its argument is the set, run or test.
package main

import (
	"fmt"
	"os"
	"strings"

	"loom/internal/tools"
)

func main() {
	if len(os.Args) == 2 {
		if set, ok := tools.SetNamed(os.Args[1]); ok {
			fmt.Println(strings.Join(tools.Packages(tools.Missing(set)), " "))
			return
		}
	}
	fmt.Fprintln(os.Stderr, "usage: missing run|test")
	os.Exit(2)
}
