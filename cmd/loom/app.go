package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
	"loom/internal/progress"
)

// app is the state of one invocation.
type app struct {
	// ctx ends when the command is interrupted.
	ctx            context.Context
	stdout, stderr io.Writer
	json           bool
	// verbose is -v.
	verbose bool
	// color is --color.
	color    string
	progress *progress.Line
	sources  sources
	// warnings are findings that do not stop the command.
	warnings diag.List
	// started is set when the command line has been parsed and the command runs:
	// earlier errors are bad usage.
	started bool
	// alwaysJSON is set by commands that print JSON also without --json.
	alwaysJSON bool
	needs      map[*cobra.Command][]neededFlag
	// stdinRead is set when standard input has been read.
	stdinRead bool
	// external is set while external programs run for the command.
	external atomic.Bool

	// outputMu guards what follows: an interrupt may print at any time.
	outputMu sync.Mutex
	// printed is set when the command has put its JSON object on stdout.
	printed bool
	// stdoutErr is the first error of writing to stdout.
	stdoutErr error
}

func newApp(ctx context.Context, stdout, stderr io.Writer) *app {
	a := &app{ctx: ctx, stdout: stdout, stderr: stderr, sources: sources{}, needs: map[*cobra.Command][]neededFlag{}}
	if f, ok := stderr.(*os.File); ok {
		a.progress = progress.New(f)
	}
	return a
}

// usageError is a mistake on the command line.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// statusError ends a command whose output has been printed already: the run did not
// end in done.
type statusError struct {
	status string
	code   int // exit status
}

func (e *statusError) Error() string { return e.status }

// run executes one command line and returns the exit status.
func (a *app) run(args []string) (code int) {
	defer func() {
		// A panic is a fault of LOOM, never of the input: report it as such, with
		// what a bug report needs, instead of a bare trace.
		if p := recover(); p != nil {
			a.progress.Clear()
			a.fail(&diag.Diagnostic{
				Severity: diag.Internal,
				Message:  fmt.Sprintf("%v\n%s", p, debug.Stack()),
				Help:     "this is a fault of LOOM; please report it with the input file",
			})
			code = exitInput
		}
	}()
	root := a.rootCommand()
	root.SetArgs(args)
	// Cobra prints help and version itself; with --json they become an object.
	var text bytes.Buffer
	root.SetOut(&text)
	root.SetErr(&text)
	err := root.Execute()
	a.progress.Clear()
	if !a.started && requestsJSON(args) {
		a.json = true // the flags may not have been read to their end
	}
	code = a.exit(err)
	if err == nil && text.Len() > 0 {
		if a.json {
			a.printJSON(result{Status: "done", Text: text.String()})
		} else {
			a.write(text.Bytes())
		}
	}
	if a.stdoutErr != nil && code == exitOK {
		fmt.Fprintf(a.stderr, "error: cannot write to standard output: %v\n", a.stdoutErr)
		return exitInput
	}
	return code
}

// requestsJSON reports whether a command line that could not be parsed requests JSON.
func requestsJSON(args []string) bool {
	for _, s := range args {
		switch s {
		case "--json", "--json=true", "--json=1":
			return true
		case "--":
			return false
		}
	}
	return false
}

