package projection

import (
	"docket/engine/label"
	"docket/engine/source"
)

// An entry is a row of the table: a projection, the version of what it
// measures, and how it is compiled from its setting.
type entry struct {
	name    string
	version int
	// compile reads the setting (the zero Value where there is none) and
	// returns a nil projection where there is nothing to measure.
	compile func(setting source.Value, labels *label.Finder) (compiled, source.Problems)
}

// compiled is a projection with how its values are folded and compared.
type compiled struct {
	version    int
	projection Projection
	rule       rule
	settings   any
}

// table lists all projections. A new one is a file and a row here. Its version
// counts up whenever the same output would be measured otherwise than before.
func table() []entry {
	return []entry{
		{"shape", 1, plain(shape{}, members{})},
		{"label", 1, compileLabel},
		{"tools", 1, plain(tools{}, whole{})},
		{"toolset", 1, plain(toolset{}, members{})},
		{"entities", 1, compileEntities},
		{"numbers", 1, compileNumbers},
		{"length", 1, compileLength},
		{"language", 1, plain(language{}, whole{indifferent: unknownLanguage})},
		{"refusal", 1, plain(refusal{}, whole{})},
	}
}

// Names returns the names of all projections there are, in the order of the
// table, for the schema of the configuration and the documentation.
func Names() []string {
	rows := table()
	names := make([]string, len(rows))
	for i, row := range rows {
		names[i] = row.name
	}
	return names
}

// plain compiles a projection that has no settings.
func plain(p Projection, r rule) func(source.Value, *label.Finder) (compiled, source.Problems) {
	return func(setting source.Value, _ *label.Finder) (compiled, source.Problems) {
		var problems source.Problems
		if isMap(setting) {
			for _, e := range setting.Entries() {
				problems = append(problems, source.Problem{Position: e.KeyAt, Message: p.Name() + " has no settings: write true, or false to leave it out"})
			}
		}
		return compiled{projection: p, rule: r, settings: map[string]any{}}, problems
	}
}
