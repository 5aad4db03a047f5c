package e2e

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/cabi"
	"loom/compiler/config"
	"loom/compiler/frontend"
	"loom/compiler/frontend/domain"
	"loom/compiler/host"
	"loom/compiler/host/cgen"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapping"
	"loom/internal/testkit"
	"loom/internal/tools"
	"loom/sim/inputs"
	"loom/sim/level0"
	"loom/sim/token"
	"loom/sim/vector"
)

// hostIndex is the index width of the fabric that the host functions are written for.
const hostIndex = 32

// hostCase is a function with a domain, its host function compiled with an accelerator
// in the place of loom_accel.c whose launches this process serves with the token
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
	launch int
}

// mockHeader and mockSource replace loom_accel.c: the arguments of a launch go to
// standard output and its outcome comes from standard input. What the host hands over is
// checked as far as a real driver would notice.
const mockHeader = `
#include <stddef.h>
#include <stdint.h>
struct mock_region { uint32_t word, bit; size_t bytes; };
extern const struct mock_region mock_regions[];
extern const unsigned mock_region_count, mock_arg_count, mock_result_count;
extern const uint32_t mock_args[], mock_results[], mock_start, mock_done;
#ifdef __cplusplus
extern "C" {
#endif
void mock_array(void *p, size_t bytes);
void *mock_malloc(size_t bytes);
#ifdef __cplusplus
}
#endif
`

