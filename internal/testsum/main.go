// Command testsum condenses `go test -json` for a person and for CI: one line
// per package as it finishes, the full output of what failed, the skipped tests
// with their reasons, the tests that took longest, and a closing line "N passed,
// N failed, N skipped". Its exit status is 1 when anything failed or nothing ran.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// event is one line of test2json.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64
	// ImportPath is set instead of Package for build failures.
	ImportPath string
}

// slowest is how many of the tests that took longest are listed, of those of at least so many seconds.
const (
	slowest = 12
	long    = 10
)

// lasting is a test, without those within it, and its seconds.
type lasting struct {
	name    string
	seconds float64
}

func main() {
	var passed, failed, skipped int
	var tests []lasting
	output := map[string][]string{} // package + test -> lines
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				os.Stdout.Write(line) // not an event: output of a tool
			} else {
				key := e.Package + "\x00" + e.Test
				switch e.Action {
				case "output", "build-output":
					if e.Action == "build-output" {
						fmt.Print(e.Output)
					}
					output[key] = append(output[key], e.Output)
				case "pass":
					if e.Test == "" {
						fmt.Printf("ok      %-40s %7.1fs\n", e.Package, e.Elapsed)
					} else {
						passed++
						if !strings.Contains(e.Test, "/") && e.Elapsed >= long {
							tests = append(tests, lasting{e.Package + " " + e.Test, e.Elapsed})
						}
					}
					delete(output, key)
				case "skip":
					if e.Test != "" {
						skipped++
						fmt.Printf("skip    %s %s: %s\n", e.Package, e.Test, reason(output[key]))
					}
					delete(output, key)
				case "fail":
					failed++
					name := e.Test
					if name == "" {
						name = "(package)"
					}
					fmt.Printf("FAIL    %s %s\n%s", e.Package, name, strings.Join(output[key], ""))
					delete(output, key)
				}
			}
		}
		if err != nil {
			break
		}
	}
	slices.SortFunc(tests, func(a, b lasting) int { return cmp.Compare(b.seconds, a.seconds) })
	for _, t := range tests[:min(slowest, len(tests))] {
		fmt.Printf("took    %-60s %7.1fs\n", t.name, t.seconds)
	}
	fmt.Printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped)
	if failed > 0 || passed == 0 {
		os.Exit(1)
	}
}

// reason picks the line a skipped test gave.
func reason(lines []string) string {
	for i := len(lines) - 1; i >= 0; i-- {
		if s := strings.TrimSpace(lines[i]); s != "" && !strings.HasPrefix(s, "---") && !strings.HasPrefix(s, "===") {
			return s
		}
	}
	return "no reason given"
}
