package main

import (
	"io"
	"os"
	"slices"

	"loom/compiler/diag"
	"loom/internal/progress"
)

// colorModes are the values of --color.
var colorModes = []string{"auto", "always", "never"}

// colored decides whether messages on a stream have colours: by --color, else on a terminal
// unless NO_COLOR is set and not empty (no-color.org).
func (a *app) colored(w io.Writer) bool {
	switch a.color {
	case "always":
		return true
	case "never":
		return false
	}
	f, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && progress.IsTerminal(f)
}

// checkColor returns a usage error for an unknown --color.
func (a *app) checkColor() error {
	if !slices.Contains(colorModes, a.color) {
		return usagef("--color takes auto, always or never, found %q", a.color)
	}
	return nil
}

// sgr are the terminal's codes (ECMA-48, SGR) of the roles: bold red, magenta, cyan, blue
// and green.
var sgr = [...]string{diag.RoleError: "1;31", diag.RoleWarning: "1;35", diag.RoleRemark: "1;36", diag.RoleNote: "1;34", diag.RoleCaret: "1;32"}

func paint(role diag.Role, text string) string { return "\x1b[" + sgr[role] + "m" + text + "\x1b[0m" }

// render prints findings for standard error.
func (a *app) render(l *diag.List) string {
	if a.colored(a.stderr) {
		return diag.RenderColored(l, a.sources.text, paint)
	}
	return diag.Render(l, a.sources.text)
}
