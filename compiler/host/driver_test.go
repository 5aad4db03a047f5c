package host

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/internal/soak"
	"loom/internal/tools/toolstest"
)

// mockDevice is a register file in C with planned faults, and a program that reads calls of
// the driver from standard input and prints what each returned and what the device saw.
const mockDevice = `
#include <stdio.h>
#include <stdlib.h>
#include "loom_accel.h"

enum { NONE, HANG, BREAK, LOSE, REFUSE, BAD_IMAGE, LEAVE };
static struct {
  unsigned fault, look, loads, starts, resets, flushed, invalidated, words, rules;
  int configured, busy, done, error;
  uint64_t cycles, tick, arg[3], result;
  uint32_t image[8], arg_enable, result_enable, high, irq_enable, irq;
  uint64_t base[3];
} d;
static void rule(int kept) { d.rules += !kept; }
uint32_t loom_accel_read(uintptr_t base, uint32_t offset) {
  switch (offset) {
  case LOOM_REG_MAGIC: return base == 1 ? 0u : LOOM_ACCEL_MAGIC;
  case LOOM_REG_VERSION: return base == 2 ? 1u : LOOM_ACCEL_VERSION;
  case LOOM_REG_HASH_LO: return 0x89abcdefu;
  case LOOM_REG_HASH_HI: return 0x01234567u;
  case LOOM_REG_PORTS: return 2u << 16 | 3u;
  case LOOM_REG_CYCLES_LO: d.cycles += d.tick; d.high = (uint32_t)(d.cycles >> 32); return (uint32_t)d.cycles;
  case LOOM_REG_CYCLES_HI: d.cycles += d.tick; return d.high;
  case LOOM_REG_BASE_COUNT: return 3;
  case LOOM_REG_ERROR: return d.error ? 513u : 0u;
  case LOOM_REG_RESULT + 8: return (uint32_t)d.result;
  case LOOM_REG_RESULT + 12: return (uint32_t)(d.result >> 32);
  case LOOM_REG_STATUS:
    if (d.busy) {
      d.cycles += UINT64_C(0x60000000); /* passes the low word quickly */
      d.look++;
      if (d.fault == LOSE && d.look == 3) { d.busy = d.configured = 0; }
      if (d.fault == BREAK && d.look == 4) { d.error = 1; d.irq |= 2u; } /* the run never completes */
      if ((d.fault == NONE || d.fault == LEAVE) && d.look == 5) { d.busy = 0; d.done = 1; d.irq |= 1u; }
    }
    return (d.configured ? LOOM_STATUS_CONFIGURED : 0u) | (d.busy ? LOOM_STATUS_BUSY : LOOM_STATUS_IDLE) |
           (d.done ? LOOM_STATUS_DONE : 0u) | (d.error ? LOOM_STATUS_ERROR : 0u);
  }
  rule(offset == LOOM_REG_RESULT || offset == LOOM_REG_RESULT + 4);
  return 0;
}
void loom_accel_write(uintptr_t base, uint32_t offset, uint32_t value) {
  (void)base;
  if (offset == LOOM_REG_CONTROL && value == 1u) {
    d.configured = d.busy = d.done = d.error = 0; d.cycles = 0; d.words = 0; d.resets++;
    return;
  }
  if (offset == LOOM_REG_IRQ_STATUS) { d.irq &= ~value; return; }
  if (offset == LOOM_REG_IRQ_ENABLE) { d.irq_enable = value; return; }
  rule(!d.busy && !d.error); /* no settings during a run or after an error */
  if (offset == LOOM_REG_CONTROL) {
    rule(value == 2u && d.configured && d.irq == 0u && d.irq_enable == 3u && (d.arg_enable & 1u) && (d.result_enable & 1u));
    d.starts++; d.busy = 1; d.done = 0; d.look = 0; d.cycles = 0;
    d.result = d.base[2] + 3u * d.base[0] + 7u * d.image[0];
    if (d.arg_enable & 2u) d.result += 11u * d.arg[1];
    if (d.arg_enable & 4u) d.result += 13u * d.arg[2];
    if (!(d.result_enable & 2u)) d.result = 0;
  } else if (offset == LOOM_REG_CFG_DATA || offset == LOOM_REG_CFG_LAST) {
    rule(!d.configured && d.words < 8);
    if (d.words < 8) d.image[d.words++] = value;
    if (offset == LOOM_REG_CFG_DATA) return;
    rule(d.words == 8);
    d.loads++;
    if (d.fault == BAD_IMAGE) d.error = 1; else d.configured = d.fault != REFUSE;
  } else if (offset >= LOOM_REG_ARG && offset < LOOM_REG_ARG + 24) {
    uint64_t *a = &d.arg[(offset - LOOM_REG_ARG) / 8];
    *a = offset % 8 ? (*a & 0xffffffffu) | (uint64_t)value << 32 : (*a & ~UINT64_C(0xffffffff)) | value;
  } else if (offset >= LOOM_REG_BASE && offset < LOOM_REG_BASE + 24) {
    uint64_t *a = &d.base[(offset - LOOM_REG_BASE) / 8];
    *a = offset % 8 ? (*a & 0xffffffffu) | (uint64_t)value << 32 : (*a & ~UINT64_C(0xffffffff)) | value;
  } else if (offset == LOOM_REG_ARG_ENABLE) d.arg_enable = value;
  else if (offset == LOOM_REG_RESULT_ENABLE) d.result_enable = value;
  else rule(0);
}

static char memory[64];
static int order; /* a barrier stands between the flushes and the start, and before what follows the end */
static void barrier(void *c) { rule(c == memory); order++; }
static void flush(void *c, const void *p, size_t n) { rule(c == memory && (const char *)p >= memory && n % 4 == 0 && !d.busy); d.flushed++; }
static void invalidate(void *c, const void *p, size_t n) { rule(c == memory && (const char *)p >= memory && n % 4 == 0 && !d.busy && order == 2); d.invalidated++; }
static int address(void *c, const void *p, size_t n, uint64_t *bus) {
  size_t at = (size_t)((const char *)p - memory);
  rule(c == memory);
  (void)n;
  *bus = UINT64_C(0xfedc000000000000) + at;
  return at >= 32; /* half of the memory is out of reach */
}
static int pause(void *c, uint32_t looks) { rule(c == memory && looks >= 1 && looks <= d.look); return d.fault == LEAVE && looks >= 2; }

static const uint32_t bases[] = {2, 0}, beyond[] = {0, 3};
static const uint32_t w0[8] = {1}, w1[8] = {2};
#define HASH UINT64_C(0x0123456789abcdef)
static const loom_accel_image images[] = {
  {HASH, w0, 8, 2, bases, 0, 0, NULL}, {HASH, w1, 8, 2, bases, 0, 0, NULL}, {HASH + 1, w0, 8, 2, bases, 0, 0, NULL},
  {HASH, w0, 0, 2, bases, 0, 0, NULL}, {HASH, w0, 8, 2, bases, 3, 0, NULL}, {HASH, w0, 8, 2, bases, 0, 2, NULL},
  {HASH, w0, 8, LOOM_ACCEL_MAX_ARRAYS + 1, bases, 0, 0, NULL},
  {HASH, w0, 8, 2, beyond, 0, 0, NULL}};

int main(void) {
  static loom_accel dev;
  const loom_accel_hooks hooks = {memory, barrier, flush, invalidate, address, pause, 1};
  char op; unsigned long long a, b;
  while (scanf(" %c %llu %llu", &op, &a, &b) == 3) {
    int s = 0;
    order = op == 'w' ? 1 : 0;
    switch (op) {
    case 'N': { loom_accel none = {0}; dev = none; } break;
    case 'o': s = loom_accel_open(&dev, (uintptr_t)a, &hooks); break;
    case 'c': s = loom_accel_close(&dev); break;
    case 'R': s = loom_accel_reset(&dev); break;
    case 't': loom_accel_set_timeout(&dev, a); break;
    case 'l': s = loom_accel_load(&dev, a == 9 ? NULL : &images[a]); break;
    case 'b': s = loom_accel_set_base(&dev, (uint32_t)a, b); break;
    case 'a': s = loom_accel_set_array(&dev, (uint32_t)a, memory + b, 4); break;
    case 'g': s = loom_accel_set_arg(&dev, (uint32_t)a, b); break;
    case 'x': s = loom_accel_expect(&dev, (uint32_t)a); break;
    case 'k': { /* the low word passes its end between two reads */
      uint64_t before = d.cycles;
      d.cycles = 0xffffffffu; d.tick = 4;
      s = loom_accel_cycle_count(&dev) == UINT64_C(0x100000003) ? LOOM_ACCEL_OK : LOOM_ACCEL_NOT_OPEN;
      d.cycles = before; d.tick = 0;
    } break;
    case 'f': d.fault = (unsigned)a; break;
    case 's': s = loom_accel_start(&dev); if (s == 0) rule(order == 1); break;
    case 'w': s = loom_accel_wait(&dev, a); if (s == 0) rule(order == 2); break;
    case 'r': s = loom_accel_run(&dev); if (s == 0) rule(order == 2); break;
    }
    rule(op == 's' || d.busy || d.irq == 0u); /* the interrupt is over when a wait is */
    printf("%s result %llu error %s loads %llu, device: loads %u starts %u resets %u flush %u invalidate %u rules %u\n", loom_accel_status_name(s),
           (unsigned long long)loom_accel_get_result(&dev, 1), loom_accel_error_name(loom_accel_error(&dev)),
           (unsigned long long)loom_accel_image_loads(&dev), d.loads, d.starts, d.resets, d.flushed, d.invalidated, d.rules);
  }
  return 0;
}
`

