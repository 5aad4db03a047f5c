package main

import (
	"strings"

	"github.com/spf13/cobra"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/internal/outdir"
)

// outFlag gives a command its -o, without which it does not run.
func (a *app) outFlag(c *cobra.Command, out *string) {
	c.Flags().StringVarP(out, "output", "o", "", "output `directory`; it is made where it does not exist")
	a.need(c, "output", "-o DIR")
}

// deliver writes a command's artifacts to the directory, all or none, and
// returns their names.
func (a *app) deliver(out string, write ...func(*outdir.Dir) error) ([]string, error) {
	dir, err := a.collect(out)
	if err != nil {
		return nil, err
	}
	defer dir.Discard()
	for _, w := range write {
		if err := w(dir); err != nil {
			return nil, err
		}
	}
	return dir.Commit()
}

// collect opens the output directory. The files that the command has read stay as
// they are, also where an artifact has the same name.
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
	switch {
	case strings.HasSuffix(file, ".yaml") || strings.HasSuffix(file, ".yml"):
		return nil, diag.New(diag.Pos{File: file}, "is an architecture description, expected MLIR").
			WithHelp("loom adg makes Fabric MLIR of it")
	case strings.HasSuffix(file, ".json"):
		return nil, diag.New(diag.Pos{File: file}, "is JSON, expected MLIR")
	}
	text, err := a.read(file)
	if err != nil {
		return nil, err
	}
	module, err := mlir.Parse(file, text)
	if err != nil {
		return nil, err
	}
	var errs diag.List
	ir.Verify(module, &errs)
	if errs.HasErrors() {
		return nil, &errs
	}
	a.warnings.All = append(a.warnings.All, errs.All...)
	// From here on findings are about the kernel, not about its text.
	a.located[file] = mlir.AdoptLocations(module)
	return module, nil
}

// opsNamed are the operations of that name at the top of a module, in order.
func opsNamed(module *ir.Operation, name string) []*ir.Operation {
	var out []*ir.Operation
	for _, r := range module.Regions {
		for _, b := range r.Blocks {
			for _, o := range b.Ops {
				if o.Name == name {
					out = append(out, o)
				}
			}
		}
	}
	return out
}

// withSymbol returns the operation of that symbol, nil where there is none.
func withSymbol(ops []*ir.Operation, symbol string) *ir.Operation {
	for _, o := range ops {
		if o.SymName() == symbol {
			return o
		}
	}
	return nil
}

// symbols lists operations for messages: "@f, @g".
func symbols(ops []*ir.Operation) string {
	names := make([]string, len(ops))
	for i, o := range ops {
		names[i] = ir.SymbolText(o.SymName())
	}
	return strings.Join(names, ", ")
}

// pickGraph chooses the handshake.func of a module: the named one, else the only
// one.
func pickGraph(file string, module *ir.Operation, function string) (*ir.Operation, error) {
	all := opsNamed(module, opname.HandshakeFunc)
	switch {
	case len(all) == 0:
		return nil, diag.New(diag.Pos{File: file}, "holds no handshake.func, so it is no dataflow graph").
			WithHelp("loom compile makes one from a kernel")
	case function != "":
		if fn := withSymbol(all, function); fn != nil {
			return fn, nil
		}
		return nil, diag.New(diag.Pos{File: file}, "holds no handshake.func %s", ir.SymbolText(function)).
			WithHelp("it holds %s", symbols(all))
	case len(all) > 1:
		return nil, diag.New(all[1].Pos, "the file holds %d graphs", len(all)).
			WithHelp("choose one with --function: %s", symbols(all))
	}
	return all[0], nil
}
