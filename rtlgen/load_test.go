package rtlgen_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/rtlgen"
)

// TestLoadDirect: a design read from its files is the one that was written, and what is wrong with
// the files is said.
func TestLoadDirect(t *testing.T) {
	for _, control := range []string{"channels", "ap_ctrl_hs", "axi4lite"} {
		want := wrappedRTL(t, "dot", 4, rtlgen.Ports{Default: "axi4", Control: control})
		dir := write(t, want)
		got, err := rtlgen.LoadDirect(dir)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want.Direct, got.Direct); d != "" {
			t.Error(d)
		}
		if got.Top != want.Top || got.HostTop != want.HostTop || got.Reset != want.Reset || got.HostTop == "" != (control != "axi4lite") {
			t.Errorf("%s: %s, %s, %v; want %s, %s, %v", control, got.Top, got.HostTop, got.Reset, want.Top, want.HostTop, want.Reset)
		}
		for _, name := range got.Sources {
			if got.Files[name] != want.Files[name] {
				t.Errorf("%s differs", name)
			}
		}
		if d := cmp.Diff(want.Sources, got.Sources); d != "" {
			t.Error(d)
		}
	}
	dir := write(t, wrappedRTL(t, "dot", 4, rtlgen.Ports{}))
	signature := filepath.Join(dir, "dot.signature.json")
	for _, c := range []struct{ file, text, want string }{
		{filepath.Join(dir, rtlgen.FileList), "loom_fifo.sv\n../other.sv\n", "filelist.f:2:1: error: '../other.sv' is no file of this directory"},
		{filepath.Join(dir, rtlgen.FileList), "none.sv\n", "filelist.f:1:1: error: there is no file 'none.sv' beside the list"},
		{signature, "{", "dot.signature.json: error: is no signature"},
	} {
		if err := os.WriteFile(c.file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := rtlgen.LoadDirect(dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if err := os.Remove(signature); err != nil {
		t.Fatal(err)
	}
	if _, err := rtlgen.LoadDirect(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := rtlgen.LoadDirect(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