// driverCall is one call of the driver: its letter in mockDevice and two numbers.
type driverCall struct {
	op   byte
	a, b uint64
}

// Planned faults of the mock device.
const (
	faultNone = iota
	faultHang
	faultBreak    // error 513 at the fourth look
	faultLose     // reset by something else at the third look
	faultRefuse   // never configured
	faultBadImage // error while loading
	faultLeave    // the wait hook gives up at the second look
)

// handle is what the documentation says of a handle on the mock device, as a model.
type handle struct {
	open, running, configured bool
	image                     int
	failed                    string
	timeout                   uint64
	array                     map[uint64]bool
	arg                       map[uint64]uint64
	expect                    map[uint64]bool
	loads                     int

	// the device
	fault                        uint64
	args                         map[uint64]uint64
	result                       uint64
	error                        bool // the code that the handle keeps
	look                         int
	devLoads, starts, resets     int
	flush, invalidate            int
	base                         [2]uint64 // of the two arrays
	imageWord, enabled, expected uint64
}

func newHandle() *handle { return &handle{image: -1, args: map[uint64]uint64{}} }

func (h *handle) clear() {
	h.array, h.arg, h.expect = map[uint64]bool{}, map[uint64]uint64{}, map[uint64]bool{}
	h.configured = false
}

