package diff

import (
	"maps"
	"slices"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/canonical"
)

// A Ground is one field in which two configurations differ.
type Ground struct {
	Field    string // model, answered, params, environment, age; or what is only named
	Old, New string // "" for a side that does not know it
}

// String spells a ground for people: "model gpt-4o → gpt-4o-mini".
func (g Ground) String() string {
	return g.Field + " " + told(g.Old) + " → " + told(g.New)
}

func told(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// grounds compares two configurations. Four fields call for a recapture: the
// model asked for or answering, the sampling parameters, the environment, and
// age. The rest is named. A field that one side knows and the other lacks
// differs; what neither knows is listed as unknown.
//
// Recordings that changed together with the prompt, the tools or the model call
// for a recapture, too: nobody could tell what a change comes from. The age is
// nil for a baseline that has not expired.
func grounds(old, new baseline.Header, age *Ground) (hard, named []Ground, unknown []string) {
	compare := func(list *[]Ground, field, before, after string) {
		switch {
		case before == "" && after == "":
			unknown = append(unknown, field)
		case before != after:
			*list = append(*list, Ground{field, before, after})
		}
	}
	compare(&hard, "model", old.Model, new.Model)
	switch {
	case len(old.Answered) == 0 && len(new.Answered) == 0:
		unknown = append(unknown, "answered")
	case len(new.Answered) == 0, len(old.Answered) == 0, !within(new.Answered, old.Answered):
		hard = append(hard, Ground{"answered", strings.Join(old.Answered, ", "), strings.Join(new.Answered, ", ")})
	}
	compare(&hard, "params", spellParams(old.Params), spellParams(new.Params))
	compare(&hard, "environment", old.Environment, new.Environment)
	if age != nil {
		hard = append(hard, *age)
	}

	compare(&named, "system", old.System, new.System)
	compare(&named, "sdk", old.SDK, new.SDK)
	compare(&named, "prompt", old.Prompt, new.Prompt)
	compare(&named, "tools", old.Tools, new.Tools)
	if old.Recordings != new.Recordings && (old.Prompt != new.Prompt || old.Tools != new.Tools || old.Model != new.Model) {
		compare(&hard, "recordings", old.Recordings, new.Recordings)
	} else {
		compare(&named, "recordings", old.Recordings, new.Recordings)
	}
	compare(&named, "ruler", old.Ruler, new.Ruler)
	for _, name := range slices.Sorted(maps.Keys(new.Judges)) {
		compare(&named, JudgeField(name), old.Judges[name], new.Judges[name])
	}
	return hard, named, unknown
}

// JudgeField is the field of a Ground that is about the judge of that name.
func JudgeField(name string) string { return "judge " + name }

// OtherJudges returns the judges that are another on the two sides, or that the
// baseline does not know, sorted: what they said does not compare.
func (d *Diff) OtherJudges() []string {
	var names []string
	for _, g := range d.Named {
		if name, ok := strings.CutPrefix(g.Field, JudgeField("")); ok {
			names = append(names, name)
		}
	}
	return names
}

// Ruler tags the changes of a diff in which the same answers were judged again:
// what differs is what judges.
const Ruler = "ruler"

// tag tags every change.
func (d *Diff) tag(name string) {
	for i := range d.Cases {
		for j := range d.Cases[i].Changes {
			c := &d.Cases[i].Changes[j]
			c.Tags = append(c.Tags, name)
		}
	}
}

// within reports whether every model of set is among those of all.
func within(set, all []string) bool {
	for _, model := range set {
		if !slices.Contains(all, model) {
			return false
		}
	}
	return true
}

func spellParams(params any) string {
	if params == nil {
		return ""
	}
	return string(canonical.Marshal(params))
}

// expired reports whether the day has passed on which a baseline expires. A
// baseline that names none does not expire.
func expired(expires string, today time.Time) bool {
	day, err := time.Parse(time.DateOnly, expires)
	return err == nil && today.After(day.AddDate(0, 0, 1))
}

// Names reports whether two sides differ in a field that is no ground.
func (d *Diff) Names(field string) bool {
	return slices.ContainsFunc(d.Named, func(g Ground) bool { return g.Field == field })
}

// Untold lists the fields that would call for a recapture and that neither side
// knows: nobody can say that they are the same. A mock has no model that could
// be told.
func (d *Diff) Untold() []string {
	if d.Mode == "mock" {
		return nil
	}
	hard := []string{"model", "answered", "params", "environment"}
	return slices.DeleteFunc(hard, func(field string) bool { return !slices.Contains(d.Unknown, field) })
}

// Comparable reports whether nothing calls for a recapture.
func (d *Diff) Comparable() bool { return len(d.Grounds) == 0 }

// Differences lists every field in which two configurations differ, grounds and
// the rest.
func Differences(old, new baseline.Header) []Ground {
	hard, named, _ := grounds(old, new, nil)
	return append(hard, named...)
}

// Knowledge tags the changes of a diff in which the recordings changed and
// neither prompt, tools nor model did: what differs is what the system was
// told, not what it is.
const Knowledge = "knowledge"

func knowledgeAlone(old, new baseline.Header) bool {
	return old.Recordings != "" && new.Recordings != "" && old.Recordings != new.Recordings &&
		old.Prompt == new.Prompt && old.Tools == new.Tools && old.Model == new.Model
}
