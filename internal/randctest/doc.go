// Package randctest takes random C programs (package randc) from clang to the token
// simulator, and as direct circuits to the cycle simulator, and compares with what they do
// natively: levels 0 to 3 of the verification ladder behind the whole front end.
package randctest
