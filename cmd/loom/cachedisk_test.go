package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"loom/internal/tools/toolstest"
)

// TestCacheDisk puts the cache on a disk that is read-only, full, or too small for what
// is built there: the error names the cause, the cache and the remedy, and no files are
// left. The disk is a file system in a mount namespace, which takes root or a user
// namespace.
func TestCacheDisk(t *testing.T) {
	loom, err := exec.LookPath("loom") // put there by testscript.Main
	if err != nil {
		t.Skip("the tool is not in the path: ", err)
	}
	toolstest.Need(t, "verilator", "c++", "cc", "clang-19", "mlir-translate-19", "mlir-opt-19")
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	const small = `name: small
width: 32
topology: {kind: mesh, rows: 2, columns: 3, tracks: 1, link_fifo: 2, input_fifo: 2}
boundary: {inputs: 4, outputs: 3}
extmemories: [{count: 2, element: i32, lsq_depth: 2}]
pes:
  all: {units: [{load: i32}, {store: i32}, {addi: i32}, {join: 3}]}
pattern: [[all]]
`
	const poke = `func.func @poke(%a: memref<?xi32>, %b: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = memref.load %a[%i] : memref<?xi32>
  %new = arith.addi %old, %v : i32
  memref.store %new, %b[%i] : memref<?xi32>
  return %new : i32
}
`
	inSpace := func(dir, script string) *exec.Cmd {
		cmd := exec.Command("/bin/sh", "-euc", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "LOOM="+loom, "REPO="+repo, "LOOM_CACHE="+filepath.Join(dir, "cache"))
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
		if os.Getuid() != 0 {
			cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
		}
		return cmd
	}
	const (
		full     = "mount -t tmpfs -o size=64k tmpfs cache; cat /dev/zero > cache/rest 2>/dev/null || true\n"
		tooSmall = "mount -t tmpfs -o size=1m tmpfs cache\n"
		readOnly = "mount -t tmpfs -o ro tmpfs cache\n"
		native   = `"$LOOM" sim "$REPO/testdata/kernels/c/fnv1a.c" --random 1`
		model    = `"$LOOM" build poke.mlir --arch small.yaml -o out --cosim --inputs in.json`
	)
	if out, err := inSpace(t.TempDir(), "mkdir cache\n"+full).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %v\n%s", err, out)
	}
	for _, c := range []struct{ name, disk, command, want string }{
		{"full, native run", full, native, "no space left on device"},
		{"full, model", full, model, "no space left on device"},
		{"too small for a model", tooSmall, model, "no space left on device"},
		{"read-only, native run", readOnly, native, "read-only file system"},
		{"read-only, model", readOnly, model, "read-only file system"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"small.yaml": small, "poke.mlir": poke, "cache/": "",
				"in.json": `{"args": {"a": [1, 2], "b": [0, 0], "i": 1, "v": 3}}`} {
				path := filepath.Join(dir, name)
				if strings.HasSuffix(name, "/") {
					err = os.Mkdir(path, 0o755)
				} else {
					err = os.WriteFile(path, []byte(text), 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			cmd := inSpace(dir, c.disk+"exec "+c.command)
			out, _ := cmd.CombinedOutput()
			text := string(out)
			if code := cmd.ProcessState.ExitCode(); code != exitInput {
				t.Errorf("exit status %d", code)
			}
			if !strings.Contains(text, "cannot write to the cache '"+dir+"/cache") || !strings.Contains(text, c.want+"; set LOOM_CACHE") {
				t.Errorf("it prints: %s", text)
			}
			if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
				t.Error("half an output is left")
			}
		})
	}
}
