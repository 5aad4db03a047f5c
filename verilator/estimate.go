package verilator

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// speedFile, in the cache, holds the bytes of SystemVerilog for which the last build took a
// second; defaultSpeed stands for it before the first: mesh6x6, 1.2 MB, took 31 s on two idle
// processors, and two thirds of that without optimisation. Many are slower, or busy.
const (
	speedFile    = "speed"
	defaultSpeed = 30000
)

// announce calls o.Building for a build that begins; built does so when it has ended and
// keeps the speed for the next estimate.
func announce(o *Options, store, level string) (built func()) {
	size := 0
	for _, name := range o.RTL.Sources {
		size += len(o.RTL.Files[name])
	}
	path, speed := filepath.Join(store, speedFile), defaultSpeed
	if level == quick {
		path, speed = path+"-quick", defaultSpeed*3/2
	}
	if text, err := os.ReadFile(path); err == nil {
		if n, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && n > 0 {
			speed = n
		}
	}
	tell := func(b Build) {
		if o.Building != nil {
			o.Building(b)
		}
	}
	estimate := time.Duration(float64(size) / float64(speed) * float64(time.Second))
	tell(Build{Estimate: estimate})
	start := time.Now()
	return func() {
		took := time.Since(start)
		_ = os.WriteFile(path, []byte(strconv.Itoa(max(1, int(float64(size)/took.Seconds())))), 0o644) // only the next estimate depends on it
		tell(Build{estimate, took})
	}
}
