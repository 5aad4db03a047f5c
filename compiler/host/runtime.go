package host

import (
	"encoding/json"
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/mapping"
)

// runtimeInfo is <dfg>.<adg>.runtime.json: what a host program in any language
// needs to run the kernel on the configured fabric. The tags doc are its documentation in
// docs/registers.md.
type runtimeInfo struct {
	Kernel       string           `json:"kernel" doc:"name of the function"`
	Fabric       string           `json:"fabric" doc:"name of the fabric, or of the module of a direct circuit"`
	LayoutHash   string           `json:"layout_hash" doc:"16 hexadecimal digits, which the registers HASH_HI and HASH_LO hold"`
	Words        int              `json:"config_words" doc:"32-bit words of the image; a direct circuit drops its one word"`
	IndexWidth   int              `json:"index_width" doc:"bits of an index: values of this type must fit"`
	Start        portInfo         `json:"start" doc:"boundary input of the start token, an argument of no bits that every run needs"`
	Done         portInfo         `json:"done" doc:"boundary output of the token that ends a run"`
	Scalars      []portInfo       `json:"scalars" doc:"scalar arguments in the order of the kernel's, and arrays that it does not use"`
	Memories     []memoryInfo     `json:"memories" doc:"array arguments in external memory, with an entry for each memory that serves accesses to one"`
	Tables       []tableInfo      `json:"tables" doc:"constant arrays that the kernel reads from external memory: the program keeps them there and writes their addresses; with an entry for each memory through which one is read"`
	Results      []portInfo       `json:"results" doc:"results in the kernel's order"`
	HostMemories []hostMemoryInfo `json:"host_memories" doc:"on-chip memories that the memory registers reach, by their number there"`
	Contents     []contentsInfo   `json:"contents" doc:"what the host writes to them before every run: the kernel's own arrays"`
	Registers    []registersInfo  `json:"registers" doc:"the register map"`
}

type portInfo struct {
	Name  string `json:"name,omitempty" doc:"in the kernel; none for tokens"`
	Type  string `json:"type" doc:"MLIR type of the value; none for tokens"`
	Index int    `json:"index" doc:"number of the boundary port: k of ARG or RESULT; -1 for an argument that the kernel does not use"`
	Port  string `json:"port,omitempty" doc:"its name in the fabric"`
}

type memoryInfo struct {
	Name      string `json:"name" doc:"in the kernel"`
	Type      string `json:"type" doc:"MLIR type of the array"`
	Component string `json:"component" doc:"the external memory, whose AXI4 port reaches the array"`
	Region    int    `json:"region" doc:"entry of its address table"`
	Word      int    `json:"address_word" doc:"word of the image in which the 64-bit offset of the region begins; 0 as it is written, and of no meaning in a direct circuit"`
	Bit       int    `json:"address_bit" doc:"bit of that word"`
	Base      int    `json:"base_register" doc:"k of BASE for the array's address"`
	Sized     bool   `json:"sized,omitempty" doc:"true where SIZE k, with the same k, takes the array's size in bytes"`
	ReadOnly  bool   `json:"read_only,omitempty" doc:"true for an array that the source marks as ROM: nobody may write it during a run"`
}

type tableInfo struct {
	Name        string        `json:"name" doc:"the array"`
	ElementBits int           `json:"element_bits" doc:"bits of an element in memory: 8, 16, 32 or 64"`
	Component   string        `json:"component" doc:"the external memory, whose AXI4 port reaches it"`
	Region      int           `json:"region" doc:"entry of its address table"`
	Base        int           `json:"base_register" doc:"k of BASE for the table's address"`
	Sized       bool          `json:"sized,omitempty" doc:"true where SIZE k, with the same k, takes the table's size in bytes"`
	Data        []mapping.Hex `json:"data" doc:"its elements as bit patterns, 0x and hexadecimal digits"`
}

type hostMemoryInfo struct {
	Component   string `json:"component" doc:"the memory"`
	ElementBits int    `json:"element_bits" doc:"8, 16, 32 or 64"`
	Elements    int64  `json:"elements" doc:"their number"`
}

type contentsInfo struct {
	Name   string        `json:"name" doc:"the array"`
	Memory int           `json:"memory" doc:"number in host_memories, for MEM_SELECT"`
	First  int64         `json:"first_element" doc:"where it begins, for MEM_ADDR"`
	Data   []mapping.Hex `json:"data" doc:"its elements as bit patterns, 0x and hexadecimal digits"`
}

type registersInfo struct {
	Name   string `json:"name" doc:"as above"`
	Offset int    `json:"offset" doc:"in bytes; of the first one where there are several"`
	Access string `json:"access" doc:"as above"`
}

// Runtime returns runtime.json: where arguments, results and control tokens are,
// where base addresses go, and the register map.
func Runtime(b *mapping.Binding, l *config.Layout, f *arch.Fabric) ([]byte, error) {
	info := runtimeInfo{
		Kernel: b.Kernel, Fabric: f.Name, LayoutHash: fmt.Sprintf("%016x", l.Hash), Words: l.WordCount, IndexWidth: f.IndexWidth,
		Start:   portInfo{Type: "none", Index: b.Start, Port: f.Inputs[b.Start].Name},
		Done:    portInfo{Type: "none", Index: b.Done, Port: f.Outputs[b.Done].Name},
		Scalars: []portInfo{}, Memories: []memoryInfo{}, Results: []portInfo{},
		Tables: []tableInfo{}, HostMemories: []hostMemoryInfo{}, Contents: []contentsInfo{},
	}
	for _, a := range b.Args {
		for _, at := range a.Places() {
			word, bit := regionAddress(at, l)
			c := f.Comps[at.Mem]
			info.Memories = append(info.Memories, memoryInfo{a.Name, a.Type.String(), c.Name, at.Region, word, bit, f.BaseRegister(c, at.Region), f.SizeRegister(c, at.Region) >= 0, a.ROM})
		}
		if a.Mem >= 0 {
			continue
		}
		p := portInfo{Name: a.Name, Type: a.Type.String(), Index: a.Input}
		if a.Input >= 0 {
			p.Port = f.Inputs[a.Input].Name
		}
		info.Scalars = append(info.Scalars, p)
	}
	for _, t := range b.Tables {
		for _, at := range t.Places() {
			c := f.Comps[at.Mem]
			info.Tables = append(info.Tables, tableInfo{t.Name, 8 * t.ElemBytes, c.Name, at.Region, f.BaseRegister(c, at.Region), f.SizeRegister(c, at.Region) >= 0, hexes(t.Data)})
		}
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
		info.Contents = append(info.Contents, contentsInfo{Name: c.Name, Memory: slot, First: c.First, Data: hexes(c.Data)})
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

func hexes(data []uint64) []mapping.Hex {
	out := make([]mapping.Hex, len(data))
	for i, x := range data {
		out[i] = mapping.Hex(x)
	}
	return out
}

// regionAddress finds the offset of a region in the image.
func regionAddress(at mapping.At, l *config.Layout) (word, bit int) {
	s := l.SliceFor(l.Fabric.Comps[at.Mem])
	if s == nil || at.Region >= len(s.Regions) {
		return 0, 0
	}
	first := s.WordOffset*config.WordBits + s.Regions[at.Region].Offset.Bit
	return first / config.WordBits, first % config.WordBits
}
