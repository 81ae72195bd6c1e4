package draft

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"docket/engine/legacy"
	"docket/engine/phrase"
)

// An Origin is where a test comes from: its file, and the commits that wrote
// its lines, the oldest first.
type Origin struct {
	File     string
	Line     int
	Revision string // the commit at which the file was read, in short; "" for the work tree
	Commits  []Commit
}

// A Commit is one that wrote lines of a test.
type Commit struct {
	ID      string // in short
	Day     string // YYYY-MM-DD
	Author  string
	Subject string
	Lines   int // of the test
	File    int // of the whole file, this test's among them; 0 where that was not counted
}

// bulk reports a commit that brought a file of tests and this one among them:
// an incident that its message names is that of some test, and of which is not
// known.
func (c *Commit) bulk() bool { return c.File > 100 && c.File > 10*c.Lines }

// Added is the day on which the first line of a test was written; "" where that
// is not known.
func (o Origin) Added() string {
	if len(o.Commits) == 0 {
		return ""
	}
	return o.Commits[0].Day
}

// reference matches what names an incident or a ticket: INC-219, #4471.
var reference = regexp.MustCompile(`\b[A-Z][A-Z0-9]{1,9}-\d{1,7}\b|(?:^|[\s(\[])(#\d{1,7})\b`)

// notReferences look like a reference and name a standard, an encoding, a model.
var notReferences = regexp.MustCompile(`^(?:UTF|ISO|RFC|SHA|MD|GPT|AES|RSA|HTTP|TLS|UTC|GMT|CP|PEP|RFC|IEEE|EN|DIN|COVID|BASE)-\d`)

// References returns what a text names of incidents and tickets, each once.
func References(text string) []string {
	var found []string
	for _, m := range reference.FindAllStringSubmatch(text, -1) {
		name := m[0]
		if m[1] != "" {
			name = m[1]
		}
		if !notReferences.MatchString(name) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}

// Provenance proposes why a case exists, from what stands near its test: the
// docstring, the comments, and the message of the commit that wrote most of it.
// The file is not named, since it goes when the cases come: the log has it. It is a proposal, which a person has to confirm, and is never blank.
func Provenance(t *legacy.Test, o Origin) string {
	near := strings.Join(append([]string{t.Doc}, t.Comments...), "\n")
	name, _, _ := strings.Cut(t.Name, "[") // what follows are parameters: an order number there is no incident
	named := References(near + "\n" + name)
	commit := o.writer(named)
	if len(named) == 0 && commit != nil && !commit.bulk() {
		named = References(commit.Subject)
	}
	story := sentence(t.Doc)
	for i := 0; story == "" && i < len(t.Comments); i++ {
		story = sentence(t.Comments[i])
	}
	if story == "" && commit != nil && (!commit.bulk() || len(References(commit.Subject)) == 0) {
		story = sentence(commit.Subject)
	}
	var b strings.Builder
	var missing []string
	for _, name := range named {
		if !strings.Contains(story, name) {
			missing = append(missing, name)
		}
	}
	b.WriteString(strings.Join(missing, ", "))
	if story != "" {
		if b.Len() > 0 {
			b.WriteString(" — ")
		}
		b.WriteString(story)
	}
	if b.Len() == 0 {
		b.WriteString("no reason is known")
	}
	b.WriteString(" (old test " + oneLine(t.Name))
	if commit != nil {
		fmt.Fprintf(&b, ", commit %s of %s", commit.ID, commit.Day)
	}
	b.WriteString(")")
	return b.String()
}

// writer is the commit whose message names one of the references, else the one
// that wrote most lines, the oldest of several.
func (o Origin) writer(named []string) *Commit {
	var best *Commit
	for i := range o.Commits {
		c := &o.Commits[i]
		for _, name := range References(c.Subject) {
			if slices.Contains(named, name) {
				return c
			}
		}
		if best == nil || c.Lines > best.Lines {
			best = c
		}
	}
	return best
}

// sentence is the first sentence of a text, on one line and without the signs
// of a comment.
func sentence(text string) string {
	text = oneLine(strings.TrimLeft(text, "#/* \t\n"))
	for i := 0; i+1 < len(text); i++ {
		if text[i] == '.' && text[i+1] == ' ' && i > 20 {
			text = text[:i]
			break
		}
	}
	return phrase.Abridge(strings.TrimSuffix(text, "."), 200)
}

// oneLine joins the lines of a text and drops what no line of YAML may hold.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return r <= ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff
	}), " ")
}
