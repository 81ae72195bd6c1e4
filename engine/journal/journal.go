// Package journal keeps verdicts on rows on disk while a person decides: each
// is there before it counts, and a crash, a kill or a lost connection loses
// none that was acknowledged.
//
// A journal is a file of JSON Lines, one for each step: a group of rows that
// got one verdict, an undo, a redo. A step is one line, one append and one
// fsync, so that a group is there whole or not at all. What is decided is the
// fold of the lines. The first line binds the journal to its subject, by hash.
//
// The package knows rows and verdicts, not what is decided: a row is a name, a
// payload is JSON that it never looks into. It refuses to write beside another
// writer, to pass over a damaged line in the middle of a journal, and to drop a
// decision in silence: one that no longer holds for a changed subject is kept
// and listed as stale.
package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"docket/engine/disk"
)

// Format is the format of the journals that this version writes and reads.
const Format = 1

// MaxSize is the largest journal that is read, in bytes.
const MaxSize = 500_000_000

// An Entry is one row, or one part of it, with what the verdict was given on.
type Entry struct {
	Row string
	// Part names the part of the row that is decided alone; "" is the row.
	Part string
	// Seen is a hash of what was on the screen, to tell later whether the
	// verdict still holds.
	Seen string
	// Payload is one JSON value that the caller wants back, nil for none. It is
	// kept byte for byte.
	Payload json.RawMessage
}

// A Group is one step of deciding: one verdict, with its reason, on some rows.
// An empty verdict takes earlier ones back.
type Group struct {
	Verdict string
	Reason  string
	Entries []Entry

	// Seq and At are given by Decide: the number of the step in its journal,
	// from 1, and the time in UTC to the millisecond.
	Seq int
	At  time.Time
}

// A Decision is the verdict that stands for one row or part.
type Decision struct {
	Entry
	Verdict string
	Reason  string
	Seq     int // of the group
	At      time.Time
}

// A Config says which journal to open, and for what.
type Config struct {
	FS disk.FS
	// Root is a folder that exists, and Name the journal's path below it; see
	// Name. Missing folders are made, readable for the user alone.
	Root, Name string
	// Subject is the hash of what is being decided.
	Subject string
	// Holds says whether a decision on another subject holds for this one; nil
	// says that none does. It is asked once for each decision, and for a stale
	// one each time that the subject is another.
	Holds func(Decision) bool
	Now   func() time.Time // nil is time.Now
}

// Name returns .docket/journal/SUITE/WHAT.jsonl, where what is a mode or the
// name of another thing to decide.
func Name(suite, what string) string {
	return filepath.Join(".docket", "journal", suite, what+".jsonl")
}

// A Journal is open for deciding, or only for reading where another process
// decides. Its methods may be called from several goroutines.
type Journal struct {
	config Config
	path   string
	lock   disk.Lock
	held   *disk.HeldError

	mu       sync.RWMutex
	appender *disk.Appender
	state    *state
	seq      int
	resumed  int
	carried  bool
	notes    []string
	closed   error // why no step can be taken any more
}

// Open opens the journal and folds what it holds. Where another process has it
// open, the journal is read-only and ReadOnly says who. A journal that was
// bound to another subject is bound to this one: what holds is carried over,
// what does not is listed by Stale, until it holds again. One that was written is begun afresh.
//
// A damaged line other than the last is an error with its place, and nothing
// is changed then.
func Open(c Config) (*Journal, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Name == "" || !filepath.IsLocal(c.Name) {
		return nil, fmt.Errorf("a journal must lie below its root, %q does not", c.Name)
	}
	j := &Journal{config: c, path: filepath.Join(c.Root, c.Name)}
	if err := disk.MakeFolders(c.FS, c.Root, filepath.Dir(j.path), 0o700); err != nil {
		return nil, fmt.Errorf("the journal cannot be opened: %w", err)
	}
	lock, err := c.FS.Lock(j.path + disk.LockSuffix)
	switch {
	case errors.As(err, &j.held):
	case err != nil:
		return nil, fmt.Errorf("the journal cannot be opened: %w", err)
	default:
		j.lock = lock
	}
	if err := j.load(); err != nil {
		if j.lock != nil {
			err = errors.Join(err, j.lock.Release())
		}
		return nil, err
	}
	return j, nil
}

// Peek folds what a journal holds for its subject, without opening it for
// deciding: it takes no lock and changes nothing on disk. What was decided on
// another subject and does not hold is listed by Stale, as by Open.
func Peek(c Config) (*Journal, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Name == "" || !filepath.IsLocal(c.Name) {
		return nil, fmt.Errorf("a journal must lie below its root, %q does not", c.Name)
	}
	j := &Journal{config: c, path: filepath.Join(c.Root, c.Name), closed: errors.New("the journal was opened for reading")}
	if err := j.load(); err != nil {
		return nil, err
	}
	return j, nil
}

