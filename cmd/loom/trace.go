package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
	"loom/internal/outdir"
)

func (a *app) traceCommand() *cobra.Command {
	var out, mapFile string
	c := &cobra.Command{
		Use:   "trace RUN.sim.trace [--map F] -o DIR",
		Short: "Convert a run's trace to the format of Perfetto",
		Long: `Reads the trace of a run (<dfg>.<adg>.sim.trace, which loom sim, loom cosim and
loom build --cosim write) and writes <dfg>.<adg>.perfetto.json, which
ui.perfetto.dev and chrome://tracing open: one track per component with what it
does in every cycle (active, waits for data, waits for room), the tokens at the
ports of units, the iterations of loops, and the accesses to external memory
under way. One clock cycle is one microsecond there. With --map the tracks name
the operations that run on the components.`,
		Example: `  loom sim --dfg out/dot.dfg.mlir --adg out/mesh6x6.fabric.mlir \
      --map out/dot.mesh6x6.map.json --random 1 -o out
  loom trace out/dot.mesh6x6.sim.trace --map out/dot.mesh6x6.map.json -o out`,
		Args: exactArgs("RUN.sim.trace"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := outdir.Check(out); err != nil {
				return err
			}
			var m *loom.Source
			if mapFile != "" {
				src, err := a.read(mapFile)
				if err != nil {
					return err
				}
				m = &src
			}
			names, err := a.writePerfetto(out, args[0], m)
			if err != nil {
				return err
			}
			a.printArtifacts(out, names)
			a.done(result{Artifacts: names})
			return nil
		},
	}
	a.outFlag(c, &out)
	c.Flags().StringVar(&mapFile, "map", "", "mapping `file` (.map.json) of the run, for the names of operations")
	return c
}

// writePerfetto converts a trace of any length, event by event.
func (a *app) writePerfetto(out, file string, m *loom.Source) ([]string, error) {
	in, err := os.Open(file)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, diag.New(diag.Pos{File: file}, "cannot read the file: %v", err)
	}
	defer in.Close()
	dir, err := a.collect(out)
	if err != nil {
		return nil, err
	}
	defer dir.Discard()
	dir.Protect(file)
	name := filepath.Base(file)
	for _, ext := range []string{".trace", ".sim"} {
		name = strings.TrimSuffix(name, ext)
	}
	path, err := dir.Path(name + ".perfetto.json")
	if err != nil {
		return nil, err
	}
	w, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	err = loom.Perfetto(w, file, in, m)
	if closed := w.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, err
	}
	return dir.Commit()
}
