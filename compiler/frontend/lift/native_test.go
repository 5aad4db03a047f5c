package lift_test

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	_ "loom/compiler/dialect/all"
	"loom/compiler/frontend/clang"
	"loom/compiler/frontend/lift"
	"loom/compiler/frontend/llvm"
	"loom/compiler/frontend/normalise"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/pass"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
	"loom/sim/vector"
)

// call is a line "run: name(arguments)" of a test source: a number for a scalar, *n for
// memory of n records, & for a struct that is passed by value.
type call struct {
	line int
	name string
	args []string
}

func calls(t *testing.T, text string) []call {
	t.Helper()
	var out []call
	for i, line := range strings.Split(text, "\n") {
		rest, ok := strings.CutPrefix(line, "// run: ")
		if !ok {
			continue
		}
		name, args, ok := strings.Cut(strings.TrimSuffix(rest, ")"), "(")
		if !ok {
			t.Fatalf("line %d: no call", i+1)
		}
		c := call{line: i + 1, name: name}
		for _, a := range strings.Split(args, ",") {
			if a = strings.TrimSpace(a); a != "" {
				c.args = append(c.args, a)
			}
		}
		out = append(out, c)
	}
	return out
}

// lowered is a source in MLIR's generic form.
type lowered struct {
	file   string
	module *ir.Operation
	debug  *llvm.Debug
}

func lowerSource(t *testing.T, file, level string) *lowered {
	t.Helper()
	toolstest.Need(t, tools.Clang, tools.MLIRTranslate, tools.MLIROpt)
	ctx := context.Background()
	data := []byte(nil)
	var err error
	if source, _ := clang.IsSource(file); source {
		data, err = clang.Compile(ctx, file, clang.Options{Level: level})
	} else {
		data, err = os.ReadFile(file)
	}
	if err == nil {
		data, err = clang.Import(ctx, file, data)
	}
	if err == nil {
		data, err = clang.Generic(ctx, file, data)
	}
	if err != nil {
		t.Fatal(err)
	}
	module, err := mlir.Parse(file, string(data))
	if err != nil {
		t.Fatal(err)
	}
	mlir.AdoptLocations(module)
	return &lowered{file, module, llvm.NewDebug(string(data))}
}

// lift lifts one function.
func (l *lowered) lift(name string, opts lift.Options, notes *diag.List) (*ir.Operation, error) {
	module := l.module.Clone(map[*ir.Value]*ir.Value{})
	if err := normalise.Run(module, normalise.Options{Function: name, Debug: l.debug, Pass: pass.Options{Verify: true}}, notes); err != nil {
		return nil, err
	}
	opts.Pass.Verify = true
	opts.Debug, opts.Source, opts.Cxx = l.debug, l.file, strings.HasSuffix(l.file, ".cpp")
	return lift.Run(module, opts, notes)
}

func function(module *ir.Operation) *ir.Operation {
	for _, op := range module.Regions[0].Entry().Ops {
		if op.Name == "func.func" {
			return op
		}
	}
	return nil
}

// trial is one call with its memory: what goes in, and what must come out.
type trial struct {
	call
	module *ir.Operation
	fn     *ir.Operation
	abi    *cabi.Function
	memory [][]byte // by parameter
}

// prepare fills the memory of a call.
func (tr *trial) prepare(t *testing.T) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(tr.line), 7))
	types := tr.fn.Regions[0].Entry().Args
	for i, p := range tr.abi.Params {
		size := p.Size
		if i < len(tr.args) && p.Class != cabi.Global {
			n, _ := strconv.ParseInt(strings.TrimPrefix(tr.args[i], "*"), 10, 64)
			if p.Class == cabi.Pointer {
				size *= n
			}
		} else if p.Class != cabi.Global {
			t.Fatalf("line %d: %s has %d parameters", tr.line, tr.name, len(tr.abi.Params))
		}
		data := make([]byte, size)
		if p.Class == cabi.Pointer {
			// Parts that the kernel does not use must not hold zero, which it assumes for
			// them; alike everywhere, as copies of structs may copy what is between fields.
			for k := range data {
				data[k] = 7
			}
		}
		for _, q := range p.Pieces {
			elem := types[q.Index].Type
			stride := q.Stride
			if m, ok := elem.(*ir.MemRefType); ok {
				elem = m.Elem
			} else {
				stride = 0
			}
			for at := q.Offset; at+width(elem) <= size; at += stride {
				v := sample(rng, elem)
				if strings.Contains(strings.ToLower(p.Type), "bool") {
					v &= 1
				}
				put(data[at:], elem, v)
				if stride == 0 {
					break
				}
			}
		}
		if p.Class == cabi.Scalar {
			f, err := strconv.ParseFloat(tr.args[i], 64)
			if err != nil {
				t.Fatalf("line %d: %v", tr.line, err)
			}
			n, _ := strconv.ParseInt(tr.args[i], 10, 64)
			switch {
			case p.Type == "float":
				binary.LittleEndian.PutUint32(data, math.Float32bits(float32(f)))
			case p.Type == "double":
				binary.LittleEndian.PutUint64(data, math.Float64bits(f))
			default:
				var b [8]byte
				binary.LittleEndian.PutUint64(b[:], uint64(n))
				copy(data, b[:])
			}
		}
		tr.memory = append(tr.memory, data)
	}
}

