package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// points runs an exploration to its end and returns what its points became.
func points(t *testing.T, loom, description, dir string, args ...string) (csv string, known int) {
	t.Helper()
	out, err := exec.Command(loom, append([]string{"explore", description, "-o", dir, "--json"}, args...)...).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var r struct{ Exploration struct{ Known int } }
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(loom, "explore", "export", "csv", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(text), r.Exploration.Known
}

// TestExploreKilled kills explorations (SIGKILL) at any moment, and starts others in the same directory meanwhile: in the
// end the points are those of an undisturbed run, and what was finished before was not evaluated again.
func TestExploreKilled(t *testing.T) {
	loom, err := exec.LookPath("loom") // put there by testscript.Main
	if err != nil {
		t.Skip("the tool is not in the path: ", err)
	}
	description, err := filepath.Abs("../../testdata/explore/small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := points(t, loom, description, filepath.Join(t.TempDir(), "whole"))
	dir := filepath.Join(t.TempDir(), "killed")
	before := 0
	for i := range 6 {
		cmd := exec.Command(loom, "explore", description, "-o", dir, "--jobs", "2")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(300+250*i) * time.Millisecond)
		// A second one is refused, or the first one has not begun to write.
		second := exec.Command(loom, "explore", description, "-o", dir)
		var stderr bytes.Buffer
		second.Stderr = &stderr
		busy := make(chan error, 1)
		if err := second.Start(); err != nil {
			t.Fatal(err)
		}
		go func() { busy <- second.Wait() }()
		time.Sleep(200 * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = second.Process.Kill()
		<-busy
		out, err := exec.Command(loom, "explore", "status", dir, "--json").Output()
		if err != nil {
			continue // killed before there was a database
		}
		var r struct {
			Exploration struct{ Evaluations map[string]int }
		}
		if err := json.Unmarshal(out, &r); err != nil {
			t.Fatal(err)
		}
		now := 0
		for _, n := range r.Exploration.Evaluations {
			now += n
		}
		if now < before {
			t.Errorf("%d evaluations were there, now %d", before, now)
		}
		before = now
	}
	got, known := points(t, loom, description, dir)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if known < before {
		t.Errorf("%d evaluations were finished, %d were known", before, known)
	}
	t.Logf("%d evaluations were finished when killed", before)
}
