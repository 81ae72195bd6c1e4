package system

import (
	"maps"

	"docket/engine/canonical"
	"docket/engine/source"
)

// identityKeys are the keys that a declaration of every kind may have: its kind,
// and what identifies who answers. A program or a file of outputs has a model
// and a prompt behind it, too, and the baseline asks for them.
func identityKeys() []string {
	return []string{"kind", "environment", "model", "params", "sdk", "prompt", "tools", "output_schema"}
}

func (d *Declared) compileIdentity(v source.Value, env Env) source.Problems {
	var problems source.Problems
	word := func(key string, into *string) {
		value := v.Get(key)
		if value.IsZero() {
			return
		}
		s, ok := value.Text()
		if !ok || s == "" {
			problems = append(problems, value.Problemf("%s must be a string, got %s", key, value.Describe()))
			return
		}
		*into = s
	}
	word("environment", &d.Environment)
	word("model", &d.Model)
	word("sdk", &d.sdk)
	if params := v.Get("params"); !params.IsZero() {
		if params.Kind() != source.Map {
			problems = append(problems, params.Problemf("params must be a mapping such as {temperature: 0}, got %s", params.Describe()))
		} else {
			d.params = params.JSON()
		}
	}
	if len(env.Params) > 0 {
		all := maps.Clone(env.Params)
		if own, ok := d.params.(map[string]any); ok {
			maps.Copy(all, own)
		}
		d.params = all
	}
	prompt := func(key string, into *text) {
		value := v.Get(key)
		if value.IsZero() {
			return
		}
		data, problem := readDeclared(value, key, env.Root)
		if problem != nil {
			problems = append(problems, *problem)
			return
		}
		path, _ := value.Text()
		*into = text{path: path, data: string(data), at: value}
		if key == "prompt" {
			into.data = env.Preface + into.data
		}
	}
	prompt("prompt", &d.promptText)
	prompt("system_prompt", &d.systemText)
	d.prompt = promptHash(d.promptText, d.systemText)
	schema := func(key string, inline source.Kind, into *any) {
		value := v.Get(key)
		switch {
		case value.IsZero():
			return
		case value.Kind() == inline:
			*into = value.JSON()
			return
		}
		data, problem := readDeclared(value, key, env.Root)
		if problem != nil {
			problems = append(problems, *problem)
			return
		}
		parsed, err := canonical.Parse(data)
		if err != nil {
			problems = append(problems, value.Problemf("%s: the file %q is not JSON: %v", key, value.Scalar(), err))
			return
		}
		*into = parsed
	}
	schema("tools", source.List, &d.tools)
	schema("output_schema", source.Map, &d.outputSchema)
	if d.outputSchema == nil {
		d.outputSchema = env.OutputSchema
	}
	return problems
}

// promptHash covers both prompts, since a header has one field for them; the
// hash of one alone is that of its file.
func promptHash(prompt, system text) string {
	switch {
	case prompt.at.IsZero() && system.at.IsZero():
		return ""
	case system.at.IsZero():
		return canonical.HashBytes([]byte(prompt.data))
	default:
		return canonical.Hash(map[string]any{"prompt": prompt.data, "system_prompt": system.data})
	}
}

// toolsHash covers the tools and the schema of the output, since a header has
// one field for what shapes a structured answer.
func (d *Declared) toolsHash() string {
	switch {
	case d.tools == nil && d.outputSchema == nil:
		return ""
	case d.outputSchema == nil:
		return canonical.Hash(d.tools)
	default:
		return canonical.Hash(map[string]any{"tools": d.tools, "output_schema": d.outputSchema})
	}
}
