package loom

import (
	"os"
	"path/filepath"
	"slices"

	"loom/internal/outdir"
)

// Artifacts are output files in memory, in the order in which they were added.
type Artifacts struct {
	// Files are the files to write. Of several with the same name the last is written.
	Files []File
	// Stale names files of an earlier run that Write removes: result and trace of
	// different runs must not stand in one directory.
	Stale []string
}

// File is one artifact.
type File struct {
	// Name is relative to the output directory, with slashes.
	Name string
	// Data is the content.
	Data []byte
}

func (a *Artifacts) add(name string, data []byte) { a.Files = append(a.Files, File{name, data}) }

// Add appends other artifacts and returns a.
func (a *Artifacts) Add(more ...*Artifacts) *Artifacts {
	for _, m := range more {
		a.Files = append(a.Files, m.Files...)
		a.Stale = append(a.Stale, m.Stale...)
	}
	return a
}

// Write writes all files into dir, creates dir if it does not exist, and returns the names
// written, in order. On an error the directory is unchanged. The files in keep (paths of
// the caller's input files) are not overwritten.
func (a *Artifacts) Write(dir string, keep ...string) ([]string, error) {
	out, err := outdir.New(dir)
	if err != nil {
		return nil, err
	}
	defer out.Discard()
	for _, file := range keep {
		out.Protect(file)
	}
	if err := a.Store(out); err != nil {
		return nil, err
	}
	return out.Commit()
}

// replace is Write for artifacts in folders of their own: of those that match a pattern in dir, files of an earlier run
// are removed, and folders that are empty then.
func (a *Artifacts) replace(dir, folders string) ([]string, error) {
	old, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(folders), "*"))
	for _, path := range old {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return nil, err
		}
		name := filepath.ToSlash(rel)
		if !slices.ContainsFunc(a.Files, func(f File) bool { return f.Name == name }) {
			a.Stale = append(a.Stale, name)
		}
	}
	names, err := a.Write(dir)
	for _, path := range old {
		os.Remove(filepath.Dir(path)) // only where it is empty
	}
	return names, err
}

// Store passes every file to the Write method of to, after the stale names to Remove. It
// stops at the first error. Use it where the caller writes the output directory itself.
func (a *Artifacts) Store(to interface {
	Write(name string, data []byte) error
	Remove(name string)
}) error {
	for _, name := range a.Stale {
		to.Remove(name)
	}
	for _, f := range a.Files {
		if err := to.Write(f.Name, f.Data); err != nil {
			return err
		}
	}
	return nil
}
