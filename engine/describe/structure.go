package describe

import (
	"fmt"
	"strings"

	"docket/engine/phrase"
)

// shape says what the JSON of the answers holds.
func (d *Description) shape(s Set) string {
	structured := s.Of - s.Without
	if structured == 0 {
		return "Every answer is prose; none is JSON."
	}
	lead := "Every answer is JSON."
	who := "All"
	if s.Without > 0 {
		lead = fmt.Sprintf("%s of the answers are JSON, the others prose.", share(structured, s.Of))
		who = "All of these"
	}
	var tiers [4][]Member // in all, in nearly all, in more than half, in fewer
	rare, loose := 0, 0
	for _, m := range s.Members {
		switch n := m.Always; {
		case n == structured:
			tiers[0] = append(tiers[0], m)
		case n == 0:
			loose++
		case 10*n >= 9*structured:
			tiers[1] = append(tiers[1], m)
		case 2*n >= structured:
			tiers[2] = append(tiers[2], m)
		case n > max(2, d.Cases/50):
			tiers[3] = append(tiers[3], m)
		default:
			rare++
		}
	}
	said := []string{lead}
	for i, words := range []string{who + " hold %s.", "Nearly all hold %s.", "Most hold %s.", "Some hold %s."} {
		if len(tiers[i]) > 0 {
			said = append(said, fmt.Sprintf(words, byCount(tiers[i], structured)))
		}
	}
	var rest []string
	if rare > 0 {
		rest = append(rest, fmt.Sprintf("%s in a case or two only", phrase.Count(rare, "more member stands", "more members stand")))
	}
	if loose > 0 {
		what := [2]string{"member comes and goes", "members come and go"}
		if rare > 0 {
			what = [2]string{"more comes and goes", "more come and go"}
		}
		rest = append(rest, phrase.Count(loose, what[0], what[1])+" from sample to sample")
	}
	if len(rest) > 0 {
		said = append(said, strings.Join(rest, ", and ")+".")
	}
	return strings.Join(said, " ")
}

// byCount names members, those that as many cases have together.
func byCount(members []Member, of int) string {
	const most = 12
	var groups []string
	left := 0
	if len(members) > most {
		left = len(members) - most
		members = members[:most]
	}
	for i := 0; i < len(members); {
		j := i
		var names []string
		for j < len(members) && members[j].Always == members[i].Always {
			names = append(names, name(members[j].Name))
			j++
		}
		group := phrase.Series(names, "and")
		if n := members[i].Always; n < of {
			group += fmt.Sprintf(" (%d", n)
			if len(names) > 1 {
				group += " each"
			}
			group += ")"
		}
		groups = append(groups, group)
		i = j
	}
	if left > 0 {
		groups = append(groups, fmt.Sprintf("%d more", left))
	}
	return strings.Join(groups, ", and ")
}

func (d *Description) numbers() string {
	var said []string
	for _, n := range d.Numbers {
		of := n.Present + n.Absent + n.Unsettled
		one := fmt.Sprintf("The number %s is given in %s of %s", name(n.Name), share(n.Present, of), d.of(of))
		if n.Present == of {
			one = fmt.Sprintf("The number %s is given in every answer", name(n.Name))
		}
		if n.Present > 1 {
			one += fmt.Sprintf(", from %s to %s, half of them up to %s", number(n.Low), number(n.High), number(n.Median))
		} else if n.Present == 1 {
			one += ", as " + number(n.Low)
		}
		if n.Absent > 0 {
			one += fmt.Sprintf("; in %d it is looked for and not there", n.Absent)
		}
		if n.Unsettled > 0 {
			one += fmt.Sprintf("; in %d the samples disagree on it", n.Unsettled)
		}
		said = append(said, one+".")
	}
	return strings.Join(said, " ")
}

func (d *Description) carried() string {
	c := d.Carried
	switch {
	case c.Of == 0:
		return ""
	case c.High == 0:
		return "No answer repeats an identifier of its input (an order number, a date, an amount, a currency, a code) in every sample."
	}
	lead := "Of the identifiers in the input (order numbers, dates, amounts, currencies, codes) "
	switch {
	case c.Low == c.High:
		return lead + fmt.Sprintf("each answer repeats %d.", c.Low)
	case c.None > 0:
		return lead + fmt.Sprintf("an answer typically repeats %d, at most %d; in %s it repeats none.", c.Median, c.High, cases(c.None))
	default:
		return lead + fmt.Sprintf("an answer typically repeats %d, at least %d and at most %d.", c.Median, c.Low, c.High)
	}
}
