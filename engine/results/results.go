// Package results keeps what runs found, every output included, in an SQLite
// database beside the configuration (.docket/results.db): so that a diff need
// not run anything, a baseline's line finds the prose it was measured on, and a
// case has a history.
//
// It is memory and no record: deleting it loses the history of runs and never a
// baseline or a decision. It refuses to judge and to compare; it gives back what
// it was given.
//
// # Schema, version 4
//
// PRAGMA application_id is 0x646f636b ("dock") and PRAGMA user_version the
// version of the schema. A docket that knows a later version carries an older
// database forward in one transaction; one that does not refuses it.
//
//	runs     id, suite, system, mode, services, started, finished, whole,
//	         interrupted, recorded, evidence, config, purpose, remark, sources
//	results  run, "case", version, outcome, error, pass, score, line, outputs
//	samples  run, "case", sample, error, output, latency_ms, input_tokens,
//	         output_tokens, cost_usd, pass, score, checks
//
// Times are UTC text that sorts, config is a baseline's header line, line a
// baseline's line, both as that package writes them; sources is JSON, who
// answered. pass and score of a result are those of its samples taken together.
// outputs is the hash by which a line names its outputs, as 32 bytes. The output
// of a sample is JSON with the keys of package output, without the numbers that
// have columns of their own, and under "given" what another tool judged of it.
// What is unknown is NULL. A run whose finished is NULL is under way, or its
// process was killed; what it had by then is there.
//
// Several processes may use one database at once. Writers wait for one another,
// and each holds the lock for one batch only.
package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"

	"docket/engine/disk"
)

// A Store is an open database of results. It may be used from several
// goroutines.
type Store struct {
	db   *sql.DB
	path string
}

// Open opens the store at path, and makes it, and the folder it is in, where
// they are not there. Both are for the user alone: outputs may hold what
// customers wrote. Errors are sentences with what to do.
func Open(ctx context.Context, path string) (*Store, error) {
	if err := prepare(path); err != nil {
		return nil, err
	}
	address, err := dsn(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", address)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be opened: %w", path, err)
	}
	s := &Store{db: db, path: path}
	if err := s.begin(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return s, nil
}

// Close closes the store. Writers must have been finished or closed.
func (s *Store) Close() error { return s.explain(s.db.Close()) }

// prepare makes the folder and an empty file that only the user may read; the
// files that SQLite keeps beside it get the file's permissions.
func prepare(path string) error {
	folder := filepath.Dir(path)
	if err := disk.MakeAll(disk.OS{}, folder, 0o700); err != nil {
		return fmt.Errorf("the folder of the results store cannot be made; see who may write there, or name another file under results in .docket.yaml: %w", err)
	}
	if filepath.Base(folder) == ".docket" {
		tighten(folder, 0o700)
	}
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file; name another one under results in .docket.yaml", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the results store cannot be opened: %w", err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("the results store cannot be opened; see who may write there, or name another file under results in .docket.yaml: %w", err)
	}
	tighten(path, 0o600)
	return file.Close()
}

// tighten takes away permissions beyond those given. Where that is not allowed,
// the store is somebody else's and works all the same.
func tighten(path string, most fs.FileMode) {
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&^most != 0 {
		os.Chmod(path, info.Mode().Perm()&most)
	}
}

// dsn returns the address of the database. busy_timeout comes first, since
// switching to WAL waits for a lock, too; immediate transactions take the write
// lock before they read, and so cannot lose it in between. A commit waits for the
// disk (FULL): with less, what was reported as kept could go with the power, and
// a live run costs money.
func dsn(path string) (string, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("the results store cannot be opened: %w", err)
	}
	slashes := filepath.ToSlash(whole)
	if !strings.HasPrefix(slashes, "/") {
		slashes = "/" + slashes // a drive letter
	}
	return "file:" + (&url.URL{Path: slashes}).EscapedPath() +
		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate", nil
}

// begin makes the first connection and brings the schema up to date.
func (s *Store) begin(ctx context.Context) error {
	const tries = 20
	for try := 1; ; try++ {
		err := s.migrate(ctx)
		// Two processes that make one database wait for each other, except
		// where SQLite sees a deadlock and gives up at once.
		if !isBusy(err) || try == tries {
			return s.explain(err)
		}
		select {
		case <-time.After(time.Duration(try) * 10 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// The primary result codes of SQLite that mean something to a user; see
// https://www.sqlite.org/rescode.html.
const (
	codeBusy     = 5
	codeLocked   = 6
	codeReadOnly = 8
	codeIOErr    = 10
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeNotADB   = 26
)

// code returns the primary result code of an error of SQLite, 0 for any other.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

func isBusy(err error) bool { c := code(err); return c == codeBusy || c == codeLocked }

// explain says in a sentence what an error of SQLite means for the user.
func (s *Store) explain(err error) error {
	if err == nil {
		return nil
	}
	switch code(err) {
	case codeCorrupt, codeNotADB:
		return fmt.Errorf("the results store %s is damaged: move it away and docket starts a new one (it holds the history of runs, no baseline and no decision): %w", s.path, err)
	case codeBusy, codeLocked:
		return fmt.Errorf("another docket has kept the results store %s to itself for more than 5 seconds; try again: %w", s.path, err)
	case codeReadOnly, codeCantOpen:
		return fmt.Errorf("the results store %s cannot be written; see who may write there: %w", s.path, err)
	case codeFull:
		return fmt.Errorf("the disk of the results store %s is full: make room and say the same again; what was kept before is there: %w", s.path, err)
	case codeIOErr:
		return fmt.Errorf("the disk of the results store %s fails to read or to write, perhaps since it is full: make room, or name a file on another disk under results in .docket.yaml; what was kept before is there: %w", s.path, err)
	}
	return fmt.Errorf("the results store %s: %w", s.path, err)
}
