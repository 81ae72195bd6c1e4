// Package judge is the second model that says whether an answer meets a rubric.
// It is a part of the instrument and not of what is measured: its model, prompt,
// parameters, form of verdict and parser are pinned, and their hash is its
// identity, so that another judge is told from another answer.
//
// A judge asks by way of the door, like any system, so that its verdicts are
// canned, recorded and replayed as answers are. What it is shown cannot pass for
// what it is told: see fence. The package refuses to guess: a verdict that
// cannot be read is no verdict, never a failure and never a pass; there is no
// judge but the one that the configuration names, and none whose name may mean
// another model tomorrow.
package judge

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"docket/engine/canonical"
	"docket/engine/source"
	"docket/engine/system"
)

// parser is the version of what reads a verdict, raised when the same answer is
// read otherwise.
const parser = 1

// A Judge is one entry of `judges:`.
type Judge struct {
	Name  string
	Model string
	At    source.Position

	declared *system.Declared
	identity string
}

// keys are those of a judge; each is read as it is for a system.
func keys() []string {
	return []string{"kind", "model", "prompt", "system_prompt", "params", "url", "price", "timeout"}
}

// Keys returns the keys that a judge may have.
func Keys() []string { return keys() }

// Compile reads one entry of `judges:`. root is the folder of .docket.yaml.
// Where there are problems the judge is nil.
func Compile(name string, v source.Value, root *os.Root) (*Judge, source.Problems) {
	if v.Kind() != source.Map {
		return nil, source.Problems{v.Problemf("judge %q: expected a mapping such as {kind: openai, model: gpt-4o-2024-08-06, prompt: judges/tone.md}, got %s", name, v.Describe())}
	}
	problems := source.Known(v, "a judge", keys()...)
	if kind := v.Get("kind").Scalar(); kind != "openai" && kind != "anthropic" {
		at := v.Get("kind")
		if at.IsZero() {
			at = v
		}
		problems = append(problems, at.Problemf("the kind of a judge is openai or anthropic"))
	}
	problems = append(problems, pinned(v)...)
	if len(problems) > 0 {
		return nil, problems
	}
	declared, problems := system.Compile(name, v, system.Env{
		Root: root, OutputSchema: verdictSchema(), Params: map[string]any{"temperature": zero}, Preface: rule,
	})
	if len(problems) > 0 {
		return nil, problems
	}
	if missing := declared.PromptLacks("rubric", "output"); missing != "" {
		return nil, source.Problems{v.Get("prompt").Problemf("the prompt of a judge has to show {{.%s}}, and this one does not; it may show {{.rubric}}, {{.input}} and {{.output}}", missing)}
	}
	id := declared.Identity()
	j := &Judge{Name: name, Model: declared.Model, At: v.At(), declared: declared}
	j.identity = canonical.Hash(map[string]any{
		"kind":    declared.Kind,
		"host":    declared.Needs.BaseURL,
		"model":   declared.Model,
		"params":  id.Params,
		"prompt":  id.Prompt,
		"verdict": verdictSchema(),
		"parser":  number(parser),
	})
	return j, nil
}

// floating matches the names of models that may mean another model tomorrow.
var floating = regexp.MustCompile(`(?i)(^|[-:/@])latest$`)

// pinned says what of a judge is not fixed.
func pinned(v source.Value) source.Problems {
	var problems source.Problems
	if model := v.Get("model"); floating.MatchString(model.Scalar()) {
		problems = append(problems, model.Problemf("the model %q is an alias that moves: a judge is pinned, so name a version, such as gpt-4o-2024-08-06", model.Scalar()))
	}
	if t := v.Get("params").Get("temperature"); !t.IsZero() {
		n, ok := t.Number()
		f, err := n.Float64()
		if !ok || err != nil || f != 0 {
			problems = append(problems, t.Problemf("the temperature of a judge is 0, got %s", t.Describe()))
		}
	}
	return problems
}

// Identity is the hash of all that the judge's verdicts depend on besides what
// it is shown.
func (j *Judge) Identity() string { return j.identity }

// Against says why the judge must not judge a system that asks a model: the
// same model prefers its own answers. warning is about a model of the same
// family, which does so as well, if less.
func (j *Judge) Against(model string) (refusal, warning string) {
	switch {
	case model == "":
		return "", ""
	case strings.EqualFold(model, j.Model):
		return fmt.Sprintf("the judge %s is the model that it would judge, %s: a model prefers its own answers, so name another as judge", j.Name, model), ""
	case family(model) != "" && family(model) == family(j.Model):
		return "", fmt.Sprintf("the judge %s (%s) is of one family with what it judges (%s): models prefer answers of their own kind", j.Name, j.Model, model)
	}
	return "", ""
}

// dated matches what fixes a version in the name of a model: a date, a build, or
// the number of a release, of three digits or more.
var dated = regexp.MustCompile(`[0-9]{3,}`)

// Undated says that the name of the judge's model holds nothing that fixes its
// version, where it is one that its maker serves under names that come to mean
// another model; "" where it is fixed, or where whoever serves it decides.
func (j *Judge) Undated() string {
	switch f := family(j.Model); {
	case dated.MatchString(j.Model) || strings.Contains(j.Model, "gpt-oss"):
		return ""
	case f == "gpt", f == "claude", f == "gemini" && !strings.Contains(strings.ToLower(j.Model), "gemma"), f == "grok":
		return fmt.Sprintf("the judge %s asks the model %q, a name without a date that may come to mean another model: name a version, such as gpt-4o-2024-08-06", j.Name, j.Model)
	}
	return ""
}

// family is the maker's line that a model is of, as far as its name tells; ""
// where it does not.
func family(model string) string {
	name := strings.ToLower(model)
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	for _, f := range []struct{ prefix, family string }{
		{"gpt", "gpt"},
		{"chatgpt", "gpt"},
		{"o1", "gpt"},
		{"o3", "gpt"},
		{"o4", "gpt"},
		{"claude", "claude"},
		{"gemini", "gemini"},
		{"gemma", "gemini"},
		{"llama", "llama"},
		{"meta-llama", "llama"},
		{"mistral", "mistral"},
		{"mixtral", "mistral"},
		{"ministral", "mistral"},
		{"qwen", "qwen"},
		{"deepseek", "deepseek"},
		{"command", "command"},
		{"grok", "grok"},
		{"phi", "phi"},
	} {
		if strings.HasPrefix(name, f.prefix) {
			return f.family
		}
	}
	return ""
}
