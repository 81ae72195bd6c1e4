//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/base64"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	_ "modernc.org/sqlite" // as the store has it
)

var (
	jsonEscape = regexp.MustCompile(`\\u00([0-9a-fA-F]{2})`)
	encoded    = regexp.MustCompile(`[A-Za-z0-9+/_-]{24,}`)
)

// lookFor fails for each canary that stands in the data, whole or cut in half,
// plainly or behind what JSON escapes, base64 or gzip.
func lookFor(t *testing.T, where string, data []byte) {
	t.Helper()
	forms := [][]byte{data}
	if plain := jsonEscape.ReplaceAllFunc(data, func(e []byte) []byte {
		n, _ := strconv.ParseUint(string(e[4:]), 16, 8)
		return []byte{byte(n)}
	}); !bytes.Equal(plain, data) {
		forms = append(forms, plain)
	}
	var decoded []byte
	for _, run := range encoded.FindAll(data, -1) {
		for offset := range 4 {
			part := run[offset:]
			part = part[:len(part)/4*4]
			for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				if plain, err := enc.DecodeString(string(part)); err == nil {
					decoded = append(append(decoded, plain...), '\n')
				}
			}
		}
	}
	forms = append(forms, decoded)
	for rest := data; ; {
		at := bytes.Index(rest, []byte("\x1f\x8b\x08"))
		if at < 0 {
			break
		}
		rest = rest[at:]
		if r, err := gzip.NewReader(bytes.NewReader(rest)); err == nil {
			plain, _ := io.ReadAll(r) // as far as it goes
			forms = append(forms, plain)
		}
		rest = rest[3:]
	}
canaries:
	for _, c := range canaries() {
		digits := core(c.place)
		for _, form := range forms {
			for _, part := range []string{digits[:12], digits[len(digits)-12:]} {
				if at := bytes.Index(form, []byte(part)); at >= 0 {
					t.Errorf("%s: the secret of %q: …%q…", where, c.place, form[max(0, at-60):min(len(form), at+40)])
					continue canaries
				}
			}
		}
	}
}

// lookInto looks into every cell of a database: a long one does not stand in one
// piece in the file.
func lookInto(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows := func(query string) [][]any {
		r, err := db.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		columns, err := r.Columns()
		if err != nil {
			t.Fatal(err)
		}
		var all [][]any
		for r.Next() {
			cells, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range cells {
				into[i] = &cells[i]
			}
			if err := r.Scan(into...); err != nil {
				t.Fatal(err)
			}
			all = append(all, cells)
		}
		return all
	}
	cells := 0
	for _, table := range rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
		for _, row := range rows(`SELECT * FROM "` + table[0].(string) + `"`) {
			for _, cell := range row {
				switch cell := cell.(type) {
				case string:
					lookFor(t, "table "+table[0].(string), []byte(cell))
				case []byte:
					lookFor(t, "table "+table[0].(string), cell)
				}
				cells++
			}
		}
	}
	if cells < 100 {
		t.Errorf("%s has %d cells: the canaries were hardly tried", path, cells)
	}
}

// everyFile returns all files below a folder, whatever they are called.
func everyFile(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	return files, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files[name], err = os.ReadFile(path)
		return err
	})
}
