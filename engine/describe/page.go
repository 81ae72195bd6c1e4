package describe

import (
	"fmt"
	"strings"

	"docket/engine/canonical"
	"docket/engine/phrase"
	"docket/engine/stats"
)

// A Section is a part of the page: a heading and paragraphs.
type section struct {
	heading    string
	paragraphs []string
}

// page makes the whole text of a description.
func (d *Description) page() (title string, sections []section) {
	title = "What the baseline of " + name(d.Header.Suite) + " says the prompt does"
	all := []section{
		{"", []string{d.reality(), d.provenance()}},
		{"What comes out", d.outcomes()},
		{"Where the cases differ by tag", d.tags()},
		{"Cases that stand out", d.exceptions()},
		{"What is not stable", d.stability()},
		{"What the checks say", d.checks()},
	}
	for _, s := range all {
		s.paragraphs = nonEmpty(s.paragraphs)
		if len(s.paragraphs) > 0 {
			sections = append(sections, s)
		}
	}
	return title, sections
}

func nonEmpty(texts []string) (kept []string) {
	for _, t := range texts {
		if t != "" {
			kept = append(kept, t)
		}
	}
	return kept
}

// reality says who answered, before anything else is said.
func (d *Description) reality() string {
	switch d.Header.Mode {
	case "mock":
		return "Mode mock: canned answers, which stand beside the cases. They test the pipeline and not the model, so what follows says nothing of what a model does."
	case "replay":
		return "Mode replay: recorded answers of the model, played back."
	case "live":
		return "Mode live: the model answered."
	}
	return ""
}

// provenance says what was asked, when, and under which configuration.
func (d *Description) provenance() string {
	h := d.Header
	if d.Cases == 0 {
		return "The baseline has no case, so it says nothing yet."
	}
	said := phrase.Form(d.Cases, "This is ", "These are ") + cases(d.Cases)
	if h.System != "" {
		said += " of the system " + name(h.System)
	}
	switch {
	case len(h.Answered) > 0:
		names := make([]string, len(h.Answered))
		for i, model := range h.Answered {
			names[i] = name(model)
		}
		said += ", answered by " + phrase.Few(names, 3)
	case h.Model != "":
		said += ", asked of " + name(h.Model) + "; which model answered is not known"
	case h.Mode != "mock":
		said += "; which model answered is not known"
	}
	if h.Params != nil {
		said += ", with the parameters " + name(strings.NewReplacer(`"`, "", ",", ", ", ":", " ", "{", "", "}", "").Replace(string(canonical.Marshal(h.Params))))
	}
	if h.Environment != "" {
		said += ", in " + name(h.Environment)
	}
	if h.Captured != "" {
		said += ", captured on " + name(h.Captured)
	}
	return said + ". What follows was read off the answers and not off the prompt: it says what came out, and says that something is right only where a check does."
}

// stability says how much evidence there is, and what the samples disagree on.
func (d *Description) stability() []string {
	if d.Cases == 0 {
		return nil
	}
	said := []string{d.evidence()}
	var whole, members []string
	for _, w := range d.Wobbles {
		switch {
		case w.Check:
			whole = append(whole, d.wobblingCheck(w))
		case w.Member == "":
			whole = append(whole, d.wobblingValue(w))
		default:
			members = append(members, d.wobblingMember(w))
		}
	}
	if len(d.Wobbles) == 0 && len(d.Samples) > 0 && d.Samples[0].Samples > 1 {
		return append(said, "The samples of every case agree on all that was measured.")
	}
	said = append(said, whole...)
	return append(said, strings.Join(cut(members, 6, "Another %s of outputs come and go likewise.", "member", "members"), " "))
}

// cut keeps the first sentences and says how many it left out.
func cut(sentences []string, most int, rest, one, many string) []string {
	if len(sentences) <= most+1 {
		return sentences
	}
	return append(sentences[:most:most], fmt.Sprintf(rest, phrase.Count(len(sentences)-most, one, many)))
}

// evidence says what the number of samples allows to conclude.
func (d *Description) evidence() string {
	first := d.Samples[0]
	n := first.Samples
	lead := "Each case was asked " + phrase.Times(n)
	if len(d.Samples) > 1 {
		lead = fmt.Sprintf("Most cases (%d of %d) were asked %s", first.Cases, d.Cases, phrase.Times(n))
		low, high := n, n
		for _, depth := range d.Samples {
			low, high = min(low, depth.Samples), max(high, depth.Samples)
		}
		lead += fmt.Sprintf(", the others between %d and %d times", low, high)
	}
	if n == 1 {
		return lead + ", so nothing is known of what would change from one answer to the next (" + stats.Evidence(1, 1) + "): take more samples before any of this is called stable."
	}
	lead += ". A value that all of them share is taken as the case's own, and the evidence for it is " + stats.Evidence(n, n)
	switch stats.StandingOf(n, n) {
	case stats.Settled:
		return lead + ": enough to call it stable."
	case stats.Provisional:
		return lead + ": enough to compare by, not enough to rule out that it changes now and then."
	default:
		return lead + ": too few to tell what is stable from luck."
	}
}

