package main

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/compiler/report"
	"loom/internal/outdir"
	"loom/rtlgen"
)

// hardware is a fabric on its way to RTL.
type hardware struct {
	stem   string
	module *ir.Operation // builtin.module around the fabric.module
	text   string        // its Fabric MLIR, what <adg>.fabric.mlir holds
	fabric *arch.Fabric
	layout *config.Layout
}

func (a *app) adgCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "adg ARCH.yaml -o DIR",
		Short: "Build a fabric (Fabric MLIR) from an architecture description",
		Long: `Reads an architecture description (.yaml) and writes the fabric it describes as
Fabric MLIR (<adg>.fabric.mlir) and as a drawing for viewers
(<adg>.fabric.viz.json). Fabric MLIR is read as well, and written back in the
form that the later stages see.`,
		Example: `  loom adg mesh6x6.yaml -o out
  loom verify out/mesh6x6.fabric.mlir`,
		Args: exactArgs("ARCH.yaml"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := outdir.Check(out); err != nil {
				return err
			}
			h, err := a.loadFabric(args[0])
			if err != nil {
				return err
			}
			names, err := a.deliver(out, h.write)
			if err != nil {
				return err
			}
			a.say("%s: %s", args[0], h)
			a.sayArtifacts(out, names)
			a.done(answer{Artifacts: names})
			return nil
		},
	}
	a.outFlag(c, &out)
	return c
}

// String describes the fabric in a line.
func (h *hardware) String() string {
	count := map[arch.Kind]int{}
	for _, c := range h.fabric.Comps {
		count[c.Kind]++
	}
	var parts []string
	for _, k := range []struct {
		kind arch.Kind
		noun string
	}{{arch.SpatialPE, "PE"}, {arch.SpatialSwitch, "switch"}, {arch.ExtMemory, "external memory"}, {arch.Memory, "on-chip memory"}, {arch.FIFO, "FIFO"}} {
		if n := count[k.kind]; n > 0 {
			parts = append(parts, diag.Plural(n, k.noun))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no components"}
	}
	return fmt.Sprintf("fabric %s: %s; configuration of %s", ir.SymbolText(h.fabric.Name), strings.Join(parts, ", "), diag.Plural(h.layout.WordCount, "word"))
}

// loadFabric reads an architecture description or Fabric MLIR.
func (a *app) loadFabric(file string) (*hardware, error) {
	h := &hardware{stem: stem(file)}
	if strings.HasSuffix(file, ".yaml") || strings.HasSuffix(file, ".yml") {
		text, err := a.read(file)
		if err != nil {
			return nil, err
		}
		if h.module, err = build.Build(file, []byte(text)); err != nil {
			return nil, err
		}
	} else {
		var err error
		if h.module, err = a.parse(file); err != nil {
			return nil, err
		}
		if len(opsNamed(h.module, opname.FabricModule)) == 0 {
			return nil, diag.New(diag.Pos{File: file}, "holds no fabric.module, so it is no fabric").
				WithHelp("a fabric is an architecture description (.yaml) or Fabric MLIR, which loom adg writes")
		}
	}
	h.text = mlir.Print(h.module, mlir.Options{})
	var err error
	if h.fabric, err = arch.FromModule(h.module, ""); err != nil {
		return nil, err
	}
	h.layout = config.NewLayout(h.fabric)
	return h, nil
}

// write writes the hardware artifacts that do not depend on a kernel, RTL
// excepted.
func (h *hardware) write(dir *outdir.Dir) error {
	if err := dir.Write(h.stem+".fabric.mlir", []byte(h.text)); err != nil {
		return err
	}
	viz, err := report.FabricViz(h.fabric)
	if err != nil {
		return err
	}
	return dir.Write(h.stem+".fabric.viz.json", viz)
}

// generate makes the fabric's RTL.
func (h *hardware) generate() (*rtlgen.Output, error) {
	return rtlgen.Generate(h.fabric, h.layout, rtlgen.Meta{
		InputName:   h.stem + ".fabric.mlir",
		InputHash:   fmt.Sprintf("%x", sha256.Sum256([]byte(h.text)))[:16],
		ToolVersion: version,
	})
}
