// Package soak sets how long a campaign tests run: LOOM_SOAK is unset in
// everyday runs and a factor of 1 or more under make soak. LOOM_SOAK_SECONDS,
// set by make soak SECONDS=n, runs the random campaign alone, for that time.
package soak

import (
	"fmt"
	"os"
	"strconv"
	"time"
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

// Campaign is the random campaign of LOOM_SOAK_SECONDS: how long it
// runs and the seed it begins with (LOOM_SOAK_SEED). Without the variable the
// duration is 0; numbers that cannot be read are errors.
func Campaign() (length time.Duration, seed uint64, err error) {
	text := os.Getenv("LOOM_SOAK_SECONDS")
	if text == "" {
		return 0, 0, nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n > 0 && n < 1e9) {
		return 0, 0, fmt.Errorf("SECONDS=%s is no time to run: give a positive number of seconds", text)
	}
	if s := os.Getenv("LOOM_SOAK_SEED"); s != "" {
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			return 0, 0, fmt.Errorf("SEED=%s is no seed: give a number from 0 on", s)
		}
	}
	return time.Duration(n * float64(time.Second)), seed, nil
}
