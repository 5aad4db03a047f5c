package host

import (
	"encoding/json"
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/mapping"
)

// runtimeInfo is <dfg>.<adg>.runtime.json: what a host program in any language
// needs to run the kernel on the configured fabric.
type runtimeInfo struct {
	Kernel     string       `json:"kernel"`
	Fabric     string       `json:"fabric"`
	LayoutHash string       `json:"layout_hash"`
	Words      int          `json:"config_words"`
	IndexWidth int          `json:"index_width"`
	Start      portInfo     `json:"start"`
	Done       portInfo     `json:"done"`
	Scalars    []portInfo   `json:"scalars"`
	Memories   []memoryInfo `json:"memories"`
	Results    []portInfo   `json:"results"`
	// HostMemories are the on-chip memories that the memory registers reach, by their
	// number there; Contents what the host writes into them before every run.
	HostMemories []hostMemoryInfo `json:"host_memories"`
	Contents     []contentsInfo   `json:"contents"`
	Registers    []registersInfo  `json:"registers"`
}

type portInfo struct {
	Name  string `json:"name,omitempty"`
	Type  string `json:"type"`
	Index int    `json:"index"` // boundary port number, -1 for unused arguments
	Port  string `json:"port,omitempty"`
}

type memoryInfo struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Component string `json:"component,omitempty"` // empty for unused arguments
	Region    int    `json:"region"`
	// Word and Bit are the position in the image of the 64-bit offset that is added to
	// the base address; 0 in the image as it is written.
	Word int `json:"address_word"`
	Bit  int `json:"address_bit"`
	// Base is the number of the base address register of the region, -1 without one.
	Base int `json:"base_register"`
}

type hostMemoryInfo struct {
	Component   string `json:"component"`
	ElementBits int    `json:"element_bits"`
	Elements    int64  `json:"elements"`
}

type contentsInfo struct {
	Name   string        `json:"name"`
	Memory int           `json:"memory"` // index into host_memories
	First  int64         `json:"first_element"`
	Data   []mapping.Hex `json:"data"`
}

type registersInfo struct {
	Name   string `json:"name"`
	Offset int    `json:"offset"`
	Access string `json:"access"`
}

// Runtime returns runtime.json: where arguments, results and control tokens are,
// where base addresses go, and the register map.
func Runtime(b *mapping.Binding, l *config.Layout, f *arch.Fabric) ([]byte, error) {
	info := runtimeInfo{
		Kernel: b.Kernel, Fabric: f.Name, LayoutHash: fmt.Sprintf("%016x", l.Hash), Words: l.WordCount, IndexWidth: f.IndexWidth,
		Start:   portInfo{Type: "none", Index: b.Start, Port: f.Inputs[b.Start].Name},
		Done:    portInfo{Type: "none", Index: b.Done, Port: f.Outputs[b.Done].Name},
		Scalars: []portInfo{}, Memories: []memoryInfo{}, Results: []portInfo{},
		HostMemories: []hostMemoryInfo{}, Contents: []contentsInfo{},
	}
	for _, a := range b.Args {
		if word, bit, ok := regionAddress(a, l); ok || a.Mem >= 0 {
			info.Memories = append(info.Memories, memoryInfo{a.Name, a.Type.String(), f.Comps[a.Mem].Name, a.Region, word, bit, f.BaseRegister(f.Comps[a.Mem], a.Region)})
			continue
		}
		p := portInfo{Name: a.Name, Type: a.Type.String(), Index: a.Input}
		if a.Input >= 0 {
			p.Port = f.Inputs[a.Input].Name
		}
		info.Scalars = append(info.Scalars, p)
	}
	for _, r := range b.Results {
		info.Results = append(info.Results, portInfo{r.Name, r.Type.String(), r.Output, f.Outputs[r.Output].Name})
	}
	slots := map[int]int{}
	for slot, c := range f.HostMemories() {
		slots[c.ID] = slot
		info.HostMemories = append(info.HostMemories, hostMemoryInfo{c.Name, c.Mem.ElemWidth, c.Mem.Elements})
	}
	for _, c := range b.Contents {
		slot, ok := slots[c.Mem]
		if !ok {
			return nil, fmt.Errorf("host: the host does not reach the memory of '%s'", c.Name)
		}
		entry := contentsInfo{Name: c.Name, Memory: slot, First: c.First, Data: []mapping.Hex{}}
		for _, x := range c.Data {
			entry.Data = append(entry.Data, mapping.Hex(x))
		}
		info.Contents = append(info.Contents, entry)
	}
	for _, r := range Registers {
		info.Registers = append(info.Registers, registersInfo{r.Name, r.Offset, r.Access})
	}
	out, err := json.MarshalIndent(info, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	return append(out, '\n'), nil
}

// regionAddress finds the base address field of a memref argument in the image;
// ok is false for scalars and unused memrefs.
func regionAddress(a mapping.ArgBinding, l *config.Layout) (word, bit int, ok bool) {
	if a.Mem < 0 {
		return 0, 0, false
	}
	s := l.SliceFor(l.Fabric.Comps[a.Mem])
	if s == nil || a.Region >= len(s.Regions) {
		return 0, 0, false
	}
	at := s.WordOffset*config.WordBits + s.Regions[a.Region].Offset.Bit
	return at / config.WordBits, at % config.WordBits, true
}