func (h *handle) reset() {
	h.resets++
	h.running, h.configured = false, false
}

func (h *handle) fail(s string) string {
	if h.failed == "OK" {
		h.failed = s
	}
	return s
}

// settings returns why no settings may change now, "" if they may.
func (h *handle) settings() string {
	switch {
	case !h.open:
		return "NOT_OPEN"
	case h.running:
		return "BUSY"
	}
	return ""
}

func (h *handle) start() string {
	if s := h.settings(); s != "" {
		return s
	}
	h.error = false
	if s := h.failed; s != "OK" {
		h.failed = "OK"
		return s
	}
	if h.image < 0 {
		return "NO_IMAGE"
	}
	if !h.configured {
		h.reset()
		h.devLoads++
		h.imageWord = uint64(h.image + 1)
		switch h.fault {
		case faultRefuse:
			return "CONFIG_FAILED"
		case faultBadImage:
			h.reset()
			h.error = true
			return "HW_ERROR"
		}
		h.configured = true
		h.loads++
	}
	h.flush += len(h.array)
	h.starts++
	h.running, h.look = true, 0
	h.result = 0
	if h.expect[1] {
		h.result = h.base[0] + 3*h.base[1] + 7*h.imageWord
		if _, ok := h.arg[1]; ok {
			h.result += 11 * h.args[1]
		}
		if _, ok := h.arg[2]; ok {
			h.result += 13 * h.args[2]
		}
	}
	return "OK"
}

