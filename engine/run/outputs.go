package run

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"docket/engine/canonical"
)

// OutputsHash returns the hash that finds the outputs of a case in the results
// store: "sha256:" and 64 hex digits over the number, the text and the tool
// calls of each sample that succeeded, in the order given. What answering took
// (time, tokens, cost), the model and the raw output are left out, so that the
// same answers have the same hash whenever they were given.
func OutputsHash(samples []Sample) string {
	sum := sha256.New()
	var scratch []byte
	// Every field has its length before it: no two lists of fields run into
	// the same bytes.
	field := func(b []byte) {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(b)))
		sum.Write(size[:])
		sum.Write(b)
	}
	count := func(n int) {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(n))
		sum.Write(size[:])
	}
	for i := range samples {
		s := &samples[i]
		if s.Error != "" {
			continue
		}
		count(s.Number)
		field([]byte(s.Output.Text))
		if s.Output.ToolCalls == nil {
			count(-1) // unknown is not none
		} else {
			count(len(s.Output.ToolCalls))
		}
		for _, c := range s.Output.ToolCalls {
			field([]byte(c.Name))
			// The store may space arguments in another way than the system did.
			scratch = append(scratch[:0], c.Arguments...)
			if v, err := canonical.Parse(c.Arguments); err == nil {
				scratch = canonical.Append(scratch[:0], v)
			}
			field(scratch)
		}
		field([]byte(s.Output.ToolCallsError))
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}
