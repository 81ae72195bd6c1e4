package engine

import (
	"net/url"
	"os"
	"slices"

	"docket/engine/canonical"
	"docket/engine/run"
	"docket/engine/secret"
)

// secrets returns what must never be written: the secrets of the environment, and
// those that stand in the configuration, where a variable of a program or a
// parameter of an address has the name of one. A short value there is rather a
// word of the suite's own, such as SORT_KEY: customer_id, and stays.
func (p *Project) secrets() []string {
	const short = 16 // bytes
	environ := os.Environ()
	add := func(name, value string) {
		if len(value) >= short {
			environ = append(environ, name+"="+value)
		}
	}
	for _, named := range slices.Concat(p.Config.Systems, p.Config.Judges, p.Config.Services) {
		for _, v := range named.Value.Get("env").Entries() {
			add(v.Key, v.Value.Scalar())
		}
		address, err := url.Parse(named.Value.Get("url").Scalar())
		if err != nil {
			continue
		}
		for name, values := range address.Query() {
			for _, value := range values {
				if secret.Parameter(name) {
					add("KEY", value)
				}
			}
		}
	}
	return secret.Environment(environ)
}

// A scrubber takes secrets out of what a run keeps before it is judged, shown or
// stored: a vendor that repeats the key it refuses, and a program that prints its
// environment, must not put one into the results.
//
// What is measured loses the secrets of the environment alone, since a look is no
// proof and docket does not change an answer on a guess. Why something failed,
// the raw answer and the messages of checks are compared by nothing, and lose
// whatever is named or looks like a secret, too.
type scrubber struct{ *secret.Redactor }

func (p *Project) scrubber() scrubber { return scrubber{secret.New(p.secrets())} }

// Sample implements run.Scrubber.
func (c scrubber) Sample(s *run.Sample) {
	s.Error = c.Text(s.Error)
	o := &s.Output
	o.Text, o.ToolCallsError = c.Known(o.Text), c.Known(o.ToolCallsError)
	o.Model, o.StopReason = c.Known(o.Model), c.Known(o.StopReason)
	o.Raw = c.raw(o.Raw)
	o.ToolCalls = slices.Clone(o.ToolCalls) // a canned one is everybody's
	for i := range o.ToolCalls {
		call := &o.ToolCalls[i]
		call.Name = c.Known(call.Name)
		if clean := c.Known(string(call.Arguments)); clean != string(call.Arguments) {
			call.Arguments = []byte(clean)
		}
	}
	s.Given = slices.Clone(s.Given)
	for i := range s.Given {
		s.Given[i].Message = c.Text(s.Given[i].Message)
	}
}

// Judged implements run.Scrubber.
func (c scrubber) Judged(s *run.Sample) {
	s.Checks = slices.Clone(s.Checks)
	for i := range s.Checks {
		s.Checks[i].Message, s.Checks[i].Unscored = c.Text(s.Checks[i].Message), c.Text(s.Checks[i].Unscored)
	}
}

// raw is a raw answer without secrets, and the same bytes where there were none.
func (c scrubber) raw(raw []byte) []byte {
	clean := c.Text(string(raw))
	if clean == string(raw) {
		return raw
	}
	if v, err := canonical.Parse(raw); err == nil {
		return canonical.Marshal(c.Value(v))
	}
	return canonical.Marshal(clean)
}
