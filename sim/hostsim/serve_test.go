package hostsim

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"testing"

	"loom/internal/fabrictest"
)

// messages are what a program sends: kinds with their two numbers.
func messages(list ...any) *bytes.Buffer {
	b := &bytes.Buffer{}
	for ; len(list) > 0; list = list[3:] {
		b.WriteByte(byte(list[0].(rune)))
		for _, v := range list[1:3] {
			var word [8]byte
			binary.NativeEndian.PutUint64(word[:], uint64(v.(int)))
			b.Write(word[:])
		}
	}
	return b
}

// served is the report of a program that sends messages, and the answers: -1 for what ends it.
func served(t *testing.T, in *bytes.Buffer, opts DeviceOptions) (r *Report, answers []int) {
	t.Helper()
	out := &bytes.Buffer{}
	r, err := serve(t.Context(), &peer{r: bufio.NewReader(in), w: bufio.NewWriter(out)}, func() (*Device, error) {
		p := fabrictest.Loop()
		return NewDevice(p.Fabric, p.Layout, opts)
	})
	if err != nil {
		t.Fatal(err)
	}
	for b := out.Bytes(); len(b) > 0; {
		switch b[0] {
		case 'V':
			answers = append(answers, int(binary.NativeEndian.Uint64(b[1:])))
			b = b[9:]
		case 'X':
			answers = append(answers, -1)
			b = b[1:]
		default:
			t.Fatalf("message %q", b)
		}
	}
	return r, answers
}

// TestServe: each message of a program is answered, and the last one ends it.
func TestServe(t *testing.T) {
	r, a := served(t, messages('r', int(regMagic), 0, 'w', int(regIRQEnable), 3, 'r', int(regIRQEnable), 0, 'c', 0, 0, 'p', 70_000, 0, 'c', 0, 0, 'i', 0, 0, 'e', 0, 0), DeviceOptions{})
	if len(a) != 8 || a[0] != 0x4D4F4F4C || a[2] != 3 || a[3] == 0 || a[5] != a[3]+70_000 || a[6] != 0 {
		t.Errorf("answers %d", a)
	}
	if r.Status != "done" || r.ClockCycles != int64(a[5]) {
		t.Errorf("%+v, answers %d", r, a)
	}
}

// TestServeEnds: programs that do not come to their end.
func TestServeEnds(t *testing.T) {
	r, a := served(t, messages('p', 200, 0, 'c', 0, 0), DeviceOptions{MaxCycles: 100})
	if r.Status != "budget" || r.ClockCycles != 100 || len(a) != 1 || a[0] != -1 {
		t.Errorf("budget: %+v, answers %d", r, a)
	}
	if r, a := served(t, &bytes.Buffer{}, DeviceOptions{}); r.Status != "none" || a != nil {
		t.Errorf("no access: %+v, answers %d", r, a)
	}
	killed := messages('c', 0, 0, 'r', 0, 0)
	killed.Truncate(killed.Len() - 3)
	if r, a := served(t, killed, DeviceOptions{}); r.Status != "none" || len(a) != 1 {
		t.Errorf("killed in a message: %+v, answers %d", r, a)
	}
}
