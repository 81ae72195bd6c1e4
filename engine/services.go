package engine

import (
	"slices"
	"strconv"
	"strings"

	"docket/engine/recording"
	"docket/engine/source"
)

// A service is something that systems fetch from besides their models, as the
// configuration declares it.
type service struct {
	url     string
	rules   recording.Rules
	expires int // days after which a recording is stale; 0 for never
}

// services compiles all services of the configuration.
func (p *Project) services() (map[string]service, source.Problems) {
	var problems source.Problems
	all := map[string]service{}
	for _, named := range p.Config.Services {
		v := named.Value
		if v.Kind() != source.Map {
			problems = append(problems, named.At.Problemf("service %q: expected a mapping such as {url: 'https://search.example'}, got %s", named.Name, v.Describe()))
			continue
		}
		problems = append(problems, source.Known(v, "a service", slices.Concat([]string{"url", "expires"}, recording.RuleKeys())...)...)
		var s service
		var more source.Problems
		s.rules, more = recording.CompileRules(v)
		problems = append(problems, more...)
		url := v.Get("url")
		text, _ := url.Text()
		switch {
		case url.IsZero():
			problems = append(problems, named.At.Problemf("service %q has no url, the address that systems would call", named.Name))
		case !strings.HasPrefix(text, "http://") && !strings.HasPrefix(text, "https://"):
			problems = append(problems, url.Problemf("url must be an address such as https://search.example, got %s", url.Describe()))
		}
		s.url = text
		if expires := v.Get("expires"); !expires.IsZero() {
			days, ok := readDays(expires.Scalar())
			if !ok {
				problems = append(problems, expires.Problemf("expires must be a number of days such as 90d, or never, got %s", expires.Describe()))
			}
			s.expires = days
		}
		all[named.Name] = s
	}
	return all, problems
}

// readDays reads "90d", or "never" as 0.
func readDays(text string) (days int, ok bool) {
	if text == "never" {
		return 0, true
	}
	number, ok := strings.CutSuffix(text, "d")
	if !ok {
		return 0, false
	}
	days, err := strconv.Atoi(number)
	return days, err == nil && days > 0
}

// serviceNames names the services of the configuration, in its order.
func (p *Project) serviceNames() []string {
	names := make([]string, len(p.Config.Services))
	for i, s := range p.Config.Services {
		names[i] = s.Name
	}
	return names
}
