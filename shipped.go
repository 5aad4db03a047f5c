package loom

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/arch/shipped"
	"loom/compiler/diag"
	"loom/compiler/units"
)

// ShippedFabrics names the architectures that are built in, the smallest first.
func ShippedFabrics() []string { return shipped.Names() }

// ReadFabric returns the architecture description that is built in under that name, and
// otherwise reads the file. A file named like a fabric is read as ./NAME. The error is a
// *diag.Diagnostic.
func ReadFabric(nameOrFile string) (Source, error) {
	if text, ok := shipped.Text(nameOrFile); ok {
		return Source{nameOrFile + shipped.Extension, text}, nil
	}
	src, err := ReadSource(nameOrFile)
	if err == nil {
		return src, nil
	}
	if _, statErr := os.Stat(nameOrFile); !os.IsNotExist(statErr) {
		return src, err
	}
	if stem := Stem(nameOrFile); slices.Contains(shipped.Names(), stem) {
		return src, diag.New(diag.Pos{File: nameOrFile}, "there is no such file").
			WithHelp("the fabric %s is built in and goes by its name", stem)
	}
	if filepath.Base(nameOrFile) != nameOrFile || filepath.Ext(nameOrFile) != "" {
		return src, err
	}
	d := diag.New(diag.Pos{File: nameOrFile}, "there is neither a fabric of that name nor such a file")
	if nameOrFile == AutoFabric {
		return src, d.WithHelp("loom build finds the fabric; the other commands take its name, which loom fabrics lists")
	}
	help := "the fabrics are " + strings.Join(shipped.Names(), ", ") + "; loom fabrics describes them"
	if s := shipped.Suggest(nameOrFile); s != "" {
		help = "did you mean " + s + "? " + help
	}
	return src, d.WithHelp("%s", help)
}

// FabricFacts are what a fabric offers.
type FabricFacts struct {
	Name string `json:"name"`
	// PEs is the number of processing elements, Inputs and Outputs are those of boundary
	// channels, start and done token included.
	PEs     int `json:"pes"`
	Inputs  int `json:"inputs"`
	Outputs int `json:"outputs"`
	// LUTs and FFs are what synthesis needs for <adg>_fabric (docs/architecture.md).
	LUTs int `json:"luts"`
	FFs  int `json:"ffs"`
	// Estimated is set if they are those of the cost model (package cost), not measured.
	Estimated bool `json:"estimated,omitempty"`
	// Memories lists the kinds of memories, external ones first.
	Memories []MemoryFacts `json:"memories"`
	// Operations lists the classes of operations.
	Operations []OperationFacts `json:"operations"`
}

// MemoryFacts are a number of memories of one kind.
type MemoryFacts struct {
	Count    int    `json:"count"`
	External bool   `json:"external"`
	Element  string `json:"element"`
	// Loads and Stores are the lanes of each.
	Loads  int `json:"loads"`
	Stores int `json:"stores"`
	// Regions is the number of arrays that each can hold.
	Regions int `json:"regions"`
	// Elements is the capacity on chip, Host whether the host reaches it.
	Elements int64 `json:"elements,omitempty"`
	Host     bool  `json:"host,omitempty"`
}

// String is the memories on a line.
func (m MemoryFacts) String() string {
	s := fmt.Sprintf("%d × %s", m.Count, m.Element)
	if !m.External {
		s = fmt.Sprintf("%d × %d × %s on chip", m.Count, m.Elements, m.Element)
	}
	s += fmt.Sprintf(", %s, %s", diag.Plural(m.Loads, "load"), diag.Plural(m.Stores, "store"))
	if m.Regions > 1 {
		s += fmt.Sprintf(", for %d arrays", m.Regions)
	}
	if m.Host {
		s += ", the host reaches it"
	}
	return s
}

// OperationFacts are the operations of a class, as architecture files call them.
type OperationFacts struct {
	Class string `json:"class"`
	// PEs is the number of PEs that execute at least one of them.
	PEs int `json:"pes"`
	// Units is the number of units outside of PEs that do: loads and stores at the ports of memories.
	Units int `json:"units,omitempty"`
	// Operations are the names with their types: "addi i32".
	Operations []string `json:"operations"`
}

// area is that of the fabric, measured or else estimated.
func (f *Fabric) area() (area shipped.Figures, measured bool) {
	area, measured = shipped.Area[f.Name]
	if text, ok := shipped.Text(f.Name); !ok || text != f.source || !measured {
		// also where a file has that name
		total := f.Cost().Total
		return shipped.Figures{LUTs: total.LUTs, FFs: total.FFs}, false
	}
	return area, true
}

// Facts states what the fabric offers.
func (f *Fabric) Facts() FabricFacts {
	area, measured := f.area()
	facts := FabricFacts{Name: f.Name, Inputs: len(f.Arch.Inputs), Outputs: len(f.Arch.Outputs), LUTs: area.LUTs, FFs: area.FFs, Estimated: !measured}
	for _, c := range f.Arch.Comps {
		switch {
		case c.Units() != nil:
			if c.GeneralPE() {
				facts.PEs++
			}
			facts.addOperations(c)
		case c.Mem != nil:
			facts.addMemory(c)
		}
	}
	slices.SortStableFunc(facts.Memories, func(a, b MemoryFacts) int {
		if a.External == b.External {
			return 0
		}
		if a.External {
			return -1
		}
		return 1
	})
	slices.SortStableFunc(facts.Operations, func(a, b OperationFacts) int {
		return slices.Index(units.Groups, a.Class) - slices.Index(units.Groups, b.Class)
	})
	return facts
}

func (f *FabricFacts) addMemory(c *arch.Component) {
	m := MemoryFacts{Count: 1, External: c.Kind == arch.ExtMemory, Element: c.Mem.Type.Elem.String(), Loads: c.Mem.LdCount, Stores: c.Mem.StCount,
		Regions: c.Mem.NumRegion, Elements: c.Mem.Elements, Host: c.Kind == arch.Memory && !c.Mem.Private}
	for i := range f.Memories {
		like := m
		if like.Count = f.Memories[i].Count; like == f.Memories[i] {
			f.Memories[i].Count++
			return
		}
	}
	f.Memories = append(f.Memories, m)
}

func (f *FabricFacts) addOperations(x *arch.Component) {
	var counted []string // the classes that have this PE
	for _, fu := range x.Units() {
		for _, o := range fu.Ops {
			u, _ := units.Lookup(o.Op.Name)
			class, name := u.Group(), u.Spell(o.Op)
			i := slices.IndexFunc(f.Operations, func(c OperationFacts) bool { return c.Class == class })
			if i < 0 {
				i = len(f.Operations)
				f.Operations = append(f.Operations, OperationFacts{Class: class})
			}
			c := &f.Operations[i]
			if !slices.Contains(counted, class) {
				counted = append(counted, class)
				if x.GeneralPE() {
					c.PEs++
				} else {
					c.Units++
				}
			}
			if !slices.Contains(c.Operations, name) {
				c.Operations = append(c.Operations, name)
			}
		}
	}
}
