package decision

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/journal"
	"docket/engine/jsonl"
)

// Part names the change's row in a journal, for a row that is decided alone.
func (c Change) Part() string { return c.Kind + ":" + c.Of }

// Entry returns the item as a journal keeps it: with everything that writing
// it needs later, in another process. Part is "" for the whole case, or that
// of a change.
func (i Item) Entry(part string) journal.Entry {
	d := i.Decision
	if d.Verdict == "" {
		d.Verdict = Accept // the journal's own verdict counts
	}
	payload := AppendLine([]byte(`{"decision":`), &d)
	if len(i.Proposed) > 0 { // nothing is proposed for a case that is gone
		payload = append(append(payload, `,"proposed":`...), i.Proposed...)
	}
	return journal.Entry{Row: d.Case, Part: part, Seen: d.Seen, Payload: append(payload, '}')}
}

// fromEntry reads what Entry wrote, under the journal's verdict.
func fromEntry(j journal.Decision) (Item, error) {
	var i Item
	r := jsonl.NewReader(j.Payload)
	err := r.Object(func(key string) (err error) {
		switch key {
		case "decision":
			return r.Object(func(key string) error { return i.Decision.member(r, key) })
		case "proposed":
			i.Proposed, err = r.Raw()
			return err
		}
		_, err = r.Raw()
		return err
	})
	if err != nil {
		return Item{}, fmt.Errorf("the journal's decision on the case %q: %w", j.Row, err)
	}
	d := &i.Decision
	d.Case, d.At, d.Verdict, d.Reason, d.Seen = j.Row, j.At, Verdict(j.Verdict), j.Reason, j.Seen
	return i, nil
}

// Items returns what a journal's decisions ask for, in the order in which the
// cases were decided. A case of which rows were decided alone gives a mixed
// line, made from the baseline's line as it is in f, and up to two items: what
// was accepted, and what was rejected.
func Items(decisions []journal.Decision, f *baseline.File) ([]Item, error) {
	var order []string
	rows := map[string][]journal.Decision{}
	for _, d := range decisions {
		if rows[d.Row] == nil {
			order = append(order, d.Row)
		}
		rows[d.Row] = append(rows[d.Row], d)
	}
	var items []Item
	for _, id := range order {
		of, err := itemsOf(rows[id], f)
		if err != nil {
			return nil, err
		}
		items = append(items, of...)
	}
	return items, nil
}

func itemsOf(decisions []journal.Decision, f *baseline.File) ([]Item, error) {
	// The latest holds what was on the screen last.
	newest := decisions[len(decisions)-1]
	base, err := fromEntry(newest)
	if err != nil {
		return nil, err
	}
	if len(decisions) == 1 && newest.Part == "" {
		return []Item{base}, nil
	}
	byVerdict := map[Verdict]*Item{}
	for _, c := range base.Decision.Changes {
		j, ok := standing(decisions, c.Part())
		if !ok {
			continue
		}
		v := Verdict(j.Verdict)
		item := byVerdict[v]
		if item == nil {
			item = &Item{Decision: base.Decision, Proposed: base.Proposed}
			item.Decision.Verdict, item.Decision.Changes = v, nil
			item.Decision.At, item.Decision.Reason = j.At, ""
			byVerdict[v] = item
		}
		d := &item.Decision
		d.Changes = append(d.Changes, c)
		if j.At.After(d.At) {
			d.At = j.At
		}
		if !slices.Contains(strings.Split(d.Reason, "; "), j.Reason) {
			d.Reason = strings.TrimPrefix(d.Reason+"; "+j.Reason, "; ")
		}
	}
	var items []Item
	for _, v := range Verdicts() {
		item := byVerdict[v]
		if item == nil {
			continue
		}
		if v == Accept && len(item.Decision.Changes) < len(base.Decision.Changes) {
			// Where the baseline's line is another by now there may be no mixed
			// line, and the plan will call the decision stale.
			if item.New, err = mixed(item, f); err != nil && item.Decision.Seen == Seen(lineOf(f, base.Decision.Case), item.Proposed) {
				return nil, err
			}
		}
		items = append(items, *item)
	}
	return items, nil
}

// standing returns the decision that counts for a part of a row.
func standing(decisions []journal.Decision, part string) (found journal.Decision, ok bool) {
	for _, d := range decisions {
		if d.Part == part || d.Part == "" && !ok {
			found, ok = d, true
		}
	}
	return found, ok
}

// mixed returns the line for an item that accepts only some changes. Made
// again from its own result it is the same line.
func mixed(item *Item, f *baseline.File) (json.RawMessage, error) {
	id := item.Decision.Case
	at, ok := f.Find(id)
	if !ok {
		return nil, fmt.Errorf("the case %q is new, so its rows belong together; decide it whole", id)
	}
	old, err := f.Line(at)
	if err != nil {
		return nil, err
	}
	proposed, err := baseline.ParseLine(item.Proposed)
	if err != nil {
		return nil, fmt.Errorf("the proposed line of the case %q: %w", id, err)
	}
	accepted := Parts{Projections: map[string]bool{}, Checks: map[string]bool{}}
	for _, c := range item.Decision.Changes {
		if c.Kind == "check" {
			accepted.Checks[c.Of] = true
		} else {
			accepted.Projections[c.Of] = true
		}
	}
	line, err := Mix(&old, &proposed, accepted)
	if err != nil {
		return nil, fmt.Errorf("the case %q: %w", id, err)
	}
	return baseline.AppendLine(nil, &line), nil
}

// lineOf returns the baseline's line of a case, nil where it has none.
func lineOf(f *baseline.File, id string) []byte {
	if at, ok := f.Find(id); ok {
		return f.Lines[at].Bytes
	}
	return nil
}
