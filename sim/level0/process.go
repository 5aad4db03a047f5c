package level0

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/sim/vector"
)

// ending is what a process left.
type ending struct {
	// failure is the outcome of a run that did not come to its end.
	failure *vector.Outcome
	buffers [][]byte // of arrays and global variables
	// before and behind are the distances of the nearest bytes that were changed
	// beside an array, 0 for none.
	before, behind []uint64
	result         []byte
}

// The exit statuses of the driver.
const (
	exitPipe   = 97
	exitMemory = 98
)

// process runs the program on the bytes of its arguments.
func (p *Program) process(ctx context.Context, buffers [][]byte) (*ending, error) {
	timed, cancel := context.WithTimeout(ctx, p.wallTime())
	defer cancel()
	cmd := exec.CommandContext(timed, p.path)
	// Nothing of the caller's surroundings changes what a kernel does.
	cmd.Env = []string{"LC_ALL=C", "ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:exitcode=1", "UBSAN_OPTIONS=print_stacktrace=0"}
	output := &limited{}
	cmd.Stderr = output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer inWrite.Close()
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		inRead.Close()
		return nil, err
	}
	defer outRead.Close()
	cmd.ExtraFiles = []*os.File{inRead, outWrite}
	err = cmd.Start()
	inRead.Close()
	outWrite.Close()
	if err != nil {
		return nil, fmt.Errorf("the native run cannot be started: %w", err)
	}
	go func() {
		p.send(inWrite, buffers)
		inWrite.Close()
	}()
	type reply struct {
		end *ending
		err error
	}
	replies := make(chan reply, 1)
	go func() {
		end, err := p.receive(outRead, buffers)
		replies <- reply{end, err}
	}()
	err = cmd.Wait()
	if errors.Is(err, exec.ErrWaitDelay) {
		// What the function started holds on to the pipes.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		err = nil
	}
	_ = outRead.SetReadDeadline(time.Now().Add(2 * time.Second))
	got := <-replies
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case timed.Err() != nil:
		return &ending{failure: p.failed(vector.Budget, "does not end within %d seconds", int(p.wallTime()/time.Second))}, nil
	case err == nil && got.err == nil:
		return got.end, nil
	}
	return &ending{failure: p.explain(err, output.String())}, nil
}

// send writes the arguments. A process that ends early does not read them; its exit
// status reports why.
func (p *Program) send(w io.Writer, buffers [][]byte) {
	for i, b := range buffers {
		if p.fn.Params[i].Class == cabi.Pointer {
			if binary.Write(w, binary.NativeEndian, uint64(len(b))) != nil {
				return
			}
		}
		if _, err := w.Write(b); err != nil {
			return
		}
	}
}

// receive reads the results of a run.
func (p *Program) receive(r io.Reader, sent [][]byte) (*ending, error) {
	end := &ending{buffers: make([][]byte, len(sent)), before: make([]uint64, len(sent)), behind: make([]uint64, len(sent))}
	for i, b := range sent {
		class := p.fn.Params[i].Class
		if class != cabi.Pointer && class != cabi.Global {
			continue
		}
		if class == cabi.Pointer {
			for _, v := range []*uint64{&end.before[i], &end.behind[i]} {
				if err := binary.Read(r, binary.NativeEndian, v); err != nil {
					return nil, err
				}
			}
		}
		end.buffers[i] = make([]byte, len(b))
		if _, err := io.ReadFull(r, end.buffers[i]); err != nil {
			return nil, err
		}
	}
	if len(p.layout.results) == 0 {
		return end, nil
	}
	var n uint64
	if err := binary.Read(r, binary.NativeEndian, &n); err != nil {
		return nil, err
	}
	need := int64(0)
	for i, q := range p.layout.results {
		size, _ := byteSize(p.sig.Results[i], p.opts.IndexWidth)
		need = max(need, q.Offset+size)
	}
	if n > maxBytes || int64(n) < need {
		return nil, fmt.Errorf("a result of %d bytes", n)
	}
	end.result = make([]byte, n)
	_, err := io.ReadFull(r, end.result)
	return end, err
}

// failed is the outcome of a run that did not come to its end.
func (p *Program) failed(status vector.Status, format string, args ...any) *vector.Outcome {
	text := fmt.Sprintf(format, args...)
	return &vector.Outcome{Status: status, Detail: []string{fmt.Sprintf("%s: %s %s", p.pos(), p.fn.Name, text)}}
}

// pos is the source position of the function.
func (p *Program) pos() diag.Pos {
	if p.sig.Pos.File == "" {
		return diag.Pos{File: p.fn.Source}
	}
	return p.sig.Pos
}

