package provenance

import (
	"io"
	"time"

	"docket/engine/decision"
	"docket/engine/safetext"
)

// writeJSON writes the story as one object on one line, format 1.
func writeJSON(w io.Writer, s *Story, _ int, _ bool) error {
	out := map[string]any{
		"format": 1, "suite": s.Suite, "id": s.ID, "gone": s.Gone, "file": orNull(s.File),
		"provenance": orNull(s.Provenance), "added": orNull(s.Added), "tags": orEmpty(s.Tags), "family": orNull(s.Family),
		"incidents":  orEmpty(Incidents(s.Provenance, s.Rules)),
		"references": s.jsonReferences(), "git": s.jsonGit(), "decisions": jsonDecisions(s.Decisions),
		"results": map[string]any{"judged": s.Results, "failed": s.Failed}, "caught": s.jsonCaught(),
	}
	if s.Renamed != "" {
		out["renamed"] = s.Renamed
	}
	if s.Version > 0 {
		out["version"], out["weight"] = s.Version, s.Weight
	}
	return safetext.JSON(w, out)
}

func (s *Story) jsonReferences() []any {
	all := []any{}
	for _, r := range s.References() {
		all = append(all, map[string]any{"kind": r.Kind, "text": r.Text, "url": orNull(r.Address)})
	}
	return all
}

func (s *Story) jsonGit() map[string]any {
	p := &s.Past
	out := map[string]any{"known": p.Blind == "", "shallow": p.Shallow, "state": orNull(p.State), "added": nil}
	if p.Blind != "" {
		out["why"] = p.Blind
	}
	events := []any{}
	for i := range p.Events {
		events = append(events, jsonEvent(&p.Events[i]))
	}
	out["commits"] = events
	if e, ok := p.Added(); ok {
		out["added"] = jsonEvent(&e)
	}
	return out
}

func jsonEvent(e *Event) map[string]any {
	out := map[string]any{"commit": e.Commit, "did": e.Did, "author": e.Author, "date": stamp(e.Date), "subject": e.Subject, "body": e.Body, "path": e.Path}
	if e.From != "" {
		out["from"] = e.From
	}
	if e.Fixture {
		out["fixture"] = true
	}
	return out
}

func jsonDecisions(all []decision.Past) []any {
	out := []any{}
	for i := range all {
		p := &all[i]
		changes := []any{}
		for _, c := range p.Changes {
			change := map[string]any{"kind": c.Kind, "of": c.Of, "old": c.Old, "new": c.New}
			if c.Member != "" {
				change["member"] = c.Member
			}
			changes = append(changes, change)
		}
		out = append(out, map[string]any{"at": stamp(p.At), "by": p.By, "verdict": p.Verdict, "status": p.Status, "mode": p.Mode, "run": p.Run, "reason": p.Reason, "changes": changes})
	}
	return out
}

func (s *Story) jsonCaught() []any {
	out := []any{}
	for i := range s.Caught {
		c := &s.Caught[i]
		out = append(out, map[string]any{
			"first": stamp(c.First), "last": stamp(c.Last), "runs": c.Runs, "system": orNull(c.System), "model": orNull(c.Model), "mode": c.Mode,
			"checks": orEmpty(c.Checks), "decisions": jsonDecisions(c.Decisions), "passed": stamp(c.Passed),
		})
	}
	return out
}

// orNull is a text, or null where it is not known.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// stamp writes a time; null for none.
func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Format(time.RFC3339)
}
