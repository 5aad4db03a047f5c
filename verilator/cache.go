package verilator

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"loom/rtlgen"
)

// cacheKind is the folder of the cache that holds models.
const cacheKind = "verilator"

// keepModels is how many built models stay in the cache, of some megabytes each: more than
// the tests use in a row, which otherwise would drop each one before its next use.
const keepModels = 64

// modelKey digests everything a built model depends on. Comment lines do not
// count: they name the input file, which does not change the hardware.
func modelKey(rtl *rtlgen.Output, harness map[string]string, tools *toolset, flags []string) string {
	h := sha256.New()
	fmt.Fprintf(h, "loom-model-2\n%s\n%s\n%q\n", tools.version, tools.cxx, flags)
	add := func(name, text string) {
		fmt.Fprintf(h, "file %s\n", name)
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(strings.TrimLeft(line, " "), "//") {
				h.Write([]byte(line))
			}
		}
	}
	for _, name := range rtl.Sources {
		add(name, rtl.Files[name])
	}
	names := make([]string, 0, len(harness))
	for name := range harness {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		add(name, harness[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// lookup finds a finished entry and marks it as used.
func lookup(cache, key string) (string, bool) {
	dir := filepath.Join(cache, key)
	if _, err := os.Stat(filepath.Join(dir, modelBinary)); err != nil {
		return "", false
	}
	now := time.Now()
	_ = os.Chtimes(dir, now, now) // only the order of eviction depends on it
	return dir, true
}

// install moves a finished directory into the cache. Another process may have been
// faster: its entry is as good.
func install(cache, key, built string) (string, error) {
	dir := filepath.Join(cache, key)
	err := os.Rename(built, dir)
	if err == nil {
		return dir, nil
	}
	if _, ok := lookup(cache, key); ok {
		return dir, os.RemoveAll(built)
	}
	if errors.Is(err, fs.ErrExist) || isDir(dir) {
		// A directory without a model: left by something else; replace it.
		if err := os.RemoveAll(dir); err != nil {
			return "", err
		}
		return dir, os.Rename(built, dir)
	}
	return "", err
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// buildPrefix starts the names of directories in which models are being built,
// libraryPrefix those of the compiled run-time library; lockSuffix ends those of
// the files that keep two processes from building one model.
const (
	buildPrefix   = "build-"
	libraryPrefix = "library-"
	lockSuffix    = ".lock"
)

// prune removes the least recently used models beyond the limit and what
// interrupted builds left behind. Failures do not matter: the next run tries
// again.
func prune(cache string, keep int) {
	entries, err := os.ReadDir(cache)
	if err != nil {
		return
	}
	type entry struct {
		path string
		used time.Time
	}
	var models []entry
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		path := filepath.Join(cache, e.Name())
		if !e.IsDir() {
			if strings.HasSuffix(e.Name(), lockSuffix) && time.Since(info.ModTime()) > 24*time.Hour {
				_ = os.Remove(path) // at worst a build that still runs is lost
			}
			continue
		}
		if strings.HasPrefix(e.Name(), buildPrefix) {
			if time.Since(info.ModTime()) > 24*time.Hour {
				_ = os.RemoveAll(path)
			}
			continue
		}
		if strings.HasPrefix(e.Name(), libraryPrefix) {
			continue
		}
		models = append(models, entry{path, info.ModTime()})
	}
	sort.Slice(models, func(i, j int) bool { return models[i].used.After(models[j].used) })
	for i := keep; i < len(models); i++ {
		_ = os.RemoveAll(models[i].path)
	}
}
