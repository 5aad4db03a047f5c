package progress

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// terminal opens a pseudo-terminal of that width: our side and the program's.
func terminal(t *testing.T, cols uint16) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	t.Cleanup(func() { ours.Close() })
	ioctl := func(request uintptr, arg unsafe.Pointer) {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, ours.Fd(), request, uintptr(arg)); e != 0 {
			t.Skip("no pseudo-terminals here: ", e)
		}
	}
	var unlock, number int32
	ioctl(syscall.TIOCSPTLCK, unsafe.Pointer(&unlock))
	ioctl(syscall.TIOCGPTN, unsafe.Pointer(&number))
	size := [4]uint16{24, cols}
	ioctl(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	t.Cleanup(func() { theirs.Close() })
	return ours, theirs
}

func TestSilentWhereNobodyWatches(t *testing.T) {
	t.Setenv("CI", "")
	t.Setenv("TERM", "xterm")
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, f := range []*os.File{nil, file, null} {
		l := New(f)
		if l != nil {
			t.Errorf("a line on %v", f)
		}
		l.Set("working") // the nil Line
		l.Clear()
	}
	_, tty := terminal(t, 80)
	if New(tty) == nil {
		t.Error("no line on a terminal")
	}
	t.Setenv("CI", "1")
	if New(tty) != nil {
		t.Error("a line in CI")
	}
}

func TestLineIsShownAndTakenBack(t *testing.T) {
	t.Setenv("CI", "")
	t.Setenv("TERM", "xterm")
	ours, tty := terminal(t, 40)
	l := New(tty)
	l.Set("working\nhard " + strings.Repeat("x", 100))
	l.Set("too soon to be shown")
	l.last = time.Time{}
	l.Set("short")
	l.Clear()
	l.Clear()
	fmt.Fprint(tty, "end")
	var text []byte
	for buf := make([]byte, 1000); !strings.HasSuffix(string(text), "end"); {
		n, err := ours.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, buf[:n]...)
	}
	const want = `^\r {0,3}\d+\.\ds  working hard x{18}` + `\r {0,3}\d+\.\ds  short +` + `\r +\rend$`
	if !regexp.MustCompile(want).Match(text) {
		t.Errorf("the terminal saw %q", text)
	}
	for _, part := range strings.Split(string(text), "\r") {
		if len(part) >= 40 {
			t.Errorf("%q wraps", part)
		}
	}
}
