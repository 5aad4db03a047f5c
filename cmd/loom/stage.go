package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/simplify"
	"loom/internal/outdir"
)

// sources are the texts read so far by file name, for diagnostics.
type sources map[string]string

func (s sources) text(file string) (string, bool) {
	if t, ok := s[file]; ok {
		return t, true
	}
	// A header, or the source behind an intermediate file.
	src, err := loom.ReadSource(file)
	return src.Text, err == nil
}

// read returns a file's text and keeps it for diagnostics. "-" is standard input, which
// is taken as MLIR: C and C++ are compiled from files.
func (a *app) read(file string) (loom.Source, error) { return a.readAs(file, ".mlir") }

// readAs is read, where standard input is in the language of that extension.
func (a *app) readAs(file, extension string) (loom.Source, error) {
	if file == "-" {
		return a.readStdin(extension)
	}
	src, err := loom.ReadSource(file)
	if err == nil {
		a.sources[file] = src.Text
	}
	return src, err
}

// readStdin reads standard input, as Fabric MLIR where it holds a fabric. It can be read once; artifacts of it are named stdin.
func (a *app) readStdin(extension string) (loom.Source, error) {
	if a.stdinRead {
		return loom.Source{}, usagef("only one input can be -, standard input")
	}
	a.stdinRead = true
	src, err := loom.ReadSource("/dev/stdin")
	if strings.Contains(src.Text, opname.FabricModule) {
		extension = ".mlir"
	}
	src.Name = "stdin" + extension
	if err == nil {
		a.sources[src.Name] = src.Text
	}
	return src, err
}

// watch shows a stage's progress on the terminal and collects its warnings.
func (a *app) watch() loom.Watch {
	return loom.Watch{
		Progress: func(doing string) {
			if doing == "" {
				a.progress.Clear()
			} else {
				a.progress.Set(doing)
			}
		},
		Building: a.building,
		Warn:     func(d *diag.Diagnostic) { a.warnings.Add(d) },
		External: a.external.Store,
	}
}

// building says on standard error, where no progress is shown, that a build takes long and
// that it has ended: a log that stands still for minutes looks like one of a program that
// hangs.
func (a *app) building(b loom.Build) {
	switch {
	case a.progress != nil || a.json:
	case b.Took == 0:
		fmt.Fprintf(a.stderr, "building the Verilator model, about %s; it is kept for later runs\n", max(b.Estimate, time.Second).Round(time.Second))
	default:
		fmt.Fprintf(a.stderr, "built the Verilator model in %s\n", b.Took.Round(time.Second))
	}
}

// outFlag registers the required flag -o.
func (a *app) outFlag(c *cobra.Command, out *string) {
	c.Flags().StringVarP(out, "output", "o", "", "output `directory`; it is made where it does not exist")
	a.need(c, "output", "-o DIR")
}

// deliver writes a command's artifacts to the directory, all or none, and returns their
// names. The files that the command has read are not overwritten, also if an artifact has
// the same name.
func (a *app) deliver(out string, artifacts *loom.Artifacts) ([]string, error) {
	return artifacts.Write(out, slices.Collect(maps.Keys(a.sources))...)
}

// collect opens the output directory for artifacts that are written one by one.
func (a *app) collect(out string) (*outdir.Dir, error) {
	dir, err := outdir.New(out)
	if err != nil {
		return nil, err
	}
	for file := range a.sources {
		dir.Protect(file)
	}
	return dir, nil
}

// parse reads and verifies an MLIR file.
func (a *app) parse(file string) (*ir.Operation, error) {
	src, err := a.read(file)
	if err != nil {
		return nil, err
	}
	return loom.Parse(src, a.watch())
}

// loadFabric reads a shipped fabric, an architecture description or Fabric MLIR.
func (a *app) loadFabric(nameOrFile string) (*loom.Fabric, error) {
	src, err := loom.ReadFabric(nameOrFile)
	if nameOrFile == "-" {
		src, err = a.readStdin(".yaml")
	}
	if err != nil {
		return nil, err
	}
	a.sources[src.Name] = src.Text
	return loom.LoadFabric(src, a.watch())
}

// loadGraph reads a .dfg.mlir file.
func (a *app) loadGraph(file string, opts loom.CompileOptions) (*loom.Kernel, error) {
	src, err := a.read(file)
	if err != nil {
		return nil, err
	}
	opts.Watch = a.watch()
	return loom.LoadGraph(src, opts)
}

// compile lowers a kernel file to its graph, for that fabric if one is given.
func (a *app) compile(file string, lf *lowerFlags, fabric *loom.Fabric) (*loom.Kernel, error) {
	src, err := a.readKernel(file, lf)
	if err != nil {
		return nil, err
	}
	lf.Fabric = fabric
	k, err := loom.Compile(a.ctx, src, lf.CompileOptions)
	if err != nil || k.Module != nil {
		return k, err
	}
	for _, f := range []struct {
		flag  string
		given bool
	}{{"--dump-after", lf.DumpAfter != "" && !(lf.Direct && simplify.Table().Dumps(lf.DumpAfter) != "")}, {"--explain-memory", lf.ExplainMemory}} {
		if f.given {
			a.warnings.Warnf(diag.Pos{File: file}, "%s has no effect: the input is a dataflow graph already", f.flag)
		}
	}
	return k, nil
}

// readKernel reads a kernel and completes the options for it.
func (a *app) readKernel(file string, lf *lowerFlags) (loom.Source, error) {
	src, err := a.read(file)
	if !src.FrontEnd() && len(lf.Flags) > 0 {
		a.warnings.Warnf(diag.Pos{File: file}, "-I, -D and --std have no effect: the input is no C or C++ source")
	}
	lf.Watch, lf.DumpTo = a.watch(), a.stderr
	return src, err
}
