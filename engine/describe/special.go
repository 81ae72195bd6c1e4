package describe

import (
	"fmt"
	"strings"

	"docket/engine/phrase"
)

// tags says which tags' cases differ from the others.
func (d *Description) tags() []string {
	if d.Looked == 0 {
		return nil
	}
	const most = 8
	var said []string
	for i, t := range d.Tags {
		if i == most {
			said = append(said, fmt.Sprintf("%s differ from the rest likewise.", sentence(phrase.Count(len(d.Tags)-i, "further tag", "further tags"))))
			break
		}
		var findings []string
		for _, f := range t.Findings {
			findings = append(findings, fmt.Sprintf("%s %s, and %s of the others", part(f.In, f.Of, t.Cases), beside(f.Traits, f.In), part(f.Outside, f.OutsideOf, t.Rest)))
		}
		names := make([]string, len(t.Tags))
		for i, tag := range t.Tags {
			names[i] = name(tag)
		}
		said = append(said, fmt.Sprintf("Of the %s tagged %s, %s.", cases(t.Cases), phrase.Few(names, 4), strings.Join(cut(findings, 4, "and %s more", "difference", "differences"), "; ")))
	}
	if len(said) == 0 {
		return []string{fmt.Sprintf("None of the %s that at least three cases have stands apart from the rest in what comes out.", phrase.Count(d.Looked, "tag", "tags"))}
	}
	return said
}

// part writes how many of the measured cases have something, where measured
// may be fewer than there are.
func part(n, of, all int) string {
	said := share(n, of)
	switch n {
	case 0:
		said = "none"
	case of:
		said = "all"
	}
	if of < all {
		said += fmt.Sprintf(" of the %d measured", of)
	}
	return said
}

// exceptions names the cases that stand out.
func (d *Description) exceptions() []string {
	const most = 12
	var said, short []string
	for i, o := range d.Odd {
		if i == most {
			left := 0
			for _, o := range d.Odd[i:] {
				left += len(o.IDs)
			}
			short = append(short, fmt.Sprintf("%s %s out in smaller ways.", phrase.Count(left, "more case", "more cases"), phrase.Form(left, "stands", "stand")))
			break
		}
		var what []string
		for _, group := range grouped(o.Has) {
			what = append(what, together(group, len(o.IDs)))
		}
		if len(o.Lacks) > 0 {
			verb := phrase.Form(len(o.IDs), "lacks", "lack")
			what = append(what, fmt.Sprintf("%s %s, which nearly all others have", verb, members(o.Lacks)))
		}
		one := fmt.Sprintf("%s %s.", ids(o.IDs), phrase.Series(what, "and"))
		if len(what) > 2 { // a case with a story has a paragraph
			said = append(said, one)
			continue
		}
		short = append(short, one)
	}
	return append(said, strings.Join(short, " "))
}

// grouped puts the members of one projection together.
func grouped(traits []Trait) [][]Trait {
	var groups [][]Trait
	for _, t := range traits {
		if n := len(groups); n > 0 && t.Member && groups[n-1][0].Member && groups[n-1][0].Of == t.Of {
			groups[n-1] = append(groups[n-1], t)
			continue
		}
		groups = append(groups, []Trait{t})
	}
	return groups
}

func members(traits []Trait) string {
	names := make([]string, len(traits))
	for i, t := range traits {
		names[i] = name(t.Value)
	}
	return phrase.Few(names, 6)
}

// beside is together for a sentence that goes on with "and none of the others",
// where a "no" would make it say the opposite.
func beside(traits []Trait, n int) string {
	switch t := traits[0]; {
	case t.Absent:
		return phrase.Form(n, "leaves out ", "leave out ") + members(traits)
	case t.Member:
	case t.Of == "label" && t.Value == "null":
		return phrase.Form(n, "goes", "go") + " without a label"
	case t.Of == "entities":
		return phrase.Form(n, "leaves", "leave") + " out every identifier of the input"
	case t.Of == "refusal" && t.Value == "false":
		return phrase.Form(n, "answers", "answer") + " instead of refusing"
	}
	return together(traits, n)
}

// together says what so many cases have, as the rest of a sentence about them.
func together(traits []Trait, n int) string {
	t := traits[0]
	have := phrase.Form(n, "has", "have")
	switch {
	case t.Absent:
		return fmt.Sprintf("%s no %s", phrase.Form(n, "gives", "give"), members(traits))
	case t.Of == "toolset" && t.Member:
		return fmt.Sprintf("%s %s", phrase.Form(n, "calls", "call"), members(traits))
	case t.Member:
		return fmt.Sprintf("%s %s in the JSON", phrase.Form(n, "holds", "hold"), members(traits))
	}
	v := spelled(t.Value)
	switch t.Of {
	case "label":
		switch v {
		case nil:
			return phrase.Form(n, "carries", "carry") + " no label"
		case any("ambiguous"):
			return phrase.Form(n, "names", "name") + " several labels at once"
		}
		return phrase.Form(n, "is", "are") + " labelled " + value(v)
	case "shape":
		return phrase.Form(n, "is", "are") + " prose and not JSON"
	case "toolset":
		return phrase.Form(n, "calls", "call") + " no tool"
	case "entities":
		return phrase.Form(n, "repeats", "repeat") + " no identifier of the input"
	case "length":
		return phrase.Form(n, "is", "are") + " " + value(v)
	case "language":
		if v == any("unknown") {
			return phrase.Form(n, "is", "are") + " too short to tell the language"
		}
		return phrase.Form(n, "is", "are") + " in " + value(v)
	case "refusal":
		if v == any(true) {
			return phrase.Form(n, "is a refusal", "are refusals")
		}
		return phrase.Form(n, "is no refusal", "are no refusals")
	}
	return fmt.Sprintf("%s %s %s", have, name(t.Of), value(v))
}