func (d *Description) wobblingValue(w Wobble) string {
	if w.Of == "entities" {
		names := make([]string, len(w.Cases))
		for i, c := range w.Cases {
			names[i] = id(c.ID)
		}
		return fmt.Sprintf("In %s some samples repeat an identifier of the input that others leave out: %s.", cases(len(w.Cases)), phrase.Few(names, 5))
	}
	var examples []string
	for _, c := range w.Cases {
		var seen []string
		for _, v := range c.Values {
			in := fmt.Sprintf(" in %d", v.Times)
			if len(seen) == 0 {
				in = fmt.Sprintf(" in %d of %d samples", v.Times, c.Samples)
			}
			seen = append(seen, d.seenValue(w.Of, v.Value)+in)
		}
		examples = append(examples, fmt.Sprintf("%s has %s (%s)", id(c.ID), phrase.Few(seen, 4), stats.Evidence(c.Values[0].Times, c.Samples)))
	}
	head := fmt.Sprintf("The %s is unsettled in %s: ", noun(w.Of), cases(len(w.Cases)))
	return head + strings.Join(cut(examples, 4, "and %s more", "case", "cases"), "; ") + "."
}

func (d *Description) wobblingCheck(w Wobble) string {
	var examples []string
	for _, c := range w.Cases {
		examples = append(examples, fmt.Sprintf("%s in %d of %d samples", id(c.ID), c.Values[0].Times, c.Samples))
	}
	return fmt.Sprintf("The check %s passes in some samples and fails in others: %s.", name(w.Of), phrase.Few(examples, 5))
}

func (d *Description) wobblingMember(w Wobble) string {
	low, high, samples, least := w.Cases[0].Values[0].Times, 0, w.Cases[0].Samples, w.Cases[0].Samples
	names := make([]string, len(w.Cases))
	for i, c := range w.Cases {
		low, high = min(low, c.Values[0].Times), max(high, c.Values[0].Times)
		samples, least = max(samples, c.Samples), min(least, c.Samples)
		names[i] = id(c.ID)
	}
	where := "in " + phrase.Few(names, 3)
	if len(names) > 3 {
		where = "in " + share(len(names), d.Cases) + " cases"
		if len(names) < d.Cases {
			where = "in " + share(len(names), d.Cases) + " of the cases"
		}
	}
	often := fmt.Sprintf("in %d", low)
	if low != high {
		often = fmt.Sprintf("in %d to %d", low, high)
	}
	of := fmt.Sprintf("of %d samples", samples)
	if least != samples {
		of = "of their samples"
	}
	what := "The JSON member"
	if w.Of == "toolset" {
		what = "The tool"
	}
	return fmt.Sprintf("%s %s comes and goes %s, %s %s.", what, name(w.Member), where, often, of)
}

// checks says what passes, and what always fails.
func (d *Description) checks() []string {
	p := d.Passing
	asked := d.Cases - p.Without
	if d.Cases == 0 {
		return nil
	}
	if asked == 0 {
		return []string{"No case has a check, so nothing here is known to be right or wrong."}
	}
	lead := fmt.Sprintf("%s of %s that have checks pass all of them in every sample", share(p.All, asked), cases(asked))
	if p.All == asked {
		lead = fmt.Sprintf("All %s that have checks pass them in every sample", cases(asked))
		if asked == 1 {
			lead = "The one case that has checks passes them in every sample"
		}
	}
	if p.Some > 0 {
		lead += fmt.Sprintf(", and %d in some samples only", p.Some)
	}
	if p.Without > 0 {
		lead += fmt.Sprintf("; %s %s no check", phrase.Count(p.Without, "case", "cases"), phrase.Form(p.Without, "has", "have"))
	}
	said := []string{lead + "."}
	var fails []string
	for _, c := range d.Checks {
		if len(c.Fails) == 0 {
			continue
		}
		where := ids(c.Fails)
		if len(c.Fails) == c.Of && c.Of > 1 {
			where = fmt.Sprintf("every case that asks it (%d)", c.Of)
		} else if c.Of > len(c.Fails) {
			where += fmt.Sprintf(" (%d of the %d cases that ask it)", len(c.Fails), c.Of)
		}
		fails = append(fails, fmt.Sprintf("%s in %s", name(c.Name), where))
	}
	if len(fails) > 0 {
		said = append(said, phrase.Form(len(fails), "One check fails", "Some checks fail")+" in every sample, and the baseline holds the failure as how things stand: "+strings.Join(cut(fails, 8, "and %s more", "check", "checks"), "; ")+".")
	}
	return said
}
