package doctor

import (
	"cmp"
	"context"
	"fmt"

	"docket/engine/phrase"
)

func lookAtSettings(_ context.Context, s *Surroundings) (found, mend string) {
	set := &s.Settings
	theme := "theme " + cmp.Or(set.Theme, "default")
	hint := ""
	if set.Hint != "" {
		hint = "; " + set.Hint
	}
	switch {
	case set.Wrong != nil && set.Found:
		return "they cannot be used: " + firstLine(set.Wrong), "mend " + set.File + ", or move it away: no screen opens until then"
	case set.Wrong != nil:
		return "they cannot be used: " + firstLine(set.Wrong), "set " + set.Variable + " to another, or unset it"
	case set.File == "":
		return "none, since there is no folder for them; " + theme + hint, ""
	case !set.Found:
		return set.File + " is not there: " + theme + ", and the keys that ? lists" + hint, ""
	}
	return fmt.Sprintf("%s: %s, %s and %s chosen", set.File, theme, phrase.Count(set.Colours, "colour", "colours"), phrase.Count(set.Keys, "key", "keys")) + hint, ""
}
