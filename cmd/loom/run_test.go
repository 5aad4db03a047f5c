package main

import (
	"context"
	"io"
)

// run executes one command line in this process.
func run(args []string, stdout, stderr io.Writer) int {
	return newApp(context.Background(), stdout, stderr).run(args)
}
