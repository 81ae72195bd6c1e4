package engine

import "docket/engine/system"

// Unknown returns the ids that the outputs of the suite's system have and the
// suite lacks, where Latest has read such outputs.
func (s *Suite) Unknown() []string { return s.unknown }

// unknownIn returns the ids that a system of stored outputs has and the suite
// lacks; none for a system that is asked.
func (s *Suite) unknownIn(sys system.System) []string {
	stored, ok := sys.(interface{ Unknown(ids []string) []string })
	if !ok {
		return nil
	}
	ids := make([]string, len(s.planned))
	for i, p := range s.planned {
		ids[i] = p.Case.ID
	}
	return stored.Unknown(ids)
}
