package decision

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"unicode/utf8"

	"docket/engine/canonical"
	"docket/engine/disk"
	"docket/engine/jsonl"
)

// A Kept is a file that a decision holds whole, so that it can be brought back
// without git.
type Kept struct {
	Path string // relative to the folder of .docket.yaml, with slashes
	Data []byte // byte for byte
	// Mode is the permissions that the file had; 0 for those that a new file
	// gets, in records of before they were kept.
	Mode fs.FileMode
}

// newFile are the permissions of a file of a suite, unless it had others.
const newFile fs.FileMode = 0o644

// KeepFile returns what a decision holds of a file with that content, so that it
// comes back as it is.
func KeepFile(fsys disk.FS, root, path string, data []byte) (Kept, error) {
	info, err := fsys.Lstat(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		return Kept{}, err
	}
	k := Kept{Path: path, Data: data}
	if mode := info.Mode().Perm(); mode != newFile {
		k.Mode = mode
	}
	return k, nil
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
	if k.Mode != 0 {
		dst = fmt.Appendf(dst, `,"mode":"%04o"`, k.Mode)
	}
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
		case "mode":
			text, err := r.Text()
			if err != nil {
				return err
			}
			// As chmod takes it; what lets a file run as somebody else is not kept.
			mode, err := strconv.ParseUint(text, 8, 9)
			if err != nil || mode&0o400 == 0 {
				return r.Wrong(at, "must be permissions under which the owner reads the file, such as \"0600\"")
			}
			k.Mode = fs.FileMode(mode)
			return nil
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
