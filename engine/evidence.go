package engine

import (
	"crypto/sha256"
	"encoding/hex"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/interchange"
	"docket/engine/system"
)

// evidence is a hash over all that a run of answers which exist already
// depends on: the cases, what judges them, the outputs. It is "" for a system
// whose answers cannot be known beforehand, and where a check runs a program.
func (s *Suite) evidence(sys system.System) string {
	if s.commands || s.asksJudge() {
		return ""
	}
	sum := sha256.New()
	var line []byte // one value as canonical JSON, which holds no line end
	add := func(v any) {
		line = append(canonical.Append(line[:0], v), '\n')
		sum.Write(line)
	}
	// The declaration counts too: a run holds the model and the parameters
	// that its system declared.
	header := s.header()
	sum.Write(append(baseline.AppendHeader(nil, &header), '\n'))
	add(s.System.Tools())
	add(s.System.OutputSchema())
	outputs, stored := sys.(*system.Outputs)
	switch {
	case stored:
		add(outputs.File().Hash)
		if read := outputs.File().Options; read != (interchange.Options{}) {
			add(read.ID)
			add(read.Variant)
		}
	case s.System.Kind != "canned":
		return ""
	}
	for i := range s.planned {
		c := s.planned[i].Case
		add(c.ID)
		add(c.InputHash)
		add(c.ExpectHash)
		for _, asked := range s.planned[i].Checks { // a schema may stand in a file
			add(asked.Check.Name())
			add(asked.Params)
		}
		add(c.Version)
		if !stored {
			add(c.Mock.JSON())
		}
		if !c.MockVerdicts.IsZero() {
			add(c.MockVerdicts.JSON())
		}
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}
