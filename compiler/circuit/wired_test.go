package circuit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/circuit"
	"loom/compiler/mlir"
)

// TestWired: forks are wires where all readers take the token in the same cycle, and only there.
func TestWired(t *testing.T) {
	for _, test := range []struct {
		name, args, body string
		wired            []string // forks
		eager            []string
	}{
		{"the readers join", "%a: i32", `%x = arith.addi %a, %a : i32
  return %x, %start : i32, none`, []string{"a_fork"}, nil},
		{"the readers join behind others", "%a: i32, %b: i32", `%x = arith.addi %a, %b : i32
  %y = arith.subi %a, %x : i32
  return %y, %start : i32, none`, []string{"a_fork"}, nil},
		{"results leave by themselves", "%a: i32", `return %a, %start, %a : i32, none, i32`, nil, []string{"a_fork"}},
		{"one reader has another result", "%a: i32, %b: i32", `%x = arith.addi %a, %b : i32
  %y = arith.subi %a, %x : i32
  return %y, %start, %x : i32, none, i32`, nil, []string{"a_fork", "x_fork"}},
		{"a multiplier takes its operands together", "%a: i32", `%x = arith.muli %a, %a : i32
  return %x, %start : i32, none`, []string{"a_fork"}, nil},
		{"a multiplier takes a cycle or more", "%a: i32, %b: i32", `%x = arith.muli %a, %b : i32
  %y = arith.subi %a, %x : i32
  return %y, %start : i32, none`, nil, []string{"a_fork"}},
		{"a choice between branches", "%a: i32, %c: i1", `%t, %f = cond_br %c, %a : i32
  %x = arith.addi %t, %t : i32
  %y = mux %c [%f, %x] : i1, i32
  return %y, %start : i32, none`, []string{"c_fork", "t_fork"}, nil},
		{"the other choice", "%a: i32, %c: i1", `%t, %f = cond_br %c, %a : i32
  %x = arith.addi %t, %t : i32
  %y = mux %c [%x, %f] : i1, i32
  return %y, %start : i32, none`, []string{"t_fork"}, []string{"c_fork"}},
		{"a choice by another condition", "%a: i32, %c: i1, %d: i1", `%t, %f = cond_br %c, %a : i32
  %y = mux %d [%f, %t] : i1, i32
  %z, %w = cond_br %c, %y : i32
  return %z, %start : i32, none`, nil, []string{"c_fork"}},
		{"two branches with a condition", "%a: i32, %b: i32, %c: i1", `%t, %f = cond_br %c, %a : i32
  %u, %v = cond_br %c, %b : i32
  %x = arith.addi %t, %u : i32
  %y = arith.subi %f, %v : i32
  return %x, %start, %y : i32, none, i32`, []string{"c_fork"}, nil},
		{"branches whose condition has a reader outside", "%a: i32, %c: i1", `%t, %f = cond_br %c, %a : i32
  %u, %v = cond_br %c, %a : i32
  %x = arith.addi %t, %u : i32
  %y = arith.subi %f, %v : i32
  return %x, %start, %y, %c : i32, none, i32, i1`, nil, []string{"a_fork", "c_fork"}},
		{"two branches of which one drops", "%a: i32, %b: i32, %c: i1", `%t, %f = cond_br %c, %a : i32
  %u, %v = cond_br %c, %b : i32
  %x = arith.addi %t, %u : i32
  return %x, %start, %f : i32, none, i32`, nil, []string{"c_fork"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			results := strings.Split(test.body[strings.LastIndex(test.body, ":")+1:], ",")
			mod, err := mlir.Parse("wired.mlir", fmt.Sprintf("handshake.func @f(%s, %%start: none, ...) -> (%s) {\n  %s\n}", test.args, strings.Join(results, ","), test.body))
			if err != nil {
				t.Fatal(err)
			}
			c, err := circuit.Build(mod.Regions[0].Entry().Ops[0], circuit.Options{IndexWidth: 32})
			if err != nil {
				t.Fatal(err)
			}
			wired, eager := forks(c)
			if d := cmp.Diff([2][]string{test.wired, test.eager}, [2][]string{wired, eager}); d != "" {
				t.Errorf("wired and eager forks (-want +got):\n%s\n%s", d, c)
			}
		})
	}
}

// forks are the names of the forks that are wires, and of the others.
func forks(c *circuit.Circuit) (wired, eager []string) {
	w := c.Wiring()
	for _, u := range c.Units {
		switch {
		case u.Kind == circuit.Fork && w.Forks[u] != nil:
			wired = append(wired, u.Name)
		case u.Kind == circuit.Fork:
			eager = append(eager, u.Name)
		}
	}
	slices.Sort(wired)
	slices.Sort(eager)
	return wired, eager
}

