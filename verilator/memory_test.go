package verilator

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/latency"
	"loom/sim/dram"
)

// dramProgram serves the requests on its input: cycle, write, address, bytes.
const dramProgram = `
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include "loom_dram.hpp"
int main() {
    loom::Dram::Config config;
    uint64_t numbers[loom::Dram::kNumbers], c, w, a, n;
    for (auto& x : numbers)
        if (std::scanf("%" SCNu64, &x) != 1) return 1;
    std::memcpy(&config, numbers, sizeof config);
    loom::Dram dram(config);
    while (std::scanf("%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &c, &w, &a, &n) == 4)
        dram.serve(c, w != 0, a, n), std::printf("%" PRIu64 "\n", dram.served(a + n - 1));
    return 0;
}
`

// TestDRAM compares the model of the harness with package dram on random requests: streams, strides
// and scattered addresses, reads and writes, across refreshes.
func TestDRAM(t *testing.T) {
	dir := t.TempDir()
	header, err := fs.ReadFile(harnessHeaders, "harness/loom_dram.hpp")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"loom_dram.hpp": string(header), "main.cpp": dramProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(dir, "main")
	if out, err := exec.Command("c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-O1", "-o", binary, filepath.Join(dir, "main.cpp")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, name := range append(latency.DeviceNames(), "ddr4-2400,mhz=97,interconnect=0", "lpddr4-3200,mhz=333,interconnect=9") {
		t.Run(name, func(t *testing.T) {
			p, err := latency.ParseDRAM(name)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(uint64(i), 3))
			model := dram.New(p.DRAM)
			in := bytes.NewBufferString(joined(dramNumbers(p)))
			var want []string
			cycle, next := int64(0), [4]uint64{0x1000, 0x40_0000, 0x80_0100, 0x1234_5678}
			for range 20000 {
				cycle += int64(r.IntN(4))
				if r.IntN(500) == 0 {
					cycle += int64(r.IntN(3000))
				}
				k := r.IntN(4)
				switch k {
				case 0, 1:
					next[k] += 4
				case 2:
					next[k] += 4096
				default:
					next[k] = uint64(r.IntN(1 << 28))
				}
				bytes := int64(1) << r.IntN(10)
				write := r.IntN(3) == 0
				w := 0
				if write {
					w = 1
				}
				fmt.Fprintf(in, "\n%d %d %d %d", cycle, w, next[k], bytes)
				want = append(want, fmt.Sprint(model.Serve(cycle, write, next[k], bytes)(next[k]+uint64(bytes)-1)))
			}
			cmd := exec.Command(binary)
			cmd.Stdin = in
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Fields(string(out))
			for n := range min(len(got), len(want)) {
				if got[n] != want[n] {
					t.Fatalf("request %d is answered in cycle %s, by package dram in %s", n, got[n], want[n])
				}
			}
			if d := cmp.Diff(len(want), len(got)); d != "" {
				t.Error(d)
			}
			s := model.Stats()
			if s.Hits == 0 || s.Misses == 0 || s.Conflicts == 0 || s.Refreshes == 0 || s.Turns == 0 || s.Forwarded == 0 {
				t.Errorf("not everything happened: %+v", s)
			}
		})
	}
}
