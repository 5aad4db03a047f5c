package arch_test

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/arch"
)

// TestSharedUnits lists groups of PEs that are refused, by the text of their instances.
func TestSharedUnits(t *testing.T) {
	const head = `!w = !fabric.bits<32>
fabric.function_unit @div(%a: i32, %b: i32) -> i32 [latency = 33, interval = 33] {
  %q = arith.divsi %a, %b : i32
  fabric.yield %q : i32
}
fabric.function_unit @add(%a: i32, %b: i32) -> i32 [latency = 0, interval = 1] {
  %q = arith.addi %a, %b : i32
  fabric.yield %q : i32
}
fabric.spatial_pe @one : (!w, !w) -> (!w) {
  fabric.instance @div
  fabric.instance @add
}
fabric.spatial_pe @other : (!w, !w) -> (!w) {
  fabric.instance @add
  fabric.instance @div
}
fabric.fifo @q [depth = 2] : (!w) -> !w
`
	fabric := func(instances ...string) string {
		var args, body []string
		for k, x := range instances {
			target, group, _ := strings.Cut(x, " ")
			attr := ""
			if group != "" {
				attr = fmt.Sprintf(" {loom.shared_units = %s}", group)
			}
			if target == "q" {
				args = append(args, fmt.Sprintf("%%a%d: !w", k))
				body = append(body, fmt.Sprintf("  %%x%d = fabric.instance @q(%%a%d)%s : (!w) -> !w", k, k, attr))
				continue
			}
			args = append(args, fmt.Sprintf("%%a%d: !w, %%b%d: !w", k, k))
			body = append(body, fmt.Sprintf("  %%x%d = fabric.instance @%s(%%a%d, %%b%d)%s : (!w, !w) -> !w", k, target, k, k, attr))
		}
		return head + "fabric.module @f(" + strings.Join(args, ", ") + ") {\n" + strings.Join(body, "\n") + "\n  fabric.yield\n}\n"
	}
	nine := strings.Split(strings.Repeat(`one "g",`, 9), ",")[:9]
	for _, c := range []struct {
		instances []string
		want      string
	}{
		{[]string{`one "g"`, `one "g"`}, ""},
		{[]string{`one "g"`, `one "h"`, `other`}, ""},
		{nine[:8], ""},
		{nine, "CPL_SHARED_UNITS_COUNT"},
		{[]string{`one "g"`, `one`}, "CPL_SHARED_UNITS_DEFINITION"},
		{[]string{`one "g"`, `other "g"`}, "CPL_SHARED_UNITS_DEFINITION"},
		{[]string{`q "g"`, `one "g"`}, "CPL_SHARED_UNITS_PE"},
		{[]string{`one 3`}, "CPL_SHARED_UNITS_PE"},
		{[]string{`one ""`}, "CPL_SHARED_UNITS_PE"},
	} {
		f, err := arch.FromModule(parse(t, fabric(c.instances...)), "")
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%v: %v", c.instances, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%v: got %v, want %s", c.instances, err, c.want)
		case err == nil && len(f.Sharers()) == 0:
			t.Errorf("%v: no PE shares", c.instances)
		}
	}
}
