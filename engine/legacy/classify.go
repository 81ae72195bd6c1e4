package legacy

import "fmt"

// Classify proposes a pile for each claim of a test and for the test itself,
// from the neutral form alone. It is a pure function, reads nothing but t and
// does not change it.
func Classify(t *Test) Proposal {
	p := Proposal{Claims: make([]Verdict, len(t.Claims))}
	best := map[Pile]float64{}
	counts := map[Pile]int{}
	for i := range t.Claims {
		v := classifyClaim(&t.Claims[i])
		p.Claims[i] = v
		counts[v.Pile]++
		best[v.Pile] = max(best[v.Pile], v.Sure)
	}
	for _, pile := range []Pile{Situation, Contract, SDK} {
		if n := counts[pile]; n > 0 {
			p.Pile, p.Sure = pile, best[pile]
			p.Why = why(pile, n, len(t.Claims))
			return p
		}
	}
	p.Why = "it asserts nothing that docket can read"
	return p
}

// why says how many of a test's claims speak for its pile.
func why(pile Pile, n, of int) string {
	what := map[Pile]string{
		Situation: "about what the answer says",
		Contract:  "about the format",
		SDK:       "about the machinery",
	}[pile]
	if n == of {
		return "all that it asserts is " + what
	}
	return fmt.Sprintf("%d of %d assertions %s", n, of, what)
}

// classifyClaim proposes the pile of one claim by what it is about, and then by
// what it says. A claim whose value is not in the source is still about what it
// is about, but less surely.
func classifyClaim(c *Claim) Verdict {
	v := bySubject(c)
	if c.Why != "" && v.Sure > 0 {
		v.Sure = max(0.3, v.Sure-0.3)
	}
	return v
}

func bySubject(c *Claim) Verdict {
	switch c.Subject {
	case Answer:
		return ofAnswer(c)
	case Document:
		return ofDocument(c)
	case Tools:
		return ofTools(c)
	case Response:
		return Verdict{SDK, "the vendor's response object", 0.9}
	case Double:
		return Verdict{SDK, "a mock and how it was called", 0.95}
	case Prompt:
		return Verdict{SDK, "what was sent, no answer", 0.75}
	case Raised:
		return Verdict{SDK, "an exception of the program", 0.8}
	case Type:
		return Verdict{SDK, "the type of a value", 0.9}
	}
	return Verdict{Unsorted, "the source does not tell what it judges", 0}
}

// ofDocument sorts a claim about the JSON of an answer: its keys and types are
// what the prompt asks for, its values are the case.
func ofDocument(c *Claim) Verdict {
	null := len(c.Values) == 1 && c.Values[0] == nil
	switch c.Op {
	case HasKey:
		if c.Not {
			return Verdict{Contract, "a key that the JSON must not have", 0.85}
		}
		return Verdict{Contract, "keys that the prompt asks for", 0.9}
	case Parses:
		return Verdict{Contract, "the answer is JSON", 0.9}
	case IsA:
		return Verdict{Contract, "the type of a JSON value", 0.75}
	case Truthy:
		return Verdict{Contract, "that there is a value, whatever it is", 0.6}
	case Snapshot:
		return Verdict{Situation, "an old answer, kept whole", 0.4}
	case Near:
		return Verdict{Situation, "a number of the case", 0.9}
	case OneOf:
		return Verdict{Situation, "one of the values that are right for the case", 0.8}
	case Equals:
		if null && c.Not {
			return Verdict{Contract, "that there is a value, whatever it is", 0.55}
		}
		if c.Path == "" {
			return Verdict{Situation, "the JSON that the case wants", 0.7}
		}
		return Verdict{Situation, "a value of the case", 0.9}
	case Contains, Matches, StartsWith, EndsWith, AtMost, AtLeast:
		return Verdict{Situation, "what a value of the case holds", 0.7}
	}
	return Verdict{Unsorted, "what it says of the JSON cannot be read", 0}
}

func ofTools(c *Claim) Verdict {
	switch c.Op {
	case IsA:
		return Verdict{SDK, "the type of a tool call", 0.85}
	case Unknown:
		return Verdict{Situation, "tool calls, in a way that cannot be read", 0.5}
	}
	switch {
	case c.Path != "":
		return Verdict{Situation, "an argument that a tool is called with", 0.9}
	case c.Not:
		return Verdict{Situation, "a tool that must not be called", 0.9}
	}
	return Verdict{Situation, "which tools are called", 0.9}
}
