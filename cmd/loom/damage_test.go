package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// damageTokens cuts a text into what a person would mistype.
var damageTokens = regexp.MustCompile(`[%@^!#]?[A-Za-z_][\w.$]*|\d+|"[^"\n]*"|\s+|.`)

// damage changes a text at a few positions: tokens are dropped, doubled, swapped, or
// replaced by others of the same text or by extremes.
func damage(r *rand.Rand, text string) string {
	tokens := damageTokens.FindAllString(text, -1)
	extremes := []string{"0", "-1", "99999999999999999999", "index", "i1", "i64", "i65", "none", "memref<?xi32>", "f32", "{", "}", ")", "\x00", "\"", "\u03b1", "//", "null", "[[[[", "1e99"}
	for range 1 + r.IntN(3) {
		i, j := r.IntN(len(tokens)), r.IntN(len(tokens))
		switch r.IntN(6) {
		case 0:
			tokens[i] = ""
		case 1:
			tokens[i] += tokens[i]
		case 2:
			tokens[i], tokens[j] = tokens[j], tokens[i]
		case 3:
			tokens[i] = tokens[j]
		case 4:
			tokens[i] = extremes[r.IntN(len(extremes))]
		case 5: // a whole line goes elsewhere
			lines := strings.Split(strings.Join(tokens, ""), "\n")
			a, b := r.IntN(len(lines)), r.IntN(len(lines))
			lines[a], lines[b] = lines[b], lines[a]
			return strings.Join(lines, "\n")
		}
	}
	return strings.Join(tokens, "")
}

// TestDamagedInputs feeds damaged kernels, graphs, architecture files, fabrics,
// mappings and inputs to the commands that read them. Each command ends with exit status
// 0 or 1 in bounded time, without an internal error. LOOM_SOAK=seconds makes it long.
func TestDamagedInputs(t *testing.T) {
	dir := t.TempDir()
	const arch = "../../compiler/arch/shipped/mesh4x4.yaml"
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if code := run(args, &out, &errs); code != 0 {
			t.Fatalf("loom %s: exit %d\n%s", strings.Join(args, " "), code, &errs)
		}
	}
	var kernels []string
	for _, k := range []string{"vecadd", "dot", "condcopy", "matvec", "gcd", "scan"} {
		kernels = append(kernels, "../../testdata/kernels/"+k+".mlir")
	}
	must("build", kernels[4], "--arch", arch, "-o", at("good"))
	must("compile", kernels[2], "-o", at("good"))
	if err := os.WriteFile(at("good/in.json"), []byte(`{"args": {"a": 48, "b": {"zeros": 2}, "arg1": [1, [2]], "n": -3}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	graph, fabric, mapping := at("good/gcd.dfg.mlir"), at("good/mesh4x4.fabric.mlir"), at("good/gcd.mesh4x4.map.json")
	sim := func(graph, fabric, mapping string) []string {
		return []string{"sim", "--dfg", graph, "--adg", fabric, "--map", mapping, "--random", "1", "--max-cycles", "2000"}
	}
	bad := func(ext string) string { return at("bad" + ext) }
	cases := []struct {
		name, ext string
		from      []string
		share     int // of the rounds
		commands  [][]string
	}{
		{"kernel", ".mlir", kernels, 12, [][]string{{"compile", bad(".mlir"), "-o", at("out")}}},
		{"kernel, built", ".mlir", kernels[4:5], 2, [][]string{{"build", bad(".mlir"), "--arch", arch, "-o", at("out"), "--budget", "5s"}}},
		{"graph", ".dfg.mlir", []string{graph, at("good/condcopy.dfg.mlir")}, 8, [][]string{
			{"verify", bad(".dfg.mlir")}, {"sim", "--dfg", bad(".dfg.mlir"), "--random", "1", "--max-cycles", "2000"}}},
		{"graph, mapped", ".dfg.mlir", []string{graph}, 2, [][]string{sim(bad(".dfg.mlir"), fabric, mapping)}},
		{"architecture", ".yaml", []string{arch}, 3, [][]string{{"adg", bad(".yaml"), "-o", at("out")}}},
		{"fabric", ".fabric.mlir", []string{fabric}, 2, [][]string{{"rtl", "--adg", bad(".fabric.mlir"), "-o", at("out")}}},
		{"mapping", ".map.json", []string{mapping}, 3, [][]string{sim(graph, fabric, bad(".map.json"))}},
		{"inputs", ".json", []string{at("good/in.json")}, 3, [][]string{{"sim", "--dfg", graph, "--inputs", bad(".json"), "--max-cycles", "2000"}}},
	}
	rounds, until := 6, time.Time{}
	if s, err := strconv.Atoi(os.Getenv("LOOM_SOAK")); err == nil {
		rounds, until = 1<<30, time.Now().Add(time.Duration(s)*time.Second)
	}
	for round := range rounds {
		if !until.IsZero() && time.Now().After(until) {
			break
		}
		for k, c := range cases {
			for n := range c.share {
				r := rand.New(rand.NewPCG(uint64(round), uint64(k<<16|n)))
				text, err := os.ReadFile(c.from[r.IntN(len(c.from))])
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(bad(c.ext), []byte(damage(r, string(text))), 0o644); err != nil {
					t.Fatal(err)
				}
				for _, args := range c.commands {
					if what := misbehaves(args); what != "" {
						keep := filepath.Join("testdata", "failures", fmt.Sprintf("%s-%d-%d%s", c.name, round, n, c.ext))
						data, _ := os.ReadFile(bad(c.ext))
						os.MkdirAll(filepath.Dir(keep), 0o755)
						os.WriteFile(keep, data, 0o644)
						t.Errorf("loom %s with %s: %s", strings.Join(args, " "), keep, what)
					}
				}
			}
		}
	}
}

// misbehaves runs a command and returns what is wrong with how it ended, "" if it ended
// as it should.
func misbehaves(args []string) string {
	var out, errs bytes.Buffer
	start := time.Now()
	code := run(args, &out, &errs)
	switch took := time.Since(start); {
	case code != exitOK && code != exitInput:
		return fmt.Sprintf("exit status %d: %s", code, &errs)
	case strings.Contains(errs.String(), "internal error"):
		return errs.String()
	case code == exitInput && errs.Len() == 0:
		return "it fails without a word"
	case took > 30*time.Second:
		return fmt.Sprintf("it takes %v", took)
	}
	return ""
}
