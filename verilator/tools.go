package verilator

import (
	"context"
	"strings"
	"sync"

	"loom/internal/cache"
	"loom/internal/tools"
)

// toolset is where the external programs are.
type toolset struct {
	verilator, cxx string
	version        string // of Verilator
	include        string // of its run-time library
}

// findTools looks for the programs once. The error is a *tools.MissingError or
// *tools.FailedError.
var findTools = sync.OnceValues(func() (*toolset, error) {
	t := &toolset{}
	var err error
	if t.verilator, err = tools.Find(tools.Verilator); err != nil {
		return nil, err
	}
	if t.cxx, err = tools.Find(tools.CXX); err != nil {
		return nil, err
	}
	query := func(args ...string) string {
		if err != nil {
			return ""
		}
		var out []byte
		out, err = tools.Run(context.Background(), "", t.verilator, args...)
		return strings.TrimSpace(string(out))
	}
	t.version = query("--version")
	t.include = query("--getenv", "VERILATOR_ROOT") + "/include"
	if err != nil {
		return nil, err
	}
	return t, nil
})

// CheckTools reports whether what a co-simulation needs is there, with waveforms or
// without, for commands that do long work before it. The error is a
// *tools.MissingError, *tools.FailedError or *cache.Error.
func CheckTools(waves bool) error {
	if _, err := findTools(); err != nil {
		return err
	}
	if waves {
		if _, err := tools.Find(tools.Zlib); err != nil {
			return err
		}
	}
	_, err := cache.Open("", cacheKind)
	return err
}

// run executes a program quietly; its output is part of the error.
func run(ctx context.Context, dir, program string, args ...string) error {
	_, err := tools.Run(ctx, dir, program, args...)
	return err
}
