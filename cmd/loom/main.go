// Command loom turns loop kernels into hardware: it lowers a kernel to an
// elastic dataflow graph, maps it onto a reconfigurable fabric, generates the
// fabric's SystemVerilog and configuration, and proves under Verilator that the
// hardware computes what the kernel means. Each subcommand lives in a file of
// its own; stage.go holds the steps that they share.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"loom/compiler/diag"
	"loom/internal/progress"
	"loom/internal/tools"
)

// version is what generated files and map.json name; the build may set it with
// -ldflags "-X main.version=…".
var version = "0.1.0"

// The exit statuses (design page "Pipeline").
const (
	exitOK    = 0
	exitInput = 1 // the input is at fault, or a run ended in anything but done
	exitUsage = 2
	exitTool  = 3 // an external tool is missing or failed
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// app is the state of one invocation.
type app struct {
	stdout, stderr io.Writer
	json           bool
	progress       *progress.Line
	sources        sources
	// warnings are findings that do not stop the command.
	warnings diag.List
	// answered says that the command has put its JSON object on stdout.
	answered bool
}

// usageError is a mistake on the command line.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// statusError ends a command whose answer has been given already: the run did
// not end in done.
type statusError struct{ status string }

func (e *statusError) Error() string { return e.status }

// run executes one command line and returns the exit status.
func run(args []string, stdout, stderr io.Writer) (code int) {
	a := &app{stdout: stdout, stderr: stderr, sources: sources{}}
	if f, ok := stderr.(*os.File); ok {
		a.progress = progress.New(f)
	}
	defer a.progress.Clear()
	defer func() {
		// A panic is a fault of LOOM, never of the input: say so, with what a
		// report needs, instead of a bare trace.
		if p := recover(); p != nil {
			code = exitInput
			a.fail(&diag.Diagnostic{
				Severity: diag.Internal,
				Message:  fmt.Sprintf("%v\n%s", p, debug.Stack()),
				Help:     "this is a fault of LOOM; please report it with the input file",
			})
		}
	}()
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	a.progress.Clear()
	a.flushWarnings()
	return a.exit(err)
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "loom",
		Short:         "Loop kernels in, verified hardware out",
		Long:          "LOOM lowers a loop kernel to an elastic dataflow graph (DFG), maps it onto a\nreconfigurable fabric, generates SystemVerilog and configuration, and proves\nunder Verilator that the hardware computes what the kernel means.",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version,
	}
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print exactly one JSON object on stdout")
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%v; see 'loom %s --help'", err, c.Name())
	})
	root.AddCommand(
		a.buildCommand(), a.compileCommand(), a.adgCommand(), a.mapCommand(), a.rtlCommand(),
		a.simCommand(), a.cosimCommand(), a.verifyCommand(), a.exploreCommand(), a.doctorCommand(),
	)
	return root
}

// exactArgs is cobra.ExactArgs with a usage error that names the argument.
func exactArgs(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != len(names) {
			want := strings.Join(names, " ")
			if want == "" {
				want = "no arguments"
			}
			return usagef("'loom %s' takes %s, found %d argument(s); see 'loom %s --help'", c.Name(), want, len(args), c.Name())
		}
		return nil
	}
}

// exit reports err where it has not been reported and returns its exit status.
func (a *app) exit(err error) int {
	if err == nil {
		return exitOK
	}
	var status *statusError
	if errors.As(err, &status) {
		return exitInput
	}
	var usage *usageError
	if errors.As(err, &usage) || strings.HasPrefix(err.Error(), "unknown command") || strings.HasPrefix(err.Error(), "required flag") {
		a.fail(err)
		return exitUsage
	}
	a.fail(err)
	var missing *tools.MissingError
	var failed *tools.FailedError
	if errors.As(err, &missing) || errors.As(err, &failed) {
		return exitTool
	}
	return exitInput
}

// fail tells what went wrong: rendered on stderr, or as JSON on stdout.
func (a *app) fail(err error) {
	list := diag.FromError(err)
	if a.json && !a.answered {
		a.answer(map[string]any{"status": "error", "diagnostics": diag.JSON(list)})
		return
	}
	fmt.Fprint(a.stderr, diag.Render(list, a.sources.text))
}

// flushWarnings prints findings that did not stop the command. With --json they
// are part of the command's object.
func (a *app) flushWarnings() {
	if !a.json && len(a.warnings.All) > 0 {
		fmt.Fprint(a.stderr, diag.Render(&a.warnings, a.sources.text))
	}
}

// answer prints the command's one JSON object.
func (a *app) answer(v any) {
	a.answered = true
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		fmt.Fprintln(a.stderr, "error:", err)
	}
}

// say prints a line for a person, nothing with --json.
func (a *app) say(format string, args ...any) {
	if a.json {
		return
	}
	a.progress.Clear()
	fmt.Fprintf(a.stdout, format+"\n", args...)
}
