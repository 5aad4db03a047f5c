package verilator_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/host"
	"loom/compiler/latency"
	"loom/internal/fabrictest"
	"loom/internal/soak"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
	"loom/sim/hostsim"
	"loom/verilator"
)

// traffic is a program that accesses registers at random: images that are whole, too short or
// too long, runs with any arguments, resets and element accesses at any time. It prints what it
// reads, and when.
const traffic = `
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "loom_accel.h"
#include "loom_sim.h"
#include "image.h"

static uint64_t seed;
static uint32_t roll(uint32_t n) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(seed >> 33) % n;
}
/* where bursts end depends on where it begins */
static uint64_t memory[4096] __attribute__((aligned(4096)));
static void put(uint32_t at, uint32_t value) {
  loom_accel_write(0, at, value);
}
static uint32_t get(uint32_t at) {
  uint32_t v = loom_accel_read(0, at);
  printf("%" PRIu64 " %03x %08x %d\n", loom_sim_cycles(), (unsigned)at, (unsigned)v, loom_sim_interrupt());
  return v;
}
static void load(void) {
  uint32_t i, n = IMAGE_WORDS;
  if (roll(8) == 0) n += roll(3) - 1;
  if ((get(LOOM_REG_STATUS) & LOOM_STATUS_BUSY) || roll(2)) put(LOOM_REG_CONTROL, 1); /* words would be refused */
  for (i = 0; i < n; i++)
    put(i + 1 == n ? LOOM_REG_CFG_LAST : LOOM_REG_CFG_DATA, image[i % IMAGE_WORDS]);
}
static void arguments(void) {
  uint32_t i;
  for (i = 0; i < INPUTS; i++) put(LOOM_REG_ARG + 8 * i, roll(9) ? roll(12) : roll(300));
  for (i = 0; i < BASES; i++) {
    uint64_t at = roll(40) ? (uintptr_t)(memory + roll(256)) : 0x40;
    put(LOOM_REG_BASE + 8 * i, (uint32_t)at);
    put(LOOM_REG_BASE + 8 * i + 4, (uint32_t)(at >> 32));
#ifdef SIZES
    if (roll(3) == 0) { /* also where there is no such register */
      uint64_t size = roll(4) ? roll(200) : UINT64_MAX - roll(2) * (UINT64_MAX >> 1);
      put(LOOM_REG_SIZE + 8 * i, (uint32_t)size);
      put(LOOM_REG_SIZE + 8 * i + 4, (uint32_t)(size >> 32));
    }
#endif
  }
  for (i = 0; i < 4; i++) {
    put(LOOM_REG_ARG_ENABLE + 4 * i, (roll(6) ? 0xffffffffu : roll(0xffff)) & (i == 1 ? ARGUMENTS_1 : 0xffffffffu));
    put(LOOM_REG_RESULT_ENABLE + 4 * i, roll(6) ? 0xffffffffu : roll(0xffff));
  }
}
static void elements(void) {
  uint32_t i, n = 1 + roll(6);
  put(LOOM_REG_MEM_SELECT, roll(8) ? roll(4) : roll(1000));
  put(LOOM_REG_MEM_ADDR, roll(8) ? roll(20) : roll(200));
  get(LOOM_REG_MEM_ELEMENTS);
  for (i = 0; i < n; i++) {
    if (roll(2)) {
      put(LOOM_REG_MEM_DATA_HI, roll(1u << 30));
      put(LOOM_REG_MEM_DATA_LO, roll(1u << 30));
    } else {
      get(LOOM_REG_MEM_DATA_LO);
      get(LOOM_REG_MEM_DATA_HI);
    }
  }
}
int main(int argc, char **argv) {
  static const uint32_t plain[] = {LOOM_REG_IRQ_ENABLE, LOOM_REG_IRQ_STATUS, LOOM_REG_MEM_ADDR, LOOM_REG_MEM_DATA_HI, LOOM_REG_MAGIC};
  uint64_t sum = 0;
  int i, steps = atoi(argv[2]);
  (void)argc;
  seed = strtoull(argv[1], NULL, 0);
  for (i = 0; i < 4096; i++) memory[i] = roll(1u << 30) * UINT64_C(0x100000003);
  load();
  arguments();
  for (i = 0; i < steps; i++) {
    switch (roll(16)) {
    case 0: load(); break;
    case 1: arguments(); break;
    case 2: case 3: case 4: put(LOOM_REG_CONTROL, 2); break;
    case 5: put(LOOM_REG_CONTROL, roll(4)); break;
    case 6: case 7: loom_sim_pass(roll(150)); break;
    case 8: elements(); break;
    case 9: put(plain[roll(5)], roll(5)); break;
    case 10: case 11: get(4 * roll(1024)); break;
    case 12: get(LOOM_REG_CYCLES_LO); get(LOOM_REG_CYCLES_HI); break;
    case 13: get(LOOM_REG_ERROR); break;
    case 14: get(LOOM_REG_RESULT + 8 * roll(OUTPUTS)); break;
    default: get(LOOM_REG_STATUS); break;
    }
  }
  for (i = 0; i < 4096; i++) sum = sum * 31 + memory[i];
  printf("%016" PRIx64 "\n", sum);
  return 0;
}
`

