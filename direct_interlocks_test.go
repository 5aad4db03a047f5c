package loom_test

import (
	"os"
	"slices"
	"testing"

	"loom"
	"loom/compiler/circuit"
)

// TestDirectInterlocks: a direct circuit has interlocks if the option says so, and none otherwise.
func TestDirectInterlocks(t *testing.T) {
	const name = "testdata/kernels/histogram.mlir"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for locks, want := range map[string]bool{"": false, "auto": false, "off": false, "on": true} {
		k, err := loom.Compile(t.Context(), loom.Source{Name: name, Text: string(text)}, loom.CompileOptions{Direct: true, Interlocks: locks})
		if err != nil {
			t.Fatal(err)
		}
		d, err := loom.BuildDirect(k, loom.DirectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(d.Circuit.Units, func(u *circuit.Unit) bool { return u.Kind == circuit.Interlock }); got != want || k.Interlocks() != want {
			t.Errorf("interlocks %q: the circuit has some: %t, the kernel: %t, want %t", locks, got, k.Interlocks(), want)
		}
	}
}
