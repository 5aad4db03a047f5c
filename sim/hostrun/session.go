package hostrun

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"loom/compiler/ir"
	"loom/internal/tools"
	"loom/sim/memmap"
	"loom/sim/vector"
)

// Session is one call of the host function. Launch and Return take turns, once per launch;
// End follows the last.
type Session struct {
	p       *Program
	in      *vector.Inputs
	cmd     *exec.Cmd
	stdin   *bufio.Writer
	stdout  *bufio.Reader
	stderr  strings.Builder
	cancel  context.CancelFunc
	pending *pending
	waited  bool
}

// pending is a launch that waits for its results.
type pending struct {
	in      *vector.Inputs
	address []uint64
}

// Start calls the host function on the inputs of the original function.
func (p *Program) Start(ctx context.Context, in *vector.Inputs) (*Session, error) {
	ctx, cancel := context.WithCancel(ctx)
	s := &Session{p: p, in: in, cancel: cancel, cmd: exec.CommandContext(ctx, filepath.Join(p.dir, "program"))}
	s.cmd.Stderr = &s.stderr
	stdin, err := s.cmd.StdinPipe()
	if err == nil {
		var stdout io.ReadCloser
		stdout, err = s.cmd.StdoutPipe()
		s.stdin, s.stdout = bufio.NewWriter(stdin), bufio.NewReader(stdout)
	}
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, &tools.FailedError{Name: "the compiled host function", Err: err}
	}
	_, _ = s.stdin.Write(p.Parameters(in))
	_ = s.stdin.Flush() // a program that has ended is noticed when it does not answer
	return s, nil
}

func (s *Session) word(v uint64) { _ = binary.Write(s.stdin, binary.LittleEndian, v) }

// Close ends the call, also in the midst of it.
func (s *Session) Close() {
	s.cancel()
	s.wait()
}

func (s *Session) wait() error {
	if s.waited {
		return nil
	}
	s.waited = true
	return s.cmd.Wait()
}

// died is the difference that the end of the program is.
func (s *Session) died() []string {
	err := s.wait()
	text := strings.TrimSpace(s.stderr.String())
	if text == "" && err != nil {
		text = err.Error()
	}
	if text == "" {
		text = "it does not answer"
	}
	return []string{"the host function ends early: " + text}
}

// Launch takes the next launch of the host function and compares it with the arguments that
// the kernel should get, want: addresses, arrays and numbers, and the image. The result is
// the differences; tolerance allows for the last bits of floats.
func (s *Session) Launch(want *vector.Inputs, tolerance vector.Tolerance) []string {
	kind, err := s.stdout.ReadByte()
	if err != nil {
		return s.died()
	}
	if kind != 'L' {
		return []string{"the host function returns before this launch"}
	}
	var count uint32
	if binary.Read(s.stdout, binary.LittleEndian, &count) != nil || count > 1<<24 {
		return s.died()
	}
	words := make([]uint32, count)
	arrays, scalars := s.p.arrays(), s.p.scalars()
	l := &pending{in: want, address: make([]uint64, len(arrays)+len(s.p.tables()))}
	numbers := make([]uint64, len(scalars))
	for _, list := range []any{words, l.address, numbers} {
		if binary.Read(s.stdout, binary.LittleEndian, list) != nil {
			return s.died()
		}
	}
	if !slices.Equal(words, s.p.o.Image) {
		return []string{"the host function loads another image than that of the mapping"}
	}
	expected, got := &vector.Outcome{Status: vector.Done}, &vector.Outcome{Status: vector.Done}
	for k, i := range scalars {
		a := want.Args[i]
		expected.Results = append(expected.Results, vector.Scalar{Type: a.Type, Bits: a.Scalar})
		got.Results = append(got.Results, vector.Scalar{Type: a.Type, Bits: numbers[k]})
	}
	for k, i := range arrays {
		m := *want.Args[i].Mem
		expected.Memories = append(expected.Memories, &m)
		n := s.p.elemBytes(m.Elem)
		raw, ok := s.read(l.address[k], int64(len(m.Data))*n)
		if !ok {
			return s.died()
		}
		read := m
		read.Data = memmap.Elements(raw, n)
		s.mask(read.Data, m.Elem)
		got.Memories = append(got.Memories, &read)
	}
	for k, t := range s.p.tables() {
		raw, ok := s.read(l.address[len(arrays)+k], int64(len(t.Data)*t.ElemBytes))
		if !ok {
			return s.died()
		}
		if !slices.Equal(memmap.Elements(raw, int64(t.ElemBytes)), t.Data) {
			return []string{"the host function launches the kernel with another table '" + t.Name + "'"}
		}
	}
	s.pending = l
	if d := vector.DiffTolerance(expected, got, tolerance); len(d) > 0 {
		return append([]string{"the host function launches the kernel on other arguments (results count its numbers)"}, d...)
	}
	return nil
}

// read takes bytes of the program's memory; ok is false when the program has ended.
func (s *Session) read(address uint64, bytes int64) (raw []byte, ok bool) {
	raw = make([]byte, bytes)
	if bytes == 0 {
		return raw, true
	}
	_ = s.stdin.WriteByte('R')
	s.word(address)
	s.word(uint64(bytes))
	_ = s.stdin.Flush()
	_, err := io.ReadFull(s.stdout, raw)
	return raw, err == nil
}

// mask keeps the bits of a type.
func (s *Session) mask(data []uint64, t ir.Type) {
	if w, ok := ir.BitWidth(t, s.p.o.IndexWidth); ok && w < 64 {
		for i := range data {
			data[i] &= 1<<w - 1
		}
	}
}

// Return gives the host function the outcome of the launch.
func (s *Session) Return(out *vector.Outcome) error {
	l := s.pending
	if l == nil {
		return errors.New("no launch is under way")
	}
	s.pending = nil
	at := map[int]*vector.Memory{}
	k := 0
	for i, a := range l.in.Args {
		if a.Mem != nil {
			at[i] = out.Memories[k]
			k++
		}
	}
	for k, i := range s.p.arrays() {
		m := at[i]
		raw := memmap.Bytes(m.Data, s.p.elemBytes(m.Elem))
		if len(raw) == 0 {
			continue
		}
		_ = s.stdin.WriteByte('W')
		s.word(l.address[k])
		s.word(uint64(len(raw)))
		_, _ = s.stdin.Write(raw)
	}
	_ = s.stdin.WriteByte('D')
	for _, r := range out.Results {
		s.word(r.Bits)
	}
	_ = s.stdin.Flush()
	return nil
}

// End takes what the host function returns and compares it with the outcome of the
// original function, want. The result is the differences.
func (s *Session) End(want *vector.Outcome, tolerance vector.Tolerance) []string {
	kind, err := s.stdout.Peek(1)
	if err != nil {
		return s.died()
	}
	if kind[0] == 'L' {
		return []string{"the host function launches the kernel once more"}
	}
	got, why := s.p.Outcome(s.in, s.stdout)
	if got == nil {
		return []string{why}
	}
	if d := vector.DiffTolerance(want, got, tolerance); len(d) > 0 {
		return append([]string{"the compiled host function computes something else"}, d...)
	}
	return nil
}
