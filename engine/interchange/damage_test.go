package interchange_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/engine/interchange"
)

// TestRealFilesCut cuts the sample of each format in many places within a
// record: a file that is not whole is an error with its place, and never a few
// rows less.
func TestRealFilesCut(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "data", "formats")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the folder shared/data beside the repository is absent: samples of other tools' formats are not read")
	}
	tried := 0
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".md") {
			return err
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := filepath.Base(path)
		if _, err := interchange.Read(t.Context(), name, bytes.NewReader(whole)); err != nil {
			return nil // a part of something, such as a request without its answer
		}
		tried++
		for i := 1; i < 20; i++ {
			at := len(whole) * i / 20
			for at < len(whole)-2 && slices.Contains([]byte("\n\r"), whole[at-1]) || whole[at] == '\n' {
				at++
			}
			if at >= len(whole)-2 {
				continue
			}
			file, err := interchange.Read(t.Context(), name, bytes.NewReader(whole[:at]))
			if err == nil && strings.HasSuffix(name, ".csv") {
				continue // a row may end anywhere
			}
			if err == nil {
				t.Errorf("%s cut after %d of %d bytes is read as %d rows", name, at, len(whole), len(file.Rows))
			} else if !strings.Contains(err.Error(), name) {
				t.Errorf("%s cut after %d bytes: the error has no place: %v", name, at, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if tried < 10 {
		t.Errorf("only %d samples were read", tried)
	}
}

// TestRealLines doubles each line of the samples that have a record a line, and
// turns the order round: what is there twice is an error or one sample more, and
// rows pair by id, wherever they stand.
func TestRealLines(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "data", "formats")
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Skip("the folder shared/data beside the repository is absent: samples of other tools' formats are not read")
	}
	for _, path := range files {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		read := func(lines []string) ([]string, error) {
			file, err := interchange.Read(t.Context(), name, strings.NewReader(strings.Join(lines, "\n")+"\n"))
			if err != nil {
				return nil, err
			}
			var ids []string
			for _, row := range file.Rows {
				ids = append(ids, row.ID)
			}
			slices.Sort(ids)
			return ids, nil
		}
		lines := strings.Split(strings.TrimSpace(string(whole)), "\n")
		before, err := read(lines)
		if err != nil {
			continue // a part of something, such as a request without its answer
		}
		for i := range lines {
			doubled, err := read(slices.Insert(slices.Clone(lines), i, lines[i]))
			if err == nil && len(doubled) != len(before) && len(doubled) != len(before)+1 {
				t.Errorf("%s with line %d twice is read as %d rows, %d without", name, i+1, len(doubled), len(before))
			}
		}
		if strings.Contains(lines[0], `"spec"`) {
			continue // a log begins with what it is a log of
		}
		turned := slices.Clone(lines)
		slices.Reverse(turned)
		if after, err := read(turned); err != nil || !slices.Equal(before, after) {
			t.Errorf("%s turned round is read as %q (%v), want %q", name, after, err, before)
		}
	}
}
