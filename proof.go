package loom

import (
	"loom/compiler/host"
	"loom/compiler/prove"
)

// Proof is what a proof has shown to be the same in kernel and configured fabric.
type Proof = prove.Proof

// Prove decodes the words of the configuration image, rebuilds the dataflow graph that the
// configured fabric carries out, and shows it to be the kernel's. Where arguments, results
// and arrays are it takes from the runtime description, as a host program does; neither
// the mapping nor code of the mapper takes part. Map has done so. The error is the first
// difference, at the operation's position, with the place in the fabric.
func (m *Mapping) Prove() (*Proof, error) {
	l := m.Image.Layout
	runtime, err := host.Runtime(m.Binding, l, l.Fabric)
	if err != nil {
		return nil, err
	}
	return prove.Image(m.Kernel.Graph, l, m.Image.Encode(), runtime)
}
