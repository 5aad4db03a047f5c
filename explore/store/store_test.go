package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func open2(t *testing.T, dir string) *DB {
	t.Helper()
	d, err := Open(dir, Exploration)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b?c#d%", "e")
	d := open2(t, dir)
	check(t, d.Put(Result{Key: "k", Rung: 1, Text: []byte(`{"ok":true}`), Seconds: 2, Worker: "w"}))
	check(t, d.Put(Result{Key: "k", Rung: 1, Text: []byte(`{"ok":false}`)})) // the first stays
	check(t, d.SetMeta("m", "1"))
	check(t, d.SetMeta("m", "2"))
	hash, err := d.PutFile("f", []byte("content"))
	check(t, err)
	_, err = d.PutFile("g", []byte("content"))
	check(t, err)
	check(t, d.PutPoints([]Point{{Number: 0, Record: []byte("{}"), Kernels: []Kernel{{Kernel: "x"}}}, {Number: 1, Record: []byte("[]")}, {Number: 2, Record: []byte("0")}}))
	check(t, d.PutPoints([]Point{{Number: 0, Record: []byte(`{"a":1}`), Kernels: []Kernel{{Kernel: "x"}}}}))
	check(t, d.ForgetPoints(2))

	// One at a time may write; another may read meanwhile.
	if _, err := Open(dir, Exploration); !errors.As(err, new(*Busy)) || !strings.Contains(err.Error(), "another loom explore works in") {
		t.Errorf("a second one: %v", err)
	}
	r, err := Read(dir, Exploration)
	check(t, err)
	text, err := r.Get("k", 1)
	check(t, err)
	none, err := r.Get("k", 2)
	check(t, err)
	content, err := r.Content(hash)
	check(t, err)
	records, err := r.Records()
	check(t, err)
	count, seconds, err := r.Work()
	check(t, err)
	meta, err := r.Meta("m")
	check(t, err)
	got := fmt.Sprintf("%s %q %s %s %v %v %s", text, none, content, records, count, seconds, meta)
	if want := `{"ok":true} "" content [{"a":1} []] map[1:1] map[1:2] 2`; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if err := r.SetMeta("m", "3"); err == nil {
		t.Error("a reader writes")
	}
	check(t, r.Close())
	check(t, d.Close())
	check(t, open2(t, dir).Close())
}

// TestFull: on a full disk Put says so and loses nothing of what it kept; with room it goes on.
func TestFull(t *testing.T) {
	dir := t.TempDir()
	d := open2(t, dir)
	var pages int
	check(t, d.db.QueryRow("PRAGMA page_count").Scan(&pages))
	// SQLite answers a limit of pages as it does a full disk.
	if _, err := d.db.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages+4)); err != nil {
		t.Fatal(err)
	}
	kept := 0
	var err error
	for ; err == nil && kept < 100; kept++ {
		err = d.Put(Result{Key: fmt.Sprint(kept), Text: []byte(strings.Repeat("x", 2000))})
	}
	if err == nil || !strings.Contains(err.Error(), "no room left") {
		t.Fatalf("after %d results: %v", kept, err)
	}
	kept--
	check(t, d.Close())
	d = open2(t, dir)
	defer d.Close()
	for i := range kept {
		if text, err := d.Get(fmt.Sprint(i), 0); err != nil || len(text) != 2000 {
			t.Errorf("result %d: %v", i, err)
		}
	}
	check(t, d.Put(Result{Key: fmt.Sprint(kept), Text: []byte("y")}))
}

func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir, Exploration); err == nil || !strings.Contains(err.Error(), "holds no exploration") {
		t.Errorf("an empty directory: %v", err)
	}
	check(t, os.WriteFile(filepath.Join(dir, Exploration.File()), []byte(strings.Repeat("no database ", 1000)), 0o644))
	if _, err := Open(dir, Exploration); err == nil || !strings.Contains(err.Error(), "no database") {
		t.Errorf("a damaged file: %v", err)
	}
	// The lock of a failed Open is free again.
	check(t, os.Remove(filepath.Join(dir, Exploration.File())))
	d := open2(t, dir)
	check(t, d.SetMeta("schema", "99"))
	check(t, d.Close())
	if _, err := Open(dir, Exploration); err == nil || !strings.Contains(err.Error(), "another version") {
		t.Errorf("another schema: %v", err)
	}
}
