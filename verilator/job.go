package verilator

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/rtlgen"
	"loom/sim/memmap"
)

// quietMargin is how many cycles without any transfer count as a deadlock, on top
// of four times the largest memory latency. The longest silence of a live fabric
// is a 64-bit division.
const quietMargin = 1024

// patched is a copy of the image with the base addresses of memory arguments and
// constant tables in the offsets of their regions, as a driver puts them there.
func patched(o *Options, regions []memmap.Region) (*config.Image, error) {
	img := &config.Image{Layout: o.Image.Layout, Settings: append([]config.Setting(nil), o.Image.Settings...)}
	for _, r := range regions {
		what, all := places(o, &r)
		for _, at := range all {
			if at.Mem < 0 || at.Mem >= len(img.Settings) || at.Region < 0 || at.Region >= len(img.Settings[at.Mem].Regions) {
				return nil, fmt.Errorf("%s is bound to region %d of component %d, which does not exist", what, at.Region, at.Mem)
			}
			table := append([]config.Region(nil), img.Settings[at.Mem].Regions...)
			table[at.Region].Offset = r.Base
			img.Settings[at.Mem].Regions = table
		}
	}
	return img, img.Check()
}

// writeJob describes the run for the harness (harness/loom_harness.hpp reads it).
func writeJob(o *Options, dir string, regions []memmap.Region, hashes []uint64) (string, error) {
	img, err := patched(o, regions)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	words := img.Encode()
	if len(words) == 0 {
		// A fabric without anything to configure starts on any one word.
		words = []uint32{0}
	}
	fmt.Fprintf(&b, "image %d", len(words))
	for _, w := range words {
		fmt.Fprintf(&b, " 0x%08x", w)
	}
	b.WriteString("\n" + dramJob(o.Latency))
	fmt.Fprintf(&b, "\nlatency %d %d %d\nstall %d %d\ncycles %d\nquiet %d\n",
		o.Latency.Min, o.Latency.Max, o.Latency.Seed, o.Stall, o.StallSeed, o.MaxCycles, quietMargin+4*int64(o.Latency.Max))

	token := func(input int, data uint64, what string) error {
		if input < 0 || input >= len(o.Fabric.Inputs) {
			return fmt.Errorf("%s is bound to boundary input %d of %d", what, input, len(o.Fabric.Inputs))
		}
		fmt.Fprintf(&b, "token %d %d\n", input, data&mask(o.Fabric.Inputs[input].Width))
		return nil
	}
	for i, a := range o.Binding.Args {
		in := o.Inputs.Args[i]
		if a.Input < 0 || in.Mem != nil {
			continue
		}
		if err := token(a.Input, in.Scalar&typeMask(in.Type, o.Fabric.IndexWidth), "argument '"+a.Name+"'"); err != nil {
			return "", err
		}
	}
	if o.Binding.Start >= 0 {
		if err := token(o.Binding.Start, 0, "the start token"); err != nil {
			return "", err
		}
	}
	for _, r := range o.Binding.Results {
		fmt.Fprintf(&b, "expect %d\n", r.Output)
	}
	if o.Binding.Done >= 0 {
		fmt.Fprintf(&b, "expect %d\n", o.Binding.Done)
	}
	for _, r := range regions {
		key := "region"
		if r.Constant {
			key = "table"
		}
		fmt.Fprintf(&b, "%s %d %d %d", key, r.Base, r.ElemBytes, r.Elements)
		for _, v := range r.Data {
			fmt.Fprintf(&b, " %d", v&mask(r.ElemBits))
		}
		b.WriteByte('\n')
	}
	writeSizes(&b, o, regions)
	if err := writeContents(&b, o); err != nil {
		return "", err
	}
	if hashes != nil {
		raw := make([]byte, 0, 8*len(hashes))
		for _, h := range hashes {
			raw = binary.LittleEndian.AppendUint64(raw, h)
		}
		path := filepath.Join(dir, "lockstep.bin")
		if err := os.WriteFile(path, raw, 0o644); err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "lockstep %s\n", path)
	}
	for _, p := range []struct{ key, path string }{{"wave", o.WavePath}, {fmt.Sprintf("dump %d %d", o.DumpFrom, o.DumpTo), o.ChannelDump}} {
		if p.path == "" {
			continue
		}
		abs, err := filepath.Abs(p.path)
		if err != nil {
			return "", err
		}
		if strings.ContainsRune(abs, '\n') {
			return "", fmt.Errorf("the path %q contains a line break", abs)
		}
		fmt.Fprintf(&b, "%s %s\n", p.key, abs)
	}
	path := filepath.Join(dir, "job.txt")
	return path, os.WriteFile(path, b.Bytes(), 0o644)
}

