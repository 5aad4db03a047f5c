package rtl

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/compiler/units"
	"loom/internal/tools/toolstest"
)

// sources copies the library and the proofs to dir, with one textual change
// when file is not empty.
func sources(t *testing.T, dir, file, old, new string) {
	t.Helper()
	for _, pattern := range []string{"*.sv", "formal/*"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if name == file {
				if n := strings.Count(string(src), old); n != 1 {
					t.Fatalf("%s holds %q %d times, not once", file, old, n)
				}
				src = []byte(strings.Replace(string(src), old, new, 1))
			}
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), src, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// library lists the source files of the library, the package first.
func library(t *testing.T) []string {
	t.Helper()
	mods, err := Modules()
	if err != nil {
		t.Fatal(err)
	}
	files := []string{PackageFile}
	for _, m := range mods {
		files = append(files, m.File)
	}
	return files
}

// run executes a tool in dir and returns its output; it is killed after limit.
func run(t *testing.T, dir string, limit time.Duration, tool string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), tool, args...)
	cmd.Dir = dir
	timer := time.AfterFunc(limit, func() { cmd.Cancel() })
	defer timer.Stop()
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// design is the script with which Yosys reads a proof's module and brings it to registers and logic.
func design(t *testing.T, p proof, inductive bool) string {
	t.Helper()
	chparam := ""
	if p.params != "" {
		chparam = fmt.Sprintf("chparam %s %s; ", p.params, p.top)
	}
	closureTop := strings.TrimPrefix(p.top, "f_")
	files, err := Closure(closureTop)
	if err != nil { // a top of the proof alone
		if files, err = Closure("loom_cfg_loader", "loom_cfg_slice"); err != nil {
			t.Fatal(err)
		}
	}
	files = append(files, "f_channel.sv", "f_proof.sv")
	own := "-DLOOM_FORMAL" // the properties in the modules
	switch p.top {
	case "loom_axi_master", "loom_axi_bus", "loom_axi_coalesce":
		files = append(files, "f_axi4.sv")
	case "loom_axi_port":
		own = "-DLOOM_FORMAL_PORT" // what is in it has proofs of its own
	case "loom_axil_host":
		files = append(files, "f_axil.sv")
	case "f_loom_loop":
		files = append(files, "loom_carry.sv", "loom_cond_br.sv", "f_loop.sv")
		if !inductive {
			own = "" // the streams alone are compared; induction argues about the states, too
		}
	case "f_loom_accumulate_parts":
		files = append(files, "loom_accumulate_piped.sv", "f_accumulate.sv")
		own = "" // the modules are compared, each has a proof of its own
	case "f_loom_float_add", "f_loom_float_mul", "f_loom_float_fma", "f_loom_float_divsqrt_piped":
		files = append(files, "loom_flow.sv", "f_float_arith.sv")
	case "f_loom_float_minmax", "f_loom_float_round", "f_loom_float_from_int", "f_loom_float_to_int", "f_loom_float_resize":
		files = append(files, "loom_flow.sv", "loom_pipe.sv", "f_float_convert.sv")
	case "f_loom_cfg", "f_loom_error_collect":
		files = append(files, "f_config.sv")
	default:
		if p.top != closureTop {
			files = append(files, "f_units.sv")
		}
		if p.top == "f_loom_alu" {
			for _, u := range units.All() {
				if u.Class == units.Datapath && u.Hardware() && !u.Types.Float() {
					files = append(files, u.Module+".sv")
				}
			}
		}
	}
	return fmt.Sprintf("read_verilog -sv -formal %s -DF_TOP_%s -I. %s; %sprep -flatten -top %s; memory_map; opt -fast; async2sync; dffunmap; ",
		own, p.top, strings.Join(files, " "), chparam, p.top)
}

// yosys runs a script in dir.
func yosys(t *testing.T, dir, script string) {
	t.Helper()
	if out, err := run(t, dir, time.Minute, "yosys", "-q", "-p", script); err != nil {
		t.Fatalf("yosys: %v\n%s", err, out)
	}
}

// The circuits of gates of which ABC is asked: whether an assertion fails, whether one fails after cycles in which none
// did (the step of the induction), and whether situations are reached. The first output of the first one is free: where
// it has no trace, the assumptions leave none.
const (
	failing = "failing.aig"
	induced = "induced.aig"
	reached = "reached.aig"
)

