package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"loom/compiler/diag"
)

// answer is the JSON object of a command; what does not apply stays out. sim and
// cosim print the object of a run instead (design page "Pipeline").
type answer struct {
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
	Cosim         json.RawMessage `json:"cosim,omitempty"`
	Loom          string          `json:"loom,omitempty"`
	Stages        any             `json:"stages,omitempty"`
	Tools         any             `json:"tools,omitempty"`
	Text          string          `json:"text,omitempty"`
	Diagnostics   json.RawMessage `json:"diagnostics,omitempty"`
}

// done is the answer of a command that succeeded, with the warnings so far.
func (a *app) done(v answer) {
	if !a.json {
		return
	}
	if v.Status == "" {
		v.Status = "done"
	}
	v.Diagnostics = diag.JSON(&a.warnings)
	a.answer(v)
}

// answer prints the command's one JSON object.
func (a *app) answer(v any) {
	a.answerText(encode(v))
}

// encode renders plain data as JSON on one line.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // types are full of < and >
	if err := enc.Encode(v); err != nil {
		panic(err) // answers are plain data
	}
	return b.Bytes()
}

// answerText prints a JSON object that is rendered already.
func (a *app) answerText(object []byte) {
	a.speaking.Lock()
	defer a.speaking.Unlock()
	if a.answered {
		return
	}
	a.answered = true
	a.writeLocked(append(bytes.TrimRight(object, "\n"), '\n'))
}

// write puts bytes on stdout and remembers when that fails.
func (a *app) write(b []byte) {
	a.speaking.Lock()
	defer a.speaking.Unlock()
	a.writeLocked(b)
}

func (a *app) writeLocked(b []byte) {
	if _, err := a.stdout.Write(b); err != nil && a.deaf == nil {
		a.deaf = err
	}
}

// fail tells what went wrong: rendered on stderr, with --json as an object on
// stdout, which then also holds the warnings.
func (a *app) fail(err error) {
	a.speaking.Lock()
	defer a.speaking.Unlock()
	a.failLocked(err)
}

func (a *app) failLocked(err error) {
	list := &diag.List{All: append(append([]*diag.Diagnostic{}, a.warnings.All...), diag.FromError(err).All...)}
	if (a.json || a.alwaysJSON) && !a.answered {
		a.answered = true
		a.writeLocked(encode(answer{Status: "error", Diagnostics: diag.JSON(list)}))
		if a.json {
			return
		}
	}
	fmt.Fprint(a.stderr, diag.Render(list, a.sources.text))
}

// last is fail for a command that is cut off: nobody speaks after it.
func (a *app) last(err error) {
	a.speaking.Lock()
	a.failLocked(err)
}

// flushWarnings prints findings that did not stop the command. With --json they
// are part of the command's object.
func (a *app) flushWarnings() {
	if !a.json && len(a.warnings.All) > 0 {
		fmt.Fprint(a.stderr, diag.Render(&a.warnings, a.sources.text))
	}
}

// ineffective warns of flags that were given and do nothing in this call.
func (a *app) ineffective(c *cobra.Command, why string, flags ...string) {
	for _, f := range flags {
		if c.Flags().Changed(f) {
			a.warnings.Warnf(diag.Pos{}, "--%s has no effect %s", f, why)
		}
	}
}

// say prints a line for a person, nothing where the answer is JSON.
func (a *app) say(format string, args ...any) {
	if a.json || a.alwaysJSON {
		return
	}
	a.progress.Clear()
	a.write(fmt.Appendf(nil, format+"\n", args...))
}

// sayArtifacts lists what was written.
func (a *app) sayArtifacts(dir string, names []string) {
	dir = strings.TrimRight(dir, "/")
	rtl := 0
	for _, n := range names {
		if strings.HasPrefix(n, "rtl/") {
			rtl++
			continue
		}
		a.say("  %s/%s", dir, n)
	}
	if rtl > 0 {
		a.say("  %s/rtl/ (%s)", dir, diag.Plural(rtl, "file"))
	}
}
