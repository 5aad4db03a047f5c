package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
)

// result is the JSON object of a command; members that do not apply are left out. sim
// and cosim print the object of a run instead (design page "Pipeline").
type result struct {
	Status     string   `json:"status"`
	Top        string   `json:"top,omitempty"`
	Artifacts  []string `json:"artifacts,omitempty"`
	Verified   []string `json:"verified,omitempty"`
	Operations any      `json:"operations,omitempty"`
	Lowering   any      `json:"lowering,omitempty"`
	Loops      any      `json:"loops,omitempty"`
	// MemoryLatency is the external memory that Loops assume.
	MemoryLatency any             `json:"memory_latency,omitempty"`
	Memory        any             `json:"memory,omitempty"`
	Domain        any             `json:"domain,omitempty"`
	Mapping       json.RawMessage `json:"mapping,omitempty"`
	Choice        *loom.Choice    `json:"choice,omitempty"`
	Cosim         json.RawMessage `json:"cosim,omitempty"`
	Disjoint      any             `json:"disjoint,omitempty"`
	Loom          string          `json:"loom,omitempty"`
	Stages        any             `json:"stages,omitempty"`
	Tools         any             `json:"tools,omitempty"`
	Fits          *loom.Fit       `json:"fits,omitempty"`
	Fabrics       any             `json:"fabrics,omitempty"`
	Cost          *loom.Estimate  `json:"cost,omitempty"`
	Exploration   any             `json:"exploration,omitempty"`
	Campaign      any             `json:"campaign,omitempty"`
	Text          string          `json:"text,omitempty"`
	Diagnostics   json.RawMessage `json:"diagnostics,omitempty"`
}

// done prints the JSON object of a command that succeeded, with the warnings so far.
func (a *app) done(v result) {
	if !a.json {
		return
	}
	if v.Status == "" {
		v.Status = "done"
	}
	v.Diagnostics = diag.JSON(&a.warnings)
	a.printJSON(v)
}

// printJSON prints v as the command's one JSON object.
func (a *app) printJSON(v any) {
	a.printObject(encode(v))
}

// encode renders plain data as JSON on one line.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // types are full of < and >
	if err := enc.Encode(v); err != nil {
		panic(err) // plain data
	}
	return b.Bytes()
}

// printObject prints the command's one JSON object, which is rendered already.
func (a *app) printObject(object []byte) {
	a.outputMu.Lock()
	defer a.outputMu.Unlock()
	if a.printed {
		return
	}
	a.printed = true
	a.writeLocked(append(bytes.TrimRight(object, "\n"), '\n'))
}

// write puts bytes on stdout and remembers when that fails.
func (a *app) write(b []byte) {
	a.outputMu.Lock()
	defer a.outputMu.Unlock()
	a.writeLocked(b)
}

func (a *app) writeLocked(b []byte) {
	if _, err := a.stdout.Write(b); err != nil && a.stdoutErr == nil {
		a.stdoutErr = err
	}
}

// fail prints the error on stderr or, with --json, as an object on stdout, which then
// also holds the warnings.
func (a *app) fail(err error) {
	a.outputMu.Lock()
	defer a.outputMu.Unlock()
	a.failLocked(err)
}

func (a *app) failLocked(err error) {
	list := &diag.List{All: append(append([]*diag.Diagnostic{}, a.warnings.All...), diag.FromError(err).All...)}
	var misfit *misfitError
	var fit *loom.Fit
	rest := ""
	if errors.As(err, &misfit) {
		fit = misfit.fit
		if !a.verbose && !a.json {
			list, rest = misfit.brief()
			for _, d := range a.warnings.All {
				if d.Severity == diag.Warning {
					list.Add(d)
				}
			}
		}
	}
	if (a.json || a.alwaysJSON) && !a.printed {
		a.printed = true
		a.writeLocked(encode(result{Status: "error", Diagnostics: diag.JSON(list), Fits: fit}))
		if a.json {
			return
		}
	}
	fmt.Fprint(a.stderr, a.render(list))
	if rest != "" {
		fmt.Fprintln(a.stderr, rest)
	}
	if fit != nil {
		fmt.Fprintln(a.stderr, fit)
	}
}

// last is fail for an interrupted command: it keeps the lock, so that no output follows.
func (a *app) last(err error) {
	a.outputMu.Lock()
	a.failLocked(err)
}

// flushWarnings prints findings that did not stop the command. With --json they
// are part of the command's object.
func (a *app) flushWarnings() {
	if !a.json && len(a.warnings.All) > 0 {
		a.progress.Clear()
		fmt.Fprint(a.stderr, a.render(&a.warnings))
		a.warnings.All = nil
	}
}

// ineffective warns of flags that were given and have no effect in this call.
func (a *app) ineffective(c *cobra.Command, why string, flags ...string) {
	for _, f := range flags {
		if c.Flags().Changed(f) {
			a.warnings.Warnf(diag.Pos{}, "--%s has no effect %s", f, why)
		}
	}
}

// print prints a line of text, unless the command prints JSON.
func (a *app) print(format string, args ...any) {
	if a.json || a.alwaysJSON {
		return
	}
	a.progress.Clear()
	a.write(fmt.Appendf(nil, format+"\n", args...))
}

// printArtifacts lists the files written.
func (a *app) printArtifacts(dir string, names []string) {
	dir = strings.TrimRight(dir, "/")
	rtl := 0
	for _, n := range names {
		if strings.HasPrefix(n, "rtl/") {
			rtl++
			continue
		}
		a.print("  %s/%s", dir, n)
	}
	if rtl > 0 {
		a.print("  %s/rtl/ (%s)", dir, diag.Plural(rtl, "file"))
	}
}