func (h *handle) wait(cycles uint64) string {
	switch {
	case !h.open:
		return "NOT_OPEN"
	case !h.running:
		return "NOT_RUNNING"
	}
	for looks := 1; ; looks++ {
		h.look++
		switch {
		case h.fault == faultBreak && h.look == 4:
			h.reset()
			h.error = true
			return "HW_ERROR"
		case h.fault == faultLose && h.look == 3:
			h.running, h.configured = false, false
			return "STOPPED"
		case (h.fault == faultNone || h.fault == faultLeave) && h.look == 5:
			h.running = false
			h.invalidate += len(h.array)
			return "OK"
		case cycles != 0 && uint64(h.look)*0x60000000 >= cycles:
			return "TIMEOUT"
		case h.fault == faultLeave && looks >= 2:
			return "TIMEOUT"
		}
	}
}

// do makes one call and returns what the program prints.
func (h *handle) do(c driverCall) string {
	s := "OK"
	switch c.op {
	case 'N':
		h.open, h.loads, h.running, h.error = false, 0, false, false
	case 'o':
		h.open, h.failed, h.timeout, h.image, h.loads, h.running, h.error = false, "OK", 0, -1, 0, false, false
		h.clear()
		if s = "NO_DEVICE"; c.a == 0 {
			s, h.open = "OK", true
			h.reset()
		}
	case 'c', 'R':
		if s = "NOT_OPEN"; h.open {
			s, h.open = "OK", c.op == 'R'
			h.reset()
		}
	case 'k':
		if !h.open {
			s = "NOT_OPEN"
		}
	case 't':
		h.timeout = c.a
	case 'f':
		h.fault = c.a
	case 'l':
		if s = h.settings(); s != "" {
			break
		}
		s, h.failed = "OK", "OK"
		switch {
		case c.a == 2:
			s = h.fail("WRONG_IMAGE")
		case c.a > 2:
			s = h.fail("BAD_ARGUMENT")
		case int(c.a) != h.image:
			h.image = int(c.a)
			h.clear()
		}
	case 'b', 'a':
		address := c.b
		if s = h.settings(); s != "" {
			break
		}
		if c.op == 'a' {
			address += 0xfedc000000000000
		}
		switch {
		case c.op == 'a' && c.b >= 32:
			s = h.fail("NOT_REACHABLE")
		case h.image < 0:
			s = h.fail("NO_IMAGE")
		case c.a >= 2:
			s = h.fail("BAD_ARGUMENT")
		default:
			s = "OK"
			h.base[c.a] = address
			delete(h.array, c.a)
			if c.op == 'a' {
				h.array[c.a] = true
			}
		}
	case 'g':
		if s = h.settings(); s != "" {
			break
		}
		if s = "OK"; c.a >= 3 {
			s = h.fail("BAD_ARGUMENT")
			break
		}
		h.arg[c.a], h.args[c.a] = c.b, c.b
	case 'x':
		if s = h.settings(); s != "" {
			break
		}
		if s = "OK"; c.a >= 2 {
			s = h.fail("BAD_ARGUMENT")
			break
		}
		h.expect[c.a] = true
	case 's':
		s = h.start()
	case 'w':
		s = h.wait(c.a)
	case 'r':
		if s = h.start(); s == "OK" {
			if s = h.wait(h.timeout); s == "TIMEOUT" {
				h.reset()
			}
		}
	}
	result, code := uint64(0), "no error"
	if h.open {
		result = h.result
	}
	if h.error {
		code = "RT_EXTMEMORY_BUS"
	}
	return fmt.Sprintf("LOOM_ACCEL_%s result %d error %s loads %d, device: loads %d starts %d resets %d flush %d invalidate %d rules 0",
		s, result, code, h.loads, h.devLoads, h.starts, h.resets, h.flush, h.invalidate)
}

