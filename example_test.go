package loom_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"loom"
	"loom/compiler/latency"
)

// scale is a kernel: y[i] = 3 * x[i].
var scale = loom.Source{Name: "scale.mlir", Text: `
func.func @scale(%x: memref<?xi32>, %y: memref<?xi32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : i32
  scf.for %i = %zero to %n step %one {
    %a = memref.load %x[%i] : memref<?xi32>
    %b = arith.muli %a, %three : i32
    memref.store %b, %y[%i] : memref<?xi32>
  }
  return
}
`}

var ctx = context.Background()

// must returns v and ends the program on an error.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// A kernel to RTL, configuration and driver, all in one directory.
func Example() {
	kernel, err := loom.ReadSource("testdata/kernels/vecadd.mlir")
	if err != nil {
		log.Fatal(err)
	}
	description, err := loom.ReadFabric("mesh6x6")
	if err != nil {
		log.Fatal(err)
	}
	fabric, err := loom.LoadFabric(description, loom.Watch{})
	if err != nil {
		log.Fatal(err)
	}
	graph, err := loom.Compile(ctx, kernel, loom.CompileOptions{Fabric: fabric})
	if err != nil {
		log.Fatal(err)
	}
	mapping, err := loom.Map(ctx, graph, fabric, loom.MapOptions{})
	if err != nil {
		log.Fatal(err)
	}
	rtl, err := loom.Generate(fabric)
	if err != nil {
		log.Fatal(err)
	}
	artifacts, err := mapping.Artifacts(nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "loom-example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	names, err := artifacts.Add(rtl.Artifacts()).Write(dir)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rtl.Top)
	for _, n := range names {
		if filepath.Ext(n) != ".sv" {
			fmt.Println(n)
		}
	}
	// Output:
	// mesh6x6_fabric
	// loom_accel.c
	// loom_accel.h
	// rtl/component.xml
	// rtl/filelist.f
	// rtl/mesh6x6.core
	// rtl/mesh6x6.rdl
	// rtl/mesh6x6.signature.json
	// vecadd.mesh6x6.config.bin
	// vecadd.mesh6x6.config.h
	// vecadd.mesh6x6.config.json
	// vecadd.mesh6x6.map.json
	// vecadd.mesh6x6.map.txt
	// vecadd.mesh6x6.runtime.json
	// vecadd.mesh6x6.viz.html
	// vecadd_host.c
	// vecadd_host.h
}

// fabric is the shipped mesh that examples map onto.
func fabric() *loom.Fabric {
	return must(loom.LoadFabric(must(loom.ReadFabric("mesh6x6")), loom.Watch{}))
}

func ExampleReadSource() {
	src, err := loom.ReadSource("testdata/kernels/dot.mlir")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(loom.Stem(src.Name), src.FrontEnd())
	_, err = loom.ReadSource("testdata/kernels")
	fmt.Println(err)
	// Output:
	// dot false
	// testdata/kernels: error: is a directory, expected a file
}

func ExampleStem() {
	fmt.Println(loom.Stem("out/dot.dfg.mlir"), loom.Stem("mesh6x6.yaml"))
	// Output: dot mesh6x6
}

func ExampleParse() {
	module, err := loom.Parse(scale, loom.Watch{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(module.Name)
	// Output: builtin.module
}

func ExampleVerify() {
	found, err := loom.Verify(context.Background(), scale, loom.Watch{})
	fmt.Println(found, err)
	_, err = loom.Verify(context.Background(), loom.Source{Name: "wrong.mlir", Text: "func.func @wrong() {\n  return %x : i32\n}\n"}, loom.Watch{})
	fmt.Println(err)
	// Output:
	// [function @scale] <nil>
	// wrong.mlir:2:10: error: use of undefined value '%x'
}

func ExampleCompile() {
	k, err := loom.Compile(ctx, scale, loom.CompileOptions{MemoryOrder: "serial"})
	if err != nil {
		log.Fatal(err)
	}
	nest, bounds := k.Bounds(latency.Fixed(10))
	for i, b := range bounds {
		fmt.Printf("loop %%%s: an iteration every %v cycles\n", nest.Loops[i].Name, b)
	}
	_, err = loom.Compile(ctx, scale, loom.CompileOptions{MemoryOrder: "sideways"})
	fmt.Println(err)
	// Output:
	// loop %i: an iteration every 12 cycles
	// memory-order takes serial or pipelined, found "sideways"
}

func ExampleLoops() {
	function, loops, err := loom.Loops(ctx, scale, loom.CompileOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range loops {
		fmt.Println(function, l.Number, l.Kind, l.Place, l.Why)
	}
	// Output: scale 0 for scale.mlir:6:3
}

func ExampleLoadGraph() {
	k := must(loom.Compile(ctx, scale, loom.CompileOptions{}))
	files := must(k.Artifacts(loom.GraphText{})).Files
	last := files[len(files)-1]
	graph, err := loom.LoadGraph(loom.Source{Name: last.Name, Text: string(last.Data)}, loom.CompileOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(last.Name, graph.Graph.SymName())
	// Output: scale.dfg.mlir scale
}

func ExampleLoadFabric() {
	src := must(loom.ReadFabric("mesh6x6"))
	f, err := loom.LoadFabric(src, loom.Watch{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Name, f.Arch.IndexWidth)
	// Output: mesh6x6 32
}

func ExampleMap() {
	f := fabric()
	k := must(loom.Compile(ctx, scale, loom.CompileOptions{Fabric: f}))
	m, err := loom.Map(ctx, k, f, loom.MapOptions{Seed: 1, Latency: latency.Fixed(10)})
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range m.Data.Timing.Loops {
		fmt.Printf("%s: an iteration every %d cycles\n", m.Name(), l.II.Cycles/l.II.Tokens)
	}
	// Output: scale.mesh6x6: an iteration every 1 cycles
}

func ExampleLoadMapping() {
	f := fabric()
	k := must(loom.Compile(ctx, scale, loom.CompileOptions{Fabric: f}))
	made := must(loom.Map(ctx, k, f, loom.MapOptions{}))
	m, err := loom.LoadMapping(loom.Source{Name: "scale.map.json", Text: string(made.Data.JSON())}, k, f)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Name())
	// Output: scale.mesh6x6
}

func ExampleGenerate() {
	rtl, err := loom.Generate(fabric())
	if err != nil {
		log.Fatal(err)
	}
	_, listed := rtl.Files["filelist.f"]
	fmt.Println(rtl.Top, listed)
	// Output: mesh6x6_fabric true
}

func ExampleSimulate() {
	k := must(loom.Compile(ctx, scale, loom.CompileOptions{}))
	in := must(k.ReadInputs(loom.Source{Name: "in.json", Text: `{"args": {"x": [1, 2, 3], "y": {"zeros": 3}, "n": 3}}`}, loom.InputOptions{}))
	run, err := loom.Simulate(ctx, k, in, loom.SimulateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range run.Levels {
		fmt.Println(l.Level, l.Name, l.Status)
	}
	fmt.Println(run.Outcome.Memories[1].Data)
	// Output:
	// 1 interpreter done
	// 2 token simulator, unbounded channels done
	// 2 token simulator, one-token channels done
	// [3 6 9]
}

// Every level up to the RTL under Verilator. TestCosimulate runs such a co-simulation.
func ExampleCosimulate() {
	f := fabric()
	k := must(loom.Compile(ctx, scale, loom.CompileOptions{Fabric: f}))
	m := must(loom.Map(ctx, k, f, loom.MapOptions{}))
	in := must(m.Kernel.RandomInputs(loom.InputOptions{Seed: 1}))
	run, err := loom.Cosimulate(ctx, m, must(loom.Generate(f)), in, loom.CosimulateOptions{
		Environment: loom.Environment{Latency: latency.Profile{Min: 1, Max: 40, Seed: 7}, Stall: 30},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Outcome.Status, len(run.Levels))
}

// Missing tools are reported before the mapping, which takes longer.
func ExamplePrepareCosimulation() {
	k := must(loom.Compile(ctx, scale, loom.CompileOptions{}))
	if err := loom.PrepareCosimulation(ctx, k, false, loom.Watch{}); err != nil {
		log.Fatal(err) // names the program and the package that has it
	}
}

func ExampleExternal() {
	_, err := loom.Compile(ctx, loom.Source{Name: "k.c", Text: "not C"}, loom.CompileOptions{})
	if loom.External(err) {
		fmt.Println("clang is missing or has crashed:", err)
	} else if err != nil {
		fmt.Println("the source is wrong:", err)
	}
}
