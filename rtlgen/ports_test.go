package rtlgen_test

import (
	"strings"
	"testing"

	"loom/rtlgen"
)

// TestParsePorts: what a choice of ports means, and what is said of one that cannot be had.
func TestParsePorts(t *testing.T) {
	p, err := rtlgen.ParsePorts("memory,a=memory, b=memory", "channels")
	if err != nil || p.Default != "memory" || len(p.Arrays) != 2 || p.Arrays[1] != (rtlgen.ArrayPorts{Array: "b", Style: "memory"}) {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = rtlgen.ParsePorts("auto,b=bram:3,c=bram", "ap_ctrl_hs")
	if err != nil || p.Of("a").Style != "auto" || p.Of("b").Latency != 3 || p.Of("c") != (rtlgen.ArrayPorts{Array: "c", Style: "bram", Latency: 1}) {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err = rtlgen.ParsePorts("", ""); err != nil || p.Default != "" {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = rtlgen.ParsePorts("axi4, burst=16,outstanding=160,burst=memory", "")
	if err != nil || p.Burst != 16 || p.Outstanding != 160 || len(p.Arrays) != 1 || p.Of("burst").Style != "memory" {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = rtlgen.ParsePorts("bounds,axi4-each,bounds=memory", "axi4lite")
	if err != nil || !p.Bounds || p.Default != "axi4-each" || p.Of("bounds").Style != "memory" {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = rtlgen.ParsePorts("axi4-each,cache=256,cache=memory", "")
	if err != nil || p.Cache != 256 || p.Of("cache").Style != "memory" {
		t.Errorf("%+v, %v", p, err)
	}
	for _, c := range []struct{ ports, control, want string }{
		{"axi4,cache=100", "", `ports takes cache=N, a power of two from 64 to 4096 elements in a read cache, found "cache=100"`},
		{"axi4,cache=32", "", `ports takes cache=N, a power of two from 64 to 4096`},
		{"axi4,cache=8192", "", `ports takes cache=N, a power of two from 64 to 4096`},
		{"axi4,cache=64,cache=64", "", "ports gives cache twice"},
		{"memory,cache=64", "", "ports gives outstanding, burst, width, cache or bounds, but no array axi4 or axi4-each"},
		{"axi4,bounds,bounds", "axi4lite", "ports gives bounds twice"},
		{"axi4,bounds=1", "axi4lite", `ports takes ARRAY=STYLE, outstanding=N, burst=N, width=N, cache=N and bounds, found "bounds=1"`},
		{"memory,bounds", "axi4lite", "ports gives outstanding, burst, width, cache or bounds, but no array axi4 or axi4-each"},
		{"axi4,bounds", "", "ports gives bounds, whose sizes are registers, but there are none: --control axi4lite"},
		{"axi4,bounds", "ap_ctrl_hs", "ports gives bounds, whose sizes are registers, but there are none"},
		{"axi4,burst=3", "", `ports takes burst=N, a power of two from 1 to 32 elements in a transaction, found "burst=3"`},
		{"axi4,burst=", "", `ports takes burst=N, a power of two from 1 to 32 elements in a transaction, found "burst="`},
		{"axi4,burst=64", "", `ports takes burst=N, a power of two from 1 to 32`},
		{"axi4,outstanding=1", "", `ports takes outstanding=N, 2 to 1024 accesses of each load and store on their way, found "outstanding=1"`},
		{"axi4,outstanding=many", "", `ports takes outstanding=N`},
		{"axi4,burst=8,burst=16", "", "ports gives burst twice"},
		{"axi4,width=16", "", `ports takes width=N, a power of two from 32 to 512 bits of data on a bus, found "width=16"`},
		{"axi4,width=64,width=64", "", "ports gives width twice"},
		{"axi4,bursts=16", "", `ports takes ARRAY=STYLE, outstanding=N, burst=N, width=N, cache=N and bounds, found "bursts=16"`},
		{"memory,burst=16", "", "ports gives outstanding, burst, width, cache or bounds, but no array axi4 or axi4-each"},
		{"outstanding=16", "", "ports gives outstanding, burst, width, cache or bounds, but no array axi4 or axi4-each"},
		{"wires", "", `ports takes memory, bram, stream, auto, axi4, axi4-each, found "wires"`},
		{"memory,", "", `ports takes memory, bram, stream, auto, axi4, axi4-each, found ""`},
		{"bram:0", "", `ports takes bram:CYCLES with a latency of 1 to 16 cycles, found "bram:0"`},
		{"a=bram:x", "", `ports takes bram:CYCLES with a latency of 1 to 16 cycles, found "a=bram:x"`},
		{"memory:2", "", `ports takes memory, bram, stream, auto, axi4, axi4-each, found "memory:2"`},
		{"=memory", "", `ports takes ARRAY=STYLE, found "=memory"`},
		{"memory,memory", "", "ports takes one style for all arrays, found memory and memory"},
		{"a=memory,a=memory", "", "ports names the array 'a' twice"},
		{"", "wires", `control takes channels, ap_ctrl_hs, axi4lite, found "wires"`},
	} {
		if _, err := rtlgen.ParsePorts(c.ports, c.control); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q, %q: %v, want %s", c.ports, c.control, err, c.want)
		}
	}
}
