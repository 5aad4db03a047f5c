// Package hostrun runs the host function that is generated for a kernel of which a loop
// became hardware: compiled by this machine's compiler, with a stand-in for loom_accel.c
// whose launches the caller executes, on any simulator.
package hostrun

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/host/cgen"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/internal/tools"
	"loom/sim/memmap"
	"loom/sim/vector"
)

//go:embed standin.h
var standIn string

// Options describe a host function.
type Options struct {
	// Files are <stem>_host.h, <stem>_host.c, loom_accel.h and the header of the
	// configuration, by name.
	Files map[string][]byte
	Stem  string
	// Name is the original function's name, without _accel.
	Name string
	// Binding and Image are the kernel's; Layout is the hash of the fabric's layout.
	Binding *mapping.Binding
	Image   []uint32
	Layout  uint64
	// Host is the function that calls the kernel, C what its parameters were in C, nil for
	// none. IndexWidth is the fabric's.
	Host       *ir.Operation
	C          *cabi.Function
	IndexWidth int
}

// Program is a compiled host function.
type Program struct {
	o    Options
	sig  *vector.Signature
	list []param
	// dir holds the program until Close.
	dir string
}

// param is one parameter of <name>_accel behind the handle.
type param struct {
	// memory is the number of the argument whose memory it is, for functions that come from no
	// C; -1 for others.
	memory int
	// bytes are those of its memory, or of the number itself.
	bytes func(in *vector.Inputs) []byte
	// expr is its argument, with the buffer as %s.
	expr string
}

// Build compiles the host function. The errors are those of the C compiler
// (tools.MissingError, tools.FailedError).
func Build(ctx context.Context, o Options) (p *Program, err error) {
	p = &Program{o: o}
	if p.sig, err = vector.SignatureOf(o.Host); err != nil {
		return nil, err
	}
	if err := p.parameters(); err != nil {
		return nil, err
	}
	cc, err := tools.Find(tools.CC)
	if err != nil {
		return nil, err
	}
	if p.dir, err = os.MkdirTemp("", "loom-host-"); err != nil {
		return nil, err
	}
	if err := p.Write(p.dir); err != nil {
		p.Close()
		return nil, err
	}
	for name, text := range map[string]string{"standin.c": standIn, "table.h": p.table()} {
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o644); err != nil {
			p.Close()
			return nil, err
		}
	}
	// Nothing fused: the other levels round every operation.
	_, err = tools.Run(ctx, p.dir, cc, "-std=gnu99", "-w", "-O1", "-ffp-contract=off", "-fno-strict-aliasing", "-o", "program",
		o.Stem+"_host.c", "standin.c", "main.c", "-lm")
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Write writes the host function and main.c, a program that calls it, to a directory. The
// program takes Parameters from its standard input, opens a device at some address, calls, and
// writes to standard output what Outcome reads: it runs with loom_accel.c on a simulated
// device, too.
func (p *Program) Write(dir string) error {
	for name, text := range p.o.Files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "main.c"), []byte(p.main()), 0o644)
}

// Parameters are the inputs of the original function as the program reads them.
func (p *Program) Parameters(in *vector.Inputs) []byte {
	var out []byte
	for _, q := range p.list {
		b := q.bytes(in)
		out = append(append(out, memmap.Bytes([]uint64{uint64(len(b))}, 8)...), b...)
	}
	return out
}

// Outcome reads what the program has written. The outcome is nil, with the reason, where the
// function has not returned LOOM_ACCEL_OK.
func (p *Program) Outcome(in *vector.Inputs, output io.Reader) (*vector.Outcome, string) {
	var head struct {
		Kind   byte
		Status int32
	}
	if err := binary.Read(output, binary.LittleEndian, &head); err != nil || head.Kind != 'E' {
		return nil, "the host function does not return"
	}
	if head.Status != 0 {
		return nil, fmt.Sprintf("the host function returns status %d (LOOM_ACCEL_…)", head.Status)
	}
	buffers := make([][]byte, len(p.list))
	for i, q := range p.list {
		buffers[i] = make([]byte, len(q.bytes(in)))
		if _, err := io.ReadFull(output, buffers[i]); err != nil {
			return nil, "the host function ends early"
		}
	}
	return p.outcome(in, buffers), ""
}

