package verilator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/internal/fabrictest"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/vector"
)

// TestOrigin: of all channels that differ, the report names the component at which
// the difference starts: against the flow of tokens for valid and data, with it
// for ready.
func TestOrigin(t *testing.T) {
	f := fabrictest.Loop().Fabric
	id := map[string]int{}
	for _, ch := range f.Channels {
		id[ch.Name] = ch.ID
	}
	for _, c := range []struct {
		name    string
		valid   []string // channels that wrongly hold no token
		ready   []string // channels that are wrongly not ready
		data    []string // channels with wrong data
		origin  string
		channel string
	}{
		{"data travels down", nil, nil, []string{"split_out0", "add_out0", "carry_out0"}, "spatial_pe 'carry' (pe_loop)", "carry_out0"},
		{"valid travels down", []string{"sw_value_out1", "load_out0"}, nil, nil, "spatial_pe 'load' (pe_load)", "load_out0"},
		{"ready travels up", nil, []string{"stream_out0", "filter_out0", "addr_out0"}, nil, "spatial_sw 'sw_index'", "addr_out0"},
		{"ready follows valid", []string{"x_lddata"}, []string{"load_out0"}, nil, "extmemory 'x'", "x_lddata"},
		{"boundary input", nil, nil, []string{"ch_init", "carry_out0"}, "boundary port init", "ch_init"},
		{"boundary output", nil, []string{"split_out1"}, nil, "boundary port sum", "split_out1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			expected := make([]cycle.ChannelState, len(f.Channels))
			found := make([][4]uint64, len(f.Channels))
			for i := range expected {
				expected[i] = cycle.ChannelState{Valid: true, Ready: true, Data: 1}
				found[i] = [4]uint64{1, 1, 1, 0}
			}
			for _, n := range c.valid {
				found[id[n]][0] = 0
			}
			for _, n := range c.ready {
				found[id[n]][1] = 0
			}
			for _, n := range c.data {
				found[id[n]][2] = 0
			}
			m := diff(f, 17, expected, found)
			if m.OriginName != c.origin || m.Channels[0].Channel.Name != c.channel {
				t.Errorf("origin %s, channel %s; want %s, %s", m.OriginName, m.Channels[0].Channel.Name, c.origin, c.channel)
			}
			if n := len(c.valid) + len(c.ready) + len(c.data); len(m.Channels) != n {
				t.Errorf("%d channels differ, want %d", len(m.Channels), n)
			}
			if !strings.HasPrefix(m.String(), "cycle 17, "+c.origin) {
				t.Error(m.String())
			}
		})
	}
}

// TestHash: every part of a channel's state that counts changes the hash, data and
// ready without a token do not.
func TestHash(t *testing.T) {
	f := fabrictest.Loop().Fabric
	base := func() []cycle.ChannelState { return make([]cycle.ChannelState, len(f.Channels)) }
	h0 := hashChannels(base(), f)
	seen := map[uint64]int{h0: -1}
	for i := range f.Channels {
		for k := range 3 {
			s := base()
			switch k {
			case 0:
				s[i].Valid = true
			case 1:
				s[i].Valid, s[i].Ready = true, true
			case 2:
				s[i].Valid, s[i].Data = true, 1
			}
			h := hashChannels(s, f)
			if other, ok := seen[h]; ok {
				t.Errorf("channel %d, change %d hashes like %d", i, k, other)
			}
			seen[h] = i
		}
	}
	s := base()
	s[0].Data, s[0].Tag, s[0].Ready = 5, 3, true
	if hashChannels(s, f) != h0 {
		t.Error("data, tag or ready without a token changed the hash")
	}
	s[0].Valid = true
	tagged := *f.Channels[0]
	tagged.TagWidth = 2
	g := &arch.Fabric{Channels: append([]*arch.Channel{&tagged}, f.Channels[1:]...)}
	h := hashChannels(s, g)
	if s[0].Tag = 2; hashChannels(s, g) == h {
		t.Error("the tag of a token does not change the hash")
	}
}

