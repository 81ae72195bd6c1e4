package system

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/provider"
	"docket/engine/source"
	"docket/engine/wire"
)

// A Declared is a system as the configuration declares it, before it is
// opened.
type Declared struct {
	Name        string
	Kind        string // a name of the table
	Environment string // "" when not said
	Model       string // asked for; "" when not said
	// Mode is who answers for the models, "mock" or "live"; "" where that is
	// for the command line to say.
	Mode string
	At   source.Position
	// Needs is what the system reaches by way of a door.
	Needs Needs

	params       any
	sdk          string
	prompt       string // hash
	promptText   text
	systemText   text
	tools        any // JSON model
	outputSchema any // JSON model
	opener       opener
}

// An opener is the part of a declaration that its kind alone knows.
type opener interface {
	open(ctx context.Context, name string, s Surroundings) (System, error)
}

// An Env is what compiling a declaration may look at.
type Env struct {
	// Root is the folder of .docket.yaml. The files that a declaration names
	// (prompt, tools, output_schema) are read through it and cannot lie
	// elsewhere.
	Root *os.Root
	// Services are the names of the services that the configuration declares.
	Services []string

	// What stands in a declaration that does not say it: parameters by name, the
	// schema of the output, and a text before every prompt. They are part of what
	// the declaration is hashed by.
	Params       map[string]any
	OutputSchema any
	Preface      string
}

// Surroundings are what a system lives in while a suite runs.
type Surroundings struct {
	Dir  string   // the folder of .docket.yaml, where programs run
	Root *os.Root // the same folder, for files
	// Mock returns what a case wrote under `mock`; the zero value for a case
	// without, or for no case at all.
	Mock func(id string) source.Value
	// Door is where the system reaches models and services. It may be nil for a
	// system that needs neither.
	Door *provider.Door
}

// Needs are what a system reaches by way of a door.
type Needs struct {
	// Providers are those that the system is given, sorted. BaseURL is where the
	// provider of a system with only one is, where the declaration says so.
	Providers []string
	BaseURL   string
	Services  []string // sorted
	// Remote is the address of a system that is itself reached over HTTP.
	Remote  string
	Prices  provider.Prices
	Timeout time.Duration // of one live call; 0 where the declaration does not say
}

// Door reports whether there is anything to reach.
func (n Needs) Door() bool { return len(n.Providers)+len(n.Services) > 0 || n.Remote != "" }

// A kind is one adapter: how a declaration of it is read.
type kind struct {
	name    string
	keys    []string // that it has besides the common ones
	compile func(d *Declared, v source.Value, env Env) (opener, source.Problems)
}

// kinds is the table of adapters, sorted by name.
func kinds() []kind {
	return []kind{
		{name: "anthropic", keys: askingKeys(), compile: compileAsking(wire.Messages())},
		{name: "canned", compile: compileCanned},
		{name: "exec", keys: []string{"command", "timeout", "env", "protocol", "price"}, compile: compileExec},
		{name: "http", keys: []string{"url", "timeout"}, compile: compileRemote},
		{name: "openai", keys: askingKeys(), compile: compileAsking(wire.Chat())},
		{name: "outputs", keys: []string{"file", "mode", "id", "variant"}, compile: compileOutputs},
	}
}

// Kinds names the kinds of systems there are, sorted.
func Kinds() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Keys returns the keys that a system of a kind may have; nil for a kind that
// there is not.
func Keys(kind string) []string {
	for _, k := range kinds() {
		if k.name == kind {
			return slices.Concat(identityKeys(), k.keys)
		}
	}
	return nil
}

// Compile reads one entry of `systems:`. Where there are problems, the Declared
// is nil.
func Compile(name string, v source.Value, env Env) (*Declared, source.Problems) {
	if v.Kind() != source.Map {
		return nil, source.Problems{v.Problemf("system %q: expected a mapping with a kind (%s), got %s", name, strings.Join(Kinds(), ", "), v.Describe())}
	}
	k, problems := kindOf(name, v)
	if problems != nil {
		return nil, problems
	}
	problems = source.Known(v, "a system of kind "+k.name, Keys(k.name)...)
	d := &Declared{Name: name, Kind: k.name, At: v.At()}
	problems = append(problems, d.compileIdentity(v, env)...)
	opener, wrong := k.compile(d, v, env)
	if problems = append(problems, wrong...); len(problems) > 0 {
		return nil, problems
	}
	d.opener = opener
	return d, nil
}

func kindOf(name string, v source.Value) (kind, source.Problems) {
	written := v.Get("kind")
	if written.IsZero() {
		return kind{}, source.Problems{v.Problemf("system %q has no kind; expected one of %s", name, strings.Join(Kinds(), ", "))}
	}
	text, ok := written.Text()
	if !ok {
		return kind{}, source.Problems{written.Problemf("kind must be a name (%s), got %s", strings.Join(Kinds(), ", "), written.Describe())}
	}
	for _, k := range kinds() {
		if k.name == text {
			return k, nil
		}
	}
	return kind{}, source.Problems{written.Problemf("there is no system of kind %q; %s", text, source.Suggest(text, Kinds()))}
}

// Open makes the system ready to answer. A System that is an io.Closer must be
// closed.
func (d *Declared) Open(ctx context.Context, s Surroundings) (System, error) {
	return d.opener.open(ctx, d.Name, s)
}

// Tools returns the tools that the system declares, in the JSON model and in
// the form in which they were written; nil for none.
func (d *Declared) Tools() any { return d.tools }

// OutputSchema returns the JSON Schema that the system declares for its
// outputs, in the JSON model; nil for none.
func (d *Declared) OutputSchema() any { return d.outputSchema }

// Identity returns what the declaration says of who answers, in the fields of
// a baseline's header: System, Model, Params, SDK, Environment, Prompt, Tools,
// and Mode where the declaration fixes it. The other fields are empty.
func (d *Declared) Identity() baseline.Header {
	return baseline.Header{
		System: d.Name, Mode: d.Mode, Model: d.Model, Params: d.params, SDK: d.sdk,
		Environment: d.Environment, Prompt: d.prompt, Tools: d.toolsHash(),
	}
}
