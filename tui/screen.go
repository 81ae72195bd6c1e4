package tui

import (
	"context"

	"docket/tui/list"
	"docket/tui/pair"
	"docket/tui/style"
)

// Screen is one subject to decide on. The frame calls it from one goroutine;
// none of its methods may touch a disk or wait.
type Screen interface {
	// Spec returns what does not change while the screen is open.
	Spec() Spec
	// Head returns the two lines at the top. It is asked for again after
	// each decision and each action.
	Head() Head
	// Groups returns all rows, in one of the groupings that Spec names.
	Groups(grouping int) []list.Group
	// Detail returns what there is to know about a row. The frame keeps
	// the answer until an action says that it changed.
	Detail(row list.Row) Detail
}

// Keyed is a Screen that names keys in what it shows. It is told once how the
// help spells the keys of what settings call by a name, since a user may have
// chosen others; plain mode has the screen's own and tells nothing.
type Keyed interface {
	SetKeys(called func(name string) string)
}

// Spec is what a screen fixes once.
type Spec struct {
	Title     string   // of the list, such as "changes"
	One, Many string   // what a row is called: "case", "cases"
	Command   string   // what opens the screen again, such as "docket review invoices"
	Groupings []string // names for the ways to group; one at least
	Verdicts  []Verdict
	Actions   []Action
	Session   Session
	// Parts says that a row of the detail may be decided alone (x).
	Parts bool
	// MustSee names tabs that must have been shown for a row before a verdict can
	// fall on it; a row is opened at the first of them that was not.
	MustSee []string
	// Ripples says that a decision on one row changes what there is to know about
	// others, so that rows and details are asked for again.
	Ripples bool
	// Notice is said on the first frame, such as that a session goes on.
	Notice string
	// ReadOnly says why nothing can be decided here; empty where it can.
	ReadOnly string
	// Terms names the keys of the filter, such as "of status tag"; Term
	// compiles one into a condition on rows. An unknown key is an error.
	Terms []string
	Term  func(key, value string) (func(*list.Row) bool, error)
	// Text returns the beginning of a text that Find of list.Group adds to just
	// the rows that a term holds for, in lower case: searching it costs a tenth of
	// asking Term about a hundred thousand rows. "" leaves the term to Term. It may
	// be nil.
	Text func(key, value string) string
	// Before returns the text that was given when the same was decided on a row in
	// the past; it is offered first. It may be nil.
	Before func(row, verdict string) string
	// Proposed says that what Before gives is only proposed where nobody gave it in
	// this session, so that the prompt does not call it what was said before.
	Proposed bool
	// Caution returns what to think of before a verdict falls on several
	// rows at once, such as "2 of them regressed". It may be nil.
	Caution func(rows []string, verdict string) []string
	// Confirm returns what to see before a verdict falls on one row, or on one
	// part of it; where it returns anything the person is asked once more. It may
	// be nil.
	Confirm func(row, part, verdict string) []string
}

// Head is what the two lines at the top say.
type Head struct {
	Subject []string     // facts, the most important first; the last ones go where there is no room
	Count   string       // such as "23 of 220 changed"
	Date    string       // such as "2026-08-11"
	Age     string       // what takes the place of Date where there is room; mostly ""
	Summary []style.Line // the second line, in parts
	Banner  string       // a warning that stays, such as the grounds of a recapture
}

// Verdict is one way to decide on a row.
type Verdict struct {
	ID     string // what the session is told, such as "accept"
	Key    string // decides the row under the cursor
	Bulk   string // decides the marked rows, or else the group; empty where that is not offered
	Name   string // the verb, such as "accept"
	Done   string // its participle, such as "accepted"
	Long   string // what the help says; made of Name where it is empty
	Rare   bool   // its key goes from the footer where there is little room
	Whole  bool   // it falls on whole rows, and never on one part
	Stays  bool   // it settles nothing, such as a name that is given: the cursor stays on the row
	Glyph  string // marks a decided row; one column wide
	ASCII  string // the same where only ASCII is drawn
	Role   style.Role
	Ask    string                  // what must be given with it, such as "reason"; empty asks nothing
	Check  func(text string) error // refuses a text, with a sentence; may be nil
	Choose func() []string         // texts to offer besides those given before; may be nil
	// Typed says that Enter alone takes no text that was given before: it is typed
	// each time. What Before returns can still be fetched, to be changed.
	Typed bool
	// Refuse says, with a sentence, why the verdict cannot fall on a row, or on one
	// part of it, before anything is asked; it may be nil.
	Refuse func(row, part string) error
	// Admit refuses a text for one row, with a sentence, and AskOf says what is
	// asked there instead of Ask; both may be nil.
	Admit func(row, text string) error
	AskOf func(row string) string
	// Unasked says that what it asks for is about the row: on one part it asks
	// nothing.
	Unasked bool
}

// asks reports whether a text is needed for a verdict on a target.
func (v Verdict) asks(t target) bool { return v.Ask != "" && (t.part == "" || !v.Unasked) }

// Action is a key of the screen's own that decides nothing.
type Action struct {
	Key  string
	Word string // one word, by which settings and plain mode call it
	Name string // what the help says
	Tab  string // the name of the only tab in which it works; empty works in all
	Do   func(At) Effect
}

// At is where an action is asked for.
type At struct {
	Row    *list.Row // nil on the header of a group
	Tab    string
	Part   string // the key of the detail's row under the cursor
	Marked []string
}

// Effect is what an action asks of the frame. The zero Effect does nothing.
type Effect struct {
	Notice  string // said at the bottom
	Failed  bool   // the notice is about something that did not work
	Reload  bool   // details must be asked for again
	Regroup bool   // rows must be asked for again
	Edit    string // a file to open in the user's editor
	// Edited runs outside the loop that draws once that editor ended well.
	Edited func(context.Context) Effect
	Copy   string // a text for the clipboard
	// Then changes what the screen knows, in the loop that draws, before rows and
	// details are asked for again; how the rows stand is asked of the session
	// again, too.
	Then func()
	// Work runs outside the loop that draws; what it returns is done then.
	// Meanwhile Notice is said.
	Work func(context.Context) Effect
}

// Detail is what there is to know about a row.
type Detail struct {
	Title []string // for the border, such as the id, the version, the status
	Facts []Fact   // above the tabs; why the row exists comes first
	Tabs  []Tab
}

// Fact is a labelled sentence. Aside stands at the right of its last line.
type Fact struct {
	Label, Text, Aside string
	Role               style.Role // of Text
}

// Tab is one view of a row. Content is called when the tab is opened: at once,
// or, where Slow is set, outside the loop that draws, once the cursor rests.
// More, which may be nil, gives the same with what takes longer to find; it is
// called outside the loop as well, and what Content gave shows until then.
type Tab struct {
	Name    string
	Slow    bool
	Content func(context.Context) (pair.Content, error)
	More    func(context.Context) (pair.Content, error)
}

// Opener makes a screen, and may report how far it is. It runs outside the
// loop that draws, so it may run a suite first.
type Opener func(ctx context.Context, report func(done, total int, what string)) (Screen, error)
