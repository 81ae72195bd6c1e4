package draft

import (
	"slices"
	"strings"

	"docket/engine/legacy"
)

// tools says a claim about the calls that the model made. Path is "" for the
// list of names, a tool, or a tool and one of its arguments.
func tools(c *legacy.Claim) Check {
	tool, argument, _ := strings.Cut(c.Path, ".")
	switch {
	case tool == "":
		return called(c)
	case argument != "":
		return argued(c, tool, argument)
	}
	switch c.Op {
	case legacy.Called, legacy.Truthy, legacy.Contains, legacy.Equals:
		if len(c.Values) > 0 && c.Op != legacy.Called && !same(c.Values, tool) {
			return left("it compares a tool with a value that is not its name")
		}
		if c.Not {
			return toolCalls("forbidden", []any{tool})
		}
		return toolCalls("contains", []any{tool})
	case legacy.HasKey:
		keys, ok := texts(c.Values)
		if !ok || blank(keys) || c.Not || c.Any && len(keys) > 1 {
			return left("no check says this of the arguments of a tool")
		}
		return toolCalls("arguments", map[string]any{tool: list(keys)})
	}
	return left("no check says this of a tool")
}

// blank reports a name that is none.
func blank(names []string) bool {
	return slices.ContainsFunc(names, func(s string) bool { return strings.TrimSpace(s) == "" })
}

func same(values []any, name string) bool {
	for _, v := range values {
		if v != any(name) {
			return false
		}
	}
	return true
}

func toolCalls(key string, value any) Check {
	return expect("tool_calls", map[string]any{key: value})
}

// called says a claim about the names of all calls.
func called(c *legacy.Claim) Check {
	names, ok := texts(c.Values)
	ok = ok && !blank(names)
	switch {
	case c.Op == legacy.Truthy && c.Not, c.Op == legacy.Called && c.Not && len(c.Values) == 0:
		return toolCalls("sequence", []any{})
	case c.Op == legacy.Equals && !c.Not && !c.Any && len(c.Values) == 0 && c.Why == "":
		return toolCalls("sequence", []any{})
	case !ok:
		return left("no check says this of the tool calls")
	case c.Any && len(names) > 1:
		return left("one of several tools is enough, and no check says that")
	}
	switch c.Op {
	case legacy.Equals:
		if c.Not {
			return left("no check denies a sequence of tool calls")
		}
		return toolCalls("sequence", list(names))
	case legacy.Contains, legacy.Called:
		if c.Not {
			return toolCalls("forbidden", list(names))
		}
		return toolCalls("contains", list(names))
	}
	return left("no check says this of the tool calls")
}

// argued says a claim about the value of an argument.
func argued(c *legacy.Claim, tool, argument string) Check {
	value := func(v any) Check {
		return toolCalls("arguments", map[string]any{tool: map[string]any{argument: v}})
	}
	switch {
	case c.Not || c.IgnoreCase:
		return left("no check says this of an argument of a tool")
	case c.Op == legacy.Equals && len(c.Values) == 1 && !tolerance(c.Values[0]):
		return value(c.Values[0])
	case c.Op == legacy.Near && isRange(c.Values):
		return value(map[string]any{"near": c.Values[0], "within": c.Values[1]})
	case c.Op == legacy.Truthy:
		return toolCalls("arguments", map[string]any{tool: []any{argument}})
	}
	return left("no check says this of an argument of a tool")
}
