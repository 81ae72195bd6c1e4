package main

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/results"
)

// fileKinds are the files that docket reads, each with a place in the suite of
// badSuite, and how a file of a newer format looks.
var fileKinds = []struct {
	name, path string
	newer      func(t *testing.T, path string) // nil: the kind has no format
	// whole is set where any bytes are a file of the kind, so that only some
	// damage can be told.
	readsEmpty, readsCut, readsCRLF, readsBOM, readsMarkers, readsHuge bool
	lintReads                                                          bool // docket lint looks at it
}{
	{name: "configuration", path: ".docket.yaml", newer: replacing("version: 1", "version: 2"), readsCRLF: true, readsBOM: true, lintReads: true},
	{name: "case", path: "cases/mail/inv-1.yaml", readsCRLF: true, readsBOM: true, lintReads: true},
	{name: "outputs", path: "outputs/new.jsonl", readsCRLF: true, readsBOM: true},
	{name: "baseline", path: "baselines/mail/live.jsonl", newer: replacing(`"format":1`, `"format":2`), lintReads: true},
	{name: "decisions", path: "baselines/mail/decisions/*.jsonl", newer: replacing(`"format":1`, `"format":2`), lintReads: true},
	// A last record that was cut short is passed over and told; see
	// TestJournalCutShort.
	{name: "journal", path: ".docket/journal/mail/live.jsonl", newer: replacing(`"format":1`, `"format":2`), readsEmpty: true, readsCut: true, readsCRLF: true},
	// SQLite takes an empty file for a new database, and passes over what
	// stands behind its pages.
	{name: "results store", path: ".docket/results.db", newer: newerStore, readsEmpty: true, readsHuge: true},
	{name: "output schema", path: "schemas/out.json", readsCRLF: true, lintReads: true},
	{name: "tools", path: "schemas/tools.json", readsCRLF: true, lintReads: true},
	{name: "schema of a check", path: "cases/mail/schemas/check.json", readsCRLF: true, lintReads: true},
	{name: "input file", path: "cases/mail/fixtures/body.txt", readsEmpty: true, readsCut: true, readsCRLF: true, readsBOM: true, readsMarkers: true, lintReads: true},
}

func replacing(old, new string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		text := read(t, path)
		if !strings.Contains(text, old) {
			t.Fatalf("%s does not hold %q", path, old)
		}
		write(t, path, strings.Replace(text, old, new, 1))
	}
}

func newerStore(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
}

