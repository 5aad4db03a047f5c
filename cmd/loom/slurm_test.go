package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"loom/internal/tools/toolstest"
)

// cluster is a controller with two nodes on the loopback interface, of one processor each.
type cluster struct {
	t   *testing.T
	dir string
	env []string
	// nodes are the daemons of the nodes, by name.
	nodes map[string]*exec.Cmd
}

const slurmConf = `ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=%[2]d
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=%[1]s/munge.sock
CredType=cred/munge
StateSaveLocation=%[1]s/state
SlurmdSpoolDir=%[1]s/spool-%%n
SlurmctldPidFile=%[1]s/slurmctld.pid
SlurmdPidFile=%[1]s/slurmd-%%n.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
ReturnToService=2
SlurmdTimeout=5
MessageTimeout=3
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=1
KillWait=2
JobRequeue=1
NodeName=node1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=%[3]d CPUs=1 RealMemory=500
NodeName=node2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=%[4]d CPUs=1 RealMemory=500
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`

// freePort is a port that nothing listens on.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// startCluster starts one that ends with the test.
func startCluster(t *testing.T) *cluster {
	t.Helper()
	toolstest.Need(t, "slurmctld", "slurmd", "sbatch", "squeue", "munged")
	if os.Getuid() != 0 {
		t.Skip("the daemons of Slurm run as root")
	}
	// Short, as names of sockets are; and outside of directories that only their owner enters.
	dir, err := os.MkdirTemp("/tmp", "loom-slurm-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	c := &cluster{t: t, dir: dir, nodes: map[string]*exec.Cmd{}}
	key := make([]byte, 128)
	rand.Read(key)
	c.write("munge.key", string(key))
	c.write("slurm.conf", fmt.Sprintf(slurmConf, dir, freePort(t), freePort(t), freePort(t)))
	for _, d := range []string{"state", "spool-node1", "spool-node2"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c.env = append(os.Environ(), "SLURM_CONF="+filepath.Join(dir, "slurm.conf"))
	at := func(name string) string { return filepath.Join(dir, name) }
	c.daemon("munged", "--foreground", "--force", "--socket="+at("munge.sock"), "--key-file="+at("munge.key"), "--pid-file="+at("munged.pid"), "--log-file="+at("munged.log"), "--seed-file="+at("seed"))
	c.wait("the socket of munged", func() bool { _, err := os.Stat(at("munge.sock")); return err == nil })
	c.daemon("slurmctld", "-D", "-f", at("slurm.conf"))
	for _, n := range []string{"node1", "node2"} {
		c.nodes[n] = c.daemon("slurmd", "-D", "-N", n, "-f", at("slurm.conf"))
	}
	c.wait("two idle nodes", func() bool {
		out, _ := c.command("sinfo", "--noheader", "--format=%T %D").Output()
		return strings.TrimSpace(string(out)) == "idle 2"
	})
	return c
}

// write makes a file and returns its path.
func (c *cluster) write(name, text string) string {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
	return path
}

// command is a program that finds the cluster.
func (c *cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = c.env
	return cmd
}

// daemon starts a program in the foreground; it ends with the test.
func (c *cluster) daemon(name string, args ...string) *exec.Cmd {
	c.t.Helper()
	cmd := c.command(toolstest.Path(c.t, name), args...)
	log, err := os.Create(filepath.Join(c.dir, fmt.Sprintf("%s-%d.log", name, len(c.nodes))))
	if err != nil {
		c.t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		ended := make(chan bool)
		go func() { _ = cmd.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
		log.Close()
		if text, err := os.ReadFile(log.Name()); err == nil && c.t.Failed() {
			c.t.Logf("%s: %s", name, text[max(0, len(text)-3000):])
		}
	})
	return cmd
}

// wait waits until a condition holds.
func (c *cluster) wait(what string, holds func() bool) {
	c.t.Helper()
	for limit := time.Now().Add(90 * time.Second); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(limit) {
			out, _ := c.command("sinfo").CombinedOutput()
			queue, _ := c.command("squeue").CombinedOutput()
			c.t.Fatalf("no %s\n%s%s", what, out, queue)
		}
	}
}

// hurry starts tasks that were requeued at once, until the test ends: Slurm waits two minutes, for processes on a node
// that it has lost may still run.
func (c *cluster) hurry() {
	stop, stopped := make(chan bool), make(chan bool)
	c.t.Cleanup(func() { close(stop); <-stopped })
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Second):
			}
			out, _ := c.command("squeue", "--noheader", "--array", "--format=%i %r").Output()
			for line := range strings.Lines(string(out)) {
				if id, why, _ := strings.Cut(strings.TrimSpace(line), " "); why == "BeginTime" {
					_ = c.command("scontrol", "update", "jobid="+id, "starttime=now").Run()
				}
			}
		}
	}()
}

