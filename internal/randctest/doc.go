// Package randctest takes random C programs (package randc) from clang to the token
// simulator and compares with what they do natively: levels 0, 1 and 2 of the
// verification ladder behind the whole front end.
package randctest
