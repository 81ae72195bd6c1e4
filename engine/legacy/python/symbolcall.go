package python

import (
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/python/syntax"
)

// called follows a call of a symbol, or of its method where name is not "".
func (e *evaluator) called(s *symbol, name string, args []argument, x *syntax.Call) value {
	pos := positional(args)
	source := e.source(x)
	if c := e.doubleClaim(s, name, pos, x); c != nil {
		return c
	}
	switch s.role {
	case doubleRole:
		e.tell(args)
		return s.renamed(source)
	case snapshotRole:
		if of, ok := first(pos).(*symbol); ok && strings.HasPrefix(name, "assert") {
			e.assert(e.claim(of, legacy.Snapshot, x), x)
			return none{}
		}
		return s.renamed(source)
	case objectRole, runtimeRole:
		if name == "" && s.role == objectRole {
			return &symbol{role: resultRole, source: source, call: e.ask(args, x)}
		}
		return e.objectMethod(s, name, args, x)
	case promptRole, raisedRole, typeRole:
		if v, ok := e.textMethodOf(s, name, pos, x); ok {
			return v
		}
		return s.renamed(source)
	}
	if v, ok := e.textMethodOf(s, name, pos, x); ok {
		return v
	}
	switch name {
	case "json", "model_dump", "dict", "to_dict", "_asdict", "model_dump_json", "to_json":
		if s.role == answerRole || s.role == resultRole || s.role == responseRole && name == "json" {
			c := s.as(documentRole)
			c.source, c.path, c.measure = source, "", ""
			return c
		}
		return s.renamed(source)
	case "keys":
		c := s.as(documentRole)
		if s.role == responseRole {
			c = s.as(responseRole)
		}
		c.source, c.measure = source, "keys"
		return c
	case "get":
		if t, ok := first(pos).(text); ok {
			return s.member(string(t), source)
		}
	case "values", "items", "copy", "pop", "read", "result", "aread", "body":
		return s.renamed(source)
	case "issuperset":
		return e.ordered(s, ">=", orUnknown(first(pos), source), x)
	}
	if s.role == resultRole && name != "" {
		// An object of the program after all, such as a pipeline that a factory made.
		return e.objectMethod(s.as(objectRole), name, args, x)
	}
	return s.renamed(source)
}

// doubleClaim is an assertion that a mock makes on itself, or nil.
func (e *evaluator) doubleClaim(s *symbol, name string, pos []value, x *syntax.Call) value {
	if !strings.HasPrefix(name, "assert_") || s.role == snapshotRole {
		return nil
	}
	switch name {
	case "assert_called", "assert_called_once", "assert_called_with", "assert_called_once_with", "assert_any_call", "assert_has_calls",
		"assert_not_called", "assert_awaited", "assert_awaited_once", "assert_awaited_with", "assert_awaited_once_with", "assert_not_awaited":
		d := s.as(doubleRole)
		c := e.claim(d, legacy.Called, x)
		for _, v := range pos {
			if m, why := model(v); why == "" {
				c.claims[0].Values = append(c.claims[0].Values, m)
			}
		}
		if strings.Contains(name, "_not_") {
			c = e.not(c)
		}
		e.assert(c, x)
		return none{}
	}
	c := e.claim(s, legacy.Unknown, x)
	c.claims[0].Why = "what " + brief(name) + " asserts is not in the source"
	e.assert(c, x)
	return none{}
}

// textMethodOf follows a method that strings have.
func (e *evaluator) textMethodOf(s *symbol, name string, pos []value, x *syntax.Call) (value, bool) {
	c := s.renamed(e.source(x))
	isText := s.role == answerRole || s.role == resultRole
	switch name {
	case "lower", "casefold", "upper":
		c.fold = true
	case "strip", "lstrip", "rstrip", "replace", "encode", "decode", "removeprefix", "removesuffix", "title", "expandtabs", "translate", "partition", "rpartition", "zfill", "capitalize":
	case "splitlines":
		if isText {
			c.measure = "lines"
		}
	case "split", "rsplit":
		sep, given := first(pos).(text)
		switch {
		case !isText:
		case len(pos) == 0:
			c.measure = "words"
		case given && sep == "\n":
			c.measure = "lines"
		case given && sep == "\n\n":
			c.measure = "paragraphs"
		case given && sep == " ":
			c.measure = "words"
		case given && (sep == "." || sep == ". "):
			c.measure = "sentences"
		}
	case "count":
		if t, ok := first(pos).(text); ok && isText {
			c.measure, c.counted, c.path = "occurrences", true, string(t)
			return c, true
		}
		c.counted = true
	case "startswith", "endswith":
		op := legacy.StartsWith
		if name == "endswith" {
			op = legacy.EndsWith
		}
		values, several := pos, false
		if t, ok := first(pos).(*sequence); ok {
			values, several = t.items, len(t.items) > 1
		} else if len(values) > 1 {
			values = values[:1]
		}
		claim := e.claim(s, op, x, values...)
		claim.claims[0].Any = several
		return claim, true
	case "find", "index", "rfind":
		c.measure, c.counted = "position of "+brief(e.source(x)), true
	case "isdigit", "isnumeric", "isupper", "islower", "isalpha", "isalnum", "istitle", "isspace", "isascii":
		claim := e.claim(s, legacy.Unknown, x)
		claim.claims[0].Why = "docket has no claim for " + name
		return claim, true
	default:
		return nil, false
	}
	return c, true
}

// objectMethod follows a method of an object of the program.
func (e *evaluator) objectMethod(s *symbol, name string, args []argument, x *syntax.Call) value {
	source := e.source(x)
	lower := strings.ToLower(name)
	out := &symbol{source: source}
	switch {
	case s.role == runtimeRole, inspects(name), name == "with_options":
		return s.renamed(source)
	case strings.Contains(lower, "prompt"), strings.HasPrefix(lower, "render"):
		out.role = promptRole
		out.call = &call{text: source, inputs: e.inputs(args)}
		return out
	case vendorCall(source, lower):
		out.role = responseRole
	case quiet(lower):
		out.role = runtimeRole
		return out
	case makes(lower):
		out.role = objectRole
		return out
	case loads(lower):
		out.role = runtimeRole
		return out
	default:
		out.role = resultRole
	}
	out.call = e.ask(args, x)
	return out
}

// vendorCall tells the calls of the vendors' SDKs, and of HTTP clients, whose
// result is a response object and no text.
func vendorCall(source, method string) bool {
	// client.models.list(…): a resource of an SDK, where a program's own client has
	// its methods on itself.
	head, _, _ := strings.Cut(source, "(")
	if root, rest, _ := strings.Cut(strings.TrimPrefix(head, "self."), "."); strings.HasSuffix(root, "client") && strings.Contains(rest, ".") {
		return true
	}
	switch method {
	case "create", "acreate", "parse", "stream":
		for _, part := range []string{"completions.", "completion.", "messages.", "responses.", "Completion."} {
			if strings.Contains(source, part) {
				return true
			}
		}
	case "generate_content", "generate_content_async", "converse", "invoke_model", "post", "put", "patch", "acompletion":
		return true
	case "get", "request":
		return strings.Contains(source, "client") || strings.Contains(source, "http")
	}
	return false
}

// quiet tells a method that asks nothing.
func quiet(name string) bool {
	for _, p := range []string{"close", "aclose", "connect", "disconnect", "reset", "setup", "teardown", "configure", "register", "enable", "disable", "clear", "set", "add", "install", "start", "stop", "seed", "setenv", "delenv", "setattr"} {
		if name == p || strings.HasPrefix(name, p+"_") {
			return true
		}
	}
	return false
}
