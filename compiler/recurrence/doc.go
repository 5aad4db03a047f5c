// Package recurrence computes how often a loop of a dataflow graph can start an
// iteration at best: its recurrence-constrained minimum initiation interval.
//
// A recurrence is a cycle of the graph within one loop. The tokens that
// circulate in it are those the loop's own state machines put there: an
// operation of dataflow.carry delivers its first value before it has read its
// condition and its loop operand, dataflow.invariant before its condition
// (spec-dataflow, "Operation: dataflow.carry" and "dataflow.invariant"). An
// iteration cannot follow the one before it sooner than the latencies around a
// cycle divided by its tokens; the largest such ratio is the bound, its cycle
// the limiting cycle.
//
// The package reads the graph alone. It depends neither on how the graph was made
// nor on a fabric; the timed mode of the token simulator measures
// what this package computes, with the same latencies (compiler/latency) and no
// other code shared.
package recurrence
