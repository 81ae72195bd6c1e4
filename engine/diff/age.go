package diff

import (
	"bytes"
	"time"

	"docket/engine/baseline"
)

// Expired reports whether a baseline is past the day on which it expires, with
// that day and the one on which its oldest line was captured; each is "" where
// it is not known. The day is that of the header, and as much later as the
// oldest line is younger than the header. A baseline that names none does not
// expire.
func Expired(f *baseline.File, today time.Time) (oldestLine, expires string, past bool) {
	oldestLine = oldest(f)
	expires = postponed(f.Header, oldestLine)
	return oldestLine, expires, expired(expires, today)
}

// oldest returns the day on which the oldest line of a baseline was captured:
// that of the header, for a line that names none. It is "" where that is not
// known.
func oldest(f *baseline.File) string {
	first := ""
	for i := range f.Lines {
		day := captured(f.Lines[i].Bytes)
		if day == "" {
			day = f.Header.Captured
		}
		if day == "" {
			return ""
		}
		if first == "" || day < first {
			first = day
		}
	}
	if first == "" {
		return f.Header.Captured
	}
	return first
}

// captured returns the day that a line names, "" for none. Few do, so that the
// line is not parsed for it: behind its key stand numbers and plain strings.
func captured(line []byte) string {
	const key = `,"captured":"`
	if !bytes.Contains(line[max(0, len(line)-200):], []byte(key)) {
		return ""
	}
	rest := line[len(baseline.Key(line)):]
	at := bytes.Index(rest, []byte(key))
	if at < 0 {
		return ""
	}
	day := rest[at+len(key):]
	if end := bytes.IndexByte(day, '"'); end >= 0 {
		return string(day[:end])
	}
	return ""
}

// postponed returns the day on which a baseline expires: that of the header,
// and as much later as its oldest line is younger than the header. Accepting
// one case refreshes nothing; having captured every line anew does.
func postponed(h baseline.Header, oldest string) string {
	expires, err := time.Parse(time.DateOnly, h.Expires)
	if err != nil {
		return h.Expires
	}
	from, errFrom := time.Parse(time.DateOnly, h.Captured)
	line, errLine := time.Parse(time.DateOnly, oldest)
	if errFrom != nil || errLine != nil || !line.After(from) {
		return h.Expires
	}
	return expires.Add(line.Sub(from)).Format(time.DateOnly)
}
