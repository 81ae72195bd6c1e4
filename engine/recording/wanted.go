package recording

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"docket/engine/jsonl"
)

// maxMisses is how many misses a session keeps for docket rekey.
const maxMisses = 1000

// note keeps a miss that renaming a recording could mend: one with a neighbour
// of the same service, or in the same sample of the same case.
func (s *Store) note(m *Miss) {
	if m.Reason != NotRecorded || m.Nearest == nil || m.Nearest.key != placeOf(m.Key) {
		return
	}
	name := place(m.Key, m.asked.key(&m.rules))
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.missed) < maxMisses {
		s.missed[name] = m
	}
}

// placeOf is the key under which a request's recordings are kept.
func placeOf(key Key) Key {
	if key.Service != "" {
		return Key{Service: key.Service}
	}
	return key
}

// place names a request of a hash among the recordings of a suite.
func place(key Key, hash string) string {
	key = placeOf(key)
	return fmt.Sprintf("%s %s %q %d %s", key.Service, key.Provider, key.CaseID, key.Sample, hash)
}

// AppendMisses appends the requests of this session that found no recording,
// each with its nearest, as [PlanRekey] reads them: one line of JSON each,
// sorted. A neighbour that was itself used is somebody else's answer, and its
// miss is left out.
func (s *Store) AppendMisses(dst []byte) []byte {
	s.mu.Lock()
	missed := maps.Clone(s.missed)
	s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(missed)) {
		m := missed[name]
		if s.usage.has(m.Nearest.key, m.Nearest.hash) {
			continue
		}
		o := object{dst: append(dst, '{')}
		o.value("format", fileFormat)
		if m.Key.Service != "" {
			o.value("service", m.Key.Service)
		} else {
			o.value("provider", m.Key.Provider)
			o.value("case", m.Key.CaseID)
			o.value("sample", m.Key.Sample)
		}
		m.asked.appendTo(&o)
		o.value("nearest", m.Nearest.hash)
		dst = append(o.dst, '}', '\n')
	}
	return dst
}

// A wanted is a request that found no recording, and the hash of the one that
// came nearest.
type wanted struct {
	key     Key
	asked   *asked
	nearest string
}

// parseMisses reads what AppendMisses wrote.
func parseMisses(name string, data []byte) ([]wanted, error) {
	var list []wanted
	for line := 1; len(data) > 0; line++ {
		text, rest, whole := bytes.Cut(data, []byte{'\n'})
		data = rest
		w, err := parseMiss(text)
		if err == nil && !whole {
			err = &jsonl.Error{Message: "the file is cut off"}
		}
		if err != nil {
			return nil, fmt.Errorf("%w; remove the file, and run again to write it anew", jsonl.In(name, line, err))
		}
		list = append(list, w)
	}
	return list, nil
}

func parseMiss(text []byte) (wanted, error) {
	w := wanted{asked: &asked{headers: map[string]string{}}}
	in := jsonl.NewReader(text)
	err := in.Object(func(key string) (err error) {
		switch key {
		case "format":
			var n int
			if n, err = in.Int(1); err == nil && n > fileFormat {
				err = in.Wrong(in.Offset(), "is %d, and this docket reads %d", n, fileFormat)
			}
		case "service":
			w.key.Service, err = in.Text()
		case "provider":
			w.key.Provider, err = in.Text()
		case "case":
			w.key.CaseID, err = in.Text()
		case "sample":
			w.key.Sample, err = in.Int(1)
		case "request":
			err = in.Object(func(key string) error { return w.asked.member(in, key) })
		case "nearest":
			w.nearest, err = in.Text()
		default:
			err = in.Fail(in.Offset(), "unknown key %q", key)
		}
		return err
	})
	if err == nil {
		err = in.End()
	}
	if err == nil {
		err = checkKey(w.key)
	}
	w.asked.upstream = upstreamOf(w.key)
	return w, err
}