const mockSource = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "loom_accel.h"
#include "mock.h"
static struct { char *p; size_t n; } arrays[64];
static unsigned array_count;
static uint64_t args[LOOM_ACCEL_MAX_PORTS], results[LOOM_ACCEL_MAX_PORTS];
static int loaded;
void mock_array(void *p, size_t bytes) { arrays[array_count].p = (char *)p; arrays[array_count++].n = bytes; }
void *mock_malloc(size_t bytes) { void *p = malloc(bytes); mock_array(p, bytes - 1); return p; }
static void die(const char *why) { fprintf(stderr, "mock: %s\n", why); exit(3); }
static void put(const void *p, size_t n) { if (fwrite(p, 1, n, stdout) != n) exit(4); }
static void get(void *p, size_t n) { if (fread(p, 1, n, stdin) != n) exit(5); }
int loom_accel_init(loom_accel *dev, uintptr_t base, uint64_t hash) {
  memset(dev, 0, sizeof *dev);
  dev->base = base;
  loaded = 0;
  return hash == MOCK_HASH ? LOOM_ACCEL_OK : LOOM_ACCEL_WRONG_IMAGE;
}
int loom_accel_set_mem_region(loom_accel *dev, uint32_t word, uint32_t bit, uint64_t address) {
  uint32_t i;
  for (i = 0; i < dev->region_count; i++)
    if (dev->region[i].word == word && dev->region[i].bit == bit) break;
  if (i == dev->region_count) dev->region_count++;
  dev->region[i].word = word; dev->region[i].bit = bit; dev->region[i].address = address;
  loaded = 0; /* takes effect with the next image */
  return LOOM_ACCEL_OK;
}
int loom_accel_load_config(loom_accel *dev, const uint32_t *words, uint32_t n) {
  (void)dev; (void)words; (void)n;
  loaded = 1;
  return LOOM_ACCEL_OK;
}
int loom_accel_set_arg(loom_accel *dev, uint32_t port, uint64_t value) {
  args[port] = value; dev->arg_enable[port / 32] |= 1u << port % 32; return LOOM_ACCEL_OK;
}
int loom_accel_expect(loom_accel *dev, uint32_t port) {
  dev->result_enable[port / 32] |= 1u << port % 32; return LOOM_ACCEL_OK;
}
static char *address(loom_accel *dev, unsigned r, uint64_t *bytes) {
  uint32_t i, k;
  for (i = 0; i < dev->region_count; i++)
    if (dev->region[i].word == mock_regions[r].word && dev->region[i].bit == mock_regions[r].bit) {
      char *p = (char *)(uintptr_t)dev->region[i].address;
      *bytes = mock_regions[r].bytes;
      if (*bytes) return p;
      for (k = array_count; k-- > 0;)
        if (p >= arrays[k].p && p <= arrays[k].p + arrays[k].n) {
          *bytes = (uint64_t)(arrays[k].p + arrays[k].n - p);
          return p;
        }
      die("an array at an address that the program does not know");
    }
  die("a region has no address");
  return NULL;
}
int loom_accel_launch(loom_accel *dev) {
  unsigned i;
  uint64_t n;
  char kind = 'L', ok;
  if (!loaded) return LOOM_ACCEL_CONFIG_FAILED;
  if (!(dev->arg_enable[mock_start / 32] >> mock_start % 32 & 1u)) die("no start token");
  if (!(dev->result_enable[mock_done / 32] >> mock_done % 32 & 1u)) die("no done token");
  put(&kind, 1);
  for (i = 0; i < mock_region_count; i++) { char *p = address(dev, i, &n); put(&n, 8); put(p, n); }
  for (i = 0; i < mock_arg_count; i++) {
    if (!(dev->arg_enable[mock_args[i] / 32] >> mock_args[i] % 32 & 1u)) die("an argument is missing");
    put(&args[mock_args[i]], 8);
  }
  fflush(stdout);
  get(&ok, 1);
  if (!ok) exit(6);
  for (i = 0; i < mock_region_count; i++) { char *p = address(dev, i, &n); get(p, n); }
  for (i = 0; i < mock_result_count; i++) {
    if (!(dev->result_enable[mock_results[i] / 32] >> mock_results[i] % 32 & 1u)) die("a result is not expected");
    get(&results[mock_results[i]], 8);
  }
  return LOOM_ACCEL_OK;
}
int loom_accel_wait(loom_accel *dev, uint32_t max_polls) { (void)dev; (void)max_polls; return LOOM_ACCEL_OK; }
uint64_t loom_accel_get_result(loom_accel *dev, uint32_t port) { (void)dev; return results[port]; }
`

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
	p := &host.Program{Binding: b, Layout: l, Fabric: "fake", ConfigHeader: "fake.config.h", IndexWidth: hostIndex, C: h.c, Graph: h.dfg}
	if h.d.Loop >= 0 {
		p.Module, p.Host, p.Kernel = h.d.Module, h.d.Host, h.d.Kernel
	}
	source, err := p.Source()
	if err != nil {
		t.Fatalf("%s: %v\n%s", h.name, err, h.decl)
	}
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
		s := l.SliceFor(f.Comps[a.Mem])
		at := s.WordOffset*config.WordBits + s.Regions[0].Offset.Bit
		bytes := int64(0)
		if n, ok := a.Type.(*ir.MemRefType).NumElements(); ok {
			bytes = n * elemBytes(a.Type.(*ir.MemRefType).Elem)
		}
		rows += fmt.Sprintf("{%d, %d, %d}, ", at/config.WordBits, at%config.WordBits, bytes)
		regions++
	}
	for _, r := range b.Results {
		resultPorts += fmt.Sprintf("%d, ", r.Output)
		results++
	}
	fmt.Fprintf(&table, "const struct mock_region mock_regions[] = {%s{0, 0, 0}};\nconst uint32_t mock_args[] = {%s0}, mock_results[] = {%s0}, mock_start = 40, mock_done = 41;\n", rows, argPorts, resultPorts)
	fmt.Fprintf(&table, "const unsigned mock_region_count = %d, mock_arg_count = %d, mock_result_count = %d;\n", regions, args, results)
	header, _, err := host.Driver()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"loom_accel.h": string(header), "mock.h": mockHeader, "table.c": table.String(), "k_host.c": string(source), "main.c": h.main(t, string(source)),
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
	run("g++", append([]string{"-std=c++11", "-fsyntax-only", "-x", "c++", "k_host.c"}, warn...)...)
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
func (h *hostCase) main(t *testing.T, source string) string {
	t.Helper()
	at := strings.Index(source, "_accel(uintptr_t base")
	start := strings.LastIndex(source[:at], "\nint ")
	end := strings.Index(source[start:], ";")
	proto := strings.TrimSpace(source[start : start+end])
	name := strings.TrimPrefix(proto[:strings.Index(proto, "(")], "int ")
	var w strings.Builder
	w.WriteString("#include <stdint.h>\n#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include \"mock.h\"\n")
	fmt.Fprintf(&w, "%s;\n", proto)
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
	call := []string{"0"}
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
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	out, err := h.serve(in, buffers, stdin, bufio.NewReader(stdout))
	stdin.Close()
	if werr := cmd.Wait(); werr != nil {
		return nil, fmt.Errorf("%w: %v: %s", werr, err, said.String())
	}
	return out, err
}

// serve sends the parameters and answers launches until the function returns.
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
	sizes := map[int]int{}
	for i, a := range h.bind.Args {
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
			m := &vector.Memory{Name: a.Name, Elem: mt.Elem, Data: decode(raw, size)}
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
			arg.Mem, sizes[i] = m, len(raw)
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
	for i, a := range h.bind.Args {
		if mt, ok := a.Type.(*ir.MemRefType); ok {
			w.Write(encode(out.Memories[k].Data, elemBytes(mt.Elem)))
			k++
			_ = sizes[i]
		}
	}
	for _, s := range out.Results {
		binary.Write(w, binary.LittleEndian, s.Bits)
	}
	return nil
}

func decode(raw []byte, size int64) []uint64 {
	out := make([]uint64, int64(len(raw))/size)
	for i := range out {
		var word [8]byte
		copy(word[:], raw[int64(i)*size:int64(i+1)*size])
		out[i] = binary.LittleEndian.Uint64(word[:])
	}
	return out
}

func encode(data []uint64, size int64) []byte {
	out := make([]byte, 0, int64(len(data))*size)
	for _, v := range data {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], v)
		out = append(out, word[:size]...)
	}
	return out
}

// buffers are the bytes of every parameter of <name>_accel behind the base address.
func (h *hostCase) buffers(in *vector.Inputs) ([][]byte, error) {
	var out [][]byte
	if h.c == nil {
		for _, a := range in.Args {
			switch {
			case a.Mem != nil:
				out = append(out, encode(a.Mem.Data, elemBytes(a.Mem.Elem)))
			case a.Type == ir.Type(ir.Index):
				out = append(out, encode([]uint64{a.Scalar}, 8))
			default:
				out = append(out, encode([]uint64{a.Scalar}, elemBytes(a.Type)))
			}
		}
	} else {
		var counts [][]byte
		for _, p := range h.c.Params {
			b, count, err := h.paramBytes(&p, in)
			if err != nil {
				return nil, err
			}
			out = append(out, b)
			if count >= 0 {
				counts = append(counts, encode([]uint64{uint64(count)}, 8))
			}
		}
		out = append(out, counts...)
	}
	list := h.parameters(h.decl)
	for len(out) < len(list) {
		out = append(out, make([]byte, 16)) // results
	}
	return out, nil
}

// paramBytes lays out one parameter of the C function; count is the number of records
// where the host function asks for it, -1 elsewhere.
func (h *hostCase) paramBytes(p *cabi.Param, in *vector.Inputs) (b []byte, count int64, err error) {
	count = -1
	size := p.Size
	for _, q := range p.Pieces {
		a := in.Args[q.Index]
		if a.Mem == nil {
			continue
		}
		n := int64(len(a.Mem.Data))
		stride := q.Stride
		if stride == 0 {
			stride = elemBytes(a.Mem.Elem)
		}
		size = max(size, n*stride)
		_, static := a.Type.(*ir.MemRefType).NumElements()
		if p.Class == cabi.Pointer && !static && (len(p.Pieces) > 1 || q.Offset != 0 || stride != elemBytes(a.Mem.Elem)) {
			count = max(count, n)
		}
	}
	b = make([]byte, size)
	r := rand.New(rand.NewPCG(1, uint64(size)))
	for i := range b {
		b[i] = byte(r.Uint32()) // what lies between the fields must stay
	}
	if p.Class == cabi.Scalar && len(p.Pieces) == 0 {
		return b, count, nil
	}
	for _, q := range p.Pieces {
		a := in.Args[q.Index]
		if a.Mem == nil {
			n := elemBytes(a.Type)
			v := a.Scalar
			if a.Type == ir.Type(ir.Index) {
				n = 8
				v = uint64(int64(int32(v)))
			}
			if p.Class == cabi.Scalar {
				n = p.Size
			}
			copy(b[q.Offset:], encode([]uint64{v}, n))
			continue
		}
		e := elemBytes(a.Mem.Elem)
		stride := q.Stride
		if stride == 0 {
			stride = e
		}
		for k, v := range a.Mem.Data {
			copy(b[int64(k)*stride+q.Offset:], encode([]uint64{v}, e))
		}
	}
	return b, count, nil
}

// outcome reads results and memories of the whole function from the bytes.
func (h *hostCase) outcome(in *vector.Inputs, buffers [][]byte) (*vector.Outcome, error) {
	sig, err := vector.SignatureOf(h.fn)
	if err != nil {
		return nil, err
	}
	out := &vector.Outcome{Status: vector.Done}
	left := in.Clone()
	at := len(buffers) - len(sig.Results)
	if h.c != nil {
		at = len(buffers) - 1
		for i, p := range h.c.Params {
			for _, q := range p.Pieces {
				m := left.Args[q.Index].Mem
				if m == nil {
					continue
				}
				e, stride := elemBytes(m.Elem), q.Stride
				if stride == 0 {
					stride = e
				}
				for k := range m.Data {
					from := int64(k)*stride + q.Offset
					m.Data[k] = decode(buffers[i][from:from+e], e)[0]
				}
			}
		}
	} else {
		for i := range left.Args {
			if m := left.Args[i].Mem; m != nil {
				m.Data = decode(buffers[i], elemBytes(m.Elem))
			}
		}
	}
	for i, t := range sig.Results {
		n := elemBytes(t)
		if t == ir.Type(ir.Index) {
			n = 8
		}
		b, offset := []byte(nil), int64(0)
		if h.c != nil {
			b = buffers[at]
			for _, q := range h.c.Result.Pieces {
				if q.Index == i {
					offset = q.Offset
				}
			}
		} else {
			b = buffers[at+i]
		}
		v := decode(b[offset:offset+n], n)[0]
		if w, _ := ir.BitWidth(t, hostIndex); w < 64 {
			v &= 1<<w - 1
		}
		out.Results = append(out.Results, vector.Scalar{Type: t, Bits: v})
	}
	for i := range left.Args {
		if m := left.Args[i].Mem; m != nil {
			m.Name = sig.Params[i].Name
			out.Memories = append(out.Memories, m)
		}
	}
	return out, nil
}

func needHostTools(t *testing.T, names ...string) {
	t.Helper()
	for _, n := range append(names, "gcc", "g++") {
		if _, err := exec.LookPath(n); err != nil {
			if os.Getenv("LOOM_REQUIRE_TOOLS") != "" {
				t.Fatal(err)
			}
			t.Skipf("%s is not installed", n)
		}
	}
}

// TestHostFunctionsOfKernels runs the host functions of kernels in MLIR, the whole
// function and every loop, on the token simulator.
func TestHostFunctionsOfKernels(t *testing.T) {
	needHostTools(t)
	for _, name := range []string{"condcopy", "crc", "gcd", "histogram", "matvec", "oddeven", "scan"} {
		module := testkit.Kernel(t, name)
		fn := testkit.Function(module)
		for _, l := range domain.Loops(fn) {
			d, err := domain.Outline(module, fn, l.Number)
			if err != nil {
				t.Fatal(err)
			}
			h := newHostCase(t, fmt.Sprintf("%s loop=%d", name, l.Number), module, fn, d)
			sig, err := vector.SignatureOf(fn)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(3) {
				in, err := vector.Random(sig, seed, 6, hostIndex)
				if err != nil {
					t.Fatal(err)
				}
				want, err := interp.Run(fn, in, interp.Options{IndexWidth: hostIndex})
				if err != nil {
					t.Fatal(err)
				}
				if want.Status != vector.Done {
					continue
				}
				got, err := h.run(in)
				if err != nil {
					t.Fatalf("%s: %v\n%s", h.name, err, h.decl)
				}
				if diff := vector.Diff(want, got); diff != nil {
					t.Errorf("%s, seed %d: %v", h.name, seed, diff)
				}
			}
			t.Logf("%s: %d launches", h.name, h.launch)
		}
	}
}

// hostSources are kernels in C that exercise what a host function does: structs by
// value and in arrays, globals, tables, local arrays on both sides, every width.
var hostSources = map[string]string{
	"matvec.c": `
