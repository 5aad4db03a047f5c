// Package soak tells tests how long a campaign to run: LOOM_SOAK is unset in
// everyday runs and a factor of 1 or more under make soak.
package soak

import (
	"os"
	"strconv"
)

// Factor is the value of LOOM_SOAK: 0 when it is unset, at least 1 otherwise.
func Factor() int {
	s := os.Getenv("LOOM_SOAK")
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// Scale is how many cases to run: everyday without soaking, else long times the
// factor.
func Scale(everyday, long int) int {
	if n := Factor(); n > 0 {
		return long * n
	}
	return everyday
}
