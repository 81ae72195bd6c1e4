package check

import (
	"slices"
	"strings"

	"docket/engine/canonical"
	"docket/engine/label"
	"docket/engine/phrase"
	"docket/engine/source"
)

// An Env is what the checks of a case may refer to besides the output.
type Env struct {
	Labels *label.Finder // nil, or one that measures nothing, where the suite names no labels
	Case   CaseInfo
	// ReadFile reads a schema file that a case names, by a path from inside the
	// suite; it refuses one that leads out of it. Nil where no file may be read.
	ReadFile func(path string) ([]byte, error)
	Shared   *Shared // by the cases of a suite; nil compiles each schema and pattern anew
	Dir      string  // working directory of command checks; "" is the process's own
	// Judges are the judges that the configuration declares; Judge is the one of
	// the suite, "" for none.
	Judges []string
	Judge  string
}

// A CaseInfo is what compiling may know of the case.
type CaseInfo struct {
	ID      string
	Input   map[string]any
	Scoring string // deterministic or judged
}

// A Compiled is a check that is ready to judge.
type Compiled struct {
	Check
	// Params is 8 hex digits of the hash of what the case asked of this check,
	// whatever the layout of the file: after an edit of the case, the checks
	// whose Params are as before still compare.
	Params string
	Key    string // the key of expect that it comes from
	// Strict says that one failure counts: personal data and forbidden strings
	// are not confirmed away by further samples.
	Strict bool
}

// A family is a key of expect.
type family struct {
	key     string
	version int // of its judgement; raised when the same output is judged otherwise
	strict  bool
	compile func(c *compiler, v source.Value) []item
}

// An item is one check of a family, with what it asks in one spelling for all
// layouts, in the JSON model.
type item struct {
	check Check
	asked any
}

// families is the table of checks, in the order in which they judge.
func families() []family {
	return []family{
		{"must_contain_fact", 1, false, compileFacts},
		{"must_not_contain", 1, true, compileForbidden},
		{"must_match", 1, false, compileMatches},
		{"must_not_match", 1, true, compileForbiddenMatches},
		{"must_not_contain_pii", 1, true, compilePII},
		{"min_words", 1, false, compileLength(minWords)},
		{"max_words", 1, false, compileLength(maxWords)},
		{"max_chars", 1, false, compileLength(maxChars)},
		{"max_sentences", 1, false, compileLength(maxSentences)},
		{"structure", 1, false, compileStructure},
		{"json_schema", 1, false, compileJSONSchema},
		{"fields", 1, false, compileFields},
		{"label", 1, false, compileLabel},
		{"tool_calls", 1, false, compileToolCalls},
		{"citations", 1, false, compileCitations},
		{"covers", 1, false, compileCovers},
		{"language", 1, false, compileLanguage},
		{"refusal", 1, false, compileRefusal},
		{"command", 1, false, compileCommand},
		{rubric, 1, false, compileRubric},
	}
}

// ignoreCase is the key of expect that is no check: it makes the checks of
// strings, patterns, headings and labels blind to case.
const ignoreCase = "ignore_case"

// Keys returns the keys that an expectation may have, sorted.
func Keys() []string {
	keys := []string{ignoreCase}
	for _, f := range families() {
		keys = append(keys, f.key)
	}
	slices.Sort(keys)
	return keys
}

// isKey reports whether an expectation may have a key.
func isKey(key string, table []family) bool {
	return key == ignoreCase || slices.ContainsFunc(table, func(f family) bool { return f.key == key })
}

// Versions returns the version of each family's judgement, and of the check
// SchemaName: part of what judged a run, so that a change of it is named.
func Versions() map[string]int {
	versions := map[string]int{SchemaName: schemaVersion}
	for _, f := range families() {
		if f.key != rubric { // by what it was judged is the judge's identity
			versions[f.key] = f.version
		}
	}
	return versions
}

// A compiler compiles one expectation and gathers what is wrong in it.
type compiler struct {
	env        Env
	table      []family
	ignoreCase bool
	problems   source.Problems
	names      map[string]source.Position // names in use
}

// Compile compiles what a case expects. An absent expectation has no checks;
// one that is there and asks nothing is a problem. The checks come in the order
// of the table, those of one key in the order of the file. Checks that compile
// are returned even when others do not.
func Compile(expect source.Value, env Env) ([]Compiled, source.Problems) {
	if expect.IsZero() {
		return nil, nil
	}
	switch {
	case expect.Kind() != source.Map && expect.Kind() != source.Null:
		return nil, source.Problems{expect.Problemf("expected the case's expectations, a mapping such as max_words: 60, got %s", expect.Describe())}
	case len(expect.Entries()) == 0:
		return nil, source.Problems{expect.Problemf("expect asks nothing: add a check, or leave the key out")}
	}
	table := families()
	c := &compiler{env: env, table: table, names: make(map[string]source.Position, len(expect.Entries()))}
	c.unknownKeys(expect)
	if v := expect.Get(ignoreCase); !v.IsZero() {
		c.ignoreCase = c.boolean(v, ignoreCase)
	}
	for _, e := range expect.Entries() {
		c.names[e.Key] = e.KeyAt
	}
	var compiled []Compiled
	for _, f := range table {
		v := expect.Get(f.key)
		if v.IsZero() {
			continue
		}
		written := env.Shared.written(v)
		for _, it := range f.compile(c, v) {
			hash := canonical.Hash(map[string]any{f.key: it.asked})
			compiled = append(compiled, env.Shared.check(checkKey{it.check.Name(), hash, written, c.ignoreCase}, Compiled{
				Check:  it.check,
				Params: strings.Clone(hash[len("sha256:"):][:8]), // and not all of the hash with it
				Key:    f.key,
				Strict: f.strict,
			}))
		}
	}
	compiled = env.Shared.list(compiled)
	if len(compiled) == 0 && len(c.problems) == 0 {
		c.add(expect.Problemf("expect asks nothing: %s alone is not a check", ignoreCase))
	}
	c.bounds(expect)
	c.problems.Sort()
	return compiled, c.problems
}

func (c *compiler) unknownKeys(expect source.Value) {
	for _, e := range expect.Entries() {
		switch {
		case isKey(e.Key, c.table):
		default:
			c.add(e.KeyAt.Problemf("unknown key %q in expect; %s", phrase.Abridge(e.Key, 40), source.Suggest(e.Key, Keys())))
		}
	}
}

// bounds finds limits that no text can keep.
func (c *compiler) bounds(expect source.Value) {
	least, ok := wholeNumber(expect.Get("min_words"))
	most, alsoOK := wholeNumber(expect.Get("max_words"))
	if ok && alsoOK && least > most {
		c.add(expect.Get("min_words").Problemf("min_words is %d and max_words is %d: no text has both", least, most))
	}
}

func (c *compiler) add(p ...source.Problem) { c.problems = append(c.problems, p...) }

// problem adds what is wrong with v.
func (c *compiler) problem(v source.Value, format string, args ...any) {
	c.add(v.Problemf(format, args...))
}

// claim takes a name for a check; it reports a problem and false where another
// check has it.
func (c *compiler) claim(name string, at source.Value) bool {
	if first, taken := c.names[name]; taken {
		c.problem(at, "a second check would be called %s; the first is at line %d", quote(name), first.Line)
		return false
	}
	c.names[name] = at.At()
	return true
}