// randomCalls are a sequence of calls as a program makes them, with mistakes in between.
func randomCalls(r *rand.Rand, n int) []driverCall {
	out := []driverCall{{op: 'N'}}
	pick := func(list ...uint64) uint64 { return list[r.IntN(len(list))] }
	for len(out) < n {
		switch r.IntN(12) {
		case 0:
			out = append(out, driverCall{'o', pick(0, 0, 0, 0, 1, 2), 0})
		case 1:
			out = append(out, driverCall{'l', pick(0, 1, 2, 3, 4, 5, 6, 7, 9), 0})
		case 2:
			out = append(out, driverCall{"cRNgxbsak"[r.IntN(9)], pick(0, 1, 2, 3, 7), pick(1, 2, 40)})
			if out[len(out)-1].op != 'N' { // that would forget a run
				out = append(out, driverCall{'s', 0, 0}, driverCall{'s', 0, 0})
			}
		case 3:
			out = append(out, driverCall{'f', pick(0, 0, 1, 2, 3, 4, 5, 6), 0})
			if out[len(out)-1].a == faultHang {
				out = append(out, driverCall{'t', 0x130000000, 0}) // or it would wait for ever
			}
		case 4:
			out = append(out, driverCall{'t', pick(1, 0x60000000, 0x130000000, 0x300000000), 0})
		case 5, 6:
			out = append(out, driverCall{'w', pick(1, 0x60000001, 0x130000000), 0}, driverCall{'w', 0x500000000, 0})
		default:
			k := pick(0, 0, 1)
			out = append(out, driverCall{'o', 0, 0}, driverCall{'t', 0x300000000, 0})[:len(out)+r.IntN(2)*2]
			out = append(out, driverCall{'l', k, 0}, driverCall{"ab"[r.IntN(2)], 0, pick(4, 8, 12)}, driverCall{'a', 1, pick(0, 4)}, driverCall{'g', 1, r.Uint64()})
			out = append(out, driverCall{'g', 2, 5}, driverCall{'x', 1, 0})[:len(out)+r.IntN(3)]
			out = append(out, driverCall{"rrs"[r.IntN(3)], 0, 0})
		}
		// A wait without limit on a device that hangs does not end.
		if c := out[len(out)-1]; c.op == 'r' {
			out = append(out[:len(out)-1], driverCall{'t', pick(1, 0x130000000, 0x300000000), 0}, c)
		}
	}
	return out
}

// buildMock compiles the driver, with replacements in its source, and the mock device.
func buildMock(t *testing.T, replace ...string) string {
	t.Helper()
	h, c, err := Driver()
	if err != nil {
		t.Fatal(err)
	}
	source := string(c)
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(source, replace[i]) {
			t.Fatalf("loom_accel.c has no %q", replace[i])
		}
		source = strings.Replace(source, replace[i], replace[i+1], 1)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"loom_accel.h": string(h), "loom_accel.c": source, "mock.c": mockDevice} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if len(replace) == 0 {
		toolstest.CleanC(t, dir, []string{"loom_accel.c"})
		toolstest.CleanC(t, dir, []string{"loom_accel.c"}, "-DLOOM_ACCEL_CUSTOM_IO", "-DLOOM_ACCEL_MAX_ARRAYS=3")
	}
	cmd := exec.Command("gcc", "-std=c99", "-fsanitize=undefined", "-fno-sanitize-recover=undefined", "-Wno-unused", "-DLOOM_ACCEL_CUSTOM_IO", "-o", "run", "loom_accel.c", "mock.c")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(dir, "run")
}