// Close removes the program.
func (p *Program) Close() { _ = os.RemoveAll(p.dir) }

// table is what the stand-in knows of the kernel.
func (p *Program) table() string {
	var inputs, outputs strings.Builder
	for _, a := range p.scalars() {
		fmt.Fprintf(&inputs, "%d,", p.o.Binding.Args[a].Input)
	}
	for _, r := range p.o.Binding.Results {
		fmt.Fprintf(&outputs, "%d,", r.Output)
	}
	return fmt.Sprintf("#define HOST_LAYOUT UINT64_C(0x%x)\n#define HOST_ARRAYS %d\n#define HOST_INPUTS %s\n#define HOST_OUTPUTS %s\n",
		p.o.Layout, len(p.arrays())+len(p.tables()), inputs.String(), outputs.String())
}

// arrays are the arguments of the kernel that are memories of the fabric, in the order of
// the image, once for each memory; scalars those that are tokens.
func (p *Program) arrays() (list []int) {
	for i, a := range p.o.Binding.Args {
		if _, isMem := a.Type.(*ir.MemRefType); isMem {
			for range a.Places() {
				list = append(list, i)
			}
		}
	}
	return list
}

// tables are the constant tables of the kernel in external memory, in the order of the
// image, which has one for each memory through which it is read.
func (p *Program) tables() (list []mapping.Table) {
	for _, t := range p.o.Binding.Tables {
		for range t.Places() {
			list = append(list, t)
		}
	}
	return list
}

func (p *Program) scalars() (list []int) {
	for i, a := range p.o.Binding.Args {
		if _, isMem := a.Type.(*ir.MemRefType); !isMem && a.Input >= 0 {
			list = append(list, i)
		}
	}
	return list
}

// main is the program: it takes the parameters, calls the function and gives them back.
func (p *Program) main() string {
	var b strings.Builder
	fmt.Fprintf(&b, `#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "%s_host.h"
void host_put(const void *data, size_t bytes)
{
    if (bytes > 0 && fwrite(data, bytes, 1, stdout) != 1)
        exit(4);
}
void host_get(void *data, size_t bytes)
{
    if (bytes > 0 && fread(data, bytes, 1, stdin) != 1)
        exit(5);
}
static loom_accel dev;
static unsigned char *buffer[%d];
static uint64_t size[%[2]d];
int main(void)
{
    int status, i;
    size_t scratch = (size_t)1 << 26; /* for local arrays whose size the program computes */
    unsigned char kind = 'E';
    for (i = 0; i < %d; i++) {
        host_get(&size[i], 8);
        buffer[i] = calloc(1, size[i] + 64);
        host_get(buffer[i], size[i]);
        scratch += 2 * size[i] + 64;
    }
    status = loom_accel_open(&dev, 0x40000000u, NULL);
    loom_accel_set_scratch(&dev, calloc(1, scratch), scratch);
    if (status == LOOM_ACCEL_OK)
        status = %s_accel(&dev`, p.o.Stem, len(p.list)+1, len(p.list), cgen.Ident(p.o.Name))
	for i, q := range p.list {
		fmt.Fprintf(&b, ",\n        "+q.expr, fmt.Sprintf("buffer[%d]", i))
	}
	fmt.Fprintf(&b, `);
    host_put(&kind, 1);
    host_put(&status, sizeof status);
    for (i = 0; i < %d; i++)
        host_put(buffer[i], size[i]);
    return fflush(stdout) != 0;
}
`, len(p.list))
	return b.String()
}

// elemBytes is the size of a value of the kernel in the program's memory.
func (p *Program) elemBytes(t ir.Type) int64 { return cgen.ElemBytes(t, p.o.IndexWidth) }

