package system

import (
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"docket/engine/canonical"
	"docket/engine/source"
)

// A prompt is a file that becomes what a model is asked: a text/template over a
// case's input, so that {{.body}} stands for what the case has under
// input.body. Prompts that teams have are templates of this kind or are easily
// made so, and the package is in the binary anyway.
//
// Numbers are printed as the case writes them, lists and objects as JSON. A key
// that a case has not got is an error where it is printed, and false in a
// condition.
type prompt struct {
	path     string
	template *template.Template
}

// absent is what text/template prints for a value that is not there.
const absent = "<no value>"

func compilePrompt(t text) (*prompt, source.Problems) {
	parsed, err := template.New(t.path).Funcs(promptFunctions()).Parse(t.data)
	if err != nil {
		return nil, source.Problems{t.at.Problemf("the prompt is not a valid template: %s", plainTemplateError(err))}
	}
	return &prompt{path: t.path, template: parsed}, nil
}

// promptFunctions are what a prompt may call besides the functions that every
// template has.
func promptFunctions() template.FuncMap {
	return template.FuncMap{
		"json": func(v any) string { return string(canonical.Marshal(unwrap(v))) },
		"join": func(list any, with string) (string, error) {
			l, ok := list.(listValue)
			if !ok {
				return "", fmt.Errorf("join takes a list and what to put between its items")
			}
			words := make([]string, len(l))
			for i, item := range l {
				words[i] = fmt.Sprint(item)
			}
			return strings.Join(words, with), nil
		},
	}
}

// render makes the text for a case.
func (p *prompt) render(input map[string]any) (string, error) {
	data := wrap(input)
	var b strings.Builder
	if err := p.template.Execute(&b, data); err != nil {
		return "", fmt.Errorf("the prompt cannot be made from this case: %s", plainTemplateError(err))
	}
	text := b.String()
	if strings.Contains(text, absent) && !strings.Contains(string(canonical.Marshal(input)), absent) {
		return "", fmt.Errorf("the prompt cannot be made from this case: %s prints %s", p.path, p.missing(data))
	}
	return text, nil
}

// missing names a key that the prompt uses and the input has not got.
func (p *prompt) missing(data any) string {
	strict, err := p.template.Clone()
	if err == nil {
		err = strict.Option("missingkey=error").Execute(new(strings.Builder), data)
	}
	if err != nil {
		if m := noEntry.FindStringSubmatch(err.Error()); m != nil {
			return fmt.Sprintf("%q, which its input has not got", m[1])
		}
	}
	return "a value that its input has not got, or that is null"
}

var (
	noEntry   = regexp.MustCompile(`map has no entry for key "([^"]*)"`)
	executing = regexp.MustCompile(`executing "[^"]*" at `)
)

// plainTemplateError takes the words of the library out of its error.
func plainTemplateError(err error) string {
	text := strings.TrimPrefix(err.Error(), "template: ")
	return executing.ReplaceAllString(text, "at ")
}

// objectValue and listValue are objects and lists of an input. They index and
// range as maps and slices do, and print as JSON.
type (
	objectValue map[string]any
	listValue   []any
)

// String returns the object as JSON.
func (o objectValue) String() string { return string(canonical.Marshal(unwrap(o))) }

// String returns the list as JSON.
func (l listValue) String() string { return string(canonical.Marshal(unwrap(l))) }

// wrap makes of a value of the JSON model what templates print well.
func wrap(v any) any {
	switch v := v.(type) {
	case map[string]any:
		o := make(objectValue, len(v))
		for key, member := range v {
			o[key] = wrap(member)
		}
		return o
	case []any:
		l := make(listValue, len(v))
		for i, item := range v {
			l[i] = wrap(item)
		}
		return l
	}
	return v
}

func unwrap(v any) any {
	switch v := v.(type) {
	case objectValue:
		o := make(map[string]any, len(v))
		for key, member := range v {
			o[key] = unwrap(member)
		}
		return o
	case listValue:
		l := make([]any, len(v))
		for i, item := range v {
			l[i] = unwrap(item)
		}
		return l
	}
	return v
}

// PromptLacks returns the first of the keys of an input that the prompt of the
// declaration never shows; "" where it shows all.
func (d *Declared) PromptLacks(keys ...string) string {
	for _, key := range keys {
		if !regexp.MustCompile(`\{\{[^}]*\.` + regexp.QuoteMeta(key) + `\b`).MatchString(d.promptText.data) {
			return key
		}
	}
	return ""
}