// likely is the most frequent cause of a signal.
var likely = map[syscall.Signal]string{
	syscall.SIGFPE:  "divides an integer by zero, or the smallest number by -1",
	syscall.SIGSEGV: "accesses an address outside of all its memory, or its local variables are larger than the stack",
	syscall.SIGBUS:  "accesses an address outside of all its memory",
	syscall.SIGABRT: "calls abort, as a failed assertion does",
	syscall.SIGILL:  "runs into code that is declared never to run",
	syscall.SIGTRAP: "runs into code that is declared never to run",
}

// explain reports how a process ended that did not return its results.
func (p *Program) explain(err error, output string) *vector.Outcome {
	if out := p.sanitized(output); out != nil {
		return out
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		if err == nil {
			return p.failed(vector.Error, "ends the program instead of returning: it calls exit")
		}
		return p.failed(vector.Error, "cannot be run: %v", err)
	}
	status, _ := exit.Sys().(syscall.WaitStatus)
	switch {
	case status.Signaled() && (status.Signal() == syscall.SIGXCPU || status.Signal() == syscall.SIGKILL):
		return p.failed(vector.Budget, "does not end within %d seconds", p.opts.Seconds)
	case status.Signaled():
		s := status.Signal()
		if why := likely[s]; why != "" {
			return p.failed(vector.Error, "%s (signal %s)", why, signalName(s))
		}
		return p.failed(vector.Error, "is ended by signal %s", signalName(s))
	case exit.ExitCode() == exitMemory:
		return p.failed(vector.Error, "has no memory for its arrays on this machine")
	case exit.ExitCode() == exitPipe:
		return p.failed(vector.Error, "cannot return its results: it closes files that are not its own")
	}
	return p.failed(vector.Error, "ends the program with exit status %d instead of returning", exit.ExitCode())
}

// signalName is the name that a C programmer knows.
func signalName(s syscall.Signal) string {
	switch s {
	case syscall.SIGFPE:
		return "SIGFPE"
	case syscall.SIGSEGV:
		return "SIGSEGV"
	case syscall.SIGBUS:
		return "SIGBUS"
	case syscall.SIGABRT:
		return "SIGABRT"
	case syscall.SIGILL:
		return "SIGILL"
	case syscall.SIGTRAP:
		return "SIGTRAP"
	}
	return fmt.Sprintf("%d, %s", int(s), s)
}

// The messages of the sanitizers: the line of the source first, or a report whose frames name it.
var (
	undefinedBehaviour = regexp.MustCompile(`(?m)^(.+?:\d+:\d+): runtime error: (.*)$`)
	badAddress         = regexp.MustCompile(`(?m)^==\d+==ERROR: AddressSanitizer: (\S+)`)
	accessOf           = regexp.MustCompile(`(?m)^(READ|WRITE) of size (\d+)`)
	frameLine          = regexp.MustCompile(`(?m)^ +#\d+ .* in .* (\S.*?:\d+)(?::(\d+))?$`)
)

// sanitized reads the report of a sanitizer, nil where there is none.
func (p *Program) sanitized(output string) *vector.Outcome {
	if !p.opts.Sanitize {
		return nil
	}
	name := func(loc string) string {
		if abs, err := filepath.Abs(p.fn.Source); err == nil {
			if rest, ok := strings.CutPrefix(loc, abs+":"); ok {
				return p.fn.Source + ":" + rest
			}
		}
		return loc
	}
	if m := undefinedBehaviour.FindStringSubmatch(output); m != nil {
		return &vector.Outcome{Status: vector.Error, Detail: []string{name(m[1]) + ": undefined behaviour: " + m[2]}}
	}
	m := badAddress.FindStringSubmatch(output)
	if m == nil {
		return nil
	}
	what := "access"
	if a := accessOf.FindStringSubmatch(output); a != nil {
		what = strings.ToLower(a[1]) + " of " + a[2] + " bytes"
	}
	loc := p.pos().String()
	for _, f := range frameLine.FindAllStringSubmatch(output, -1) {
		if strings.Contains(f[1], "harness.") || strings.Contains(f[1], "/libsanitizer/") {
			continue
		}
		col := f[2]
		if col == "" {
			col = "1"
		}
		loc = name(f[1] + ":" + col)
		break
	}
	return &vector.Outcome{Status: vector.Error, Detail: []string{fmt.Sprintf("%s: undefined behaviour: %s outside of an array (%s)", loc, what, m[1])}}
}

// limited keeps the beginning of what a process prints.
type limited struct{ bytes.Buffer }

const maxOutput = 64 << 10

func (l *limited) Write(b []byte) (int, error) {
	if room := maxOutput - l.Len(); room > 0 {
		l.Buffer.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}