// worker is the process of a task of an exploration in dir, 0 for none.
func worker(dir string) int {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		line, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if err == nil && bytes.Contains(line, []byte("\x00worker\x00"+dir)) {
			return pid
		}
	}
	return 0
}

// TestExploreSlurm explores on a cluster whose node is lost and whose running task is killed in the middle: the points are
// those of the local run. The submitting process is killed, too, and the next one goes on.
func TestExploreSlurm(t *testing.T) {
	t.Parallel() // it mostly waits

	loom, err := exec.LookPath("loom") // put there by testscript.Main
	if err != nil {
		t.Skip("the tool is not in the path: ", err)
	}
	text, err := os.ReadFile("../../testdata/explore/small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	kernels, err := filepath.Abs("../../testdata/kernels")
	if err != nil {
		t.Fatal(err)
	}
	// Half the evaluations: each round of them waits for Slurm.
	text = bytes.ReplaceAll(bytes.Replace(text, []byte("evaluations: 32"), []byte("evaluations: 16"), 1), []byte("../kernels"), []byte(kernels))
	c := startCluster(t)
	description := c.write("small.yaml", string(text))
	want, _ := points(t, loom, description, filepath.Join(t.TempDir(), "local"))
	dir := filepath.Join(c.dir, "shared")

	first := c.command(loom, "explore", description, "-o", dir, "--engine", "slurm")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	// A running task is killed: what it has left is submitted again.
	c.wait("task to kill", func() bool {
		pid := worker(dir)
		return pid > 0 && syscall.Kill(pid, syscall.SIGKILL) == nil
	})
	c.wait("task after the killed one", func() bool { return worker(dir) > 0 })
	// The submitting process is killed; its array goes on.
	_ = first.Process.Kill()
	_ = first.Wait()
	var stderr bytes.Buffer
	second := c.command(loom, "explore", description, "-o", dir, "--engine", "slurm", "--json")
	second.Stderr = &stderr
	if err := second.Start(); err != nil {
		t.Fatal(err)
	}
	// A node is lost: Slurm gives its tasks to the other one.
	c.wait("task on a node", func() bool { return worker(dir) > 0 })
	_ = c.nodes["node1"].Process.Kill()
	c.hurry()
	if err := second.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	out, err := exec.Command(loom, "explore", "export", "csv", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Error("the cluster finds other points than this machine:", diff)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "slurm", "batch-*"))
	if len(left) > 1 { // that of the killed process may be left
		t.Errorf("batches are left: %v", left)
	}
}

// TestExploreSlurmFails: tasks that cannot do their work end the exploration with what they printed.
func TestExploreSlurmFails(t *testing.T) {
	t.Parallel() // it mostly waits

	loom, err := exec.LookPath("loom")
	if err != nil {
		t.Skip("the tool is not in the path: ", err)
	}
	description, err := filepath.Abs("../../testdata/explore/small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c := startCluster(t)
	var stderr bytes.Buffer
	cmd := c.command(loom, "explore", description, "-o", filepath.Join(c.dir, "shared"), "--engine", "slurm", "--slurm=--partition=none")
	cmd.Stderr = &stderr
	if err := cmd.Run(); err == nil || !strings.Contains(stderr.String(), "invalid partition") || cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("a partition that does not exist: %v\n%s", err, &stderr)
	}
	// Without Slurm's programs the error names the package.
	stderr.Reset()
	cmd = c.command(loom, "explore", description, "-o", filepath.Join(c.dir, "never"), "--engine", "slurm")
	cmd.Env, cmd.Stderr = append(c.env, "PATH="+t.TempDir()), &stderr
	if err := cmd.Run(); err == nil || !strings.Contains(stderr.String(), "apt-get install slurm-wlm") || cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("without sbatch: %v\n%s", err, &stderr)
	}
}

// TestCampaignSlurm: a campaign on a cluster has the summary of the local one.
func TestCampaignSlurm(t *testing.T) {
	t.Parallel() // it mostly waits

	loom, err := exec.LookPath("loom")
	if err != nil {
		t.Skip("the tool is not in the path: ", err)
	}
	c := startCluster(t)
	var summaries [2][]byte
	for i, args := range [][]string{{"-o", filepath.Join(t.TempDir(), "local")}, {"-o", filepath.Join(c.dir, "shared"), "--engine", "slurm"}} {
		cmd := c.command(loom, append([]string{"campaign", "programs", "--cases", "0:100"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if summaries[i], err = os.ReadFile(filepath.Join(args[1], "summary.txt")); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(summaries[0]), string(summaries[1])); diff != "" {
		t.Error("the cluster finds another summary than this machine:", diff)
	}
}
