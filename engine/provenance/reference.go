package provenance

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"docket/engine/suite"
)

// A Kind is what a reference points to.
type Kind string

// The kinds of references.
const (
	Ticket Kind = "ticket" // INC-219, PROJ-12, #1234, or whatever `links:` has a rule for
	URL    Kind = "url"
	Commit Kind = "commit" // a commit id, whole or abbreviated
	File   Kind = "file"   // a path
)

// A Reference is a place in a text that points somewhere.
type Reference struct {
	Kind       Kind
	Text       string
	Start, End int    // where it stands in the text, in bytes
	Address    string // where it can be read; "" where no rule says so
	// Certain says that a commit is called one, or spelled whole; seven
	// hexadecimal digits alone may be anything.
	Certain bool
}

var (
	urls    = regexp.MustCompile(`https?://[^\s\x00-\x1f\x7f<>"'“”‘’«»\x60]+`)
	tickets = regexp.MustCompile(`(?:\b[A-Z][A-Z0-9]{1,11}-[0-9]{1,9}\b)|(?:#[0-9]{1,9}\b)`)
	commits = regexp.MustCompile(`(?i:\b(commit|revision|rev|sha|change|fix|fixed in|reverts?|introduced in|broken by)[ :]+)?\b([0-9a-f]{7,64})\b`)
	paths   = regexp.MustCompile(`[\pL\pN_.-]+(?:/[\pL\pN_.-]+)+`)
)

// standards are names of norms, encodings and models, which look like tickets.
var standards = regexp.MustCompile(`^(UTF|ISO|IEC|RFC|SHA|MD|AES|RSA|GPT|HTTP|TLS|ASCII|CP|UCS|BASE|EN|DIN|IEEE|PEP|CVE|COVID|WCAG|A|B|F|H)[0-9]?-[0-9]+$`)

// References finds what a text refers to, in the order of the text and without
// overlaps. The rules of the configuration count first, in their order, then
// addresses, paths, tickets and commits.
func References(text string, rules []suite.Link) []Reference {
	var found []Reference
	add := func(r Reference) {
		overlaps := slices.ContainsFunc(found, func(f Reference) bool { return r.Start < f.End && f.Start < r.End })
		if r.Start < r.End && !overlaps {
			r.Text = text[r.Start:r.End]
			found = append(found, r)
		}
	}
	// What a rule finds inside of an address is a part of that address.
	addresses := urls.FindAllStringIndex(text, -1)
	for i, at := range addresses {
		addresses[i][1] = at[0] + len(strings.TrimRight(balanced(text[at[0]:at[1]]), ".,;:!?*_…"))
	}
	for _, at := range addresses {
		add(Reference{Kind: URL, Start: at[0], End: at[1], Address: address(text[at[0]:at[1]])})
	}
	for _, rule := range rules {
		for _, at := range rule.Pattern.FindAllStringSubmatchIndex(text, -1) {
			add(Reference{Kind: Ticket, Start: at[0], End: at[1], Address: address(string(rule.Pattern.ExpandString(nil, rule.Target, text, at)))})
		}
	}
	for _, at := range paths.FindAllStringIndex(text, -1) {
		name := strings.TrimRight(text[at[0]:at[1]], ".-")
		if isPath(name) && !strings.HasSuffix(text[:at[0]], "/") {
			add(Reference{Kind: File, Start: at[0], End: at[0] + len(name)})
		}
	}
	for _, at := range tickets.FindAllStringIndex(text, -1) {
		if !standards.MatchString(text[at[0]:at[1]]) && !strings.HasPrefix(text[at[1]:], "-") {
			add(Reference{Kind: Ticket, Start: at[0], End: at[1]})
		}
	}
	for _, at := range commits.FindAllStringSubmatchIndex(text, -1) {
		id, named := text[at[4]:at[5]], at[2] >= 0
		digits := strings.ContainsAny(id, "0123456789")
		letters := strings.ContainsAny(id, "abcdef")
		whole := len(id) == 40 || len(id) == 64
		if named && digits || digits && letters {
			add(Reference{Kind: Commit, Start: at[4], End: at[5], Certain: whole || named && digits})
		}
	}
	slices.SortFunc(found, func(a, b Reference) int { return cmp.Compare(a.Start, b.Start) })
	return found
}

// balanced cuts a closing bracket off that an address does not open.
func balanced(address string) string {
	for _, pair := range []string{"()", "[]", "{}"} {
		for strings.HasSuffix(strings.TrimRight(address, ".,;:!?"), pair[1:]) && strings.Count(address, pair[:1]) < strings.Count(address, pair[1:]) {
			address = strings.TrimSuffix(strings.TrimRight(address, ".,;:!?"), pair[1:])
		}
	}
	return address
}

// isPath reports whether words with slashes between them look like a file: the
// last has an extension, and the first is no host name.
func isPath(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	last := name[strings.LastIndexByte(name, '/')+1:]
	dot := strings.LastIndexByte(last, '.')
	if dot <= 0 || len(last)-dot > 9 || strings.Contains(strings.TrimPrefix(first, "."), ".") {
		return false
	}
	return strings.ContainsFunc(last[dot:], func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' })
}

// address spells an address of the web in printable ASCII, so that it can stand
// in an escape sequence; "" for anything else.
func address(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	var b strings.Builder
	for _, c := range []byte(u.String()) {
		if c <= ' ' || c >= 0x7f {
			b.WriteString("%" + strings.ToUpper(string("0123456789abcdef"[c>>4])+string("0123456789abcdef"[c&15])))
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

var (
	incidentTicket = regexp.MustCompile(`^(?i:INC|INCIDENT|SEV|OUTAGE|PM|POSTMORTEM)[-#]?[0-9]+$`)
	incidentInside = regexp.MustCompile(`\b(?i:INC|INCIDENT|SEV|OUTAGE|PM|POSTMORTEM)[-#]?[0-9]+\b`)
	incidentWord   = regexp.MustCompile(`(?i)\b(incident|outage|post-?mortem)\b`)
)

// Incidents names the incidents that a provenance speaks of: tickets that are
// spelled like one (INC-219), and what is referred to right after the word, such
// as "incident #1234". The list may be empty although it is an incident that
// the case stems from: see StemsFromIncident.
func Incidents(provenance string, rules []suite.Link) []string {
	var names []string
	for _, r := range References(provenance, rules) {
		before := strings.TrimRight(provenance[:r.Start], " :(#")
		called := incidentWord.FindAllStringIndex(before, -1)
		named := len(called) > 0 && called[len(called)-1][1] == len(before) && (r.Kind == Ticket || r.Kind == URL)
		if (named || incidentTicket.MatchString(r.Text)) && !slices.Contains(names, r.Text) {
			names = append(names, r.Text)
		}
	}
	return names
}

// StemsFromIncident reports whether a case exists because of an incident: its
// provenance names one or says the word, or its tags do.
func StemsFromIncident(c *suite.Case) bool {
	return incidentWord.MatchString(c.Provenance) || incidentInside.MatchString(c.Provenance) || slices.Contains(c.Tags, "incident")
}