int matvec(const int *restrict a, const int *restrict x, int *restrict y, int n, long m) {
  int total = 0;
  int tmp[8] = {0};
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (long j = 0; j < m; j++)
      s += a[i * m + j] * x[j];
    y[i] = s;
    tmp[i & 7] += s;
    if (s > 100) total ^= s;
  }
  for (int i = 0; i < 8; i++) total += tmp[i];
  return total;
}`,
	"moments.c": `
struct pt { int x; short y; };
int table[16];
int moments(struct pt *restrict p, int n, struct pt origin, unsigned char flag, _Bool neg) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    p[i].x -= origin.x; p[i].y += flag;
    s += p[i].x * p[i].y + table[i & 15];
    table[i & 15] = s;
  }
  return neg ? -s : s;
}`,
	"widths.c": `
static const unsigned char order[4] = {2, 0, 3, 1};
long long widths(unsigned char *restrict a, const short *restrict b, const double *restrict c, float *restrict d, unsigned long long k, int n) {
  long long sum = -1;
  unsigned h = (unsigned)k;
  for (int i = 0; i < n; i++) {
    a[i] = (unsigned char)(a[i] * 3 + order[i & 3] - b[i]);
    d[i] = (float)(c[i] * 0.5) + d[i];
    sum += (long long)(k >> (i & 31)) * b[i];
    h = h * 31u + a[i];
  }
  while (h > 1000) { h -= h / 3; sum++; }
  for (int i = n - 1; i >= 0; i--)
    if (d[i] < 0.0f) d[i] = -d[i];
  return sum + h;
}`,
	"grid.c": `
