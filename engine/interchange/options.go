package interchange

import "strconv"

// Options say how to read a file whose own words leave a choice.
type Options struct {
	// ID names the field whose value is the id of a row's case, in place of the
	// one that the format's rule takes: a key or a path such as
	// "metadata.ticket". Where it is looked for is told by each reader.
	ID string
	// Variant names the one to read where a file holds the same cases for
	// several providers, models or prompts.
	Variant string
	// Asked keeps what the tool asked of outputs, for those who make cases of it.
	Asked bool
}

// A Check is what another tool judged of one output, under a name that begins
// with the tool's: "promptfoo:contains", "inspect:match". Names within a row
// are unique; repeated ones are numbered, "promptfoo:contains#2".
type Check struct {
	Name string
	// Pass is nil where the tool gave a score without a verdict, or did not
	// come to judge: that is no failure.
	Pass    *bool
	Score   *float64 // as the tool counts; nil where it gave none
	Message string   // the tool's reason; untrusted
}

// checks collects the checks of one row.
type checks struct {
	tool string
	all  []Check
	used map[string]int // how often a name was given
}

func newChecks(tool string) *checks { return &checks{tool: tool, used: map[string]int{}} }

func (c *checks) add(name string, pass *bool, score *float64, message string) {
	if name == "" {
		name = "check"
	}
	name = c.tool + ":" + name
	unique := name
	for c.used[unique] > 0 { // a number may give a name that another check has
		c.used[name]++
		unique = name + "#" + strconv.Itoa(c.used[name])
	}
	c.used[unique]++
	c.all = append(c.all, Check{Name: unique, Pass: pass, Score: score, Message: message})
}