const rootHelp = `LOOM lowers a loop kernel to an elastic dataflow graph (DFG), maps it onto a
reconfigurable fabric, generates SystemVerilog and configuration, and proves
under Verilator that the hardware computes what the kernel means.

The main job, in one go:
  loom build kernel.c --arch mesh6x6 -o out --cosim

The same in steps, each from the artifact of the one before:
  loom compile kernel.c --arch mesh6x6 -o out
  loom adg mesh6x6 -o out
  loom map --dfg out/kernel.dfg.mlir --adg out/mesh6x6.fabric.mlir -o out
  loom rtl --adg out/mesh6x6.fabric.mlir -o out
  loom cosim --dfg out/kernel.dfg.mlir --adg out/mesh6x6.fabric.mlir \
      --map out/kernel.mesh6x6.map.json --random 1 -o out

Exit status:
  0  success; a run ended in done
  1  the input is at fault, or a run ended in anything but done
  2  bad usage
  3  an external program is missing or failed (see loom doctor)
  130, 143  interrupted (SIGINT, SIGTERM)
A command that fails writes no artifacts; one whose run does not end in done
writes all of them, for finding the fault.`

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "loom",
		Short:         "Loop kernels in, verified hardware out",
		Long:          rootHelp,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       loom.Version,
		RunE: func(c *cobra.Command, _ []string) error {
			return usagef("a command is missing; the commands are: %s\n  see 'loom --help'", strings.Join(commandNames(c), ", "))
		},
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args)
			}
			return nil
		},
	}
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "explain in full why a kernel does not fit its fabric")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print exactly one JSON object on stdout")
	root.CompletionOptions.DisableDefaultCmd = true // completionCommand has the shells of our users
	root.PersistentFlags().StringVar(&a.color, "color", "auto", "`when` to colour messages: auto|always|never; auto is on terminals, unless NO_COLOR is set")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%s; see '%s --help'", flagError(c, err), c.CommandPath())
	})
	commands := []*cobra.Command{
		a.buildCommand(), a.compileCommand(), a.adgCommand(), a.mapCommand(), a.rtlCommand(),
		a.simCommand(), a.cosimCommand(), a.hostSimCommand(), a.traceCommand(), a.verifyCommand(), a.fabricsCommand(), a.exploreCommand(), a.campaignCommand(), a.irdlCommand(), a.passesCommand(), a.doctorCommand(),
		a.completionCommand(root),
	}
	for _, c := range commands {
		a.prepare(c)
		for _, sub := range c.Commands() {
			a.prepare(sub)
		}
	}
	root.AddCommand(commands...)
	completeFlags(root)
	root.SetHelpCommand(helpCommand(root))
	return root
}

// prepare makes a command check what all check before it runs.
func (a *app) prepare(c *cobra.Command) {
	c.DisableFlagsInUseLine = true
	work := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := a.checkColor(); err != nil {
			return err
		}
		if err := a.checkNeeds(c); err != nil {
			return err
		}
		a.started = true
		return work(c, args)
	}
}

// helpCommand is "loom help COMMAND", for which an unknown command is bad usage.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(root, args)
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
	}
}

// unknownCommand is the usage error for a command that does not exist.
func unknownCommand(root *cobra.Command, args []string) error {
	root.SuggestionsMinimumDistance = 2
	near := ""
	if like := root.SuggestionsFor(args[0]); len(like) > 0 {
		near = fmt.Sprintf(", did you mean %s?", like[0])
	}
	return usagef("there is no command %q%s; the commands are: %s", strings.Join(args, " "), near, strings.Join(commandNames(root), ", "))
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			names = append(names, c.Name())
		}
	}
	return names
}

// exactArgs is cobra.ExactArgs with a usage error that names the argument.
func exactArgs(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		want := strings.Join(names, " ")
		if want == "" {
			want = "no arguments beside its flags"
		}
		found := "none"
		if len(args) > 0 {
			found = "'" + strings.Join(args, "' '") + "'"
		}
		return usagef("'%s' takes %s, found %s; see '%s --help'", c.CommandPath(), want, found, c.CommandPath())
	}
}

// neededFlag is a required flag and its spelling in usage messages.
type neededFlag struct{ name, spelling string }

// need marks a flag of c as required.
func (a *app) need(c *cobra.Command, flag, spelling string) {
	a.needs[c] = append(a.needs[c], neededFlag{flag, spelling})
}

// checkNeeds returns a usage error for required flags that are missing or empty.
func (a *app) checkNeeds(c *cobra.Command) error {
	var missing []string
	for _, n := range a.needs[c] {
		if c.Flags().Lookup(n.name).Value.String() == "" {
			missing = append(missing, n.spelling)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return usagef("'%s' needs %s; see '%s --help'", c.CommandPath(), strings.Join(missing, " and "), c.CommandPath())
}

// exit reports err unless it has been reported already, and returns its exit status.
func (a *app) exit(err error) int {
	var status *statusError
	var usage *usageError
	switch {
	case err == nil:
		a.flushWarnings()
		return exitOK
	case errors.As(err, &status):
		a.flushWarnings()
		return status.code
	case errors.Is(err, context.Canceled) && a.ctx.Err() != nil:
		return exitSignal // main, which got the signal, reports it
	}
	a.fail(err)
	switch {
	case errors.As(err, &usage) || !a.started:
		return exitUsage
	case loom.External(err):
		return exitTool
	}
	return exitInput
}
