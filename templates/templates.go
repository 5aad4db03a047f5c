// Package templates holds the text templates of everything LOOM generates whose
// text depends on the design, and the engine that runs them: SystemVerilog for
// package rtlgen, the C++ harness for package verilator, the driver and the host
// function for compiler/host. A template reads like the text it produces; the views
// of those packages carry names, widths, integers and lists, and functions.go prints
// widths as SystemVerilog.
package templates

import (
	"bytes"
	"embed"
	"fmt"
	"text/template"
)

//go:embed *.tmpl
var files embed.FS

var parsed = template.New("").Option("missingkey=error")

// init and not a literal: the function include runs the templates it is a part of.
func init() {
	template.Must(parsed.Funcs(functions()).ParseFS(files, "*.tmpl"))
}

// Render runs a template, named by its file or its define, over a view.
func Render(name string, view any) (string, error) {
	var b bytes.Buffer
	if err := parsed.ExecuteTemplate(&b, name, view); err != nil {
		return "", fmt.Errorf("template %s: %w", name, err)
	}
	return b.String(), nil
}
