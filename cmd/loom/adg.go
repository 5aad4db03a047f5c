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
		Args:  exactArgs("ARCH.yaml"),
		RunE: func(_ *cobra.Command, args []string) error {
			h, err := a.loadFabric(args[0])
			if err != nil {
				return err
			}
			dir, err := outdir.New(out)
			if err != nil {
				return err
			}
			defer dir.Discard()
			if err := a.writeFabric(dir, h); err != nil {
				return err
			}
			names, err := dir.Commit()
			if err != nil {
				return err
			}
			a.say("%s: %s", args[0], describe(h))
			a.sayArtifacts(out, names)
			if a.json {
				a.answer(map[string]any{"status": "done", "artifacts": names, "diagnostics": diag.JSON(&a.warnings)})
			}
			return nil
		},
	}
	outFlag(c, &out)
	return c
}

// describe is a fabric in a line.
func describe(h *hardware) string {
	count := map[arch.Kind]int{}
	for _, c := range h.fabric.Comps {
		count[c.Kind]++
	}
	parts := []string{}
	for _, k := range []struct {
		kind arch.Kind
		noun string
	}{{arch.SpatialPE, "PE"}, {arch.SpatialSwitch, "switch"}, {arch.ExtMemory, "external memory port"}, {arch.Memory, "on-chip memory"}, {arch.FIFO, "FIFO"}} {
		if n := count[k.kind]; n > 0 {
			word := plural(n, k.noun)
			word = strings.Replace(strings.Replace(word, "switchs", "switches", 1), "memorys", "memories", 1)
			parts = append(parts, word)
		}
	}
	return fmt.Sprintf("fabric %s: %s; configuration %s", ir.SymbolText(h.fabric.Name), strings.Join(parts, ", "), plural(h.layout.WordCount, "word"))
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
		if findFunc(h.module, "fabric.module", "") == nil {
			return nil, diag.New(diag.Pos{File: file}, "holds no fabric.module").
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

// writeFabric writes the hardware artifacts that do not depend on a kernel,
// RTL excepted.
func (a *app) writeFabric(dir *outdir.Dir, h *hardware) error {
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
