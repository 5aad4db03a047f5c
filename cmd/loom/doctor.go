package main

import (
	"github.com/spf13/cobra"

	"loom/internal/tools"
)

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Tell which external tools are present, their versions, and what to install",
		Long: "Lists every external program LOOM calls, its version and what it is for. Missing\n" +
			"ones are named with the Debian package that installs them. Exits with 3 when one\n" +
			"that the main job needs is missing.",
		Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error { return a.doctor() },
	}
}

// toolReport is one line of doctor's answer.
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
	var missing *tools.MissingError
	var install []string
	for _, t := range tools.All {
		v, ok := tools.Version(t)
		reports = append(reports, toolReport{t.Name, ok, v, t.Package, t.Use, t.Required})
		switch {
		case ok:
			a.say("ok       %-12s %s", t.Name, v)
			continue
		case t.Required:
			a.say("MISSING  %-12s needed for %s", t.Name, t.Use)
			if missing == nil {
				missing = &tools.MissingError{Tool: t}
			}
		default:
			a.say("absent   %-12s only for %s", t.Name, t.Use)
		}
		install = append(install, t.Package)
	}
	if len(install) > 0 {
		line := "apt-get install"
		for _, p := range install {
			line += " " + p
		}
		a.say("\nTo install what is missing:\n  %s", line)
	}
	if a.json {
		status := "done"
		if missing != nil {
			status = "error"
		}
		a.answer(map[string]any{"status": status, "loom": version, "tools": reports})
	}
	if missing != nil {
		return missing
	}
	return nil
}
