package doctor

import (
	"context"

	"docket/engine/phrase"
	"docket/engine/provider"
)

func lookAtKeys(_ context.Context, s *Surroundings) (found, mend string) {
	var set, unset []string
	for _, name := range provider.Providers() {
		key := provider.KeyVariable(name)
		if s.Getenv(key) != "" {
			set = append(set, key)
		} else {
			unset = append(unset, key)
		}
	}
	are := func(keys []string) string { return phrase.Series(keys, "and") + phrase.Form(len(keys), " is", " are") }
	switch {
	case len(set) == 0:
		return "none is set; mock and replay need none", ""
	case len(unset) == 0:
		return are(set) + " set", ""
	}
	return are(set) + " set, " + are(unset) + " not", ""
}