// number is the expression of a number in a buffer; C converts it to the parameter's type.
func number(t ir.Type, bytes int64) string {
	if ir.IsFloat(t) {
		return map[int64]string{4: "*(float *)%s", 8: "*(double *)%s"}[bytes]
	}
	return fmt.Sprintf("*(uint%d_t *)%%s", 8*bytes)
}

// parameters lists the parameters of the public function as package host declares them.
func (p *Program) parameters() error {
	if p.o.C != nil {
		p.fromC()
		return nil
	}
	params, err := cgen.New(p.o.Host.ParentOp(), cgen.Options{IndexWidth: p.o.IndexWidth}).Params(p.o.Host)
	if err != nil {
		return err
	}
	var results []param
	for _, q := range params {
		switch {
		case q.Result >= 0:
			n := p.resultBytes(p.sig.Results[q.Result])
			results = append(results, param{-1, func(*vector.Inputs) []byte { return make([]byte, n) }, "(void *)%s"})
		case q.Dim >= 0:
			p.list = append(p.list, param{-1, func(in *vector.Inputs) []byte {
				return memmap.Bytes([]uint64{uint64(in.Args[q.Arg].Mem.Shape[q.Dim])}, 8)
			}, "*(uint64_t *)%s"})
		default:
			p.list = append(p.list, p.plain(q.Arg))
		}
	}
	p.list = append(p.list, results...)
	return nil
}

// plain is a parameter that is one of the kernel's.
func (p *Program) plain(arg int) param {
	t := p.sig.Params[arg].Type
	if mt, isMem := t.(*ir.MemRefType); isMem {
		return param{arg, func(in *vector.Inputs) []byte { return memmap.Bytes(in.Args[arg].Mem.Data, p.elemBytes(mt.Elem)) }, "(void *)%s"}
	}
	n := p.resultBytes(t)
	return param{-1, func(in *vector.Inputs) []byte { return memmap.Bytes([]uint64{p.signed(in.Args[arg].Scalar, t)}, n) }, number(t, n)}
}

// resultBytes is the size of a number among the parameters, where index has 64 bits.
func (p *Program) resultBytes(t ir.Type) int64 {
	if t == ir.Type(ir.Index) {
		return 8
	}
	return p.elemBytes(t)
}

// signed extends an index to 64 bits.
func (p *Program) signed(v uint64, t ir.Type) uint64 {
	if t != ir.Type(ir.Index) {
		return v
	}
	shift := 64 - p.o.IndexWidth
	return uint64(int64(v<<shift) >> shift)
}

// fromC lists the parameters of a C function: its own, the globals it uses, the numbers of
// records of arrays of structs, the result.
func (p *Program) fromC() {
	var counts []param
	for i := range p.o.C.Params {
		c := &p.o.C.Params[i]
		if c.Class == cabi.Scalar {
			p.list = append(p.list, p.cScalar(c))
			continue
		}
		p.list = append(p.list, param{-1, func(in *vector.Inputs) []byte { b, _ := p.object(c, in); return b }, "(void *)%s"})
		if p.counted(c) {
			counts = append(counts, param{-1, func(in *vector.Inputs) []byte { _, n := p.object(c, in); return memmap.Bytes([]uint64{uint64(n)}, 8) }, "*(uint64_t *)%s"})
		}
	}
	p.list = append(p.list, counts...)
	if r := p.o.C.Result; r != nil && len(r.Pieces) > 0 {
		size := max(r.Size, 16)
		p.list = append(p.list, param{-1, func(*vector.Inputs) []byte { return make([]byte, size) }, "(void *)%s"})
	}
}

// cScalar is a number of the C function.
func (p *Program) cScalar(c *cabi.Param) param {
	if len(c.Pieces) == 0 {
		return param{-1, func(*vector.Inputs) []byte { return nil }, "0 /* %s */"}
	}
	at := c.Pieces[0].Index
	t := p.sig.Params[at].Type
	n := c.Size
	if n != 1 && n != 2 && n != 4 && n != 8 {
		n = p.resultBytes(t)
	}
	return param{-1, func(in *vector.Inputs) []byte { return memmap.Bytes([]uint64{p.signed(in.Args[at].Scalar, t)}, n) }, number(t, n)}
}