// TestWiredBuffer: a fork is wired only as long as no channel on the way has a buffer.
func TestWiredBuffer(t *testing.T) {
	mod, err := mlir.Parse("wired.mlir", `handshake.func @f(%a: i32, %b: i32, %start: none, ...) -> (i32, none) {
  %x = arith.addi %a, %b : i32
  %y = arith.subi %a, %x : i32
  return %y, %start : i32, none
}`)
	if err != nil {
		t.Fatal(err)
	}
	c, err := circuit.Build(mod.Regions[0].Entry().Ops[0], circuit.Options{IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	for _, ch := range c.Channels {
		if ch.From.Unit == nil || ch.To.Unit == nil {
			continue
		}
		for _, kind := range []circuit.Buffering{circuit.Transparent, circuit.Pipe} {
			ch.Buffer = circuit.Buffer{Kind: kind, Slots: 1}
			if wired, _ := forks(c); len(wired) > 0 {
				t.Errorf("%v are wired with a buffer at %s", wired, ch.Name)
			}
		}
		ch.Buffer = circuit.Buffer{}
	}
	if wired, _ := forks(c); len(wired) != 1 {
		t.Errorf("%v are wired without buffers", wired)
	}
}

// TestWiredSteps: the forks of a loop whose values go round in step are wired where its exits are taken
// together and nothing waits for a held value that the condition does not wait for.
func TestWiredSteps(t *testing.T) {
	const product = "\n  %p = arith.muli %a_out, %a_out : i32" // a register between the exit and the end of the run
	for _, test := range []struct {
		name, args, next, results string
		wired                     bool
	}{
		{"one exit", "", "%b_next = arith.subi %b_in, %a_in : i32", "%a_out, %start : i32, none", true},
		{"two exits that join", "", "%b_next = arith.subi %b_in, %a_in : i32\n  %both = arith.addi %a_out, %b_out : i32", "%both, %start : i32, none", true},
		{"two exits", "", "%b_next = arith.subi %b_in, %a_in : i32", "%a_out, %start, %b_out : i32, none, i32", false},
		{"a value that is held, which the condition does not wait for", ", %n: i32", "%h = dataflow.hold %n : i32\n  %b_next = arith.subi %b_in, %h : i32" + product, "%p, %start : i32, none", false},
		{"a value that is held, which the condition waits for, too", ", %n: i32", "%h = dataflow.hold %n : i32\n  %b_next = arith.subi %b_in, %h : i32" + product, "%p, %start : i32, none", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			types := strings.TrimSpace(test.results[strings.LastIndex(test.results, ":")+1:])
			read := "%x_b"
			if strings.HasSuffix(test.name, "too") {
				read = "%h"
			}
			mod, err := mlir.Parse("loop.mlir", fmt.Sprintf(`handshake.func @f(%%a: i32, %%b: i32%s, %%start: none, ...) -> (%s) {
  %%x_a = dataflow.carry %%go, %%a, %%a_next : i1, i32, i32 -> i32
  %%x_b = dataflow.carry %%go, %%b, %%b_next : i1, i32, i32 -> i32
  %%sum = arith.addi %%x_a, %s : i32
  %%go = arith.cmpi slt, %%sum, %%x_b : i32
  %%a_in, %%a_out = cond_br %%go, %%x_a : i32
  %%b_in, %%b_out = cond_br %%go, %%x_b : i32
  %%a_next = arith.addi %%a_in, %%b_in : i32
  %s
  return %s
}`, test.args, types, read, test.next, test.results))
			if err != nil {
				t.Fatal(err)
			}
			c, err := circuit.Build(mod.Regions[0].Entry().Ops[0], circuit.Options{IndexWidth: 32})
			if err != nil {
				t.Fatal(err)
			}
			w := c.Wiring()
			late := 0
			for _, ch := range c.Channels {
				if w.Late[ch] {
					late++
				}
			}
			all := true
			for _, u := range c.Units {
				if u.Kind == circuit.Fork && (strings.HasPrefix(u.Name, "go") || strings.HasPrefix(u.Name, "x_")) {
					all = all && w.Forks[u] != nil
				}
			}
			if all != test.wired || (late == 2) != test.wired {
				t.Errorf("all forks wired: %v, expected %v; %d conditions come late\n%s", all, test.wired, late, c)
			}
		})
	}
}

// TestAtEnd: a loop whose values go round in step keeps the last ones until the run ends, without a slot, if
// nothing but the end of the run waits for them.
func TestAtEnd(t *testing.T) {
	for _, test := range []struct {
		name, more, results string
		slots               int
	}{
		{"the end of the run alone", "", "%out, %start : i32, none", 0},
		{"twice", "", "%out, %start, %out : i32, none, i32", 0},
		{"another result is computed of it", "%p = arith.muli %out, %h : i32", "%out, %start, %p : i32, none, i32", 1},
		{"another loop reads it", `%held = dataflow.hold %out : i32
  %y = dataflow.carry %on, %b, %y_next : i1, i32, i32 -> i32
  %on = arith.cmpi slt, %y, %held : i32
  %y_in, %y_out = cond_br %on, %y : i32
  %y_next = arith.addi %y_in, %held : i32`, "%y_out, %start : i32, none", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			types := strings.TrimSpace(test.results[strings.LastIndex(test.results, ":")+1:])
			c, err := circuit.Build(oneFunction(t, fmt.Sprintf(`handshake.func @f(%%a: i32, %%b: i32, %%n: i32, %%start: none, ...) -> (%s) {
  %%h = dataflow.hold %%n : i32
  %%x = dataflow.carry %%go, %%a, %%next : i1, i32, i32 -> i32
  %%go = arith.cmpi slt, %%x, %%h : i32
  %%in, %%out = cond_br %%go, %%x : i32
  %%next = arith.addi %%in, %%h : i32
  %s
  return %s
}`, types, test.more, test.results)), circuit.Options{IndexWidth: 32})
			if err != nil {
				t.Fatal(err)
			}
			slots := 0
			for _, ch := range c.Channels {
				if ch.Buffer.Kind == circuit.Transparent {
					slots++
				}
			}
			if slots != test.slots {
				t.Errorf("%d slots, expected %d\n%s", slots, test.slots, c)
			}
		})
	}
}
