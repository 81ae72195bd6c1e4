package tui

import "context"

// Session keeps decisions. Its methods are called outside the loop that draws,
// one at a time and in the order of the keys; each returns once its effect is
// on disk.
type Session interface {
	// Marks returns what has been decided before, oldest first.
	Marks() []Mark
	// Decide decides on all its rows or on none, and returns how they
	// stand now.
	Decide(ctx context.Context, d Decision) ([]Mark, error)
	// Undo takes the last decision back and returns how its rows stand
	// now; nothing where there is none. Redo is its opposite.
	Undo(ctx context.Context) ([]Mark, error)
	Redo(ctx context.Context) ([]Mark, error)
	// Plan says what Write would write.
	Plan(ctx context.Context) (Plan, error)
	// Write writes what is decided and says what it wrote, as read back.
	Write(ctx context.Context) (Closing, error)
}

// Decision is a verdict on rows, or on one part of a row.
type Decision struct {
	Rows    []string
	Part    string // the key of one row of the detail; empty for all
	Verdict string
	Text    string // the reason, or what else the verdict asks for
}

// Mark is how a row, or a part of one, stands. An empty Verdict is undecided.
type Mark struct {
	Row     string
	Part    string
	Verdict string
	Text    string
}

// Plan is what would be written.
type Plan struct {
	Lines   []string
	Refusal string // why nothing can be written; empty where it can
}

// Closing is what was written, to be read after the screen is gone.
type Closing struct {
	Lines []string
}

// marks is how all rows stand, as far as the session has said.
type marks struct {
	whole map[string]Mark
	parts map[string]map[string]Mark
}

func newMarks(from []Mark) *marks {
	m := &marks{whole: map[string]Mark{}, parts: map[string]map[string]Mark{}}
	for _, mark := range from {
		m.set(mark)
	}
	return m
}

func (m *marks) set(mark Mark) {
	switch {
	case mark.Part == "" && mark.Verdict == "":
		delete(m.whole, mark.Row)
	case mark.Part == "":
		m.whole[mark.Row] = mark
	case mark.Verdict == "":
		delete(m.parts[mark.Row], mark.Part)
	default:
		if m.parts[mark.Row] == nil {
			m.parts[mark.Row] = map[string]Mark{}
		}
		m.parts[mark.Row][mark.Part] = mark
	}
}

// part returns how one part of a row stands: decided alone, or with the row.
func (m *marks) part(row, part string) (Mark, bool) {
	if mark, ok := m.parts[row][part]; ok {
		return mark, true
	}
	return Mark{}, false
}
