package loom

import (
	"fmt"
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/dialect/handshake"
	"loom/compiler/opname"
	"loom/rtlgen"
)

// chooseCaches decides which arrays on a bus have a read cache, where one is asked for: those that the
// circuit only loads from, of which an element may be loaded more than once, and that nothing it stores to
// overlaps with. The others have none, with the reason; it is an error if that is all of them.
func chooseCaches(k *Kernel, ports rtlgen.Ports, arrays []ArrayPorts) error {
	if ports.Cache == 0 {
		return nil
	}
	args := k.Graph.Regions[0].Entry().Args
	overlaps, err := cabi.ReadOverlaps(k.Graph, args)
	if err != nil {
		return err
	}
	loaded, stored, fence := map[int]bool{}, map[int]bool{}, false
	for _, op := range k.Graph.Regions[0].Entry().Ops {
		fence = fence || op.Attr(handshake.FenceAttr) != nil
		if op.Name == opname.HandshakeExtmemory {
			ld, _ := op.IntAttr("ldCount")
			st, _ := op.IntAttr("stCount")
			arg := op.Operand(0).Index
			loaded[arg], stored[arg] = loaded[arg] || ld > 0, stored[arg] || st > 0
		}
	}
	names := map[int]string{}
	for _, a := range arrays {
		names[a.Arg] = a.Array
	}
	// uncached is why an array has none, "" where it has one.
	uncached := func(a ArrayPorts) string {
		switch {
		case !loaded[a.Arg]:
			return "nothing loads from it"
		case stored[a.Arg]:
			return "the circuit stores to it"
		case fence:
			return "loads behind the kernel's fence read from memory again"
		case k.Sequences != nil && k.Sequences[a.Arg].InOrder:
			return "each element is loaded once"
		}
		for _, b := range arrays {
			if stored[b.Arg] && overlaps.May(a.Arg, b.Arg) {
				return fmt.Sprintf("it may overlap with '%s', to which the circuit stores (restrict, or --assume-no-alias, says that it does not)", names[b.Arg])
			}
		}
		return ""
	}
	any, why := false, []string{}
	for i := range arrays {
		a := &arrays[i]
		if !rtlgen.OnBus(a.Style) {
			continue
		}
		if a.Uncached = uncached(*a); a.Uncached == "" {
			a.Cached, any = true, true
		} else {
			why = append(why, fmt.Sprintf("'%s': %s", a.Array, a.Uncached))
		}
	}
	if !any {
		return badOption("ports", "gives cache, but no array can have one: %s", strings.Join(why, "; "))
	}
	return nil
}
