package projection

import (
	"fmt"
	"slices"
	"strings"

	"docket/engine/field"
	"docket/engine/label"
	"docket/engine/source"
)

// Compile reads the configuration under `projections`. The zero Value, and
// null, ask for all projections that apply. A mapping configures some of them
// by name and leaves the others on; false switches one off:
//
//	projections:
//	  label: {path: status}
//	  numbers:
//	    amount: {path: amount, within: 0.01}
//	    fee: {pattern: 'fee of (\S+)'}
//	  entities: {patterns: ['INC-\d+', 'order (\d+)']}
//	  length: {short: 50, medium: 200}
//	  language: false
//
// A list of names computes those and no others. The labels come from Labels;
// nil, or a Finder that measures nothing, leaves the label out. The set is
// usable even where there are problems.
func Compile(config source.Value, labels *label.Finder) (*Set, source.Problems) {
	rows := table()
	settings, problems := choose(config, rows)
	set := &Set{}
	for _, row := range rows {
		setting, on := settings[row.name]
		if !on {
			continue
		}
		c, found := row.compile(setting, labels)
		problems = append(problems, found...)
		if c.projection == nil {
			continue
		}
		c.version = row.version
		set.members = append(set.members, c)
	}
	problems.Sort()
	return set, problems
}

// Default returns the set of all projections as they are without any
// configuration, for comparing files that belong to no suite.
func Default() *Set {
	set, _ := Compile(source.Value{}, nil)
	return set
}

// Labels returns the Finder for a suite's labels and for the path that the
// configuration under `projections` gives the label. Problems with the labels
// themselves are placed at the suite's own position.
func Labels(labels []string, config source.Value, at source.Position) (*label.Finder, source.Problems) {
	var problems source.Problems
	path := ""
	if isMap(config) {
		if setting := config.Get("label"); isMap(setting) {
			if v := setting.Get("path"); !v.IsZero() {
				text, ok := v.Text()
				if !ok {
					problems = append(problems, v.Problemf("label: path is a string such as status, found %s", v.Describe()))
				} else if _, err := field.Parse(text); err != nil {
					problems = append(problems, v.Problemf("label: %v", err))
				} else {
					path = text
				}
			}
		}
	}
	finder, err := label.New(labels, path)
	if err != nil {
		problems = append(problems, source.Problem{Position: at, Message: err.Error()})
		finder, _ = label.New(nil, path)
	}
	return finder, problems
}

// choose returns the settings of the projections that are on.
func choose(config source.Value, rows []entry) (map[string]source.Value, source.Problems) {
	names := make([]string, len(rows))
	on := make(map[string]source.Value, len(rows))
	for i, row := range rows {
		names[i] = row.name
		on[row.name] = source.Value{}
	}
	switch {
	case config.IsZero() || config.Kind() == source.Null:
		return on, nil
	case config.Kind() == source.List:
		return chooseListed(config, names)
	case config.Kind() != source.Map:
		return on, source.Problems{config.Problemf("projections is a mapping of names to settings, or a list of names, found %s", config.Describe())}
	}
	problems := source.Known(config, "projections", names...)
	for _, e := range config.Entries() {
		if _, known := on[e.Key]; !known {
			continue
		}
		switch e.Value.Kind() {
		case source.Map:
			on[e.Key] = e.Value
		case source.Null:
		case source.Bool:
			if yes, _ := e.Value.Bool(); !yes {
				delete(on, e.Key)
			}
		default:
			problems = append(problems, e.Value.Problemf("%s: settings are a mapping, or false to leave the projection out, found %s", e.Key, e.Value.Describe()))
		}
	}
	return on, problems
}

func chooseListed(config source.Value, names []string) (map[string]source.Value, source.Problems) {
	var problems source.Problems
	on := map[string]source.Value{}
	for _, item := range config.Items() {
		name, ok := item.Text()
		if !ok {
			problems = append(problems, item.Problemf("projections lists names of projections, found %s", item.Describe()))
			continue
		}
		if _, twice := on[name]; twice {
			problems = append(problems, item.Problemf("projection %q is listed twice", name))
			continue
		}
		if !slices.Contains(names, name) {
			message := fmt.Sprintf("there is no projection %q", name)
			if near := source.Nearest(name, names); near != "" {
				message += fmt.Sprintf(", did you mean %s?", near)
			} else {
				message += ": there are " + strings.Join(names, ", ")
			}
			problems = append(problems, item.Problemf("%s", message))
			continue
		}
		on[name] = source.Value{}
	}
	return on, problems
}

// isMap reports whether a value is there and is a mapping.
func isMap(v source.Value) bool { return !v.IsZero() && v.Kind() == source.Map }