// counted reports whether the number of an array's records is a parameter.
func (p *Program) counted(c *cabi.Param) bool {
	return c.Class == cabi.Pointer && slices.ContainsFunc(c.Pieces, func(q cabi.Piece) bool {
		mt, isMem := p.sig.Params[q.Index].Type.(*ir.MemRefType)
		if !isMem {
			return false
		}
		_, static := mt.NumElements()
		return !static && (len(c.Pieces) > 1 || q.Offset != 0 || p.stride(q, mt) != p.elemBytes(mt.Elem))
	})
}

func (p *Program) stride(q cabi.Piece, mt *ir.MemRefType) int64 {
	if q.Stride != 0 {
		return q.Stride
	}
	return p.elemBytes(mt.Elem)
}

// object is the memory behind a parameter of the C function, and the number of its records.
func (p *Program) object(c *cabi.Param, in *vector.Inputs) (b []byte, records int64) {
	size := c.Size
	for _, q := range c.Pieces {
		if m := in.Args[q.Index].Mem; m != nil {
			n := int64(len(m.Data))
			records = max(records, n)
			size = max(size, n*p.stride(q, p.sig.Params[q.Index].Type.(*ir.MemRefType)))
		}
	}
	b = make([]byte, size)
	for _, q := range c.Pieces {
		a, t := in.Args[q.Index], p.sig.Params[q.Index].Type
		mt, isMem := t.(*ir.MemRefType)
		if !isMem {
			copy(b[q.Offset:], memmap.Bytes([]uint64{p.signed(a.Scalar, t)}, p.resultBytes(t)))
			continue
		}
		e := p.elemBytes(mt.Elem)
		for k, v := range a.Mem.Data {
			copy(b[int64(k)*p.stride(q, mt)+q.Offset:], memmap.Bytes([]uint64{v}, e))
		}
	}
	return b, records
}

// outcome reads results and memories of the function from what the program gave back.
func (p *Program) outcome(in *vector.Inputs, buffers [][]byte) *vector.Outcome {
	out := &vector.Outcome{Status: vector.Done}
	left := in.Clone()
	value := func(b []byte, offset int64, t ir.Type, n int64) uint64 {
		v := memmap.Elements(b[offset:offset+n], n)[0]
		if w, _ := ir.BitWidth(t, p.o.IndexWidth); w < 64 {
			v &= 1<<w - 1
		}
		return v
	}
	memory := func(arg int, b []byte, offset, stride int64) {
		m := left.Args[arg].Mem
		for k := range m.Data {
			m.Data[k] = value(b, int64(k)*stride+offset, m.Elem, p.elemBytes(m.Elem))
		}
	}
	offsets := make([]int64, len(p.sig.Results))
	if c := p.o.C; c != nil {
		for i := range c.Params {
			for _, q := range c.Params[i].Pieces {
				if mt, isMem := p.sig.Params[q.Index].Type.(*ir.MemRefType); isMem {
					memory(q.Index, buffers[i], q.Offset, p.stride(q, mt))
				}
			}
		}
		if c.Result != nil {
			for _, q := range c.Result.Pieces {
				offsets[q.Index] = q.Offset
			}
		}
	} else {
		for i, q := range p.list {
			if q.memory >= 0 {
				memory(q.memory, buffers[i], 0, p.elemBytes(left.Args[q.memory].Mem.Elem))
			}
		}
	}
	for i, t := range p.sig.Results {
		at := len(buffers) - 1
		if p.o.C == nil {
			at = len(buffers) - len(p.sig.Results) + i
		}
		out.Results = append(out.Results, vector.Scalar{Type: t, Bits: value(buffers[at], offsets[i], t, p.resultBytes(t))})
	}
	for i := range left.Args {
		if m := left.Args[i].Mem; m != nil {
			m.Name = p.sig.Params[i].Name
			out.Memories = append(out.Memories, m)
		}
	}
	return out
}