// replacements are what Yosys puts in the place of cells: for a situation to be reached an assertion that it is not;
// beside each assertion the assumption that it held in the cycle before; and which proof a circuit is for (f_proof.sv).
var replacements = map[string]string{
	"reach.v": `(* techmap_celltype = "$cover" *)
module f_reach (input A, input EN);
  \$assert reached (.A(~A), .EN(EN));
endmodule
`,
	"hold.v": `(* techmap_celltype = "$assert" *)
module f_hold (input A, input EN);
  (* init = 1'b1 *) wire held;
  \$ff #(.WIDTH(1)) before (.D(A | ~EN), .Q(held));
  \$assume hold (.A(held), .EN(1'b1));
  \$assert now (.A(A), .EN(EN));
endmodule
`,
	"base.v": `(* techmap_celltype = "f_proof" *)
module f_base (output step);
  assign step = 1'b0;
endmodule
`,
	"step.v": `(* techmap_celltype = "f_proof" *)
module f_step (output step);
  assign step = 1'b1;
endmodule
`}

// choose is the script that makes the read design that of the bounded proof or of the induction.
func choose(induction bool) string {
	if induction {
		return "techmap -map step.v; opt -fast -nodffe -nosdff; "
	}
	return "techmap -map base.v; opt -fast -nodffe -nosdff; "
}

