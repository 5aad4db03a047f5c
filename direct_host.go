package loom

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"loom/compiler/cabi"
	"loom/compiler/circuit"
	"loom/compiler/config"
	"loom/compiler/config/cheader"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/rtlgen"
	"loom/sim/hostsim"
)

// deployment is what the host's files of a circuit behind a register file are made from, nil for
// other controls. It is nil, too, where a part of the function stays on the host and an array that
// it may share with the circuit has ports of its own: reason says so.
func (d *Direct) deployment() (p *deployment, reason string) {
	w := d.RTL.Wrapper
	if w == nil {
		return nil, ""
	}
	layout := w.RegisterFile()
	if layout == nil {
		return nil, ""
	}
	k := d.Kernel
	p = &deployment{
		kernel: k, name: k.Name + ".direct", hardware: "direct circuit " + w.Name, apart: map[int]bool{}, image: &config.Image{Layout: layout},
		info: cheader.Info{DFG: k.Name, ADG: "direct", Tool: "loom " + Version, Circuit: w.Name},
	}
	for _, a := range d.Ports {
		if !onBus(a) {
			if k.Domain != nil && k.Domain.Loop >= 0 {
				return nil, fmt.Sprintf("there is no host function: a part of '%s' stays on the host, and array '%s' has %s ports, which the host does not reach",
					k.Name, a.Array, a.Style)
			}
			p.apart[a.Arg] = true
		}
	}
	p.binding = directBinding(k, d.Circuit, w)
	return p, ""
}

// onBus reports whether an array is where the host can have it, too: in memory behind a bus.
func onBus(a ArrayPorts) bool { return a.Style == rtlgen.PortsAXI4 || a.Style == rtlgen.PortsAXI4Each }

// directBinding is where the arguments and results of a kernel are in the register file of its
// wrapper.
func directBinding(k *Kernel, c *circuit.Circuit, w *rtlgen.Wrapper) *mapping.Binding {
	b := &mapping.Binding{Kernel: c.Name}
	fn := k.Graph
	args := fn.Regions[0].Entry().Args
	roms, err := cabi.ReadROM(fn, args)
	if err != nil {
		roms = make([]bool, len(args))
	}
	arrays := circuit.ArrayNames(fn)
	for i, a := range args {
		if a.Type == ir.Type(ir.None) {
			continue // start
		}
		x := mapping.ArgBinding{Name: circuit.ArgumentName(fn, i), Type: a.Type, Input: -1, Mem: -1, ROM: roms[i]}
		if name := arrays[i]; name != "" {
			x.Name = name
		}
		for k, base := range w.Bases {
			if base.Array.Arg == i {
				x.Mem = k
			}
		}
		b.Args = append(b.Args, x)
	}
	for i, p := range c.Inputs {
		if p.Arg < 0 {
			b.Start = i
		} else {
			b.Args[p.Arg].Input = i
		}
	}
	for i, p := range c.Outputs {
		if p.Arg < 0 {
			b.Done = i
		} else {
			b.Results = append(b.Results, mapping.ResultBinding{Name: p.Name, Type: p.Type, Output: i})
		}
	}
	return b
}

// makeHost makes the host's files.
func (d *Direct) makeHost(w *Watch) error {
	p, reason := d.deployment()
	if reason != "" {
		var l diag.List
		w.warn(l.Warnf(d.Kernel.Graph.Pos, "%s", reason).WithHelp("--ports axi4 puts all arrays into memory that both reach"))
	}
	if p == nil {
		return nil
	}
	var err error
	d.host, err = p.files()
	return err
}

// design is the RTL behind a register file.
func (d *Direct) design() (*rtlgen.Output, error) { return hostDesign(d.RTL) }

func (d *Direct) cycleModel() error { return errNoCycleModel }

func (d *Direct) run(context.Context, string, hostsim.RunOptions) (*DeviceReport, error) {
	return nil, errNoCycleModel
}

// Block is the RTL of a direct circuit as BuildDirect has made it, read from its files.
type Block struct {
	rtl *rtlgen.Output
}

// LoadBlock reads the block that loom build --direct has written to a directory: rtl/filelist.f, what
// it lists, and the signature beside it. The error is fs.ErrNotExist where there is no block.
func LoadBlock(dir string) (*Block, error) {
	rtl, err := rtlgen.LoadDirect(filepath.Join(dir, "rtl"))
	if err != nil {
		return nil, err
	}
	return &Block{rtl}, nil
}

func (b *Block) design() (*rtlgen.Output, error) { return hostDesign(b.rtl) }

func (b *Block) cycleModel() error { return errNoCycleModel }

func (b *Block) run(context.Context, string, hostsim.RunOptions) (*DeviceReport, error) {
	return nil, errNoCycleModel
}

var errNoCycleModel = errors.New("the cycle simulator has no model of a direct circuit behind its register file: use the Verilator model")

// hostDesign is the RTL of a direct circuit, if a program can drive it.
func hostDesign(rtl *rtlgen.Output) (*rtlgen.Output, error) {
	s := rtl.Direct
	if s.Control != rtlgen.ControlAXI4Lite {
		return nil, diag.New(diag.Pos{}, "the direct circuit '%s' has no register file: its control is %s", s.Module, s.Control).
			WithHelp("build it with --control axi4lite --ports axi4")
	}
	for _, a := range s.Arrays {
		if a.Ports != rtlgen.PortsAXI4 && a.Ports != rtlgen.PortsAXI4Each {
			return nil, diag.New(diag.Pos{}, "array '%s' of the direct circuit '%s' has %s ports, behind which the program's memory is not", a.Name, s.Module, a.Ports).
				WithHelp("build it with --ports axi4")
		}
	}
	return rtl, nil
}