// places are where an array is accessed.
func places(o *Options, r *memmap.Region) (what string, at []mapping.At) {
	if r.Arg >= 0 {
		a := &o.Binding.Args[r.Arg]
		return "argument '" + a.Name + "'", a.Places()
	}
	t := &o.Binding.Tables[r.Table]
	return "table '" + t.Name + "'", t.Places()
}

// writeSizes lists the sizes of the arrays in memories with bounds, as a driver writes them.
func writeSizes(b *bytes.Buffer, o *Options, regions []memmap.Region) {
	for i := range regions {
		_, at := places(o, &regions[i])
		for _, p := range at {
			k := slices.IndexFunc(o.RTL.Signature.Memories, func(m rtlgen.MemorySignature) bool { return m.ComponentID == p.Mem })
			if k >= 0 && o.RTL.Signature.Memories[k].Bounds {
				fmt.Fprintf(b, "size %d %d %d\n", k, p.Region, regions[i].Size())
			}
		}
	}
}

// writeContents lists what the host writes into on-chip memories before the run.
func writeContents(b *bytes.Buffer, o *Options) error {
	for _, c := range o.Binding.Contents {
		k := slices.IndexFunc(o.RTL.Signature.Hosts, func(h rtlgen.HostSignature) bool { return h.ComponentID == c.Mem })
		if k < 0 {
			return fmt.Errorf("the contents of '%s' are bound to component %d, which is no memory with a host port", c.Name, c.Mem)
		}
		if n := o.RTL.Signature.Hosts[k].Elements; c.First < 0 || c.First > n || int64(len(c.Data)) > n-c.First {
			return fmt.Errorf("the contents of '%s' are the elements from %d to %d of '%s', which has %d", c.Name, c.First,
				c.First+int64(len(c.Data))-1, o.RTL.Signature.Hosts[k].Component, n)
		}
		fmt.Fprintf(b, "contents %d %d %d", k, c.First, len(c.Data))
		for _, v := range c.Data {
			fmt.Fprintf(b, " %d", v&typeMask(c.Elem, o.Fabric.IndexWidth))
		}
		b.WriteByte('\n')
	}
	return nil
}

func mask(width int) uint64 {
	if width >= 64 {
		return ^uint64(0)
	}
	return uint64(1)<<width - 1
}

func typeMask(t ir.Type, indexWidth int) uint64 {
	w, ok := ir.BitWidth(t, indexWidth)
	if !ok {
		return ^uint64(0)
	}
	return mask(w)
}

// result is what the harness writes.
type result struct {
	Status        string     `json:"status"`
	Cycles        int64      `json:"cycles"`
	ErrorCode     int        `json:"error_code"`
	MismatchCycle int64      `json:"mismatch_cycle"`
	Outputs       [][]uint64 `json:"outputs"`
	Memories      [][]uint64 `json:"memories"`
	// Contents of the memories that the host reaches, in the order of the signature;
	// empty after a mismatch.
	Contents [][]uint64 `json:"contents"`
	// Earlier are the runs before the last one of a direct circuit.
	Earlier  []result `json:"earlier"`
	Findings []string `json:"findings"`
	// Channels hold valid, ready, payload and tag.
	Channels [][4]uint64 `json:"channels"`
	// Rules are the AXI rules that the checkers saw broken: memory, bits of f_axi4.
	Rules [][2]uint64 `json:"rules"`
	// Requests are the transfers of the AXI masters in the cycle of a mismatch.
	Requests []request `json:"requests"`
}

func readResult(path string) (*result, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &result{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("the harness wrote a result that cannot be read: %w", err)
	}
	return r, nil
}
