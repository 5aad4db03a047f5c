package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hangingVerilator answers LOOM's first queries, then starts a child that runs for a
// minute and writes its process number to $READY.
const hangingVerilator = `#!/bin/sh
case "$1" in
--version) echo 'Verilator 5.0-fake' ;;
--getenv) echo /nowhere ;;
*) /bin/sh -c 'echo $$ > "$READY.new" && mv "$READY.new" "$READY"; sleep 60' ;;
esac
`

// TestInterrupt ends a build while an external program works: the exit status
// names the signal, the output is one JSON object, and neither files nor processes are
// left.
func TestInterrupt(t *testing.T) {
	loom, err := exec.LookPath("loom") // put there by testscript.Main
	if err != nil {
		t.Skip("the tool is not in the path: ", err)
	}
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		json   bool
	}{{"SIGINT", syscall.SIGINT, false}, {"SIGTERM as JSON", syscall.SIGTERM, true}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, d := range []string{"bin", "mine", "tmp"} {
				if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range map[string]string{"bin/verilator": hangingVerilator, "bin/g++": "#!/bin/sh\n", "mine/keep": "mine"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			repo, err := filepath.Abs("../..")
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"build", filepath.Join(repo, "testdata/kernels/gcd.mlir"), "--arch",
				"mesh4x4", "-o", "mine/new/out", "--cosim", "--random", "1"}
			if c.json {
				args = append(args, "--json")
			}
			ready := filepath.Join(dir, "ready")
			cmd := exec.Command(loom, args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "CXX=g++",
				"LOOM_CACHE="+filepath.Join(dir, "cache"), "TMPDIR="+filepath.Join(dir, "tmp"), "READY="+ready)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Process.Kill()
			var child []byte
			for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
				if child, err = os.ReadFile(ready); err == nil {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("the build does not reach Verilator\n%s%s", &stdout, &stderr)
				}
			}
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 128+int(c.signal) {
				t.Errorf("exit: %v", err)
			}
			if c.json {
				var object struct{ Status string }
				if err := json.Unmarshal(stdout.Bytes(), &object); err != nil || object.Status != "error" || stderr.Len() > 0 {
					t.Errorf("stdout %q, stderr %q", &stdout, &stderr)
				}
			} else if !strings.Contains(stderr.String(), "error: interrupted") {
				t.Errorf("stderr %q", &stderr)
			}
			for name, want := range map[string]string{"mine": "keep", "tmp": "", "cache/verilator": ""} {
				entries, err := os.ReadDir(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, e := range entries {
					if !strings.HasPrefix(e.Name(), "library-") { // finished before the interrupt
						got = append(got, e.Name())
					}
				}
				if strings.Join(got, " ") != want {
					t.Errorf("%s holds %v", name, got)
				}
			}
			pid, err := strconv.Atoi(strings.TrimSpace(string(child)))
			if err != nil {
				t.Fatal(err)
			}
			if !gone(pid) {
				t.Errorf("process %d lives on", pid)
			}
		})
	}
}

// gone reports whether a killed process ends within 200 polls; a zombie counts as ended.
func gone(pid int) bool {
	for range 200 {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			return true
		}
		if _, rest, ok := strings.Cut(string(stat), ") "); ok && strings.HasPrefix(rest, "Z") {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}
