package randc

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// NativeFlags are the options that give C the meaning LOOM gives it.
var NativeFlags = []string{"-w", "-fwrapv", "-ffp-contract=off"}

// Source is a file with the text of several programs.
func Source(programs []*Program) string {
	var b strings.Builder
	b.WriteString(Prelude)
	for _, p := range programs {
		b.WriteString("\n" + p.Text())
	}
	return b.String()
}

// Harness is a program in C that reads runs from its input, performs each in a
// process of its own, since statics start anew, and writes what is left behind. It
// includes the file that Source gives.
func Harness(programs []*Program, file string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `#include %q
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void get(void *p, size_t n) { if (fread(p, 1, n, stdin) != n) exit(3); }
static void put(const void *p, size_t n) { if (fwrite(p, 1, n, stdout) != n) exit(4); }
`, file)
	for k, p := range programs {
		p.wrapper(&b, k)
	}
	b.WriteString("\nint main(void)\n{\n\tuint32_t which;\n\twhile (fread(&which, 1, 4, stdin) == 4) {\n\t\tswitch (which) {\n")
	for k := range programs {
		fmt.Fprintf(&b, "\t\tcase %d: run_%d(); break;\n", k, k)
	}
	b.WriteString("\t\t}\n\t}\n\treturn 0;\n}\n")
	return b.String()
}

// wrapper prints the function that performs a run of one program.
func (p *Program) wrapper(b *strings.Builder, k int) {
	fmt.Fprintf(b, "\nstatic void run_%d(void)\n{\n", k)
	n := len(p.Kernel.Params)
	var get, put, args []string
	for i, v := range p.Variables() {
		name := fmt.Sprintf("v%d", i)
		if i >= n {
			name = v.Name
		} else {
			dims := ""
			for _, d := range v.Dims {
				dims += fmt.Sprintf("[%d]", d)
			}
			fmt.Fprintf(b, "\t%s %s%s;\n", v.typeName(), name, dims)
			args = append(args, name)
		}
		get = append(get, fmt.Sprintf("get(&%s, sizeof %s);", name, name))
		put = append(put, fmt.Sprintf("put(&%s, sizeof %s);", name, name))
	}
	for _, g := range get {
		fmt.Fprintf(b, "\t%s\n", g)
	}
	b.WriteString("\tfflush(stdout);\n\tpid_t child = fork();\n\tif (child > 0) {\n\t\tint status;\n\t\twaitpid(child, &status, 0);\n\t\tif (status) exit(5);\n\t\treturn;\n\t}\n\talarm(20);\n")
	call := fmt.Sprintf("%s(%s)", p.Kernel.Name, strings.Join(args, ", "))
	if p.Kernel.Result == Void {
		fmt.Fprintf(b, "\t%s;\n", call)
	} else {
		fmt.Fprintf(b, "\t%s result = %s;\n\tput(&result, sizeof result);\n", p.Kernel.Result, call)
	}
	for _, s := range put {
		fmt.Fprintf(b, "\t%s\n", s)
	}
	b.WriteString("\tfflush(stdout);\n\t_exit(0);\n}\n")
}

// NativeRun is one run of a program of a batch.
type NativeRun struct {
	Program int
	Inputs  [][]byte
}

// NativeResult is what a run leaves behind.
type NativeResult struct {
	Result    []byte
	Variables [][]byte
}

// Build compiles the harness of a batch, whose source is in file, with the given
// compiler and returns the path of the program.
func Build(ctx context.Context, programs []*Program, file string, compiler string, flags ...string) (string, error) {
	harness := strings.TrimSuffix(file, ".c") + "-harness.c"
	if err := os.WriteFile(harness, []byte(Harness(programs, file)), 0o600); err != nil {
		return "", err
	}
	exe := filepath.Join(filepath.Dir(file), strings.TrimSuffix(filepath.Base(file), ".c")+"-"+filepath.Base(compiler)+strings.Join(flags, ""))
	args := append(append(append([]string{}, NativeFlags...), flags...), harness, "-o", exe, "-lm")
	out, err := exec.CommandContext(ctx, compiler, args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%.3000s", compiler, err, out)
	}
	return exe, nil
}

// Run performs runs of a batch with the program that Build made.
func Run(ctx context.Context, exe string, programs []*Program, runs []NativeRun) ([]NativeResult, error) {
	var in bytes.Buffer
	for _, r := range runs {
		in.Write(binary.LittleEndian.AppendUint32(nil, uint32(r.Program)))
		for _, v := range r.Inputs {
			in.Write(v)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = &in, &stderr
	out, err := cmd.Output()
	var results []NativeResult
	for _, r := range runs {
		p := programs[r.Program]
		var res NativeResult
		take := func(n int) []byte {
			if n > len(out) {
				return nil
			}
			b := out[:n]
			out = out[n:]
			return b
		}
		res.Result = take(p.Kernel.Result.Size())
		for _, v := range p.Variables() {
			res.Variables = append(res.Variables, take(v.Bytes()))
		}
		if n := len(res.Variables); err != nil && n > 0 && res.Variables[n-1] == nil {
			break
		}
		results = append(results, res)
	}
	if err != nil {
		return results, fmt.Errorf("after %d of %d runs: %w\n%.3000s", len(results), len(runs), err, stderr.String())
	}
	return results, nil
}

// Equal compares what two runs left behind; NaNs are all the same. It names the first
// difference, "" for none.
func (p *Program) Equal(a, b NativeResult) string {
	if !sameValue(p.Kernel.Result, a.Result, b.Result) {
		return fmt.Sprintf("result %x and %x", a.Result, b.Result)
	}
	for i, v := range p.Variables() {
		x, y := a.Variables[i], b.Variables[i]
		n := v.size()
		for at := 0; at+n <= len(x); at += n {
			if v.Struct == nil {
				if !sameValue(v.Type, x[at:at+n], y[at:at+n]) {
					return fmt.Sprintf("%s[%d]: %x and %x", v.Name, at/n, x[at:at+n], y[at:at+n])
				}
				continue
			}
			offsets, _ := v.Struct.layout()
			for k, f := range v.Struct.Fields {
				for j := range max(1, f.Len) {
					from := at + offsets[k] + j*f.Type.Size()
					to := from + f.Type.Size()
					if !sameValue(f.Type, x[from:to], y[from:to]) {
						return fmt.Sprintf("%s[%d].%s: %x and %x", v.Name, at/n, f.Name, x[from:to], y[from:to])
					}
				}
			}
		}
	}
	return ""
}

func sameValue(t Type, a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	switch t {
	case F32:
		x, y := binary.LittleEndian.Uint32(a)&0x7fffffff, binary.LittleEndian.Uint32(b)&0x7fffffff
		return x > 0x7f800000 && y > 0x7f800000
	case F64:
		const sign = 1 << 63
		x, y := binary.LittleEndian.Uint64(a)&^sign, binary.LittleEndian.Uint64(b)&^sign
		return x > 0x7ff<<52 && y > 0x7ff<<52
	}
	return false
}
