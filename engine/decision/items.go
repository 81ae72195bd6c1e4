package decision

import (
	"fmt"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/canonical"
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
	if len(i.Allowed) > 0 {
		payload = canonical.Append(append(payload, `,"allowed":`...), i.Allowed)
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
		case "allowed":
			i.Allowed = map[string]any{}
			return r.Object(func(name string) error {
				i.Allowed[name], err = r.Value()
				return err
			})
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
	if len(decisions) == 1 && newest.Part == "" && base.Decision.Verdict != Allow {
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
			item = &Item{Decision: base.Decision, Proposed: base.Proposed, Allowed: map[string]any{}}
			item.Decision.Verdict, item.Decision.Changes = v, nil
			item.Decision.At, item.Decision.Reason = j.At, ""
			byVerdict[v] = item
		}
		if v == Allow {
			from, err := fromEntry(j)
			if err != nil {
				return nil, err
			}
			if value, ok := from.Allowed[c.Of]; ok {
				item.Allowed[c.Of] = value
			}
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
	accept, allow := byVerdict[Accept], byVerdict[Allow]
	if allow != nil || accept != nil && len(accept.Decision.Changes) < len(base.Decision.Changes) {
		line, err := partly(&base, accept, allow, f)
		// Where the baseline's line is another by now there may be no such line,
		// and the plan will call the decision stale.
		if err != nil && base.Decision.Seen == Seen(lineOf(f, base.Decision.Case), base.Proposed) {
			return nil, err
		}
		for _, item := range []*Item{accept, allow} {
			if item != nil {
				item.New = line
			}
		}
	}
	var items []Item
	for _, v := range Verdicts() {
		if item := byVerdict[v]; item != nil {
			items = append(items, *item)
		}
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

// partly returns the line of a case of which some changes are accepted, some
// allowed, and the others neither; accept and allow may be nil. Made again from
// its own result it is the same line.
func partly(base, accept, allow *Item, f *baseline.File) ([]byte, error) {
	id := base.Decision.Case
	at, ok := f.Find(id)
	if !ok {
		return nil, fmt.Errorf("the case %q is new, so its rows belong together; decide it whole", id)
	}
	line, err := f.Line(at)
	if err != nil {
		return nil, err
	}
	if accept != nil {
		proposed, err := baseline.ParseLine(base.Proposed)
		if err != nil {
			return nil, fmt.Errorf("the proposed line of the case %q: %w", id, err)
		}
		accepted := Parts{Projections: map[string]bool{}, Checks: map[string]bool{}}
		for _, c := range accept.Decision.Changes {
			if c.Kind == "check" {
				accepted.Checks[c.Of] = true
			} else {
				accepted.Projections[c.Of] = true
			}
		}
		if line, err = Mix(&line, &proposed, accepted); err != nil {
			return nil, fmt.Errorf("the case %q: %w", id, err)
		}
	}
	if allow != nil {
		// The samples of the new side are what the set was widened for.
		proposed, err := baseline.ParseLine(base.Proposed)
		if err != nil {
			return nil, fmt.Errorf("the proposed line of the case %q: %w", id, err)
		}
		line.Captured = max(line.Captured, proposed.Captured)
		allowed(&line, allow.Allowed)
	}
	return baseline.AppendLine(nil, &line), nil
}

// allowed puts sets that a person allowed into a line. What the samples
// disagreed on is in them, and no finding any more. All else stays as it was
// measured.
func allowed(line *baseline.Line, sets map[string]any) {
	for name, value := range sets {
		if line.Projections == nil {
			line.Projections = map[string]any{}
		}
		line.Projections[name] = value
		delete(line.Unstable, name)
	}
}

// lineOf returns the baseline's line of a case, nil where it has none.
func lineOf(f *baseline.File, id string) []byte {
	if at, ok := f.Find(id); ok {
		return f.Lines[at].Bytes
	}
	return nil
}
