package main

import (
	"strings"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
	"loom/internal/tools"
)

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "List external tools, their versions, and the packages to install",
		Long: `Lists every external program, header and library LOOM calls or builds with, its
version and what it is for; headers and libraries by building a line. Missing ones are
named with the Debian package that installs them. Exits with 3 when one
that the main job needs is missing.`,
		Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error { return a.doctor() },
	}
}

// toolReport is one line of doctor's output.
type toolReport struct {
	Name     string `json:"name"`
	Found    bool   `json:"found"`
	Version  string `json:"version,omitempty"`
	Package  string `json:"package"`
	Use      string `json:"use"`
	Required bool   `json:"required"`
}

func (a *app) doctor() error {
	var reports []toolReport
	var missing diag.List
	var absent []tools.Tool
	for _, t := range tools.All {
		v, ok := tools.Version(t)
		reports = append(reports, toolReport{t.Name, ok, v, t.Package, t.Use, t.Required})
		if ok {
			a.print("ok       %-17s %s", t.Name, v)
			continue
		}
		absent = append(absent, t)
		if !t.Required {
			a.print("absent   %-17s only for %s", t.Name, t.Use)
			continue
		}
		a.print("MISSING  %-17s needed for %s", t.Name, t.Use)
		missing.Errorf(diag.Pos{}, "%v", &tools.MissingError{Tool: t})
	}
	if len(absent) > 0 {
		a.print("\nTo install what is missing:\n  apt-get install %s", strings.Join(tools.Packages(absent), " "))
	}
	if len(missing.All) == 0 {
		a.done(result{Loom: loom.Version, Tools: reports})
		return nil
	}
	if a.json {
		a.printJSON(result{Status: "error", Loom: loom.Version, Tools: reports, Diagnostics: diag.JSON(&missing)})
	} else {
		a.fail(&missing)
	}
	return &statusError{"error", exitTool}
}
