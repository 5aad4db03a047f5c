package latency

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Profile is the latency of an external memory: the cycles from a request on its
// bus to the response, between Min and Max, drawn from Seed for each request. The
// zero value stands for Default.
type Profile struct {
	Min, Max int64
	Seed     uint64
	// DRAM, where it is set, decides on the cycles in place of Seed, between about Min and Max.
	DRAM DRAM
}

// Default is the profile where none is chosen: fixed:4, a memory close by.
var Default = Fixed(4)

// Max bounds profiles, so that arithmetic on cycles cannot overflow.
const Max = 1 << 30

// Fixed is a memory that always responds after that many cycles.
func Fixed(cycles int64) Profile { return Profile{Min: cycles, Max: cycles} }

// Parse reads fixed:N, random:min,max,seed, or what ParseDRAM reads.
func Parse(s string) (Profile, error) {
	if name, _, _ := strings.Cut(s, ","); slices.Contains(DeviceNames(), name) {
		return ParseDRAM(s)
	}
	bad := func() (Profile, error) {
		return Profile{}, fmt.Errorf("latency profile %q is neither fixed:N nor random:MIN,MAX,SEED with 1 <= MIN <= MAX <= %d", s, Max)
	}
	kind, rest, _ := strings.Cut(s, ":")
	var n []int64
	fields := strings.Split(rest, ",")
	for i, f := range fields {
		if i == 2 {
			break
		}
		v, err := strconv.ParseInt(f, 10, 64)
		if err != nil || v < 1 || v > Max {
			return bad()
		}
		n = append(n, v)
	}
	switch {
	case kind == "fixed" && len(fields) == 1:
		return Fixed(n[0]), nil
	case kind == "random" && len(fields) == 3 && n[0] <= n[1]:
		seed, err := strconv.ParseUint(fields[2], 10, 64)
		if err != nil {
			return bad()
		}
		return Profile{Min: n[0], Max: n[1], Seed: seed}, nil
	}
	return bad()
}

// String spells the profile as Parse reads it.
func (p Profile) String() string {
	p = p.OrDefault()
	if p.Dynamic() {
		return p.DRAM.String()
	}
	if p.Min == p.Max {
		return fmt.Sprintf("fixed:%d", p.Min)
	}
	return fmt.Sprintf("random:%d,%d,%d", p.Min, p.Max, p.Seed)
}

// OrDefault is p, or Default where none is chosen.
func (p Profile) OrDefault() Profile {
	if p == (Profile{}) {
		return Default
	}
	return p
}

// Check refuses profiles of no cycles, of too many, or of none at all.
func (p Profile) Check() error {
	if p = p.OrDefault(); p.Min < 1 || p.Max < p.Min || p.Max > Max {
		return fmt.Errorf("memory latencies from %d to %d cycles are not possible", p.Min, p.Max)
	}
	return nil
}

// Dynamic reports whether the memory is a DRAM.
func (p Profile) Dynamic() bool { return p.DRAM != DRAM{} }

// Cycles is the figure that bounds and expected intervals assume: the mean, rounded
// up. A loop that waits for memory once per iteration takes the mean in the long
// run; single iterations take less and more. Of a DRAM it is a read in an open row behind a burst of others.
func (p Profile) Cycles() int {
	p = p.OrDefault()
	if p.Dynamic() {
		return int(p.DRAM.open())
	}
	return int((p.Min + p.Max + 1) / 2)
}

// Usual is the profile for predictions: a DRAM as a memory that always takes Cycles.
func (p Profile) Usual() Profile {
	if p.Dynamic() {
		return Fixed(int64(p.Cycles()))
	}
	return p
}

// Range states in words between which limits the memory responds: "4 cycles", "1 to 40 cycles".
func (p Profile) Range() string {
	if p = p.OrDefault(); p.Min != p.Max {
		return fmt.Sprintf("%d to %d cycles", p.Min, p.Max)
	}
	return p.Describe()
}

// Describe states in words what Cycles assumes: "4 cycles", "21 cycles, the mean of
// random:1,40,7".
func (p Profile) Describe() string {
	p = p.OrDefault()
	unit := "cycles"
	if p.Cycles() == 1 {
		unit = "cycle"
	}
	if p.Dynamic() {
		return fmt.Sprintf("%d %s, a stream from an open row of %s", p.Cycles(), unit, p)
	}
	if p.Min == p.Max {
		return fmt.Sprintf("%d %s", p.Cycles(), unit)
	}
	return fmt.Sprintf("%d %s, the mean of %s", p.Cycles(), unit, p)
}