// TestCompare: every kind of difference from a reference is reported.
func TestCompare(t *testing.T) {
	outcome := func(mod func(*vector.Outcome)) *vector.Outcome {
		o := &vector.Outcome{Status: vector.Done, Cycles: 10, Results: []vector.Scalar{{Type: ir.I8, Bits: 0xff}},
			Memories: []*vector.Memory{{Name: "y", Elem: ir.I32, Data: []uint64{1, 2}}}}
		if mod != nil {
			mod(o)
		}
		return o
	}
	for _, c := range []struct {
		mod  func(*vector.Outcome)
		want []string
	}{
		{nil, nil},
		{func(o *vector.Outcome) { o.Results[0].Bits = 3 }, []string{"result 0: ref has -1, hardware 3"}},
		{func(o *vector.Outcome) { o.Memories[0].Data[1] = 7 }, []string{"memory y[1]: ref has 2, hardware 7"}},
		{func(o *vector.Outcome) { o.Cycles = 11 }, []string{"cycles: ref has 10, hardware 11"}},
		{func(o *vector.Outcome) { o.Status = vector.Deadlock }, []string{"status: ref has done, hardware deadlock"}},
		{func(o *vector.Outcome) { o.Memories = nil }, []string{"ref has 1 memories, hardware 0"}},
	} {
		if d := cmp.Diff(c.want, compare("ref", outcome(nil), outcome(c.mod), true)); d != "" {
			t.Error(d)
		}
	}
	if got := compare("ref", outcome(nil), outcome(func(o *vector.Outcome) { o.Cycles = 99 }), false); got != nil {
		t.Errorf("a reference without a clock was compared by cycles: %v", got)
	}
	// What memory holds at an error only a reference with the same clock knows.
	failed := func(v uint64) *vector.Outcome {
		return outcome(func(o *vector.Outcome) { o.Status, o.ErrorCode, o.Memories[0].Data[0] = vector.Error, 513, v })
	}
	if got := compare("ref", failed(1), failed(2), true); !cmp.Equal(got, []string{"memory y[0]: ref has 1, hardware 2"}) {
		t.Errorf("memories at an error: %q", got)
	}
	if got := compare("ref", failed(1), failed(2), false); got != nil {
		t.Errorf("memories at an error without a clock: %q", got)
	}
}

// TestCache: the key follows the hardware and not its comments; old models go,
// used ones stay; what interrupted builds leave goes after a day.
func TestCache(t *testing.T) {
	p := fabrictest.Loop()
	gen := func(meta rtlgen.Meta) *rtlgen.Output {
		out, err := rtlgen.Generate(p.Fabric, p.Layout, meta)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	tools := &toolset{version: "Verilator 5", cxx: "c++"}
	key := func(o *rtlgen.Output, flags ...string) string {
		h, err := harnessFiles(o)
		if err != nil {
			t.Fatal(err)
		}
		return modelKey(o, h, tools, flags)
	}
	a := gen(rtlgen.Meta{InputName: "a"})
	if key(a) != key(gen(rtlgen.Meta{InputName: "b", ToolVersion: "2"})) {
		t.Error("the key depends on comments")
	}
	changed := gen(rtlgen.Meta{InputName: "a"})
	changed.Files["loom_fifo.sv"] = strings.Replace(changed.Files["loom_fifo.sv"], "in_ready  = room", "in_ready  = ~room", 1)
	if key(a) == key(changed) || key(a) == key(a, "--trace") {
		t.Error("the key does not follow the hardware or the flags")
	}

	dir := t.TempDir()
	now := time.Now()
	add := func(name string, age time.Duration) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, modelBinary), nil, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	add("old", 3*time.Hour)
	add("mid", 2*time.Hour)
	add("new", time.Hour)
	add(buildPrefix+"dead", 48*time.Hour)
	add(buildPrefix+"live", time.Minute)
	add(libraryPrefix+"x", 100*time.Hour)
	if _, ok := lookup(dir, "old"); !ok { // being used makes it the youngest
		t.Fatal("not found")
	}
	prune(dir, 2)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if d := cmp.Diff([]string{buildPrefix + "live", libraryPrefix + "x", "new", "old"}, left); d != "" {
		t.Error(d)
	}
	// A second process that finishes the same build finds the first one's.
	built := filepath.Join(dir, buildPrefix+"second")
	if err := os.MkdirAll(built, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := install(dir, "new", built); err != nil || got != filepath.Join(dir, "new") {
		t.Errorf("install: %s, %v", got, err)
	}
	if isDir(built) {
		t.Error("the second build was left behind")
	}
}
