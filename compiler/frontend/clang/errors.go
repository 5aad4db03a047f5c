package clang

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"loom/compiler/diag"
	"loom/internal/tools"
)

var (
	// located matches a message of a compiler with a position.
	located = regexp.MustCompile(`^(?:<unknown>:0: error: )?(.+?):(\d+):(\d+): (fatal error|error|note): (.*)$`)
	// unlocated matches one without a position.
	unlocated = regexp.MustCompile(`^(?:[\w.-]*clang[\w.-]*|<unknown>:0)?:? ?(?:fatal )?error: (.*)$`)
	// includedFrom matches the lines in front that list how a header was included.
	includedFrom = regexp.MustCompile(`^(?:In file included|                ) from (.+?):(\d+)[:,]$`)
	// option is how clang names the option that a message belongs to.
	option = regexp.MustCompile(` \[-W[\w=,+-]+\]$`)
)

// CompileErrors converts clang's messages about a wrong source into diagnostics.
func CompileErrors(file string, err error) error {
	var failed *tools.FailedError
	if !errors.As(err, &failed) {
		return err
	}
	list := messages(failed.Output)
	if len(list.All) == 0 {
		return err
	}
	for _, d := range list.All {
		if strings.Contains(d.Message, "exceptions disabled") {
			d.WithHelp("exceptions cannot be accelerated: return an error code instead")
		}
		if help := tools.Help(d.Message); help != "" {
			d.WithHelp("%s", help)
		}
		if d.Pos == (diag.Pos{}) {
			d.Pos.File = file
		}
	}
	return list
}

// ImportErrors converts the messages of MLIR's tools about a text into diagnostics: at lines of
// the text where it is the user's file, at those of the source otherwise.
func ImportErrors(file string, text []byte, err error) error {
	var failed *tools.FailedError
	if !errors.As(err, &failed) {
		return err
	}
	list := messages(failed.Output)
	if len(list.All) == 0 {
		return diag.New(diag.Pos{File: file}, "is not accepted: %s", strings.TrimSpace(failed.Output))
	}
	for _, d := range list.All {
		if d.Pos.File == "" || d.Pos.Line == 0 {
			d.Pos = diag.Pos{File: file}
		}
		if what, ok := strings.CutPrefix(d.Message, "unhandled "); ok {
			// The importer quotes LLVM IR: the line of the source is more useful.
			kind, _, _ := strings.Cut(what, ":")
			d.Message = "this cannot be brought into MLIR: " + kind + " " + shorten(strings.TrimSpace(strings.TrimPrefix(what, kind+":")))
		}
	}
	return list
}

func shorten(s string) string {
	const most = 120
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// messages parses the output of a compiler. Notes belong to the error before them.
func messages(output string) *diag.List {
	list := &diag.List{}
	var chain []diag.Pos
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\r\n")
		if m := includedFrom.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[2])
			chain = append(chain, diag.Pos{File: clean(m[1]), Line: n})
			continue
		}
		if m := located.FindStringSubmatch(line); m != nil {
			l, _ := strconv.Atoi(m[2])
			c, _ := strconv.Atoi(m[3])
			pos := diag.Pos{File: clean(m[1]), Line: l, Col: c}
			text := option.ReplaceAllString(m[5], "")
			switch {
			case m[4] != "note":
				d := list.Add(diag.New(pos, "%s", text))
				for _, p := range chain {
					d.WithNote(p, "included from here")
				}
			case len(list.All) > 0:
				list.All[len(list.All)-1].WithNote(pos, "%s", text)
			}
			chain = nil
			continue
		}
		if m := unlocated.FindStringSubmatch(line); m != nil && !strings.HasPrefix(m[1], "linker command") {
			list.Add(diag.New(diag.Pos{}, "%s", option.ReplaceAllString(m[1], "")))
		}
	}
	return list
}

// undefined are clang's warnings of what has no defined meaning: a kernel that does it
// need not do the same in hardware. Other warnings are a matter of taste, or other
// compilers' business.
func undefined(output string) (list []*diag.Diagnostic) {
	keep := false
	for line := range strings.Lines(output) {
		m := warned.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		l, _ := strconv.Atoi(m[2])
		c, _ := strconv.Atoi(m[3])
		pos := diag.Pos{File: clean(m[1]), Line: l, Col: c}
		switch {
		case m[4] == "warning":
			if keep = isUndefined[m[6]]; keep {
				d := diag.New(pos, "%s", m[5])
				d.Severity = diag.Warning
				list = append(list, d)
			}
		case keep && !strings.HasPrefix(m[5], "initialize the variable") && !strings.HasPrefix(m[5], "remove the "):
			list[len(list)-1].WithNote(pos, "%s", m[5])
		}
	}
	return list
}

var (
	warned = regexp.MustCompile(`^(.+?):(\d+):(\d+): (warning|note): (.*?)(?: \[-W([\w-]+)\])?$`)
	// isUndefined are the options whose warnings undefined takes.
	isUndefined = map[string]bool{"uninitialized": true, "sometimes-uninitialized": true, "array-bounds": true, "division-by-zero": true,
		"shift-count-overflow": true, "shift-count-negative": true, "shift-overflow": true}
)

// clean drops the ./ that clang puts in front of headers beside the file.
func clean(file string) string { return strings.TrimPrefix(file, "./") }
