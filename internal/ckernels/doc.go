// Package ckernels takes the C and C++ kernels of testdata/kernels/c and direct through the
// verification ladder: the original function on this machine, the structured program
// in the interpreter, the dataflow graph in the token simulator, and, where a shipped
// fabric takes it, the mapped graph in the cycle simulator and under Verilator. It also
// compares every artifact in between with the others. It has no code of its own: only
// tests import it.
package ckernels