// TestDeviceModels: programs see the same registers, at the same clock cycles, on the cycle
// simulator and on the RTL under Verilator, and leave the same memory.
func TestDeviceModels(t *testing.T) {
	toolstest.Need(t, "verilator", "cc")
	loop := fabrictest.Loop()
	bridges, list := fabrictest.Bridges(32)
	image := config.New(config.NewLayout(bridges))
	for _, br := range list {
		br.Configure(image, 0)
	}
	for i, c := range bridges.Comps {
		if s := &image.Settings[i]; c.Name == "rom" {
			s.Regions[0].Valid = true
		}
	}
	// With sizes: of both arrays of a loop, and of one memory with lanes among others.
	bounded, sized := fabrictest.Loop(), 0
	limited, _ := fabrictest.Bridges(32)
	for _, f := range []*arch.Fabric{bounded.Fabric, limited} {
		for _, c := range f.ExternalMemories() {
			if f == bounded.Fabric || c.Mem.NumRegion > 1 {
				c.Mem.Bounds = true
				sized++
			}
		}
	}
	// Of these all memories share a master without bursts, of those with caches one whose beats have several elements.
	for _, c := range limited.ExternalMemories() {
		c.Mem.Master = "ddr"
	}
	if sized != 3 {
		t.Fatalf("%d memories with bounds", sized)
	}
	again := func(f *arch.Fabric, image *config.Image) *config.Image {
		image = &config.Image{Layout: config.NewLayout(f), Settings: slices.Clone(image.Settings)}
		for i, c := range f.Comps {
			switch {
			case !c.External() || c.Mem.TagWidth == 0:
			case c.Mem.NumRegion > 1:
				image.Settings[i].Regions = []config.Region{{Valid: true, EndTag: 2}, {Valid: true, StartTag: 2, EndTag: 5}, {}}
			default:
				image.Settings[i].Regions = []config.Region{{Valid: true, EndTag: 3}}
			}
		}
		return image
	}
	// With read caches, all of whose regions are cached: a run finds nothing of the one before.
	caching := fabrictest.Loop()
	kept, _ := fabrictest.Bridges(32)
	for _, f := range []*arch.Fabric{caching.Fabric, kept} {
		for _, c := range f.ExternalMemories() {
			if c.Mem.LdCount > 0 {
				c.Mem.Cache = 64
			}
			if f == kept {
				c.Mem.Master, c.Mem.BusWidth, c.Mem.Burst = "ddr", 128, 16
			}
		}
	}
	everywhere := func(f *arch.Fabric, image *config.Image) *config.Image {
		image = again(f, image)
		for i, c := range f.Comps {
			if c.Mem == nil || c.Mem.Cache == 0 {
				continue
			}
			image.Settings[i].Regions = slices.Clone(image.Settings[i].Regions)
			for k := range image.Settings[i].Regions {
				image.Settings[i].Regions[k].Cached = true
			}
		}
		return image
	}
	for _, c := range []struct {
		name  string
		f     *arch.Fabric
		image *config.Image
		reset rtlgen.Reset
		sizes bool
		soak  bool // only in the soak campaign
	}{
		{name: "cached loop", f: caching.Fabric, image: everywhere(caching.Fabric, caching.Image), soak: true},
		{name: "cached bridges", f: kept, image: everywhere(kept, image)},

		{name: "loop", f: loop.Fabric, image: loop.Image, reset: rtlgen.Reset{Name: "clear", High: true}}, {name: "bridges", f: bridges, image: image, soak: true},
		{name: "bounded loop", f: bounded.Fabric, image: again(bounded.Fabric, bounded.Image), sizes: true, soak: true},
		{name: "bounded bridges", f: limited, image: again(limited, image), sizes: true},
	} {
		if c.soak && soak.Factor() == 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			layout := c.image.Layout
			rtl, err := rtlgen.Generate(c.f, layout, rtlgen.Meta{InputName: strings.ReplaceAll(c.name, " ", "_"), ToolVersion: "test", Reset: c.reset})
			if err != nil {
				t.Fatal(err)
			}
			header, _, err := host.Driver()
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			words := c.image.Encode()
			put := func(name, text string) string {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				return path
			}
			put("loom_accel.h", string(header))
			put("image.h", fmt.Sprintf("#define IMAGE_WORDS %d\n#define INPUTS %d\n#define OUTPUTS %d\n#define BASES %d\nstatic const uint32_t image[] = {%s};\n",
				len(words), len(c.f.Inputs), len(c.f.Outputs), c.f.BaseRegisters(), strings.Trim(strings.ReplaceAll(fmt.Sprint(words), " ", ","), "[]")))
			s := hostsim.Sources{Files: []string{put("main.c", traffic)}, Flags: []string{"-I" + dir, "-DARGUMENTS_1=0xffffffffu"}}
			if c.sizes {
				// Without what goes past the memories, whose tags nothing matches: that would be the first error.
				s.Flags = []string{"-I" + dir, "-DARGUMENTS_1=0xfffffff3u", "-DSIZES"}
			}
			ours, theirs := filepath.Join(dir, "cycle"), filepath.Join(dir, "verilator")
			if err := hostsim.Build(t.Context(), s, ours); err != nil {
				t.Fatal(err)
			}
			if err := verilator.BuildProgram(t.Context(), verilator.ProgramOptions{RTL: rtl, Sources: s, Executable: theirs, CacheDir: toolstest.Cache(t)}); err != nil {
				t.Fatal(err)
			}
			launches, errors, outside := int64(0), 0, 0
			for seed := range soak.Scale(12, 400) {
				var text, want bytes.Buffer
				slow := int64(1 + seed%40)
				if seed%3 == 2 {
					slow = 2000 // responses come after a reset, when the next image runs
				}
				o := hostsim.RunOptions{Args: []string{fmt.Sprint(seed), "400"}, Stdout: &want, Latency: latency.Profile{Min: 1, Max: slow, Seed: 3},
					Stall: seed % 4 * 20, StallSeed: uint64(seed), MaxCycles: 60000}
				b, err := verilator.RunProgram(t.Context(), theirs, verilator.RunProgramOptions{RunOptions: o})
				if err != nil {
					t.Fatal(err)
				}
				o.Stdout = &text
				a, err := hostsim.Run(t.Context(), ours, c.f, layout, o)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(strings.Split(want.String(), "\n"), strings.Split(text.String(), "\n")); d != "" {
					t.Fatalf("seed %d: Verilator reads (-), the cycle simulator (+):\n%s", seed, d)
				}
				if d := cmp.Diff(b, a); d != "" {
					t.Fatalf("seed %d: Verilator (-), cycle simulator (+):\n%s", seed, d)
				}
				launches += a.Launches
				outside += strings.Count(text.String(), " 018 00000203")
				errors += strings.Count(text.String(), " 018 00000") - strings.Count(text.String(), " 018 00000000")
			}
			if (outside > 0) != c.sizes {
				t.Errorf("%d reads of error 515", outside)
			}
			if launches == 0 || errors == 0 {
				t.Errorf("%d launches, %d reads of an error: the programs try nothing", launches, errors)
			}
		})
	}
}
