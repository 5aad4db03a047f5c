package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"loom/compiler/pass"
	"loom/compiler/pipeline"
)

func (a *app) passesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "passes",
		Short: "List the stages and passes from LLVM IR to RTL, with what each requires and guarantees",
		Long: `Lists the stages from LLVM IR to RTL in order, with the files they read and write,
and the passes of those that work on IR: why each exists, what must hold before it
and what holds behind it. A property marked with * is verified: behind the last pass
of its stage, and after every pass of the lowering and where --dump-after is given.
Every pass may be named in --dump-after.`,
		Example: `  loom passes
  loom passes --json
  loom compile dot.c -o out --dump-after promote`,
		Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error {
			stages := pipeline.Stages()
			a.print("%s", strings.TrimRight(passList(stages), "\n"))
			a.done(result{Stages: stages})
			return nil
		},
	}
}

// passList formats stages as text.
func passList(stages []pipeline.Stage) string {
	var b strings.Builder
	for _, s := range stages {
		fmt.Fprintf(&b, "%s: %s\n", s.Name, s.Does)
		list(&b, "  reads  ", s.In)
		list(&b, "  writes ", s.Out)
		if s.Table != nil {
			list(&b, "  given  ", facts(s.Table.Given, false))
			for _, p := range s.Table.Passes {
				fmt.Fprintf(&b, "  %s: %s\n", p.Name, p.Reason)
				list(&b, "    requires   ", facts(p.Requires, false))
				for _, f := range facts(p.Guarantees, true) {
					list(&b, "    guarantees ", []string{f})
				}
				list(&b, "    ends       ", facts(p.Ends, false))
			}
			for _, c := range s.Table.Order {
				fmt.Fprintf(&b, "  %s before %s: %s\n", c.Before, c.After, c.Reason)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func list(b *strings.Builder, head string, what []string) {
	if len(what) > 0 {
		fmt.Fprintf(b, "%s%s\n", head, strings.Join(what, ", "))
	}
}

// facts returns the names of properties, with meanings also what they mean.
func facts(list []pass.Fact, meanings bool) []string {
	var out []string
	for _, f := range list {
		text := f.Name
		if f.Checked {
			text += "*"
		}
		if meanings {
			text += ": " + f.Means
		}
		out = append(out, text)
	}
	return out
}
