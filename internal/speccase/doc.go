// Package speccase holds LOOM to the source specifications, example by example
// and figure by figure: testdata/spec has a directory per document and an archive
// per case. It is tests only.
//
// A case quotes the document in its comment, and has some of these files:
//
//	input.mlir     a structured program
//	dfg.mlir       a dataflow graph, where the document speaks about one
//	fabric.mlir    Fabric MLIR, where the document speaks about hardware
//	widths.txt     payload bits of the ports of its first definition: inputs -> outputs
//	inputs.json    what it runs on, one run per line
//	streams.txt    the tokens that the document requires; see below
//	limit          loom.adg_max_join_fanin that the program is lowered with
//
// and these, which are written anew with LOOM_UPDATE=1:
//
//	out.ORDER.dfg.mlir     the graph of input.mlir in one memory order
//	out.ORDER.streams.txt  the tokens of its dataflow operations and accesses in the first run
//	verify.txt             the findings of the graph verifier about dfg.mlir
//	status.txt             how the simulator explains the end of the run, where it is not "done"
//	refused.txt            why the program is not lowered
//	out.fabric.mlir        fabric.mlir as LOOM prints it
//	findings.txt           what the verifier reports about fabric.mlir
//
// streams.txt is written by hand, from the document. A line "name = tokens" is
// what a value carries, in order: %name of dfg.mlir, or for a graph that was
// lowered the operation's kind, its number among those of its kind and its result
// (stream#0.cont). T and F are conditions, * is a token without data. A line
// "feed %name = tokens" gives a parameter these tokens instead of one: that is how
// an operation is shown by itself.
package speccase
