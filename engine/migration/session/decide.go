package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/engine/canonical"
	"docket/engine/journal"
	"docket/engine/legacy"
	"docket/engine/migration"
)

// partMark parts the name of a test from what of it was decided, in a row of
// the journal: there a verdict on a whole row would take those on its parts
// back.
const partMark = "\x1f"

// The parts of a test that a decision may fall on, besides claims by number.
const (
	PartID         = "id"
	PartProvenance = "provenance"
	PartDraft      = "draft"
)

// A Ruling is one decision on tests, or on one part of one test.
type Ruling struct {
	Tests []string // keys
	// Part is "" for the whole, one of the parts named above, or a claim by its
	// number.
	Part string
	// Verdict is one of package migration, or a pile for a claim; "" takes what was
	// decided back.
	Verdict string
	// Text is the provenance, the id, the name of the test to merge into, or the
	// text of a draft.
	Text string
}

// Rule decides. All tests are decided, or none.
func (m *Session) Rule(r Ruling) error {
	group := journal.Group{Verdict: r.Verdict, Reason: r.Text}
	for _, key := range r.Tests {
		t := m.Test(key)
		if t == nil {
			return fmt.Errorf("there is no test %q here", key)
		}
		row := key
		if r.Part != "" {
			row += partMark + r.Part
		}
		e := journal.Entry{Row: row, Seen: t.Hash}
		switch {
		case r.Part == PartDraft:
			e.Payload = json.RawMessage(canonical.AppendString(nil, r.Text))
			group.Reason = ""
		case (r.Part == PartID || r.Part == PartProvenance) && m.said(key, PartDraft) != nil:
			return errors.New("the draft was edited by hand and is kept as it was left: edit it again to change this")
		case r.Verdict == string(migration.Merge):
			into := m.Named(r.Text)
			if err := m.mergeable(t, into, r.Text); err != nil {
				return err
			}
			e.Payload = json.RawMessage(canonical.AppendString(nil, into.Key))
		}
		group.Entries = append(group.Entries, e)
	}
	defer m.changed()
	_, err := m.journal.Decide(group)
	return err
}

func (m *Session) mergeable(t, into *migration.Test, name string) error {
	switch {
	case into == nil:
		return fmt.Errorf("there is no test %q here, or several of that name: give its name as the list shows it", name)
	case into == t:
		return errors.New("a test cannot be merged into itself")
	case m.Choice(into.Key).Verdict == migration.Merge:
		return fmt.Errorf("test %q is merged into another itself: name that one", name)
	}
	return nil
}

// Choice is all that was said of a test.
func (m *Session) Choice(key string) migration.Choice {
	t := m.Test(key)
	if t == nil || m.journal == nil {
		return migration.Choice{}
	}
	c := migration.Choice{By: m.by}
	if d := m.said(key, ""); d != nil {
		c.Verdict, c.At = migration.Verdict(d.Verdict), d.At
		switch c.Verdict {
		case migration.Situation, migration.Split:
			c.Provenance = d.Reason
		case migration.Merge:
			c.Into = payload(d)
		}
	}
	if d := m.said(key, PartProvenance); d != nil && (c.At.IsZero() || d.At.After(c.At)) {
		c.Provenance = d.Reason
	}
	if d := m.said(key, PartID); d != nil {
		c.ID = d.Reason
	}
	if d := m.said(key, PartDraft); d != nil {
		c.Draft = []byte(payload(d))
		if c.Provenance != "" {
			c.Provenance = migration.ProvenanceOf(c.Draft) // what is written is what the draft says
		}
	}
	for i := range t.Claims {
		if d := m.said(key, strconv.Itoa(i)); d != nil {
			if c.Claims == nil {
				c.Claims = map[int]legacy.Pile{}
			}
			c.Claims[i] = legacy.Pile(d.Verdict)
		}
	}
	return c
}

func (m *Session) said(key, part string) *journal.Decision {
	if part != "" {
		key += partMark + part
	}
	d := m.journal.Of(key).Whole
	if d == nil || d.Verdict == "" {
		return nil
	}
	return d
}

func payload(d *journal.Decision) string {
	v, err := canonical.Parse(d.Payload)
	if err != nil {
		return ""
	}
	s, _ := v.(string)
	return s
}

// Undo takes the last decision back and returns the keys of its tests; none
// where there is nothing to undo. Redo is its opposite.
func (m *Session) Undo() ([]string, error) { return m.step(m.journal.Undo) }

// Redo is the opposite of Undo.
func (m *Session) Redo() ([]string, error) { return m.step(m.journal.Redo) }

func (m *Session) step(do func() (journal.Group, bool, error)) ([]string, error) {
	defer m.changed()
	group, ok, err := do()
	if err != nil || !ok {
		return nil, err
	}
	var keys []string
	for _, e := range group.Entries {
		key, _, _ := strings.Cut(e.Row, partMark)
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys, nil
}
