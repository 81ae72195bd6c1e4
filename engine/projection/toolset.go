package projection

import "slices"

// toolset is the names of the tools that were called, sorted, each once. Where
// a call did not parse and no other was made, it is null: the model called
// something, and nobody can say what. Where nobody recorded calls it does not
// apply.
type toolset struct{}

func (toolset) Name() string { return "toolset" }

func (toolset) Project(s *Subject) (any, bool) {
	calls := s.Output.ToolCalls
	if len(calls) == 0 && s.Output.ToolCallsError != "" {
		return nil, true
	}
	if calls == nil {
		return nil, false
	}
	names := make([]string, 0, len(calls))
	for _, c := range calls {
		names = append(names, string(appendName(nil, c.Name)))
	}
	slices.Sort(names)
	return list(slices.Compact(names)), true
}
