package build

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/diag"
)

// withUnits is a mesh with access units: memories with and without lanes, of words and bytes, with loads alone and stores alone.
const withUnits = `name: x
topology: {kind: mesh, rows: 3, columns: 4, tracks: 1, %s, access_units: true}
boundary: {inputs: 2, outputs: 2}
extmemories: [{element: i32, count: 2}, {element: i8, loads: 4, stores: 3}, {element: i16, stores: 0}]
memories: [{element: i32, elements: 64, loads: 0, private: false}]
pes: {alu: {units: [{cmpi: i32}, {addi: i32}, {cond_br: i1}]}}
pattern: [[alu]]
`

// TestAccessUnits: every access has a unit, which has its elements; what a memory reads comes from units alone, and done tokens and
// loaded data go to the network, addresses, data and control come from it through a queue.
func TestAccessUnits(t *testing.T) {
	for _, network := range []string{"token_tracks: 1, fan_in: 4", "token_tracks: 1", "token_tracks: 0", "token_tracks: 0, fan_in: 4"} {
		f, err := fabricOf(t, fmt.Sprintf(withUnits, network))
		if err != nil {
			t.Fatal(err)
		}
		units := map[*arch.Component]bool{}
		for _, b := range arch.Bridges(f) {
			for _, list := range [][]arch.Access{b.Loads, b.Stores} {
				for _, a := range list {
					u := a.Unit
					if u == nil || units[u] || u.GeneralPE() {
						t.Errorf("%s: %s has the unit %v", network, a.Comp.Name, u)
						continue
					}
					units[u] = true
					bits, _ := arch.ElementBits(b.Mem.Mem.Type.Elem)
					if fu := u.PE.FUs[0]; fu.In[unitData].Width != bits || fu.Out[resultData].Width != bits {
						t.Errorf("%s: unit '%s' of elements of %d bits", network, fu.Name, bits)
					}
					for k, p := range u.In {
						from := p.Chan.Src.Comp
						switch {
						case !a.Store && k == unitData:
							if from != a.Comp {
								t.Errorf("%s: %s takes data from %s", network, u.Name, from.Name)
							}
						case from.FIFO == nil || from.FIFO.Depth != 2 || from.In[0].Chan.Src.Comp.Switch == nil:
							t.Errorf("%s: input %d of %s comes from %s", network, k, u.Name, from.Name)
						case strings.HasPrefix(network, "token_tracks: 1") && (p.Width == 1) != (k == unitCtrl):
							t.Errorf("%s: input %d of %s has %d bits", network, k, u.Name, p.Width)
						}
					}
					if done := a.Comp.Out[a.Done].Chan.Dst.Comp; done.Switch == nil {
						t.Errorf("%s: done tokens of %s go to %s", network, a.Comp.Name, done.Name)
					}
				}
			}
		}
		if len(units) != 2*2+7+1+1 {
			t.Errorf("%s: %d units", network, len(units))
		}
		// With few inputs, a request chooses among PEs beside it, links and what other memories give.
		if strings.Contains(network, "fan_in") {
			for u := range units {
				for k, p := range u.In {
					q := p.Chan.Src.Comp
					if q.FIFO == nil || k == unitCtrl {
						continue
					}
					sw := q.In[0].Chan.Src
					n, links := 0, 0
					for i, on := range sw.Comp.Switch.Connect[sw.Port] {
						if !on {
							continue
						}
						n++
						if from := sw.Comp.In[i].Chan.Src.Comp; from == nil {
							t.Errorf("%s: the boundary leads to %s", network, u.Name)
						} else if from.FIFO != nil {
							links++
						}
					}
					if links < 2 || n > 7 {
						t.Errorf("%s: input %d of %s has a choice of %d, %d of them links", network, k, u.Name, n, links)
					}
				}
			}
		}
	}
}

// TestAccessUnitsFaults: PEs with loads or stores are refused beside units at the memories.
func TestAccessUnitsFaults(t *testing.T) {
	_, err := fabricOf(t, strings.Replace(fmt.Sprintf(withUnits, "token_tracks: 1"), "{cmpi: i32}", "{store: i8}", 1))
	if err == nil {
		t.Fatal("accepted")
	}
	if d := diag.FromError(err).All[0]; !strings.Contains(d.Message, "PE template 'alu' has load or store units") || !strings.Contains(d.Help, "access_units") || d.Pos.Line != 6 {
		t.Errorf("%v", err)
	}
}
