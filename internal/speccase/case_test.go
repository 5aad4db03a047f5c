package speccase

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	_ "loom/compiler/dialect/all"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/sim/token"
	"loom/sim/vector"
)

const root = "../../testdata/spec"

func TestCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "*", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		name, _ := filepath.Rel(root, strings.TrimSuffix(file, ".txtar"))
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			c := load(t, file)
			switch {
			case c.has("input.mlir"):
				c.structured()
			case c.has("dfg.mlir"):
				c.graph()
			case c.has("fabric.mlir"):
				c.fabric()
			default:
				t.Fatal("a case needs input.mlir, dfg.mlir or fabric.mlir")
			}
			c.store()
		})
	}
}

// specCase is one archive.
type specCase struct {
	*testing.T
	path    string
	a       *txtar.Archive
	touched bool
}

func load(t *testing.T, path string) *specCase {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(strings.TrimSpace(string(a.Comment))) == 0 {
		t.Error("the case has no description")
	}
	return &specCase{T: t, path: path, a: a}
}

func (c *specCase) has(name string) bool {
	for _, f := range c.a.Files {
		if f.Name == name {
			return true
		}
	}
	return false
}

func (c *specCase) file(name string) string {
	for _, f := range c.a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// golden compares a file with what was found, or notes it for writing.
func (c *specCase) golden(name, found string) {
	c.Helper()
	if c.file(name) == found {
		return
	}
	if os.Getenv("LOOM_UPDATE") == "" {
		c.Errorf("%s differs (-want +got):\n%s", name, cmp.Diff(c.file(name), found))
		return
	}
	c.touched = true
	for i := range c.a.Files {
		if c.a.Files[i].Name == name {
			if found == "" {
				c.a.Files = append(c.a.Files[:i], c.a.Files[i+1:]...)
			} else {
				c.a.Files[i].Data = []byte(found)
			}
			return
		}
	}
	c.a.Files = append(c.a.Files, txtar.File{Name: name, Data: []byte(found)})
}

func (c *specCase) store() {
	if c.touched {
		if err := os.WriteFile(c.path, txtar.Format(c.a), 0o644); err != nil {
			c.Fatal(err)
		}
	}
}

func (c *specCase) parse(name string) *ir.Operation {
	m, err := mlir.ParseAndVerify(name, c.file(name))
	if err != nil {
		c.Fatalf("%s", c.render(diag.FromError(err)))
	}
	return m
}

// render shows findings as a user sees them.
func (c *specCase) render(errs *diag.List) string {
	return diag.Render(errs, func(file string) (string, bool) { return c.file(file), c.has(file) })
}

// inputs are the lines of inputs.json; none is one run on nothing.
func (c *specCase) inputs(fn *ir.Operation) []*vector.Inputs {
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		c.Fatal(err)
	}
	var out []*vector.Inputs
	for line := range strings.Lines(c.file("inputs.json")) {
		in, err := vector.ParseInputs("inputs.json", []byte(line), sig, 64)
		if err != nil {
			c.Fatal(err)
		}
		out = append(out, in)
	}
	return out
}

// structured lowers input.mlir in both orders, and holds the graphs to their
// goldens, to the verifier, to the interpreter and to streams.txt.
func (c *specCase) structured() {
	want := c.streams()
	var refused strings.Builder
	for _, order := range []string{"serial", "pipelined"} {
		m := c.parse("input.mlir")
		fn := function(m)
		opts := lower.Options{MemoryOrder: order}
		if c.has("limit") {
			n, err := strconv.Atoi(strings.TrimSpace(c.file("limit")))
			if err != nil {
				c.Fatal(err)
			}
			opts.MaxJoinFanin = &n
		}
		inputs := c.inputs(fn)
		res, err := lower.Lower(m.Clone(map[*ir.Value]*ir.Value{}), opts)
		if err != nil {
			refused.WriteString(order + ":\n" + c.render(diag.FromError(err)))
			continue
		}
		c.golden("out."+order+".dfg.mlir", mlir.Print(res.Module, mlir.Options{}))
		var errs diag.List
		dfg.Verify(res.Func, &errs)
		if len(errs.All) > 0 {
			c.Errorf("%s: %v", order, &errs)
		}
		if len(inputs) == 0 {
			c.Fatal("a case that is lowered needs inputs.json")
		}
		p, err := token.Compile(res.Func, 64)
		if err != nil {
			c.Fatal(err)
		}
		for i, in := range inputs {
			expected, err := interp.Run(fn, in, interp.Options{})
			if err != nil {
				c.Fatal(err)
			}
			for _, capacity := range []int{0, 1, 2} {
				rec := recorder{}
				got, err := p.Observe(in, token.Options{Capacity: capacity, MemDelay: 3 * capacity}, token.Observation{Each: rec.token})
				if err != nil {
					c.Fatal(err)
				}
				if d := vector.Diff(expected, got); len(d) > 0 {
					c.Errorf("%s, capacity %d, run %d: %s\n%s", order, capacity, i, strings.Join(d, "\n"), strings.Join(got.Detail, "\n"))
				}
				if i > 0 {
					continue
				}
				// A Kahn network: the streams do not depend on the capacity.
				c.golden("out."+order+".streams.txt", rec.listing(res.Func))
				want.check(c, order, res.Func, rec)
				lengths(c, order, res.Func, rec)
			}
		}
	}
	c.golden("refused.txt", refused.String())
}

// graph holds dfg.mlir to the verifier and runs it.
func (c *specCase) graph() {
	want := c.streams()
	m := c.parse("dfg.mlir")
	var fn *ir.Operation
	for _, op := range m.Regions[0].Entry().Ops {
		if op.Name == "handshake.func" {
			fn = op
		}
	}
	if fn == nil {
		c.Fatal("dfg.mlir has no handshake.func")
	}
	if len(want.feed) == 0 {
		var errs diag.List
		dfg.Verify(fn, &errs)
		c.golden("verify.txt", c.render(&errs))
	}
	p, err := token.Compile(fn, 64)
	if err != nil {
		c.Fatal(err)
	}
	args := fn.Regions[0].Entry().Args
	inputs := c.inputs(fn)
	if len(inputs) == 0 {
		inputs = []*vector.Inputs{{Args: make([]vector.Arg, len(args)-1)}}
	}
	for i, in := range inputs {
		more := map[int][]uint64{}
		for j, a := range args {
			tokens, fed := want.feed[a.Name]
			if !fed {
				continue
			}
			bits := c.bits(a, tokens)
			if j < len(in.Args) {
				in.Args[j] = vector.Arg{Scalar: bits[0]}
			}
			more[j] = bits[1:]
		}
		for _, capacity := range []int{0, 1} {
			rec := recorder{}
			got, err := p.Observe(in, token.Options{Capacity: capacity}, token.Observation{Feed: more, Each: rec.token})
			if err != nil {
				c.Fatal(err)
			}
			if i == 0 && capacity == 0 {
				status := ""
				if got.Status != vector.Done {
					status = string(got.Status) + "\n" + strings.Join(got.Detail, "\n") + "\n"
				}
				c.golden("status.txt", status)
			}
			if i == 0 {
				want.check(c, "dfg.mlir", fn, rec)
			}
		}
	}
}

func function(m *ir.Operation) *ir.Operation {
	for _, op := range m.Regions[0].Entry().Ops {
		if op.Name == "func.func" {
			return op
		}
	}
	return nil
}