// badSuite makes a suite in the working directory that has a file of each
// kind, with decisions written and one that is not written yet.
func badSuite(t *testing.T) {
	t.Helper()
	inSuite(t)
	replacing("new: {", "new: {tools: schemas/tools.json, output_schema: schemas/out.json, ")(t, ".docket.yaml")
	replacing("  mail:", "  body_file: fixtures/body.txt\n  mail:")(t, "cases/mail/inv-1.yaml")
	replacing("expect:\n", "expect:\n  json_schema: schemas/check.json\n")(t, "cases/mail/inv-1.yaml")
	write(t, "schemas/out.json", "{\n  \"type\": [\"object\", \"string\"]\n}\n")
	write(t, "schemas/tools.json", "[\n  {\"name\": \"look\", \"input_schema\": {\"type\": \"object\"}}\n]\n")
	write(t, "cases/mail/schemas/check.json", "{\n  \"type\": \"object\"\n}\n")
	write(t, "cases/mail/fixtures/body.txt", "Dear all,\nplease pay.\n")
	must(t, codeOK, "calibrate", "--system", "old")
	must(t, codeOK, "accept", "inv-1", "--reason", "ok")
	must(t, codeOK, "write")
	must(t, codeOK, "accept", "inv-4", "--reason", "ok")
	// Rolls the store's log into its file, so that damage to the file counts.
	store, err := results.Open(context.Background(), ".docket/results.db")
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestBadInput damages each file in each way and expects of every command that
// needs the file: one sentence that names it, exit 2, nothing written. Where a
// damage cannot be one (a byte-order mark before YAML, say) the command does
// what it does with the sound file.
func TestBadInput(t *testing.T) {
	badSuite(t)
	sound := map[string]int{}
	commands := [][]string{{"diff"}, {"run"}, {"accept", "inv-3", "--reason", "ok"}, {"write", "--dry-run"}, {"lint"}}
	for _, args := range commands {
		sound[args[0]] = invoke(nil, args...).code
	}
	for _, kind := range fileKinds {
		path := kind.path
		if found, err := filepath.Glob(path); err != nil || len(found) != 1 {
			t.Fatalf("%s: %v %v", path, found, err)
		} else {
			path = found[0]
		}
		orig := []byte(read(t, path))
		harms := []struct {
			name  string
			do    func()
			reads bool
		}{
			{"empty", func() { os.WriteFile(path, nil, 0o644) }, kind.readsEmpty},
			{"truncated", func() { os.WriteFile(path, orig[:len(orig)*2/3], 0o644) }, kind.readsCut},
			{"binary", func() { os.WriteFile(path, []byte("\x7fELF\x02\x01\x01\x00\x00\xff\xfe\n\x00"), 0o644) }, false},
			{"huge", func() { os.Truncate(path, 5<<30) }, kind.readsHuge},
			{"newer", func() { kind.newer(t, path) }, false},
			{"Windows line ends", func() { os.WriteFile(path, bytes.ReplaceAll(orig, []byte("\n"), []byte("\r\n")), 0o644) }, kind.readsCRLF},
			{"byte-order mark", func() { os.WriteFile(path, append([]byte("\xef\xbb\xbf"), orig...), 0o644) }, kind.readsBOM},
			{"UTF-16", func() { os.WriteFile(path, utf16(orig), 0o644) }, false},
			{"conflict markers", func() { os.WriteFile(path, conflicted(orig), 0o644) }, kind.readsMarkers},
		}
		for _, harm := range harms {
			if harm.name == "newer" && kind.newer == nil {
				continue
			}
			t.Run(kind.name+"/"+harm.name, func(t *testing.T) {
				// The journal and the store are written by sound commands.
				state := snapshot(t, ".docket")
				defer restoreFiles(t, state)
				defer func() {
					if err := os.WriteFile(path, orig, 0o644); err != nil {
						t.Fatal(err)
					}
				}()
				harm.do()
				before, err := tree(".")
				if err != nil {
					t.Fatal(err)
				}
				for _, args := range commands {
					s := invoke(nil, args...)
					command := strings.Join(args, " ")
					after, err := tree(".")
					if err != nil {
						t.Fatal(err)
					}
					if d := difference(before, after); d != "" {
						t.Errorf("%s: %s", command, d)
					}
					switch {
					case args[0] == "lint" && !kind.lintReads, harm.reads:
						if kind.name == "input file" || kind.name == "journal" && args[0] == "write" {
							continue // another input is another case, and not damage
						}
						if s.code != sound[args[0]] {
							t.Errorf("%s: exit code %d, want that of the sound file, %d\n%s%s", command, s.code, sound[args[0]], s.out, s.err)
						}
					case args[0] == "lint":
						if s.code != codeWrong && s.code != codeChange || !strings.Contains(s.out+s.err, filepath.Base(path)) {
							t.Errorf("%s: exit code %d\n%s%s", command, s.code, s.out, s.err)
						}
					default:
						if s.code != codeWrong || !sentences(s.err) || s.out != "" {
							t.Errorf("%s: exit code %d, want %d with a sentence\n%s%s", command, s.code, codeWrong, s.out, s.err)
						}
						if !strings.Contains(s.err, filepath.Base(path)) {
							t.Errorf("%s: the sentence does not name %s\n%s", command, path, s.err)
						}
						if dir, _ := os.Getwd(); strings.Contains(s.err, dir) {
							t.Errorf("%s: the sentence shows this machine's folders\n%s", command, s.err)
						}
					}
				}
			})
		}
	}
}

// sentences reports whether an error is one sentence, or one for each of a few
// places in the same file.
func sentences(said string) bool {
	first, rest, _ := strings.Cut(said, "\n")
	return isOneSentence(first+"\n") && strings.Count(rest, "\n") < 4 && len(said) < 2000
}

func utf16(text []byte) []byte {
	wide := []byte("\xff\xfe")
	for _, c := range text {
		wide = append(wide, c, 0)
	}
	return wide
}

// conflicted is a text in which git left a conflict over all but its first line.
func conflicted(text []byte) []byte {
	i := bytes.IndexByte(text, '\n') + 1
	return bytes.Join([][]byte{text[:i], []byte("<<<<<<< HEAD\n"), text[i:], []byte("=======\n"), text[i:], []byte(">>>>>>> other\n")}, nil)
}

// snapshot keeps the files below a folder, for restoreFiles.
func snapshot(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[path], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func restoreFiles(t *testing.T, files map[string][]byte) {
	t.Helper()
	for path, data := range files {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, rest := range []string{".docket/results.db-wal", ".docket/results.db-shm"} {
		if _, kept := files[rest]; !kept {
			os.Remove(rest)
		}
	}
}

// TestJournalCutShort cuts the last record of a journal short, as a crash does:
// it is left out and said, and what came before it stands.
func TestJournalCutShort(t *testing.T) {
	inSuite(t)
	must(t, codeOK, "calibrate", "--system", "old")
	must(t, codeOK, "accept", "inv-1", "--reason", "ok")
	must(t, codeOK, "accept", "inv-3", "--reason", "ok")
	path := ".docket/journal/mail/live.jsonl"
	whole := read(t, path)
	write(t, path, whole[:len(whole)-9])
	if s := must(t, codeChange, "diff"); !strings.Contains(s.out, "1 decided and not yet written, 2 undecided") {
		t.Errorf("diff:\n%s", s.out)
	}
	s := must(t, codeOK, "accept", "inv-4", "--reason", "ok")
	if !strings.Contains(s.err, "the last step in .docket/journal/mail/live.jsonl was cut short by a crash before it was saved, and is left out") {
		t.Errorf("accept said %q", s.err)
	}
	if s := must(t, codeOK, "write"); !strings.Contains(s.out, "2 accepted") {
		t.Errorf("write:\n%s", s.out)
	}
}
