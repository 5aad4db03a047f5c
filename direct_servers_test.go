package loom_test

import (
	"testing"

	"loom/compiler/latency"
	"loom/internal/tools/toolstest"
)

// TestDirectServers: the predicted interval of a loop counts the accesses that share a bus or a cache, those under
// a condition not, what accesses that wait for each other take, and is that of the RTL.
func TestDirectServers(t *testing.T) {
	toolstest.Need(t, "verilator")
	const (
		sum     = `void sum(const int *restrict a, const int *restrict b, int *restrict c, int n) { for (int i = 0; i < n; i++) c[i] = a[i] + b[i]; }`
		sumArgs = `"a": {"random": 640, "seed": 1}, "b": {"random": 640, "seed": 2}, "c": {"zeros": 640}, "n": 640`
		bytes   = `void bytes(const unsigned char *restrict a, const unsigned char *restrict b, unsigned char *restrict c, int n) { for (int i = 0; i < n; i++) c[i] = a[i] + b[i]; }`
		three   = `void three(const int *restrict a, int *restrict c, int n) { for (int i = 1; i < n; i++) c[i] = a[i - 1] * a[i] + a[i + 1]; }`
		count   = `void count(const int *restrict x, int *restrict h, int n) { for (int i = 0; i < n; i++) h[x[i] & 63]++; }`
		rare    = `void rare(const int *restrict a, const int *restrict b, int *restrict c, int n) { for (int i = 0; i < n; i++) { int x = a[i]; if (x > 2000000000) x += b[i] + b[i + 1]; c[i] = x; } }`
	)
	for _, c := range []struct {
		text, args, ports string
		interval          int
		runs              bool // and is measured
	}{
		{sum, sumArgs, "axi4,burst=16", 2, true},
		{sum, sumArgs, "axi4-each,burst=16", 1, false},
		{sum, sumArgs, "axi4,width=64", 1, true},
		{bytes, sumArgs, "axi4,burst=16,width=32", 1, false},
		{three, `"a": {"random": 641, "seed": 1}, "c": {"zeros": 640}, "n": 640`, "axi4-each,burst=16", 2, false}, // a[i] is a[i - 1] of the next iteration, and no load
		{three, `"a": {"random": 641, "seed": 1}, "c": {"zeros": 640}, "n": 640`, "axi4,width=128", 1, false},
		{three, `"a": {"random": 641, "seed": 1}, "c": {"zeros": 640}, "n": 640`, "axi4,width=128,cache=64", 2, true},
		{count, `"x": {"random": 100, "seed": 1}, "h": {"zeros": 64}, "n": 100`, "axi4,burst=1", 86, false},
		{count, `"x": {"random": 100, "seed": 1}, "h": {"zeros": 64}, "n": 100`, "axi4,burst=16", 89, true},
		{rare, `"a": {"random": 640, "seed": 1}, "b": {"random": 641, "seed": 2}, "c": {"zeros": 640}, "n": 640`, "axi4,burst=16", 1, true},
	} {
		d, err := circuitOf(t, c.text, c.ports, latency.Fixed(40))
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Loops) != 1 || d.Loops[0].Interval != c.interval {
			t.Errorf("%s with %s: %+v, want %d cycles per iteration", d.Kernel.Name, c.ports, d.Loops, c.interval)
		}
		if !c.runs {
			continue
		}
		loops := benchCosim(t, d, c.args, latency.Fixed(40)).Loops
		if len(loops) != 1 || int(loops[0].Expected) != c.interval || loops[0].II < 0.95*float64(c.interval) || loops[0].II > 1.1*float64(c.interval) {
			t.Errorf("%s with %s: %+v, want %d cycles per iteration", d.Kernel.Name, c.ports, loops, c.interval)
		}
	}
}

// TestDirectWords: on a wide bus the accesses to an array have beats of several elements where each is to the element behind that of the
// one before, as far as the innermost loop shows, and the bursts have room for a word.
func TestDirectWords(t *testing.T) {
	const text = `void walk(const int *restrict k, const int *restrict x, const short *restrict back, int *restrict rows, int *restrict columns, const unsigned char *restrict bytes, const int *restrict p, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 8; j++) {
      rows[i * 8 + j] = x[k[i * 8 + j] & 63] + back[8 * n - (i * 8 + j)];
      columns[j * n + i] = bytes[i * 8 + j + 1];
    }
  int at = 0;
  while (p[at] > 0)
    at += 1;
  rows[0] = at;
}`
	for _, c := range []struct {
		ports string
		want  map[string]int
	}{
		{"axi4,width=128", map[string]int{"k": 4, "x": 0, "back": 0, "rows": 4, "columns": 0, "bytes": 16, "p": 4}},
		{"axi4,width=256", map[string]int{"k": 8, "x": 0, "back": 0, "rows": 8, "columns": 0, "bytes": 1, "p": 8}},
		{"axi4,width=256,burst=32", map[string]int{"k": 8, "x": 0, "back": 0, "rows": 8, "columns": 0, "bytes": 32, "p": 8}},
		{"axi4-each,burst=16", map[string]int{"k": 1, "x": 0, "back": 0, "rows": 1, "columns": 0, "bytes": 1, "p": 1}},
	} {
		d, err := circuitOf(t, text, c.ports, latency.Fixed(4))
		if err != nil {
			t.Fatal(err)
		}
		for array, want := range c.want {
			if n := d.RTL.Wrapper.WordOf(array); n != want {
				t.Errorf("%s: %d elements of '%s' in a beat, want %d", c.ports, n, array, want)
			}
		}
	}
}
