package e2e

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/cabi"
	"loom/compiler/config"
	"loom/compiler/frontend/domain"
	"loom/compiler/host"
	"loom/compiler/host/cgen"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapping"
	"loom/internal/tools/toolstest"
	"loom/sim/memmap"
	"loom/sim/token"
	"loom/sim/vector"
)

// hostIndex is the index width of the fabric that the host functions are written for.
const hostIndex = 32

// hostCase is a function with a domain, its host function compiled with an accelerator
// instead of loom_accel.c, whose launches this process serves with the token
// simulator.
type hostCase struct {
	name   string
	module *ir.Operation
	fn     *ir.Operation // the whole function
	d      *domain.Domain
	dfg    *ir.Operation
	bind   *mapping.Binding
	c      *cabi.Function
	exe    string
	decl   string
	header string // of the host function
	source string
	launch int
}

// newHostCase lowers the domain and writes its host function.
func newHostCase(t *testing.T, name string, module, fn *ir.Operation, d *domain.Domain) *hostCase {
	t.Helper()
	res, err := lower.Lower(d.Module, lower.Options{Function: d.Kernel.SymName(), IndexWidth: hostIndex, MemoryOrder: "pipelined"})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	h := &hostCase{name: name, module: module, fn: fn, d: d, dfg: res.Func}
	if c, ok := cabi.Of(fn); ok {
		h.c = c
	}
	h.build(t)
	return h
}

