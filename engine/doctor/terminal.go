package doctor

import (
	"cmp"
	"context"
	"fmt"
)

func lookAtTerminal(_ context.Context, s *Surroundings) (found, mend string) {
	t := &s.Terminal
	if t.None {
		return "none: the output goes elsewhere, so screens are not drawn; --plain works through pipes", ""
	}
	colours := "colours"
	if !t.Colours {
		colours = "no colours (NO_COLOR, --no-color or TERM)"
	}
	signs := "UTF-8"
	if t.ASCII {
		signs = "ASCII alone, as the locale says"
	}
	term := s.Getenv("TERM")
	switch {
	case t.Unsized != nil:
		mend = "its size cannot be read; screens may be drawn wrong"
	case term == "" || term == "dumb":
		mend = "TERM says that it cannot move its cursor, so docket asks one line at a time; set TERM, such as xterm-256color"
	case t.Columns < t.LeastColumns || t.Rows < t.LeastRows:
		mend = fmt.Sprintf("screens take no decision under %d×%d; make the window larger", t.LeastColumns, t.LeastRows)
	}
	return fmt.Sprintf("%s, %d×%d, %s, %s", cmp.Or(term, "TERM is not set"), t.Columns, t.Rows, colours, signs), mend
}
