// Package precompiled keeps Verilator's header, and those of the C++ library that come with it, in the form that clang
// reads at once: parsing them takes longer than compiling a small model.
package precompiled

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"loom/internal/cache"
)

// cacheKind is the directory of the cache.
const cacheKind = "headers"

// made are the headers of this process by their keys.
var made sync.Map // key -> func() string

// Flags returns what to add to the flags of a run of the C++ compiler, of which level is that of optimisation, for it to
// read the header (an absolute path) in its precompiled form; dir is the cache's directory, "" for the usual one.
// nil where the compiler is none that can, or the form cannot be made: then it reads the header itself.
func Flags(ctx context.Context, dir, cxx string, flags []string, level, header string) []string {
	version, err := versionOf(cxx)
	info, statErr := os.Stat(header)
	if err != nil || statErr != nil || !strings.Contains(version, "clang") {
		return nil
	}
	store, err := cache.Open(dir, cacheKind)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%q\n%s\n%s\n%d\n%d", cxx, version, flags, level, header, info.ModTime().UnixNano(), info.Size()))
	path := filepath.Join(store, hex.EncodeToString(sum[:12])+".pch")
	once, _ := made.LoadOrStore(path, sync.OnceValue(func() bool { return build(ctx, path, cxx, flags, level, header) }))
	if !once.(func() bool)() {
		return nil
	}
	return []string{"-include-pch", path}
}

// versionOf is what a compiler says of itself.
func versionOf(cxx string) (string, error) {
	once, _ := versions.LoadOrStore(cxx, sync.OnceValues(func() (string, error) {
		out, err := exec.Command(cxx, "--version").Output()
		return string(out), err
	}))
	return once.(func() (string, error))()
}

var versions sync.Map

// build makes the form at path, or checks the one that is there: headers may have changed since.
func build(ctx context.Context, path, cxx string, flags []string, level, header string) bool {
	dir, err := os.MkdirTemp(filepath.Dir(path), "build-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	run := func(args ...string) bool {
		cmd := exec.CommandContext(ctx, cxx, append(append(flags[:len(flags):len(flags)], level), args...)...)
		cmd.Dir = dir
		cmd.Stdin = bytes.NewReader(nil)
		return cmd.Run() == nil
	}
	usable := func(form string) bool {
		return run("-include-pch", form, "-fsyntax-only", "-x", "c++", "-")
	}
	if _, err := os.Stat(path); err == nil && usable(path) {
		return true
	}
	form := filepath.Join(dir, "header.pch")
	if !run("-x", "c++-header", header, "-o", form) || !usable(form) || os.Rename(form, path) != nil {
		return false
	}
	prune(filepath.Dir(path))
	return true
}

// keep is how many headers stay in the cache, of 11 MB each: one per compiler, set of options and level of
// optimisation. What a process that was killed has left goes after an hour.
const keep = 8

// prune removes the headers that were made first.
func prune(store string) {
	entries, err := os.ReadDir(store)
	if err != nil {
		return
	}
	when := map[string]time.Time{}
	var forms []string
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		path := filepath.Join(store, e.Name())
		switch {
		case !e.IsDir():
			when[path] = info.ModTime()
			forms = append(forms, path)
		case time.Since(info.ModTime()) > time.Hour:
			os.RemoveAll(path)
		}
	}
	slices.SortFunc(forms, func(a, b string) int { return when[b].Compare(when[a]) })
	for _, f := range forms[min(keep, len(forms)):] {
		os.Remove(f)
	}
}
