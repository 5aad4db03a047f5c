// Package prove shows that a configuration image makes a fabric carry out exactly a
// dataflow graph. It starts from what reaches the hardware and the host, the words of the
// image and the runtime description (<dfg>.<adg>.runtime.json), and knows nothing of how
// the mapping was found: neither map.json nor code of the mapper takes part.
//
// The image is decoded. What the configured fabric does is written down as a graph: every
// operation of an active function unit, with its configured fields; every load and store
// at a lane or at a memory without tags; arguments and results at the boundary. Operands
// are what the selectors, switches, FIFOs, tags and memories deliver to them. The same
// form is made of the kernel. Both are brought into a normal form (graph.go), in which
// casts to the low bits, constants and joins of one token are no operations of their own,
// so that constants as configuration words and as units of their own are the same.
//
// Then one is matched with the other (match.go), starting from arguments, results and
// arrays, and the match is verified by itself: it is one to one, every operation has its
// meaning, fields and operands, every value reaches as many readers, with all the bits
// that they need, and nothing else is active. What is left open is time: how many tokens
// a path holds, and so whether the graph can run without waiting for itself, is checked by
// compiler/mapper/check and the trial run.
//
// Source: design pages "Mapper", "Configuration image" and "The Fabric dialect".
package prove

import (
	"fmt"

	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Proof is the size of what was shown to be the same.
type Proof struct {
	// Operations counts the operations of the kernel, all of them.
	Operations int `json:"operations"`
	// Values counts the operands of operations and results, each fed by the value that the
	// kernel gives it. Operands of casts to the low bits, constants and joins of one token
	// are part of their readers' paths.
	Values int `json:"values"`
}

// String states the result for people.
func (p *Proof) String() string {
	return fmt.Sprintf("%s, %s", diag.Plural(p.Operations, "operation"), diag.Plural(p.Values, "value"))
}

// Prover proves images for one kernel on one fabric.
type Prover struct {
	layout *config.Layout
	kernel *kernel
	host   *host
}

// New reads the handshake.func fn and the runtime description of its mapping, for images of
// a layout.
func New(fn *ir.Operation, l *config.Layout, runtime []byte) (*Prover, error) {
	k, err := readKernel(fn, l.Fabric.IndexWidth)
	if err != nil {
		return nil, err
	}
	h, err := readHost(runtime, k, l.Fabric, l)
	if err != nil {
		return nil, refused(fn, err)
	}
	return &Prover{l, k, h}, nil
}

// Image proves that the words of a configuration image, with arguments, results and arrays
// where the runtime description has them, make the fabric carry out the kernel. The error is
// a diag.List with the first difference: at the position of the operation in the graph, with
// the place in the fabric as a note.
func (p *Prover) Image(words []uint32) (*Proof, error) {
	fn := p.kernel.fn
	img, err := config.Decode(p.layout, words)
	if err != nil {
		return nil, refused(fn, err)
	}
	hw := readFabric(p.layout.Fabric, img, p.host)
	hw.caches(fn)
	m := newMatcher(p.kernel.graph, hw.graph, p.layout.Fabric.IndexWidth)
	diff := m.run()
	// What gets lost on its way shows as a difference of the graphs, too; the place where it
	// gets lost explains it.
	if d := m.explain(fn, hw.faults, diff); d != nil {
		return nil, &diag.List{All: []*diag.Diagnostic{d}}
	}
	proof := &Proof{Operations: len(fn.Regions[0].Entry().Ops) - 1}
	for _, n := range p.kernel.nodes {
		proof.Values += len(n.in)
	}
	return proof, nil
}

// Image is New and Image of a Prover.
func Image(fn *ir.Operation, l *config.Layout, words []uint32, runtime []byte) (*Proof, error) {
	p, err := New(fn, l, runtime)
	if err != nil {
		return nil, err
	}
	return p.Image(words)
}

const help = "this is a fault of LOOM or of what changed the image; map again, another --seed may avoid it, " +
	"and please report it with kernel, fabric and seed"

// refused marks an image or a description that cannot be read.
func refused(fn *ir.Operation, err error) error {
	list := &diag.List{}
	for _, d := range diag.FromError(err).All {
		e := diag.New(fn.Pos, "the configured fabric is not shown to be %s: %s", ir.SymbolText(fn.SymName()), d.Message).WithHelp("%s", help)
		e.Severity = diag.Internal
		if d.Pos != (diag.Pos{}) {
			e.WithNote(d.Pos, "here")
		}
		list.All = append(list.All, e)
	}
	return list
}