func width(t ir.Type) int64 {
	w, _ := ir.BitWidth(t, 64)
	return int64(w+7) / 8
}

func sample(rng *rand.Rand, t ir.Type) uint64 {
	n := rng.IntN(41) - 20
	switch t {
	case ir.Type(ir.F32):
		return uint64(math.Float32bits(float32(n) / 4))
	case ir.Type(ir.F64):
		return math.Float64bits(float64(n) / 8)
	case ir.Type(ir.I1):
		return uint64(n & 1)
	}
	return uint64(int64(n))
}

func put(b []byte, t ir.Type, v uint64) {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], v)
	copy(b[:width(t)], all[:])
}

func get(b []byte, t ir.Type) uint64 {
	var all [8]byte
	copy(all[:], b[:width(t)])
	v := binary.LittleEndian.Uint64(all[:])
	if w, _ := ir.BitWidth(t, 64); w < 64 {
		v &= 1<<w - 1
	}
	return v
}

// interpret runs the lifted function and returns the result and the memory after it.
func (tr *trial) interpret(indexWidth int) (result []byte, memory [][]byte, err error) {
	sig, err := vector.SignatureOf(tr.fn)
	if err != nil {
		return nil, nil, err
	}
	in := &vector.Inputs{Args: make([]vector.Arg, len(sig.Params))}
	type slot struct{ param, piece int }
	var mems []slot
	where := map[int]slot{}
	for i, p := range tr.abi.Params {
		for k, q := range p.Pieces {
			a := vector.Arg{Name: sig.Params[q.Index].Name, Type: sig.Params[q.Index].Type}
			data := tr.memory[i]
			m, isMem := a.Type.(*ir.MemRefType)
			if !isMem {
				a.Scalar = get(data[q.Offset:], a.Type)
				in.Args[q.Index] = a
				continue
			}
			a.Mem = &vector.Memory{Name: a.Name, Elem: m.Elem, Shape: append([]int64(nil), m.Shape...)}
			inner := int64(1)
			for _, d := range m.Shape[1:] {
				inner *= d
			}
			for at := q.Offset; at+width(m.Elem) <= int64(len(data)); at += q.Stride {
				a.Mem.Data = append(a.Mem.Data, get(data[at:], m.Elem))
			}
			if m.Shape[0] < 0 {
				a.Mem.Shape[0] = int64(len(a.Mem.Data)) / inner
			}
			a.Mem.Data = a.Mem.Data[:a.Mem.Shape[0]*inner]
			in.Args[q.Index] = a
			where[q.Index] = slot{i, k}
		}
	}
	for i := range in.Args {
		if in.Args[i].Mem != nil {
			mems = append(mems, where[i])
		}
	}
	out, err := interp.Run(tr.fn, in, interp.Options{IndexWidth: indexWidth, MaxSteps: 5_000_000})
	if err != nil {
		return nil, nil, err
	}
	if out.Status != vector.Done {
		return nil, nil, fmt.Errorf("%v %v", out.Status, out.Detail)
	}
	for i := range tr.memory {
		memory = append(memory, append([]byte(nil), tr.memory[i]...))
	}
	for i, m := range out.Memories {
		p := mems[i]
		q := tr.abi.Params[p.param].Pieces[p.piece]
		for k, v := range m.Data {
			put(memory[p.param][int64(k)*q.Stride+q.Offset:], m.Elem, v)
		}
	}
	if r := tr.abi.Result; r != nil && len(r.Pieces) > 0 {
		result = make([]byte, r.Size)
		for _, q := range r.Pieces {
			put(result[q.Offset:], out.Results[q.Index].Type, out.Results[q.Index].Bits)
		}
	}
	return result, memory, nil
}

