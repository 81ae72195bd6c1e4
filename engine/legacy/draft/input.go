package draft

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"docket/engine/canonical"
	"docket/engine/legacy"
)

// inlineAt most so many bytes, and no line end, stay in a case as they are.
const inlineAt = 100

// A Fixture is a text that a test held, as a file of the suite.
type Fixture struct {
	Name string // relative to the suite's folder, with slashes
	Text string
}

// Fixtures names texts, each once, however many tests use it.
type Fixtures struct {
	// Existing gives what a file of the suite holds already, by its name; nil where
	// there is none. A text that is there keeps its name, another is not put over it.
	Existing func(name string) (text string, ok bool)

	byText map[string]string
	byName map[string]string
	list   []Fixture
}

// All are the fixtures that were named, in their order.
func (f *Fixtures) All() []Fixture { return f.list }

// Text returns the text of a fixture.
func (f *Fixtures) Text(name string) (string, bool) {
	text, ok := f.byName[name]
	return text, ok
}

// Name returns the file of a text. Like is a name to make the file's of.
func (f *Fixtures) Name(like, text string) string {
	if name, ok := f.byText[text]; ok {
		return name
	}
	if f.byText == nil {
		f.byText, f.byName = map[string]string{}, map[string]string{}
	}
	stem := ascii(slug(like, '_', longestID))
	if stem == "" || reserved(stem) {
		stem = "text"
	}
	name := "fixtures/" + stem + ".txt"
	if f.taken(name, text) {
		hash := canonical.HashBytes([]byte(text))
		name = "fixtures/" + stem + "-" + hash[len("sha256:"):][:8] + ".txt"
	}
	f.byText[text], f.byName[name] = name, text
	f.list = append(f.list, Fixture{name, text})
	return name
}

// taken reports a name that holds another text.
func (f *Fixtures) taken(name, text string) bool {
	old, taken := f.byName[name]
	if !taken && f.Existing != nil {
		old, taken = f.Existing(name)
	}
	return taken && old != text
}

// ascii drops what a file name should not hold.
func ascii(s string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return -1
		}
		return r
	}, s), "_")
}

// Input makes the input of a case of what a test gives to what it calls. Missing
// names each value that is computed at run time, with the reason, and what
// belongs to a system: a case has to hold for another model.
func Input(t *legacy.Test, files *Fixtures) (input map[string]any, missing []string) {
	input = map[string]any{}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		name := inputName(in, input)
		if ofSystem(in) {
			missing = append(missing, fmt.Sprintf("input %s is left out: models and their parameters belong to a system in .docket.yaml", name))
			continue
		}
		if in.Why != "" {
			missing = append(missing, fmt.Sprintf("input %s is %s", name, in.Why))
			continue
		}
		text, isText := in.Value.(string)
		if !isText || len(text) <= inlineAt && !strings.ContainsAny(text, "\n\r") || !utf8.ValidString(text) {
			input[name] = in.Value
			continue
		}
		like := in.From
		if like == "" {
			like = t.Name + " " + name
		}
		input[name+"_file"] = files.Name(strings.TrimPrefix(like, "test_"), text)
	}
	return input, missing
}

// ofSystem reports an argument that says how a model is asked, and nothing of
// the situation. Only its name tells, so a product's model goes too, and is
// named to be put back.
func ofSystem(in *legacy.Input) bool {
	switch strings.ToLower(in.Name) {
	case "model", "model_name", "temperature", "top_p", "top_k", "max_tokens", "max_output_tokens", "system_prompt":
		return true
	}
	return false
}

// inputName is the key of an input that is free, with and without a file behind
// it.
func inputName(in *legacy.Input, taken map[string]any) string {
	name := in.Name
	if name == "" && in.From != "" {
		name = slug(in.From, '_', longestID)
	}
	for strings.HasSuffix(name, "_file") {
		name = strings.TrimSuffix(name, "_file") // else the text would be read as the name of a file
	}
	if strings.TrimSpace(name) == "" {
		name = "text"
	}
	free := func(name string) bool {
		_, plain := taken[name]
		_, file := taken[name+"_file"]
		return !plain && !file
	}
	first := name
	for n := 2; !free(name); n++ {
		name = fmt.Sprintf("%s_%d", first, n)
	}
	return name
}

// fixtureName matches the names that Name gives.
var fixtureName = regexp.MustCompile(`^fixtures/[A-Za-z0-9][A-Za-z0-9_-]{0,79}\.txt$`)

// FixtureName reports whether a name could be one that Fixtures gives.
func FixtureName(name string) bool { return fixtureName.MatchString(name) }

// Put takes a text under a name that it has already.
func (f *Fixtures) Put(name, text string) {
	if f.byText == nil {
		f.byText, f.byName = map[string]string{}, map[string]string{}
	}
	f.byText[text], f.byName[name] = name, text
	f.list = append(f.list, Fixture{name, text})
}
