package main

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/latency"
	"loom/compiler/pipeline"
)

func (a *app) completionCommand(root *cobra.Command) *cobra.Command {
	scripts := map[string]func(w io.Writer) error{
		"bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"zsh":  root.GenZshCompletion,
		"fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
	}
	shells := []string{"bash", "zsh", "fish"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes loom's commands and flags in a shell",
		Long: `Prints the script for bash, zsh or fish. bash needs the package bash-completion.

For every new shell:
  loom completion bash > ~/.local/share/bash-completion/completions/loom
  loom completion zsh > "${fpath[1]}/_loom"
  loom completion fish > ~/.config/fish/completions/loom.fish`,
		Example:   "  source <(loom completion bash)",
		Args:      exactArgs("SHELL"),
		ValidArgs: shells,
		RunE: func(_ *cobra.Command, args []string) error {
			script, ok := scripts[args[0]]
			if !ok {
				return usagef("there is no completion for %q; the shells are: %s", args[0], strings.Join(shells, ", "))
			}
			var b bytes.Buffer
			if err := script(&b); err != nil {
				return err
			}
			if a.json {
				a.done(result{Text: b.String()})
			} else {
				a.write(b.Bytes())
			}
			return nil
		},
	}
}

// passNames lists what --dump-after takes.
func passNames() []string {
	names := []string{"all"}
	for _, s := range pipeline.Stages() {
		if s.Table == nil {
			continue
		}
		for _, p := range s.Table.Passes {
			names = append(names, p.Name)
		}
	}
	return names
}

// autoOrUpTo are the values of a flag that takes auto or a number.
func autoOrUpTo(most int) []string {
	values := []string{autoParts}
	for n := range most + 1 {
		values = append(values, strconv.Itoa(n))
	}
	return values
}

// completeFlags registers what the shell offers for the values of flags and for arguments.
func completeFlags(root *cobra.Command) {
	values := map[string][]string{
		"color":          colorModes,
		"domain":         {"auto", "function", "loop="},
		"memory-order":   {"pipelined", "serial"},
		"simplify":       {"auto", "on", "off"},
		"recent-stores":  autoOrUpTo(loom.MaxRecentStores),
		"interlocks":     {"auto", "on", "off"},
		"more-units":     {"auto", "on", "off"},
		"unroll":         autoOrUpTo(loom.MaxUnroll),
		"unroll-and-jam": autoOrUpTo(loom.MaxUnrollAndJam),
		"reuse":          {"auto", "on", "off"},
		"dump-after":     passNames(),
		"latency":        {"fixed:", "random:"},
		"memory":         latency.DeviceNames(),
		"engine":         {"local", "slurm"},
	}
	files := map[string][]string{
		"arch": {"yaml", "yml", "mlir"}, "adg": {"mlir"}, "dfg": {"mlir"}, "map": {"json"}, "inputs": {"json"},
	}
	all := append(root.Commands(), root)
	for _, c := range root.Commands() {
		all = append(all, c.Commands()...)
	}
	for _, c := range all {
		for flag, v := range values {
			if c.Flags().Lookup(flag) != nil || c.PersistentFlags().Lookup(flag) != nil {
				_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(slices.Clone(v), cobra.ShellCompDirectiveNoFileComp))
			}
		}
		for flag, extensions := range files {
			if c.Flags().Lookup(flag) != nil {
				_ = c.MarkFlagFilename(flag, extensions...)
			}
		}
		for _, flag := range []string{"output", "include"} {
			if c.Flags().Lookup(flag) != nil {
				_ = c.MarkFlagDirname(flag)
			}
		}
	}
}