// compareMock runs calls on driver and model and returns the first difference.
func compareMock(exe string, calls []driverCall) error {
	var in strings.Builder
	for _, c := range calls {
		fmt.Fprintf(&in, "%c %d %d\n", c.op, c.a, c.b)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second) // a changed driver may wait for ever
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	h := newHandle()
	for i, c := range calls {
		want := h.do(c)
		if i >= len(got) || got[i] != want {
			from := max(0, i-12)
			return fmt.Errorf("call %d of %s\n got %s\nwant %s", i, strings.ReplaceAll(fmt.Sprint(calls[from:i+1]), "{", "\n{"), got[min(i, len(got)-1)], want)
		}
	}
	return nil
}

// TestDriver makes random calls, right and wrong ones, on a device with planned faults and
// compares every status, what the device saw, and the result, which contains arguments,
// addresses and the image, with a model of the handle.
func TestDriver(t *testing.T) {
	toolstest.Need(t, "gcc", "clang-19")
	exe := buildMock(t)
	for seed := range uint64(soak.Scale(3, 400)) {
		if err := compareMock(exe, randomCalls(rand.New(rand.NewPCG(seed, 1)), 4000)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestDriverMutations breaks one rule of the driver at a time: TestDriver must notice.
func TestDriverMutations(t *testing.T) {
	toolstest.Need(t, "gcc", "clang-19")
	for _, m := range [][2]string{
		{"    put(dev, offset + 4u, (uint32_t)(value >> 32));", ""},
		{"    if (image != dev->image)\n        forget_run(dev);", ""},
		{"    if (image != dev->image)\n        forget_run", "    forget_run"},
		{"    dev->failed = LOOM_ACCEL_OK;\n    dev->error = 0u;\n    if", "    dev->error = 0u;\n    if"},
		{"    dev->error = 0u;\n    if", "    if"},
		{"            return broken(dev);\n        if ((status & LOOM_STATUS_DONE)", "            return LOOM_ACCEL_HW_ERROR;\n        if ((status & LOOM_STATUS_DONE)"},
		{"            put(dev, LOOM_REG_IRQ_STATUS, EVENTS);\n            barrier", "            barrier"},
		{"        reset(dev); /* the arrays are the caller's again */", "        (void)0;"},
		{"    lo = get(dev, LOOM_REG_CYCLES_LO); /*", "    { uint64_t hi = get(dev, LOOM_REG_CYCLES_HI); return get(dev, LOOM_REG_CYCLES_LO) | hi << 32; } /*"},
		{"    uint32_t i;\n\n    reset(dev);", "    uint32_t i;\n"},
		{"        barrier(dev);\n        ", "        (void)0;\n        "},
		{"    barrier(dev);\n    put(dev, LOOM_REG_CONTROL, 2u);", "    put(dev, LOOM_REG_CONTROL, 2u);"},
		{"dev->state == RUNNING ? LOOM_ACCEL_BUSY", "dev->state == RUNNING ? LOOM_ACCEL_OK"},
		{"(status & LOOM_STATUS_BUSY) == 0u", "0"},
		{"LOOM_ACCEL_SIZED) >= dev->bases", "LOOM_ACCEL_SIZED) > dev->bases"},
	} {
		exe := buildMock(t, m[0], m[1])
		found := false
		for seed := uint64(0); seed < 3 && !found; seed++ {
			found = compareMock(exe, randomCalls(rand.New(rand.NewPCG(seed, 1)), 2000)) != nil
		}
		if !found {
			t.Errorf("nobody notices the change of\n%s\nto\n%s", m[0], m[1])
		}
	}
}
