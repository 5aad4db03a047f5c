package rtlgen

import (
	"bytes"
	"fmt"
	"text/template"

	"github.com/Masterminds/sprig/v3"

	"loom/templates"
)

// allowed are the Sprig functions templates may use: deterministic ones without
// access to time, environment, network or randomness.
var allowed = []string{"join", "repeat", "add", "sub", "trim", "upper", "lower", "indent", "default", "last", "first"}

// Funcs is the function map of all LOOM templates.
func Funcs() template.FuncMap {
	all := sprig.HermeticTxtFuncMap()
	m := template.FuncMap{}
	for _, name := range allowed {
		m[name] = all[name]
	}
	m["pad"] = func(width int, s string) string { return fmt.Sprintf("%-*s", width, s) }
	m["isLast"] = func(i, n int) bool { return i == n-1 }
	return m
}

var parsed = template.Must(template.New("").Option("missingkey=error").Funcs(Funcs()).ParseFS(templates.FS, "*.tmpl"))

// render runs one template over its view.
func render(name string, view any) (string, error) {
	var b bytes.Buffer
	if err := parsed.ExecuteTemplate(&b, name, view); err != nil {
		return "", fmt.Errorf("template %s: %w", name, err)
	}
	return b.String(), nil
}

// Render runs a template of package templates over a view: the harness of package
// verilator is made with it.
func Render(name string, view any) (string, error) { return render(name, view) }
