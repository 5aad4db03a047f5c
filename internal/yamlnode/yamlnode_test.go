package yamlnode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	"loom/internal/yamlnode"
)

// TestFaults: what is wrong has its position, also where the YAML library counts lines from 0, and names
// that are misspelled have a suggestion.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f.yaml:1:1: error: the file is empty"},
		{"a: [1\nb: 2\n", "f.yaml:2:1: error: this is not YAML that can be read: did not find expected ',' or ']'"},
		{"a: 1\n\tb: 2\n", "f.yaml:2:1: error: this is not YAML that can be read: found a tab character that violates indentation"},
		{"rows: 1\n---\nrows: 2\n", "f.yaml:2:1: error: a test file holds one YAML document, this is the second"},
		{"rows: 1\nrows: 2\n", "f.yaml:2:1: error: key 'rows' occurs twice in it"},
		{"row: 1\n", "f.yaml:1:1: error: unknown key 'row' in it"},
		{"<<: {a: 1}\n", "f.yaml:1:1: error: merge keys ('<<') are not supported in it"},
		{"[1]\n", "f.yaml:1:1: error: it must be a mapping, found a list"},
		{"rows: &x 1\ncolumns: *x\n", ""},
	} {
		var errs diag.List
		if n := yamlnode.Parse("f.yaml", "a test file", []byte(c.text), &errs); n != nil {
			keys, _ := yamlnode.Mapping("f.yaml", n, "it", []string{"rows", "columns"}, &errs)
			if c.want == "" && cmp.Diff(keys, []string{"rows", "columns"}) != "" {
				t.Errorf("%q has keys %v", c.text, keys)
			}
		}
		got := ""
		if len(errs.All) > 0 {
			got = errs.All[0].Pos.String() + ": error: " + errs.All[0].Message
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
	if got := yamlnode.Closest("rws", []string{"columns", "rows"}); got != "rows" {
		t.Errorf("rws may stand for %q", got)
	}
}
