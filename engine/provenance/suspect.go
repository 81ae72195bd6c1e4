package provenance

import (
	"regexp"
	"strings"
	"unicode"

	"docket/engine/suite"
)

var (
	// placeholders are whole provenances that say nothing, in lower case and
	// without punctuation.
	placeholders = regexp.MustCompile(`^(tests?|testing|test case|a test|case|example|sample|dummy|foo|bar|todo|tbd|tba|fixme|xxx+|n a|na|none|nil|null|unknown|unclear|provenance|reason|why|because|misc|various|legacy|old|new|initial|init|initial commit|wip|asdf|x+|see above|see git|see git log|see commit|as above|same as above|same|ditto|not known|no reason|does not matter|to do|to be done|to be filled in?|fill me in|fill in|describe why)$`)
	// machines are openings that a tool left: they say how the case came here and
	// not why it exists.
	machines = regexp.MustCompile(`^(automatically |auto |bulk )?(added|imported|import|migrated|migration|generated|auto ?generated|copied|converted|created|extracted|exported|ported|taken)( automatically)?( (from|by|in|with|for|during|via|using|as part of|to)( the| a| an| our| your)?( (migration|import|importer|script|tool|generator|converter|docket|suite|tests?|old|legacy|existing|previous|eval|evals|dataset|csv|json|yaml|spreadsheet|promptfoo|langsmith|deepeval|inspect|braintrust|jest|pytest|vitest|snapshots?|file|files|framework|repo|repository|[\pL\pN_]+\.(csv|json|jsonl|yaml|yml|py|ts|js|go|txt)))*)?$`)
	// adopted is what a case has that was made of another tool's results, see
	// Adopted.
	adopted    = regexp.MustCompile(`^imported from [^:;]+, file \S+$`)
	unfinished = regexp.MustCompile(`(?i)^\W*(todo|tbd|fixme|xxx)\b`)
)

// Boilerplate says why a provenance tells nothing, such as "it is the case's id
// again"; "" where it may tell something. It knows only words that never do: a
// short provenance with a ticket is a good one.
func Boilerplate(c *suite.Case, rules []suite.Link) string {
	plain := simple(c.Provenance)
	switch {
	case plain == "":
		return "is blank"
	case plain == simple(c.ID), plain == simple("case "+c.ID), plain == simple("test "+c.ID), plain == simple("test for "+c.ID):
		return "is the id again"
	case unfinished.MatchString(c.Provenance):
		return "was never written"
	case placeholders.MatchString(plain):
		return "says nothing"
	case adopted.MatchString(strings.TrimSpace(c.Provenance)):
		return "says how the case came here, and not why it exists"
	case len(References(c.Provenance, rules)) > 0 && !onlyFiles(References(c.Provenance, rules)):
		return ""
	case machines.MatchString(plain):
		return "says how the case came here, and not why it exists"
	}
	return ""
}

// Adopted is the provenance of a case that was made of another tool's results. It
// says nothing of why the case exists, and Boilerplate says so.
func Adopted(format, file string) string {
	return "imported from " + format + ", file " + strings.Join(strings.Fields(file), "_")
}

// onlyFiles reports whether all references are paths: "imported from a/b.csv"
// says no more than "imported from b.csv".
func onlyFiles(found []Reference) bool {
	for _, r := range found {
		if r.Kind != File {
			return false
		}
	}
	return true
}

// simple is a text in lower case, with one space in the place of whatever is
// neither a letter nor a digit; points and underscores inside a word stay.
func simple(s string) string {
	var b strings.Builder
	runes := []rune(strings.ToLower(s))
	for i, r := range runes {
		inside := (r == '.' || r == '_') && i > 0 && i+1 < len(runes) && isWord(runes[i-1]) && isWord(runes[i+1])
		if isWord(r) || inside {
			b.WriteRune(r)
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// A Dangling is a reference of which nothing is left.
type Dangling struct {
	Reference
	Why string // a clause such as "git knows no such commit"
}

// Known tells what there is for references to point to.
type Known struct {
	// Commit reports whether the repository has a commit; nil where there is no
	// git to ask, or only a shallow clone.
	Commit func(id string) bool
	// File reports whether a path is there, and whether it looks as if it were
	// one of this repository: it was there once, or its folder is.
	File func(path string) (there, ours bool)
}

// Dangles returns the references of a provenance that point to nothing: commits
// that git does not know, files that are gone.
func Dangles(provenance string, rules []suite.Link, known Known) []Dangling {
	var all []Dangling
	for _, r := range References(provenance, rules) {
		switch r.Kind {
		case Commit:
			if r.Certain && known.Commit != nil && !known.Commit(r.Text) {
				all = append(all, Dangling{r, "git knows no such commit"})
			}
		case File:
			if there, ours := known.File(r.Text); !there && ours {
				all = append(all, Dangling{r, "there is no such file"})
			}
		}
	}
	return all
}

// Unruled returns the tickets for which `links:` has no rule although it has
// rules for others: a spelling such as INCI-219 beside INC-219 is a slip. Bare
// numbers (#12) are left out, since an order or a page may be one.
func Unruled(provenance string, rules []suite.Link) []Reference {
	if len(rules) == 0 {
		return nil
	}
	var all []Reference
	for _, r := range References(provenance, rules) {
		if r.Kind == Ticket && r.Address == "" && r.Text[0] != '#' {
			all = append(all, r)
		}
	}
	return all
}

// Tracker is the part of a ticket before its number, such as INC of INC-219.
func Tracker(ticket string) string {
	return strings.TrimRight(strings.TrimRight(ticket, "0123456789"), "-")
}
