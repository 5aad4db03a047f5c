package loom

import "loom/internal/outdir"

// Artifacts are files in memory, in the order in which they were added.
type Artifacts struct {
	// Files are all of them; of files with one name the last counts.
	Files []File
	// Stale are names that files of an earlier run may have and that do not belong to
	// this set: results and trace of different runs must not lie side by side.
	Stale []string
}

// File is one artifact.
type File struct {
	// Name is relative to the output directory, with slashes.
	Name string
	// Data is the whole file.
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

// Write writes all files into a directory, which is made where it does not exist, and
// returns their names in order. On failure nothing in the directory has changed. Files
// named in keep, which the caller has read, stay as they are.
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

// Store hands every file to a collection that somebody else writes.
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
