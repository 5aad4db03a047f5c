// Package e2e holds the tests that take programs through all stages:
// text or a random program in, lowered, mapped onto a shipped fabric, and run at
// every level of the verification ladder (design page "Simulation"): the
// interpreter, the token simulator with unbounded and one-token channels, the
// cycle simulator in friendly and hostile environments, and the generated RTL
// under Verilator in lock-step.
//
//	programs_test.go   random programs; failures shrink and are kept
//	kernels_test.go    kernels of testdata with inputs and the results they must have
//	campaign_test.go   every kernel of a directory of your own, on extreme inputs
//
// Other tests drive traffic at the boundary of whole configured fabrics, in the cycle
// simulator (cycle.Testbench) and, channel by channel, in the RTL under Icarus:
//
//	testbench_test.go  runs a stimulus and records it; icarus_test.go replays it
//	codes_test.go      every hardware error code, and what an error leaves alone
//	sharing_test.go    s += A[i] + A[f(i)] on one memory; apart_test.go: accesses that
//	                   run ahead of each other; shared_programs_test.go: random kernels
//	images_test.go     configurations that no mapping has
//	rates_test.go      throughput, free and under back-pressure
//
// The package has no code of its own: it only combines packages that must not
// import each other.
package e2e