// native runs the original functions, compiled by the C compiler, and returns for every
// trial a line with the bytes of the result and of the memory.
func native(t *testing.T, source string, trials []*trial) []string {
	t.Helper()
	var b strings.Builder
	abs, _ := filepath.Abs(source)
	fmt.Fprintf(&b, "#include %q\n#include <stdio.h>\n#include <string.h>\n", abs)
	b.WriteString("static void show(const void *p, unsigned long n) { const unsigned char *c = (const unsigned char *)p;\n" +
		"  for (unsigned long i = 0; i < n; i++) printf(\"%02x\", c[i]); printf(\" \"); }\n")
	bytes := func(data []byte) string {
		var s strings.Builder
		for _, c := range data {
			fmt.Fprintf(&s, "%d,", c)
		}
		return s.String() + "0"
	}
	for i, tr := range trials {
		fmt.Fprintf(&b, "static void trial%d(void) {\n", i)
		var args []string
		for k, p := range tr.abi.Params {
			fmt.Fprintf(&b, "  static unsigned char __attribute__((aligned(16))) b%d[] = {%s};\n", k, bytes(tr.memory[k]))
			switch p.Class {
			case cabi.Pointer:
				if strings.HasSuffix(p.Type, "&") || tr.abi.Cxx && refs[tr.name+"/"+p.Name] {
					args = append(args, fmt.Sprintf("*(%s)b%d", p.Type, k))
				} else {
					args = append(args, fmt.Sprintf("(%s)b%d", p.Type, k))
				}
			case cabi.Global:
				fmt.Fprintf(&b, "  memcpy((void *)&%s, b%d, %d);\n", p.Name, k, p.Size)
			default:
				fmt.Fprintf(&b, "  %s a%d; memcpy(&a%d, b%d, %d);\n", p.Type, k, k, k, p.Size)
				args = append(args, fmt.Sprintf("a%d", k))
			}
		}
		what := tr.abi.Name + "(" + strings.Join(args, ", ") + ");"
		if r := tr.abi.Result; r != nil && len(r.Pieces) > 0 {
			fmt.Fprintf(&b, "  %s r; memset(&r, 0, sizeof r); r = %s show(&r, %d);\n", r.Type, what, r.Size)
		} else {
			fmt.Fprintf(&b, "  %s\n", what)
		}
		for k, p := range tr.abi.Params {
			switch p.Class {
			case cabi.Pointer:
				fmt.Fprintf(&b, "  show(b%d, %d);\n", k, len(tr.memory[k]))
			case cabi.Global:
				fmt.Fprintf(&b, "  show((const void *)&%s, %d);\n", p.Name, p.Size)
			}
		}
		b.WriteString("  printf(\"\\n\");\n}\n")
	}
	b.WriteString("int main(void) {\n")
	for i := range trials {
		fmt.Fprintf(&b, "  trial%d();\n", i)
	}
	b.WriteString("  return 0;\n}\n")
	dir := t.TempDir()
	ext := filepath.Ext(source)
	file := filepath.Join(dir, "main"+ext)
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	path, err := tools.Find(tools.Clang)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-O1", "-w", "-fwrapv", "-ffp-contract=off", "-fno-strict-aliasing", "-fno-threadsafe-statics", "-o", filepath.Join(dir, "main"), file, "-lm"}
	if _, err := tools.Run(context.Background(), dir, path, args...); err != nil {
		t.Fatal(err)
	}
	out, err := tools.Output(context.Background(), filepath.Join(dir, "main"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// refs are the parameters that are references, which a call does not take as pointers.
var refs = map[string]bool{}

// printed is what the native run would print.
func (tr *trial) printed(result []byte, memory [][]byte) string {
	var s strings.Builder
	if r := tr.abi.Result; r != nil && len(r.Pieces) > 0 {
		s.WriteString(hex.EncodeToString(result) + " ")
	}
	for k, p := range tr.abi.Params {
		if p.Class == cabi.Pointer || p.Class == cabi.Global {
			s.WriteString(hex.EncodeToString(memory[k]) + " ")
		}
	}
	return s.String()
}

// compare lifts every function of a source that has a call, and compares each call
// with the native run.
func compare(t *testing.T, source, level string) {
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	l := lowerSource(t, source, level)
	var trials []*trial
	var all strings.Builder
	lifted := map[string]*ir.Operation{}
	for _, c := range calls(t, string(text)) {
		module := lifted[c.name]
		if module == nil {
			notes := &diag.List{}
			module, err = l.lift(c.name, lift.Options{}, notes)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			lifted[c.name] = module
			all.WriteString(mlir.Print(module, mlir.Options{Debuginfo: true}) + "\n// -----\n")
		}
		tr := &trial{call: c, module: module, fn: function(module)}
		var ok bool
		if tr.abi, ok = cabi.Of(tr.fn); !ok {
			t.Errorf("%s: no description", c.name)
			continue
		}
		tr.prepare(t)
		trials = append(trials, tr)
	}
	if path, err := tools.Find(tools.MLIROpt); err != nil {
		t.Fatal(err)
	} else {
		file := filepath.Join(t.TempDir(), "all.mlir")
		if err := os.WriteFile(file, []byte(all.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := tools.Output(context.Background(), path, "--split-input-file", file, "-o", os.DevNull); err != nil {
			t.Errorf("the text is not accepted: %v", err)
		}
	}
	want := native(t, source, trials)
	for i, tr := range trials {
		for _, w := range []int{32, 64} {
			result, memory, err := tr.interpret(w)
			if err != nil {
				t.Errorf("%s:%d %s: %v\n%s", source, tr.line, tr.name, err, mlir.Print(tr.module, mlir.Options{}))
				break
			}
			if got := tr.printed(result, memory); got != want[i] {
				t.Errorf("%s:%d %s:\n got %s\nwant %s\n%s", source, tr.line, tr.name, got, want[i], mlir.Print(tr.module, mlir.Options{}))
				break
			}
		}
	}
}

func TestNative(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.c*")
	if err != nil || len(files) == 0 {
		t.Fatal("no sources", err)
	}
	for _, f := range files {
		for _, level := range []string{"0", "1", "2"} {
			t.Run(filepath.Base(f)+"/O"+level, func(t *testing.T) {
				t.Parallel()
				compare(t, f, level)
			})
		}
	}
}