// templates writes replacements to dir.
func templates(t *testing.T, dir string) {
	t.Helper()
	for name, text := range replacements {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// circuits writes the circuits of a proof to dir: those of the bounded proof, that of the induction, or all, of one
// reading where the design is the same. What nothing drives and what is undefined may be anything.
func circuits(t *testing.T, dir string, p proof, bounded, induction bool) {
	t.Helper()
	templates(t, dir)
	const (
		gates = "simplemap; techmap; setundef -undriven -anyseq; aigmap; "
		write = "; write_aiger -I -B -zinit "
		// Without the properties there would be nothing to prove.
		check = "select -assert-min 1 t:$assert; select -assert-min 1 t:$assume; rename -top f_module; delete -output; "
	)
	script, read := "", ""
	if bounded {
		read = design(t, p, false)
		script = read + "design -save f_read; " + choose(false) + check
		if p.cover == 0 {
			script += "chformal -cover -remove; add -output f_possible 1; " + gates + write + failing + "; "
		} else {
			script += "add -output f_possible 1; " + gates +
				"copy f_module f_situations; setattr -mod -unset top f_situations; chformal -cover -remove f_module" + write + failing +
				"; delete f_module; setattr -mod -set top 1 f_situations; delete -output; chformal -assert -remove; techmap -map reach.v; simplemap; aigmap" + write + reached + "; "
		}
	}
	if induction {
		if own := design(t, p, true); own == read {
			script += "design -load f_read; "
		} else {
			if bounded {
				yosys(t, dir, script)
			}
			script = own
		}
		// Any state may be the first one.
		script += choose(true) + check + "chformal -cover -remove; setattr -unset init; techmap -map hold.v -max_iter 1; " + gates + write + induced
	}
	yosys(t, dir, script)
}

// ask has ABC look for values of outputs of a circuit and returns what it says: in the cycles first to last, from 0;
// outputs selects some, options say what is looked for.
func ask(t *testing.T, dir, circuit string, limit time.Duration, outputs string, first, last int, options string) string {
	t.Helper()
	out, err := run(t, dir, limit, "yosys-abc", "-c", fmt.Sprintf("read_aiger %s; fold; strash; %sbmc3 %s -S %d -F %d", circuit, outputs, options, first, last+1))
	if err != nil {
		t.Fatalf("abc: %v\n%s", err, tail(out))
	}
	return out
}

// What ABC says of a circuit.
const (
	noOutput  = "No output asserted in"
	oneOutput = "was asserted in frame"
	allSat    = "outputs are found to be SAT"
)

// holds reports whether no assertion fails in the first cycles, or after so many in which none did.
func holds(t *testing.T, dir string, cycles int, induction bool, limit time.Duration) bool {
	t.Helper()
	var out string
	if induction {
		out = ask(t, dir, induced, limit, "", cycles, cycles, "")
	} else {
		var m, i, l, o, a, bad int // the head of an AIGER file
		file, err := os.Open(filepath.Join(dir, failing))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := fmt.Fscanf(file, "aig %d %d %d %d %d %d", &m, &i, &l, &o, &a, &bad); err != nil || o != 1 || bad == 0 {
			t.Fatalf("%s has %d outputs and %d assertions: %v", failing, o, bad, err)
		}
		if out = ask(t, dir, failing, limit, "cone -s -O 0; ", cycles-1, cycles-1, ""); !strings.Contains(out, oneOutput) {
			t.Fatalf("no trace of %d cycles keeps the assumptions:\n%s", cycles, tail(out))
		}
		out = ask(t, dir, failing, limit, fmt.Sprintf("cone -s -O 1 -R %d; ", bad), 0, cycles-1, "")
	}
	if strings.Contains(out, noOutput) == strings.Contains(out, oneOutput) {
		t.Fatalf("abc gives no answer:\n%s", tail(out))
	}
	return strings.Contains(out, noOutput)
}

// reaches reports whether each situation is reached in the first cycles, and what ABC says.
func reaches(t *testing.T, dir string, cycles int, limit time.Duration) (bool, string) {
	t.Helper()
	out := ask(t, dir, reached, limit, "", 0, cycles-1, "-a -x") // -x: ABC fails where it keeps the traces of several
	return strings.Contains(out, allSat), out
}

// smt translates a proof's module to SMT-LIB.
func smt(t *testing.T, dir string, p proof, inductive bool) string {
	t.Helper()
	name := "bounded.smt2"
	if inductive {
		name = "induction.smt2"
	}
	templates(t, dir)
	yosys(t, dir, design(t, p, inductive)+choose(inductive)+"write_smt2 -wires "+name)
	return name
}

// check runs one mode of yosys-smtbmc; --unroll keeps z3 4.8 from searching
// quantifiers.
func check(t *testing.T, dir, file string, limit time.Duration, mode ...string) (passed bool, output string) {
	t.Helper()
	args := append([]string{"-s", "z3", "--unroll", "--noprogress"}, mode...)
	out, err := run(t, dir, limit, "yosys-smtbmc", append(args, file)...)
	return err == nil, out
}

func (p proof) name() string {
	return strings.Trim(p.top+" "+strings.ReplaceAll(p.params, "-set ", ""), " ")
}

// TestFormal proves the properties in formal/ of every module with channels. ABC does so on gates, in a tenth of the
// time that an SMT solver takes; the solver says which property fails, and in the soak campaign proves all once more.
func TestFormal(t *testing.T) {
	toolstest.Need(t, "yosys", "yosys-abc", "yosys-smtbmc", "z3")
	r := proven(t)
	for i, p := range proofs {
		t.Run(p.name(), func(t *testing.T) {
			if p.soak && !soak() {
				t.Skip("long proof: set LOOM_SOAK=1")
			}
			t.Parallel()
			r.once(t, i, "proof "+p.name(), p, "", "", "")
			dir := t.TempDir()
			sources(t, dir, "", "", "")
			limit := 2 * time.Minute
			if p.soak {
				limit = 20 * time.Minute
			}
			circuits(t, dir, p, true, p.induction > 0)
			bounded := ""
			solver := func(mode ...string) (bool, string) {
				if bounded == "" {
					bounded = smt(t, dir, p, false)
				}
				return check(t, dir, bounded, limit, mode...)
			}
			if ok := holds(t, dir, p.bound, false, limit); !ok || soak() {
				if same, out := solver("-t", fmt.Sprint(p.bound)); !ok || !same {
					t.Errorf("a property fails (on gates: %t):\n%s", !ok, tail(out))
				}
			}
			if p.cover > 0 {
				if ok, out := reaches(t, dir, p.cover, limit); !ok || soak() {
					if same, more := solver("-c", "-t", fmt.Sprint(p.cover)); !ok || !same {
						t.Errorf("a situation is never reached:\n%s%s", tail(out), tail(more))
					}
				}
			}
			if p.induction > 0 {
				if ok := holds(t, dir, p.induction, true, limit); !ok || soak() {
					if same, out := check(t, dir, smt(t, dir, p, true), limit, "-i", "-t", fmt.Sprint(p.induction)); !ok || !same {
						t.Errorf("the induction fails (on gates: %t):\n%s", !ok, tail(out))
					}
				}
			}
		})
	}
}

// tail keeps the end of a tool's output.
func tail(out string) string {
	if len(out) > 3000 {
		return "…" + out[len(out)-3000:]
	}
	return out
}
