// Package store keeps the results of an exploration, or a campaign, in an SQLite database: points, what each rung found, and
// files by content. A result is in the database, and on the disk, when Put returns; a process that is killed
// loses what it has not put, nothing else.
package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	_ "modernc.org/sqlite" // the driver, without cgo

	"loom/compiler/diag"
)

// Kind says what a database is of; its file is named so.
type Kind string

// The kinds: what loom explore and loom campaign write.
const (
	Exploration Kind = "explore"
	Campaign    Kind = "campaign"
)

// File is the name of the database in its directory.
func (k Kind) File() string { return string(k) + ".db" }

// schemaVersion changes with the tables.
const schemaVersion = 1

const schema = `
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
-- What a rung found of a point; key is a hash of all that the result depends on.
CREATE TABLE IF NOT EXISTS evaluations (key TEXT NOT NULL, rung INTEGER NOT NULL, result TEXT NOT NULL, seconds REAL NOT NULL, worker TEXT NOT NULL,
  PRIMARY KEY (key, rung)) WITHOUT ROWID;
-- The points of the search in the order in which they were made, with the verdict.
CREATE TABLE IF NOT EXISTS points (number INTEGER PRIMARY KEY, generation INTEGER NOT NULL, key TEXT NOT NULL, parameters TEXT NOT NULL,
  architecture TEXT NOT NULL, rung INTEGER NOT NULL, verdict TEXT NOT NULL, reason TEXT NOT NULL, luts INTEGER, ffs INTEGER, dsps INTEGER, brams INTEGER,
  mhz REAL, ns REAL, lut_ns REAL, record TEXT NOT NULL);
-- The kernels of a point: pes and cycles where it was mapped.
CREATE TABLE IF NOT EXISTS kernels (point INTEGER NOT NULL, kernel TEXT NOT NULL, verdict TEXT NOT NULL, reason TEXT NOT NULL, pes INTEGER, cycles INTEGER,
  ns REAL, mapping TEXT, PRIMARY KEY (point, kernel)) WITHOUT ROWID;
-- Files by the SHA-256 of their content, which is compressed by gzip.
CREATE TABLE IF NOT EXISTS files (hash TEXT PRIMARY KEY, name TEXT NOT NULL, content BLOB NOT NULL) WITHOUT ROWID;
`

// DB is an open database.
type DB struct {
	// File is its path.
	File string
	db   *sql.DB
	lock *os.File
}

// Busy is the error of Open for a directory in which another process works.
type Busy struct {
	Dir  string
	Kind Kind
}

func (e *Busy) Error() string {
	return fmt.Sprintf("another loom %s works in '%s'; wait for it, or choose another directory with -o", e.Kind, e.Dir)
}

// Open opens the database of a directory, which it makes, for writing; one process at a time can. The error is a
// *Busy while another one does.
func Open(dir string, kind Kind) (*DB, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, diag.New(diag.Pos{File: dir}, "cannot make the directory: %v", errors.Unwrap(err))
	}
	lock, err := os.OpenFile(filepath.Join(dir, "."+string(kind)+".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, diag.New(diag.Pos{File: dir}, "cannot write to the directory: %v", errors.Unwrap(err))
	}
	// The lock belongs to the process: it ends with it, however it ends.
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		return nil, &Busy{dir, kind}
	}
	d, err := open(filepath.Join(dir, kind.File()), "?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(10000)")
	if err != nil {
		lock.Close()
		return nil, err
	}
	d.lock = lock
	if _, err := d.db.Exec(schema); err != nil {
		d.Close()
		return nil, d.explain(err)
	}
	version, err := d.Meta("schema")
	switch {
	case err != nil:
	case version == "":
		err = d.SetMeta("schema", fmt.Sprint(schemaVersion))
	case version != fmt.Sprint(schemaVersion):
		err = diag.New(diag.Pos{File: d.File}, "was written by another version of loom (schema %s, this one has %d)", version, schemaVersion).
			WithHelp("choose another directory with -o")
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Read opens the database of a directory for reading, also while another process writes.
func Read(dir string, kind Kind) (*DB, error) {
	file := filepath.Join(dir, kind.File())
	if _, err := os.Stat(file); err != nil {
		return nil, diag.New(diag.Pos{File: dir}, "holds no %s: there is no %s in it", map[Kind]string{Exploration: "exploration", Campaign: "campaign"}[kind], kind.File()).
			WithHelp("loom %s -o DIR makes one", kind)
	}
	return open(file, "?_pragma=query_only(1)&_pragma=busy_timeout(10000)")
}

func open(file, options string) (*DB, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", "file:"+strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(abs)+options)
	if err != nil {
		return nil, err
	}
	// One connection: pragmas are of a connection, and the engine writes from one goroutine.
	db.SetMaxOpenConns(1)
	d := &DB{File: file, db: db}
	if err := db.PingContext(context.Background()); err != nil {
		db.Close()
		return nil, d.explain(err)
	}
	return d, nil
}

// Close closes the database and gives the directory free.
func (d *DB) Close() error {
	err := d.db.Close()
	if d.lock != nil {
		d.lock.Close()
	}
	return err
}

// explain is an error of the database with its file, and for a full disk with what to do.
func (d *DB) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case strings.Contains(err.Error(), "(13)") || strings.Contains(err.Error(), "disk is full"): // SQLITE_FULL
		return diag.New(diag.Pos{File: d.File}, "there is no room left on the disk").
			WithHelp("make room and run the same command again: it goes on where it stopped")
	case strings.Contains(err.Error(), "(11)") || strings.Contains(err.Error(), "(26)"): // SQLITE_CORRUPT, SQLITE_NOTADB
		return diag.New(diag.Pos{File: d.File}, "is no database, or damaged: %v", err).WithHelp("choose another directory with -o")
	}
	return diag.New(diag.Pos{File: d.File}, "%v", err)
}

