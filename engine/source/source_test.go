package source_test

import (
	"testing"

	"docket/engine/source"
	"github.com/google/go-cmp/cmp"
)

// parse reads text that must be right.
func parse(t *testing.T, text string) source.Value {
	t.Helper()
	v, problems := source.Parse("f.yaml", []byte(text))
	if err := problems.Err(); err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return v
}

func TestProblems(t *testing.T) {
	problems := source.Problems{
		{Position: source.Position{File: "b", Line: 1, Column: 1}, Message: "x"},
		{Position: source.Position{File: "a", Line: 10, Column: 1}, Message: "x"},
		{Position: source.Position{File: "a", Line: 9, Column: 2}, Message: "z"},
		{Position: source.Position{File: "a", Line: 9, Column: 2}, Message: "y"},
		{Position: source.Position{File: "a"}, Message: "whole"},
		{Position: source.Position{File: "a\x1b[2J", Line: 1, Column: 2}, Message: "hostile"},
		{Message: "nowhere"},
	}
	problems.Sort()
	want := "nowhere\na: whole\na:9:2: y\na:9:2: z\na:10:1: x\n\"a\\x1b[2J\":1:2: hostile\nb:1:1: x"
	if diff := cmp.Diff(want, problems.Err().Error()); diff != "" {
		t.Error(diff)
	}
	if err := source.Problems(nil).Err(); err != nil {
		t.Errorf("no problems make an error: %v", err)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"max_words", "min_words", "structure", "label", "id", "version"}
	for key, want := range map[string]string{
		"max_word": "max_words", "MaxWords": "max_words", "max-words": "max_words", "mxa_words": "max_words",
		"structre": "structure", "lable": "label", "ID": "id", "idd": "id", "verison": "version",
		"prompt": "", "x": "", "": "", "di": "id",
	} {
		if got := source.Nearest(key, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", key, got, want)
		}
	}
}