void grid(int in[8][8], int out[8][8], const int *restrict w, int rounds) {
  for (int r = 0; r < rounds; r++) {
    int row[8];
    for (int i = 0; i < 8; i++) {
      for (int j = 0; j < 8; j++) {
        int up = i > 0 ? in[i - 1][j] : 0;
        row[j] = up * w[0] + in[i][j] * w[1];
      }
      for (int j = 0; j < 8; j++) out[i][j] += row[j];
    }
    for (int i = 0; i < 8; i++) in[0][i] ^= out[7][i];
  }
}`,
	"pair.cpp": `
struct pair { int low, high; };
template <class T> static void put(T &x, T v) { x = v; }
pair minmax(const int *x, int n, unsigned *changes) {
  unsigned &count = *changes;
  pair p = {x[0], x[0]};
  count = 0;
  for (int i = 1; i < n; ++i) {
    if (x[i] < p.low) { put(p.low, x[i]); ++count; }
    if (x[i] > p.high) { put(p.high, x[i]); ++count; }
  }
  return p;
}`,
}

// TestHostFunctionsOfC compares the host functions of C functions, for the whole
// function and for every loop, with the original, compiled as it is.
func TestHostFunctionsOfC(t *testing.T) {
	needHostTools(t, tools.Clang, tools.MLIRTranslate, tools.MLIROpt)
	dir := t.TempDir()
	for _, name := range sortedKeys(hostSources) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(hostSources[name]), 0o644); err != nil {
				t.Fatal(err)
			}
			hostFunctionsOf(t, path, hostSources[name])
		})
	}
}

func hostFunctionsOf(t *testing.T, path, text string) {
	ctx := context.Background()
	res, err := frontend.Run(ctx, path, text, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fn, err := lower.Function(res.Module, "")
	if err != nil {
		t.Fatal(err)
	}
	whole := newHostCase(t, "function", res.Module, fn, domain.Whole(res.Module, fn))
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	native, err := level0.Build(ctx, whole.c, sig, level0.Options{IndexWidth: hostIndex})
	if err != nil {
		t.Fatal(err)
	}
	cases := []*hostCase{whole}
	for _, l := range domain.Loops(fn) {
		d, err := domain.Outline(res.Module, fn, l.Number)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, newHostCase(t, fmt.Sprintf("loop=%d", l.Number), res.Module, fn, d))
	}
	for seed := range uint64(3) {
		made, err := inputs.Random(whole.dfg, inputs.Options{Seed: seed, Size: 6, IndexWidth: hostIndex})
		if err != nil {
			t.Fatal(err)
		}
		want, err := native.Run(ctx, made.Inputs)
		if err != nil {
			t.Fatal(err)
		}
		if want.Status != vector.Done {
			t.Fatalf("seed %d: the original ends with %s: %v", seed, want.Status, want.Detail)
		}
		for _, h := range cases {
			got, err := h.run(made.Inputs)
			if err != nil {
				t.Fatal(errors.Join(fmt.Errorf("%s, seed %d", h.name, seed), err))
			}
			if diff := vector.Diff(want, got); diff != nil {
				t.Errorf("%s, seed %d: %v\n%s", h.name, seed, diff, made.Inputs.JSON())
			}
		}
	}
	launches := 0
	for _, h := range cases {
		launches += h.launch
	}
	t.Logf("%d domains, %d launches", len(cases), launches)
	if launches < 3*len(cases)/2 {
		t.Errorf("only %d launches of %d domains", launches, len(cases))
	}
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	for i := range out {
		for j := i + 1; j < len(out); j++ {
			if out[j] < out[i] {
				out[i], out[j] = out[j], out[i]
			}
		}
	}
	return out
}
