package system

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"docket/engine/canonical"
	"docket/engine/source"
)

// maxDeclaredFile bounds, in bytes, a prompt or a schema that a declaration
// names.
const maxDeclaredFile = 16 << 20

// commonKeys are the keys that a declaration of every kind may have: its kind,
// and what identifies who answers. A program or a file of outputs has a model
// and a prompt behind it, too, and the baseline asks for them.
func commonKeys() []string {
	return []string{"kind", "environment", "model", "params", "sdk", "prompt", "tools", "output_schema"}
}

func (d *Declared) compileCommon(v source.Value, env Env) source.Problems {
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
	return problems
}

// A text is a file that a declaration names, with what it holds.
type text struct {
	path, data string
	at         source.Value // where it is named; absent where it is not
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

// readDeclared reads the file that the value of a key names.
func readDeclared(v source.Value, key string, root *os.Root) ([]byte, *source.Problem) {
	path, ok := v.Text()
	if !ok || path == "" {
		p := v.Problemf("%s must name a file, got %s", key, v.Describe())
		return nil, &p
	}
	data, err := readInside(root, path)
	if err != nil {
		p := v.Problemf("%s: %v", key, err)
		return nil, &p
	}
	return data, nil
}

// readInside reads a file that must lie inside root.
func readInside(root *os.Root, path string) ([]byte, error) {
	file, err := openInside(root, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxDeclaredFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the file %q cannot be read: %w", path, reason(err))
	case len(data) > maxDeclaredFile:
		return nil, fmt.Errorf("the file %q is larger than %d MB", path, maxDeclaredFile>>20)
	}
	return data, nil
}

// openInside opens a regular file that must lie inside root.
func openInside(root *os.Root, path string) (*os.File, error) {
	local := filepath.FromSlash(path)
	if root == nil || !filepath.IsLocal(local) {
		return nil, fmt.Errorf("the file %q lies outside the folder of .docket.yaml; files named there stay inside it", path)
	}
	// A pipe would never open, and a device never end.
	info, err := root.Stat(local)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the file %q does not exist", path)
	case err != nil:
		return nil, fmt.Errorf("the file %q cannot be opened: %w", path, reason(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%q is not a regular file", path)
	}
	file, err := root.Open(local)
	if err != nil {
		return nil, fmt.Errorf("the file %q cannot be opened: %w", path, reason(err))
	}
	return file, nil
}

// reason strips the name of the system call and the path from an error that
// is quoted beside the path.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
