package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"loom"
)

// readmeBlock is a fenced block of README.md behind a marker that says what it
// shows.
var readmeBlock = regexp.MustCompile("(?s)(<!-- (file|head|ladder):? ?([^ ]*) -->\n```[a-z]*\n)(.*?)```\n")

// headLines is how much of a report the README quotes.
const headLines = 30

// TestReadmeShowsTheTruth holds the README's worked example to what the tool
// prints today; LOOM_UPDATE=1 rewrites it.
func TestReadmeShowsTheTruth(t *testing.T) {
	const readme = "../../README.md"
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	out := t.TempDir()
	var stdout, stderr bytes.Buffer
	build := []string{"build", "testdata/kernels/vecadd.mlir", "--arch", "mesh6x6", "-o", out}
	if code := run(build, &stdout, &stderr); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	blocks := 0
	want := readmeBlock.ReplaceAllStringFunc(string(text), func(block string) string {
		blocks++
		m := readmeBlock.FindStringSubmatch(block)
		file := strings.Replace(m[3], "out/", out+"/", 1)
		body := ""
		switch m[2] {
		case "file", "head":
			data, err := os.ReadFile(filepath.FromSlash(file))
			if err != nil {
				t.Fatal(err)
			}
			body = string(data)
			if m[2] == "head" {
				lines := strings.SplitAfter(body, "\n")
				body = strings.Join(lines[:min(headLines, len(lines))], "") + "…\n"
			}
		case "ladder":
			body = ladderText(t)
		}
		return m[1] + body + "```\n"
	})
	if blocks != 4 {
		t.Fatalf("found %d marked blocks in the README, expected 4", blocks)
	}
	if want == string(text) {
		return
	}
	if os.Getenv("LOOM_UPDATE") != "" {
		if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Error("the README's worked example is out of date: run LOOM_UPDATE=1 go test ./cmd/loom -run Readme")
}

// ladderText is what the ladder prints for vecadd with the seed of the README,
// from the levels that need no external tool: level 4 must take the cycles that
// level 3 predicts, or the run fails.
func ladderText(t *testing.T) string {
	var stdout bytes.Buffer
	a := newApp(t.Context(), &stdout, &stdout)
	f, err := a.loadFabric("mesh6x6")
	if err != nil {
		t.Fatal(err)
	}
	k, err := a.compile("testdata/kernels/vecadd.mlir", &lowerFlags{}, f)
	if err != nil {
		t.Fatal(err)
	}
	m, err := loom.Map(t.Context(), k, f, loom.MapOptions{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	in, err := m.Kernel.RandomInputs(loom.InputOptions{Seed: 1, Size: 16})
	if err != nil {
		t.Fatal(err)
	}
	l, err := m.RunCycles(in, loom.Environment{}, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []loom.Level{{Level: 1, Name: "interpreter"}, {Level: 2, Name: "token simulator, unbounded channels"},
		{Level: 2, Name: "token simulator, one-token channels"}, {Level: 3, Name: "cycle simulator", Cycles: l.Outcome.Cycles},
		{Level: 4, Name: "Verilator, in lock-step with the cycle simulator", Cycles: l.Outcome.Cycles}} {
		v.Status = l.Outcome.Status
		l.Levels = append(l.Levels, v)
	}
	if err := a.verdict(k, in, l); err != nil {
		t.Fatal(err)
	}
	return stdout.String()
}