func (j *Journal) load() error {
	c := j.config
	if j.lock != nil {
		if err := disk.Clean(c.FS, j.path); err != nil {
			return err
		}
	}
	data, err := disk.Read(c.FS, j.path, MaxSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the journal cannot be opened: %w", err)
	}
	old, err := parse(j.path, data)
	if err != nil {
		return err
	}
	if old.cut > 0 && j.lock != nil { // without the lock it may be a step on its way
		j.notes = append(j.notes, fmt.Sprintf("the last step in %s was cut short by a crash before it was saved, and is left out (%d bytes)", j.path, old.cut))
	}
	switch {
	case old.subject == "" || old.written:
		return j.begin(newState())
	case old.subject == c.Subject:
		j.state, j.seq, j.resumed = old.state, old.seq, old.state.count()
		if j.lock == nil {
			return nil
		}
		j.appender, err = disk.OpenAppender(c.FS, j.path, old.size, 0o600)
		return err
	}
	carried := old.state.carry(c.Holds)
	j.carried, j.resumed = true, carried.count()
	return j.begin(carried)
}

// begin writes a journal for the subject that holds a state, and opens it.
func (j *Journal) begin(s *state) error {
	data, seq := s.appendAll(appendOpen(nil, j.config.Subject, j.now()))
	j.state, j.seq = s, seq
	if j.lock == nil {
		return nil
	}
	if err := disk.Write(j.config.FS, j.path, data, 0o600); err != nil {
		return fmt.Errorf("the journal cannot be begun: %w", err)
	}
	var err error
	j.appender, err = disk.OpenAppender(j.config.FS, j.path, int64(len(data)), 0o600)
	return err
}

func (j *Journal) now() time.Time { return j.config.Now().UTC().Truncate(time.Millisecond) }

// Decide puts a group on disk, and then counts it. After an error nothing is
// decided. The group is returned with its number and time.
func (j *Journal) Decide(g Group) (Group, error) {
	for _, e := range g.Entries {
		if e.Row == "" {
			return Group{}, errors.New("a decision must name a row")
		}
		if !validPayload(e.Payload) {
			return Group{}, fmt.Errorf("the payload of the row %q is not one line of JSON", e.Row)
		}
	}
	if len(g.Entries) == 0 {
		return Group{}, errors.New("there is no row to decide")
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	g.Seq, g.At = j.seq+1, j.now()
	if err := j.append(appendDecide(nil, &g)); err != nil {
		return Group{}, err
	}
	j.state.decide(&g)
	return g, nil
}

// Undo takes back the last group that stands, and returns it; false where
// there is none.
func (j *Journal) Undo() (Group, bool, error) {
	return j.step("undo", func(s *state) *Group { return s.lastDone() }, (*state).undo)
}

// Redo brings back the group that was undone last, and returns it; false where
// there is none. Deciding anew forgets what could be redone.
func (j *Journal) Redo() (Group, bool, error) {
	return j.step("redo", func(s *state) *Group { return s.lastUndone() }, (*state).redo)
}

func (j *Journal) step(op string, which func(*state) *Group, do func(*state)) (Group, bool, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	g := which(j.state)
	if g == nil {
		return Group{}, false, nil
	}
	if err := j.append(appendStep(nil, j.seq+1, op, g.Seq, j.now())); err != nil {
		return Group{}, false, err
	}
	do(j.state)
	return *g, true, nil
}

// Written marks that what is decided has taken effect, and closes the journal:
// the next Open begins afresh.
func (j *Journal) Written() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.append(appendStep(nil, j.seq+1, "written", 0, j.now())); err != nil {
		return err
	}
	j.closed = errors.New("the decisions of this journal are written; open it again")
	return nil
}

func (j *Journal) append(line []byte) error {
	switch {
	case j.held != nil:
		return fmt.Errorf("this review is open for reading only: %w", j.held)
	case j.closed != nil:
		return j.closed
	}
	if err := j.appender.Append(line); err != nil {
		return fmt.Errorf("the decision was not saved: %w", err)
	}
	j.seq++
	return nil
}

// Close closes the file and lets go of the lock. What is decided stays on disk.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed == nil {
		j.closed = errors.New("the journal is closed")
	}
	var err error
	if j.appender != nil {
		err = j.appender.Close()
		j.appender = nil
	}
	if j.lock != nil {
		err = errors.Join(err, j.lock.Release())
		j.lock = nil
	}
	return err
}

// ReadOnly returns who else has the journal open; nil where this process
// decides.
func (j *Journal) ReadOnly() *disk.HeldError { return j.held }

// Resumed returns how many decisions were there when the journal was opened.
func (j *Journal) Resumed() int { return j.resumed }

// Carried reports whether those decisions were made on another subject.
func (j *Journal) Carried() bool { return j.carried }

// Notes returns what a person should be told about the opening, one sentence
// each.
func (j *Journal) Notes() []string { return j.notes }

// Path returns where the journal lies.
func (j *Journal) Path() string { return j.path }
