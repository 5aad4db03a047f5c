package tools

import (
	"os/exec"
	"syscall"
)

// inOwnGroup puts a program into a process group of its own and makes its
// cancellation kill the group: Verilator is a script whose real work is done by
// a child, which would live on. It also keeps a terminal's interrupt from the
// program, so that LOOM alone decides how to stop.
func inOwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
