// Package adoption makes cases of what a file of another tool's results, or a
// log, holds: the input as it was, the assertions as far as a check says the
// same, all others named.
//
// The package refuses to take an answer for the right one: what was answered
// enters no case. It writes no file; what cannot become a case is listed with
// the reason, so that nothing is adopted in part in silence.
package adoption

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"docket/engine/canonical"
	"docket/engine/field"
	"docket/engine/interchange"
	"docket/engine/legacy/draft"
	"docket/engine/legacy/promptfoo"
	"docket/engine/phrase"
	"docket/engine/provenance"
	"docket/engine/redaction"
	"docket/engine/sampling"
	"docket/engine/secret"
)

// Options say what becomes a case.
type Options struct {
	Added  string                 // the date of today, YYYY-MM-DD
	Labels []string               // of the suite
	Known  func(id string) string // the file of the case that has this id already; "" for none
	// Sample draws so many cases from a log, spread over the segments that the
	// field By names; 0 takes all.
	Sample int
	By     string
	Seed   uint64
	// Secrets takes keys and tokens out of what becomes a case, asked or not: a case
	// is committed, and no case needs one. nil knows those that look like one.
	Secrets *secret.Redactor
	// Redact takes personal data out, and the names that the field Person holds.
	Redact bool
	Person string
}

// A Case is the file of a case that is to be written.
type Case struct {
	ID, Name   string // the name of its file
	Text       []byte
	Translated int      // assertions that are checks of the case now
	Left       []string // those that are not, with the reason
	Secret     bool     // a key or a token was taken out of it
}

// A Skip is an id that becomes no case.
type Skip struct{ ID, Why string }

// An Adoption is what a file comes to.
type Adoption struct {
	Cases   []Case // by id
	Known   []string
	Skipped []Skip
	// Segments are what was drawn of each; nil where nothing was sampled. Uncovered
	// are the ids that no segment covers.
	Segments  []sampling.Segment
	Uncovered []string
	Redacted  map[string]int // different values that were replaced, by kind
	Secret    int            // cases in which a secret was replaced
}

// Adopt makes cases of the rows of a file. The error is for options that do not
// fit the file.
func Adopt(file *interchange.File, o Options) (*Adoption, error) {
	rows := map[string]*interchange.Row{}
	var ids []string
	for i := range file.Rows {
		row := &file.Rows[i]
		if first, twice := rows[row.ID]; !twice {
			rows[row.ID] = row
			ids = append(ids, row.ID)
		} else if first.Input == nil {
			rows[row.ID] = row
		}
	}
	slices.Sort(ids)
	a := &Adoption{}
	if o.Secrets == nil {
		o.Secrets = secret.New(nil)
	}
	ids = slices.DeleteFunc(ids, func(id string) bool {
		if o.Known(id) != "" {
			a.Known = append(a.Known, id)
			return true
		}
		if why := unfit(rows[id]); why != "" {
			a.Skipped = append(a.Skipped, Skip{id, why})
			return true
		}
		return false
	})
	segments, err := a.draw(ids, rows, o)
	if err != nil {
		return nil, err
	}
	redactor := &redaction.Redactor{}
	if o.Redact && o.Person != "" {
		names, err := find(rows, ids, o.Person)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			redactor.Persons(names[id])
		}
	}
	taken := map[string]bool{}
	for _, id := range ids {
		if a.Segments != nil && segments[id] == nil {
			continue
		}
		c := o.draft(file, rows[id], segments[id], redactor)
		if c.Secret {
			a.Secret++
		}
		if taken[c.ID] || c.ID != id && o.Known(c.ID) != "" {
			a.Skipped = append(a.Skipped, Skip{c.ID, "without personal data its id is that of another case"})
			continue
		}
		taken[c.ID] = true
		a.Cases = append(a.Cases, c)
	}
	a.Redacted = redactor.Counts()
	return a, nil
}

// unfit says why a row makes no case.
func unfit(row *interchange.Row) string {
	if row.Input == nil {
		return "the file does not say what was asked"
	}
	for key, v := range row.Input {
		if _, text := v.(string); text && strings.HasSuffix(key, "_file") {
			return fmt.Sprintf("its input has %q, and a case reads what is called so from a file", key)
		}
	}
	return ""
}

