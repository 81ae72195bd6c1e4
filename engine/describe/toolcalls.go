package describe

import (
	"fmt"
	"strings"

	"docket/engine/phrase"
)

// calls writes a sequence of tool calls; what follows itself is counted.
func calls(list []string) string {
	var parts []string
	for i := 0; i < len(list); {
		n := 1
		for i+n < len(list) && list[i+n] == list[i] {
			n++
		}
		part := name(list[i])
		if n > 1 {
			part += fmt.Sprintf(" ×%d", n)
		}
		parts = append(parts, part)
		i += n
	}
	return strings.Join(parts, " → ")
}

// tools says which tools are called, which together, and in which order.
func (d *Description) tools() string {
	s, ok := d.set("toolset")
	if !ok {
		return ""
	}
	calling := s.Of - s.Empty
	lead := ""
	if s.Of < d.Cases {
		lead = fmt.Sprintf("Which tools are called is known of %s of the cases. ", share(s.Of, d.Cases))
	}
	if calling == 0 {
		return lead + "No tool is called."
	}
	var called []string
	for _, m := range s.Members {
		if m.Always > 0 {
			called = append(called, fmt.Sprintf("%s in %d", name(m.Name), m.Always))
		}
	}
	switch {
	case calling == s.Of && s.Of == d.Cases:
		lead += "Tools are called in every case"
	case calling == s.Of:
		lead += "Tools are called in " + phrase.Form(s.Of, "it", "all of these")
	case s.Of < d.Cases:
		lead += fmt.Sprintf("Tools are called in %s of these", share(calling, s.Of))
	default:
		lead += fmt.Sprintf("Tools are called in %s of %s", share(calling, s.Of), d.of(s.Of))
	}
	if len(called) > 0 {
		lead += ": " + phrase.Few(called, 8)
	}
	said := []string{lead + "."}
	const most = 4
	if together := patterns(d.Together, most, named); len(d.Calls) > most && len(together) > 0 {
		said = append(said, "Called together are "+strings.Join(together, "; ")+".")
	}
	if orders := patterns(d.Calls, most, calls); len(orders) > 0 {
		said = append(said, "In order the calls are "+strings.Join(orders, "; ")+".")
	}
	return strings.Join(said, " ")
}

// patterns writes the commonest patterns, each with its number of cases.
func patterns(all []Pattern, most int, write func([]string) string) []string {
	var said []string
	for _, p := range all {
		said = append(said, fmt.Sprintf("%s (%d)", write(p.Calls), p.Cases))
	}
	return cut(said, most, "and %s", "more", "more")
}

func named(words []string) string {
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = name(w)
	}
	return phrase.Series(names, "and")
}
