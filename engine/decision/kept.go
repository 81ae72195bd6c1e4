package decision

import (
	"encoding/base64"
	"unicode/utf8"

	"docket/engine/canonical"
	"docket/engine/jsonl"
)

// A Kept is a file that a decision holds whole, so that it can be brought back
// without git.
type Kept struct {
	Path string // relative to the folder of .docket.yaml, with slashes
	Data []byte // byte for byte
}

// appendKept appends the files of a retired case, and where it was merged.
func appendKept(dst []byte, d *Decision) []byte {
	if d.CaseFile != nil {
		dst = d.CaseFile.append(append(dst, `,"file":`...))
	}
	if len(d.Fixtures) > 0 {
		dst = append(dst, `,"fixtures":[`...)
		for i := range d.Fixtures {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = d.Fixtures[i].append(dst)
		}
		dst = append(dst, ']')
	}
	if d.Into != "" {
		dst = appendText(dst, "into", d.Into)
	}
	return dst
}

// append writes text as text, so that a retirement can be read where it is
// reviewed, and what is no UTF-8 in base64.
func (k *Kept) append(dst []byte) []byte {
	dst = canonical.AppendString(append(dst, `{"path":`...), k.Path)
	if utf8.Valid(k.Data) {
		dst = appendText(dst, "text", string(k.Data))
	} else {
		dst = append(dst, `,"base64":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, k.Data)
		dst = append(dst, '"')
	}
	return append(dst, '}')
}

func readKept(r *jsonl.Reader) (Kept, error) {
	var k Kept
	start := r.Offset()
	err := r.Object(func(key string) error {
		at := r.Offset()
		switch key {
		case "path":
			text, err := r.Text()
			k.Path = text
			return err
		case "text":
			text, err := r.Text()
			k.Data = []byte(text)
			return err
		case "base64":
			text, err := r.Text()
			if err != nil {
				return err
			}
			if k.Data, err = base64.StdEncoding.Strict().DecodeString(text); err != nil {
				return r.Wrong(at, "must be base64: %v", err)
			}
			return nil
		}
		_, err := r.Raw()
		return err
	})
	if err == nil && k.Path == "" {
		err = r.Wrong(start, `a file that is kept needs its "path"`)
	}
	return k, err
}
