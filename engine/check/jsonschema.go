package check

import (
	"context"
	"path"
	"strings"

	"docket/engine/canonical"
	"docket/engine/source"
)

// A jsonSchemaCheck passes when the text is JSON that satisfies a schema. The
// JSON may stand in a fenced code block.
type jsonSchemaCheck struct{ schema *schema }

func (j *jsonSchemaCheck) Name() string { return "json_schema" }

func (j *jsonSchemaCheck) Judge(_ context.Context, s *Subject) (Verdict, error) {
	doc, ok := s.json()
	if !ok {
		return failed("the text is not JSON"), nil
	}
	return schemaVerdict(j.schema.validate(doc)), nil
}

// json returns the JSON of the output: the document in its text, or the text as
// a lone value such as 42, which is JSON where a schema asks for it.
func (s *Subject) json() (any, bool) {
	if s.HasDocument {
		return s.Document, true
	}
	text := strings.TrimSpace(s.Output.Text)
	if text == "" || len(text) > 64 || text[0] == '{' || text[0] == '[' {
		return nil, false
	}
	doc, err := canonical.Parse([]byte(text))
	return doc, err == nil
}

func compileJSONSchema(c *compiler, v source.Value) []item {
	var doc any
	switch v.Kind() {
	case source.Map, source.Bool:
		doc = v.JSON()
	case source.String:
		var ok bool
		if doc, ok = c.schemaFile(v); !ok {
			return nil
		}
	default:
		c.problem(v, "json_schema: expected a schema, or the path of a file that holds one, got %s", v.Describe())
		return nil
	}
	compiled, err := c.env.Shared.schema(doc)
	if err != nil {
		c.problem(v, "json_schema: %v", err)
		return nil
	}
	return []item{{&jsonSchemaCheck{compiled}, doc}}
}

// schemaFile reads a schema from a file of JSON or YAML.
func (c *compiler) schemaFile(v source.Value) (any, bool) {
	name, ok := c.str(v, "the path of a schema file")
	if !ok {
		return nil, false
	}
	if c.env.ReadFile == nil {
		c.problem(v, "json_schema: no file can be read here; write the schema itself")
		return nil, false
	}
	data, err := c.env.ReadFile(name)
	if err != nil {
		c.problem(v, "json_schema: cannot read %s: %v", quote(name), err)
		return nil, false
	}
	switch path.Ext(name) {
	case ".yaml", ".yml":
		value, problems := source.Parse(name, data)
		c.add(problems...)
		return value.JSON(), len(problems) == 0
	}
	doc, err := canonical.Parse(data)
	if err != nil {
		c.problem(v, "json_schema: %s: %v", quote(name), err)
		return nil, false
	}
	return doc, true
}
