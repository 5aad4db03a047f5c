package level0

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// keepPrograms is how many built programs stay in the cache; one has some 20 kB.
const keepPrograms = 400

// buildPrefix starts the names of directories in which programs are being built.
const buildPrefix = "loom-native-build-"

// lookup finds a program and marks it as used.
func lookup(cache, key string) (string, bool) {
	path := filepath.Join(cache, key)
	if _, err := os.Stat(path); err != nil {
		return "", false
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // only the order of eviction depends on it
	return path, true
}

// install moves a finished program into the cache; another process may have been faster,
// with the same program.
func install(cache, key, built string) (string, error) {
	path := filepath.Join(cache, key)
	if err := os.Rename(built, path); err != nil {
		return "", err
	}
	prune(cache, keepPrograms)
	return path, nil
}

// prune removes the least recently used programs beyond the limit and what interrupted
// builds left behind. Failures do not matter: the next build tries again.
func prune(cache string, keep int) {
	entries, err := os.ReadDir(cache)
	if err != nil {
		return
	}
	type entry struct {
		path string
		used time.Time
	}
	var programs []entry
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		path := filepath.Join(cache, e.Name())
		if strings.HasPrefix(e.Name(), buildPrefix) {
			if time.Since(info.ModTime()) > time.Hour {
				_ = os.RemoveAll(path)
			}
			continue
		}
		programs = append(programs, entry{path, info.ModTime()})
	}
	sort.Slice(programs, func(i, j int) bool { return programs[i].used.After(programs[j].used) })
	for i := keep; i < len(programs); i++ {
		_ = os.Remove(programs[i].path)
	}
}
