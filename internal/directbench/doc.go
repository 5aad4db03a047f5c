// Package directbench measures direct circuits: cycles and intervals in the cycle
// simulator, cells with Yosys, the frequency after routing with nextpnr. Its test writes
// docs/direct.json and the tables of docs/direct.md from it (make bench-direct). It has no
// code of its own: only tests import it.
package directbench