// draw returns the segments of the ids that are drawn; nil where nothing is
// sampled.
func (a *Adoption) draw(ids []string, rows map[string]*interchange.Row, o Options) (map[string]*string, error) {
	if o.Sample == 0 {
		return nil, nil
	}
	by, err := find(rows, ids, o.By)
	if err != nil {
		return nil, err
	}
	items := make([]sampling.Item, len(ids))
	for i, id := range ids {
		items[i] = sampling.Item{ID: id, Segment: by[id]}
	}
	drawn := sampling.Take(items, o.Sample, o.Seed)
	a.Segments = drawn.Segments
	segments := map[string]*string{}
	for _, id := range ids {
		segment := by[id]
		if drawn.IDs[id] {
			segments[id] = &segment
		} else if segment == "" {
			a.Uncovered = append(a.Uncovered, id)
		}
	}
	return segments, nil
}

// find returns the value of a field for each id, in what was asked, in what the
// file says besides, or the model; "" where it has none. A field that no row has
// is an error.
func find(rows map[string]*interchange.Row, ids []string, name string) (map[string]string, error) {
	path, err := field.Parse(name)
	if err != nil {
		return nil, fmt.Errorf("%q is not a field: %w", name, err)
	}
	values := map[string]string{}
	for _, id := range ids {
		row := rows[id]
		var raw any
		if len(row.Output.Raw) > 0 {
			raw, _ = canonical.Parse(row.Output.Raw)
		}
		for _, document := range []any{row.Input, raw, map[string]any{"input": row.Input, "model": row.Output.Model}} {
			for _, v := range path.Find(document) {
				if s := spelled(v); s != "" && values[id] == "" {
					values[id] = s
				}
			}
		}
	}
	if len(values) == 0 && len(ids) > 0 {
		return nil, fmt.Errorf("no row has a field %q; name one of what was asked, or a key beside it", name)
	}
	return values, nil
}

func spelled(v any) string {
	switch v := v.(type) {
	case string:
		return strings.Join(strings.Fields(v), " ")
	case json.Number, bool:
		return string(canonical.Marshal(v))
	}
	return ""
}

func (o Options) draft(file *interchange.File, row *interchange.Row, segment *string, r *redaction.Redactor) Case {
	out := Case{}
	unkeyed := func(object map[string]any) map[string]any {
		now, _ := o.Secrets.Value(object).(map[string]any)
		out.Secret = out.Secret || !reflect.DeepEqual(object, now)
		return now
	}
	clean := func(s string) string {
		now := o.Secrets.Text(s)
		out.Secret = out.Secret || now != s
		if o.Redact {
			now = r.Text(now)
		}
		return now
	}
	input := unkeyed(row.Input)
	if o.Redact {
		input, _ = r.Value(input).(map[string]any)
	}
	out.ID = clean(row.ID)
	d := draft.Case{ID: out.ID, Added: o.Added, Provenance: provenance.Adopted(file.Format, base(file.Name)), Input: input}
	if o.Sample > 0 {
		of := "no segment"
		if segment != nil && *segment != "" {
			of = o.By + " " + clean(*segment)
		}
		d.Provenance = fmt.Sprintf("sampled from %s, %s, %s", base(file.Name), of, o.Added)
	}
	var e draft.Expectation
	for _, c := range promptfoo.Claims(row.Asked, row.Input) {
		check := draft.Translate(&c, draft.Options{Labels: o.Labels})
		why := check.Left
		if check.Expect != nil {
			check.Expect = unkeyed(check.Expect)
			if o.Redact {
				check.Expect, _ = r.Value(check.Expect).(map[string]any)
			}
			if why = e.Add(check.Expect); why == "" {
				out.Translated++
				continue
			}
		}
		out.Left = append(out.Left, phrase.Abridge(clean(c.Text), 120)+": "+why)
	}
	d.Expect = e.Values
	for _, left := range out.Left {
		d.Notes = append(d.Notes, "not translated: "+left)
	}
	if o.Sample == 0 {
		d.Notes = append(d.Notes, "Say in provenance why this case exists.")
	}
	out.Name, out.Text = draft.FileName(out.ID), d.YAML()
	return out
}

// base is the last part of a file's name, whatever separates the parts.
func base(name string) string {
	return cmp.Or(name[strings.LastIndexAny(name, `/\`)+1:], name)
}