// Meta is a text that was set, "" for none.
func (d *DB) Meta(key string) (string, error) {
	var v string
	err := d.db.QueryRow("SELECT value FROM meta WHERE key = ?", key).Scan(&v)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return v, d.explain(err)
}

// SetMeta sets a text.
func (d *DB) SetMeta(key, value string) error {
	_, err := d.db.Exec("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
	return d.explain(err)
}

// Result is what a rung found of a point.
type Result struct {
	// Key is a hash of all that it depends on; Rung the rung.
	Key  string
	Rung int
	// Text is the result as JSON.
	Text []byte
	// Seconds are those that it took, of one core; Worker says where.
	Seconds float64
	Worker  string
}

// Put keeps results, all or none; of one that there is already the first stays.
func (d *DB) Put(results ...Result) error {
	tx, err := d.db.Begin()
	if err != nil {
		return d.explain(err)
	}
	defer tx.Rollback()
	for _, r := range results {
		if _, err := tx.Exec("INSERT OR IGNORE INTO evaluations VALUES (?, ?, ?, ?, ?)", r.Key, r.Rung, string(r.Text), r.Seconds, r.Worker); err != nil {
			return d.explain(err)
		}
	}
	return d.explain(tx.Commit())
}

// Get is the text of a result, nil where there is none.
func (d *DB) Get(key string, rung int) ([]byte, error) {
	var text string
	err := d.db.QueryRow("SELECT result FROM evaluations WHERE key = ? AND rung = ?", key, rung).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return []byte(text), d.explain(err)
}

// Point is a row of the table of points, with its kernels.
type Point struct {
	Number, Generation int
	Key                string
	// Parameters is a JSON object, Architecture the hash of a file.
	Parameters, Architecture string
	Rung                     int
	Verdict, Reason          string
	LUTs, FFs, DSPs, BRAMs   int
	MHz, NS, LUTNS           float64
	// Record is the whole point as JSON.
	Record  []byte
	Kernels []Kernel
}

// Kernel is a row of the table of kernels.
type Kernel struct {
	Kernel, Verdict, Reason string
	PEs                     int
	Cycles                  int64
	NS                      float64
	// Mapping is the hash of a file, "" where it was not kept.
	Mapping string
}

// PutPoints writes points, and replaces those with the same number, all or none.
func (d *DB) PutPoints(points []Point) error {
	tx, err := d.db.Begin()
	if err != nil {
		return d.explain(err)
	}
	defer tx.Rollback()
	for _, p := range points {
		if _, err := tx.Exec("INSERT OR REPLACE INTO points VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", p.Number, p.Generation, p.Key, p.Parameters,
			p.Architecture, p.Rung, p.Verdict, p.Reason, p.LUTs, p.FFs, p.DSPs, p.BRAMs, p.MHz, p.NS, p.LUTNS, string(p.Record)); err != nil {
			return d.explain(err)
		}
		if _, err := tx.Exec("DELETE FROM kernels WHERE point = ?", p.Number); err != nil {
			return d.explain(err)
		}
		for _, k := range p.Kernels {
			if _, err := tx.Exec("INSERT INTO kernels VALUES (?, ?, ?, ?, ?, ?, ?, ?)", p.Number, k.Kernel, k.Verdict, k.Reason, k.PEs, k.Cycles, k.NS, k.Mapping); err != nil {
				return d.explain(err)
			}
		}
	}
	return d.explain(tx.Commit())
}

// ForgetPoints removes the points of an earlier search from a number on.
func (d *DB) ForgetPoints(from int) error {
	_, err := d.db.Exec("DELETE FROM kernels WHERE point >= ?1; DELETE FROM points WHERE number >= ?1", from)
	return d.explain(err)
}

// Records are the points as JSON, in order.
func (d *DB) Records() ([][]byte, error) {
	rows, err := d.db.Query("SELECT record FROM points ORDER BY number")
	if err != nil {
		return nil, d.explain(err)
	}
	defer rows.Close()
	var out [][]byte
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, d.explain(err)
		}
		out = append(out, []byte(text))
	}
	return out, d.explain(rows.Err())
}

// Work sums up the evaluations by rung: how many, and the seconds of one core that they took.
func (d *DB) Work() (count map[int]int, seconds map[int]float64, err error) {
	rows, err := d.db.Query("SELECT rung, count(*), sum(seconds) FROM evaluations GROUP BY rung")
	if err != nil {
		return nil, nil, d.explain(err)
	}
	defer rows.Close()
	count, seconds = map[int]int{}, map[int]float64{}
	for rows.Next() {
		var rung, n int
		var s float64
		if err := rows.Scan(&rung, &n, &s); err != nil {
			return nil, nil, d.explain(err)
		}
		count[rung], seconds[rung] = n, s
	}
	return count, seconds, d.explain(rows.Err())
}

// PutFile keeps a file and returns its hash.
func (d *DB) PutFile(name string, content []byte) (string, error) {
	hash := Hash(content)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(content)
	if err := z.Close(); err != nil {
		return "", err
	}
	_, err := d.db.Exec("INSERT OR IGNORE INTO files VALUES (?, ?, ?)", hash, name, b.Bytes())
	return hash, d.explain(err)
}

// Content is the content of a file.
func (d *DB) Content(hash string) ([]byte, error) {
	var content []byte
	if err := d.db.QueryRow("SELECT content FROM files WHERE hash = ?", hash).Scan(&content); err != nil {
		return nil, d.explain(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// Hash is the name of a content: its SHA-256 in hexadecimal digits.
func Hash(content []byte) string {
	h := sha256.Sum256(content)
	return hex.EncodeToString(h[:])
}