// build compiles the host function for a fabric that has a memory for every array; ports
// are dealt out from the last one down, so that no number is right by accident.
func (h *hostCase) build(t *testing.T) {
	t.Helper()
	sig, err := vector.SignatureOf(h.dfg)
	if err != nil {
		t.Fatal(err)
	}
	f := &arch.Fabric{Name: "fake", IndexWidth: hostIndex}
	b := &mapping.Binding{Kernel: sig.Name, Start: 40, Done: 41}
	port := 30
	for _, p := range sig.Params {
		a := mapping.ArgBinding{Name: p.Name, Type: p.Type, Input: -1, Mem: -1}
		if m, ok := p.Type.(*ir.MemRefType); ok {
			width, _ := ir.BitWidth(m.Elem, hostIndex)
			a.Mem = len(f.Comps)
			f.Comps = append(f.Comps, &arch.Component{ID: a.Mem, Name: fmt.Sprintf("mem_%d", a.Mem), Kind: arch.ExtMemory, Mem: &arch.MemorySpec{
				LdCount: 1, NumRegion: 1, Type: ir.MemRef([]int64{ir.Dynamic}, m.Elem), ElemWidth: width, LdAddr: 0, StAddr: -1, StData: -1, LdData: 0, LdDone: 1, StDone: -1}})
		} else {
			a.Input = port
			port--
		}
		b.Args = append(b.Args, a)
	}
	for i, r := range sig.Results {
		b.Results = append(b.Results, mapping.ResultBinding{Type: r, Output: 50 + i})
	}
	h.bind = b
	l := config.NewLayout(f)
	p := &host.Program{Binding: b, Layout: l, Name: "k", Hardware: "fabric fake", ConfigHeader: "fake.config.h", IndexWidth: hostIndex, C: h.c, Graph: h.dfg}
	if h.d.Loop >= 0 {
		p.Module, p.Host, p.Kernel = h.d.Module, h.d.Host, h.d.Kernel
	}
	prototypes, source, err := p.Source()
	if err != nil {
		t.Fatalf("%s: %v\n%s", h.name, err, h.decl)
	}
	h.header, h.source = string(prototypes), string(source)
	var table strings.Builder
	table.WriteString("#include \"mock.h\"\n")
	var regions, args, results int
	rows, argPorts, resultPorts := "", "", ""
	for _, a := range b.Args {
		if a.Mem < 0 {
			argPorts += fmt.Sprintf("%d, ", a.Input)
			args++
			continue
		}
		bytes := int64(0)
		if n, ok := a.Type.(*ir.MemRefType).NumElements(); ok {
			bytes = n * elemBytes(a.Type.(*ir.MemRefType).Elem)
		}
		rows += fmt.Sprintf("{%d, %d}, ", f.BaseRegister(f.Comps[a.Mem], 0), bytes)
		regions++
	}
	for _, r := range b.Results {
		resultPorts += fmt.Sprintf("%d, ", r.Output)
		results++
	}
	fmt.Fprintf(&table, "const struct mock_region mock_regions[] = {%s{0, 0}};\nconst uint32_t mock_args[] = {%s0}, mock_results[] = {%s0}, mock_start = 40, mock_done = 41;\n", rows, argPorts, resultPorts)
	fmt.Fprintf(&table, "const unsigned mock_region_count = %d, mock_arg_count = %d, mock_result_count = %d;\n", regions, args, results)
	header, _, err := host.Driver()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"loom_accel.h": string(header), "mock.h": mockHeader, "table.c": table.String(), "k_host.h": string(prototypes), "k_host.c": string(source), "main.c": h.main(string(prototypes)),
		"mock.c":        strings.ReplaceAll(mockSource, "MOCK_HASH", fmt.Sprintf("UINT64_C(0x%x)", l.Hash)),
		"fake.config.h": "#include <stdint.h>\nstatic const uint32_t loom_runtime_config_words[] = {0};\nstatic const uint32_t loom_runtime_config_word_count = 1u;\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %s %v: %v\n%s\n%s", h.name, name, args, err, out, source)
		}
	}
	warn := []string{"-Wall", "-Wextra", "-pedantic", "-Werror"}
	toolstest.CleanC(t, dir, []string{"k_host.c"})
	run("gcc", append([]string{"-std=c17", "-fsyntax-only", "k_host.c"}, warn...)...)
	run("gcc", append([]string{"-std=c99", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover=undefined", "-include", "mock.h", "-include", "stdlib.h", "-Dmalloc=mock_malloc", "-c", "k_host.c"}, warn...)...)
	run("gcc", "-std=gnu99", "-O0", "-fsanitize=undefined", "-o", "run", "k_host.o", "mock.c", "table.c", "main.c", "-lm")
	h.exe = filepath.Join(dir, "run")
}

func elemBytes(t ir.Type) int64 {
	switch cgen.CType(t, hostIndex) {
	case "uint8_t":
		return 1
	case "uint16_t":
		return 2
	case "uint32_t", "float":
		return 4
	}
	return 8
}

// main writes the program around the host function: for every parameter of the C
// function it reads a size and bytes, calls, and writes them back. The parameters are
// taken from the prototype in the source.
func (h *hostCase) main(source string) string {
	at := strings.Index(source, "_accel(loom_accel *dev")
	start := strings.LastIndex(source[:at], "\nint ")
	end := strings.Index(source[start:], ";")
	proto := strings.TrimSpace(source[start : start+end])
	name := strings.TrimPrefix(proto[:strings.Index(proto, "(")], "int ")
	var w strings.Builder
	w.WriteString("#include <stdint.h>\n#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include \"mock.h\"\n")
	w.WriteString("#include \"k_host.h\"\nstatic loom_accel dev;\n")
	w.WriteString(`static char *buf[64]; static uint64_t size[64];
static void take(int i) {
  if (fread(&size[i], 8, 1, stdin) != 1) exit(7);
  buf[i] = (char *)calloc(size[i] + 64, 1);
  if (size[i] && fread(buf[i], size[i], 1, stdin) != 1) exit(8);
  mock_array(buf[i], size[i]);
}
int main(void) {
`)
	list := h.parameters(proto)
	call := []string{"&dev"}
	for i, q := range list {
		fmt.Fprintf(&w, "  take(%d);\n", i)
		if q.pointer {
			call = append(call, fmt.Sprintf("(%s)buf[%d]", q.ctype, i))
		} else {
			fmt.Fprintf(&w, "  %s x%d; if (size[%d] != sizeof x%d) { fprintf(stderr, \"parameter %d has %%d bytes\\n\", (int)sizeof x%d); exit(9); } memcpy(&x%d, buf[%d], sizeof x%d);\n", q.ctype, i, i, i, i, i, i, i, i)
			call = append(call, fmt.Sprintf("x%d", i))
		}
	}
	fmt.Fprintf(&w, "  int status = %s(%s);\n  putchar('E'); fwrite(&status, 4, 1, stdout);\n", name, strings.Join(call, ", "))
	for i := range list {
		fmt.Fprintf(&w, "  fwrite(buf[%d], 1, size[%d], stdout);\n", i, i)
	}
	w.WriteString("  fflush(stdout);\n  return 0;\n}\n")
	h.decl = proto
	return w.String()
}

// cparam is one parameter of a prototype.
type cparam struct {
	ctype   string
	pointer bool
}

// parameters reads a prototype of the generator's.
func (h *hostCase) parameters(proto string) []cparam {
	inner := proto[strings.Index(proto, "(")+1 : strings.LastIndex(proto, ")")]
	var out []cparam
	for _, d := range strings.Split(inner, ",\n")[1:] {
		if at := strings.Index(d, "/*"); at >= 0 {
			d = d[:at]
		}
		d = strings.TrimSpace(d)
		q := cparam{pointer: strings.Contains(d, "*")}
		if at := strings.Index(d, "(*"); at >= 0 {
			close := at + strings.Index(d[at:], ")")
			q.ctype = d[:at+2] + d[close:]
		} else {
			end := strings.LastIndexAny(d, " *") + 1
			q.ctype = strings.TrimSpace(d[:end])
		}
		out = append(out, q)
	}
	return out
}

// run calls the host function on inputs of the whole function and returns what it left.
func (h *hostCase) run(in *vector.Inputs) (*vector.Outcome, error) {
	buffers, err := h.buffers(in)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(h.exe)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	out, err := h.serve(in, buffers, stdin, bufio.NewReader(stdout))
	stdin.Close()
	if werr := cmd.Wait(); werr != nil {
		return nil, fmt.Errorf("%w: %v: %s", werr, err, stderr.String())
	}
	return out, err
}

// serve sends the parameters and serves launches until the function returns.
func (h *hostCase) serve(in *vector.Inputs, buffers [][]byte, w io.Writer, r *bufio.Reader) (*vector.Outcome, error) {
	for _, b := range buffers {
		binary.Write(w, binary.LittleEndian, uint64(len(b)))
		w.Write(b)
	}
	for {
		kind, err := r.ReadByte()
		if err != nil {
			return nil, err
		}
		if kind == 'E' {
			break
		}
		h.launch++
		if err := h.serveLaunch(w, r); err != nil {
			w.Write([]byte{0})
			return nil, err
		}
	}
	var status int32
	binary.Read(r, binary.LittleEndian, &status)
	for _, b := range buffers {
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, err
		}
	}
	if status != 0 {
		return nil, fmt.Errorf("status %d", status)
	}
	return h.outcome(in, buffers)
}

// serveLaunch runs the graph once.
func (h *hostCase) serveLaunch(w io.Writer, r io.Reader) error {
	var in vector.Inputs
	for _, a := range h.bind.Args {
		arg := vector.Arg{Name: a.Name, Type: a.Type}
		if mt, ok := a.Type.(*ir.MemRefType); ok {
			var n uint64
			if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
				return err
			}
			raw := make([]byte, n)
			if _, err := io.ReadFull(r, raw); err != nil {
				return err
			}
			size := elemBytes(mt.Elem)
			m := &vector.Memory{Name: a.Name, Elem: mt.Elem, Data: memmap.Elements(raw, size)}
			rest := int64(len(m.Data))
			for _, d := range mt.Shape {
				if d != ir.Dynamic && d > 0 {
					rest /= d
				}
			}
			for _, d := range mt.Shape {
				if d == ir.Dynamic {
					d = rest
				}
				m.Shape = append(m.Shape, d)
			}
			if len(raw)%int(size) != 0 {
				return fmt.Errorf("%s has %d bytes", a.Name, n)
			}
			arg.Mem = m
		}
		in.Args = append(in.Args, arg)
	}
	for i, a := range h.bind.Args {
		if a.Mem < 0 {
			if err := binary.Read(r, binary.LittleEndian, &in.Args[i].Scalar); err != nil {
				return err
			}
		}
	}
	out, err := token.Run(h.dfg, &in, token.Options{IndexWidth: hostIndex})
	if err != nil {
		return err
	}
	if out.Status != vector.Done {
		return fmt.Errorf("the kernel ends with %s: %s", out.Status, strings.Join(out.Detail, "; "))
	}
	w.Write([]byte{1})
	k := 0
	for _, a := range h.bind.Args {
		if mt, ok := a.Type.(*ir.MemRefType); ok {
			w.Write(memmap.Bytes(out.Memories[k].Data, elemBytes(mt.Elem)))
			k++
		}
	}
	for _, s := range out.Results {
		binary.Write(w, binary.LittleEndian, s.Bits)
	}
	return nil
}
