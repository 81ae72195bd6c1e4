package adoption_test

import (
	"context"
	"strings"
	"testing"

	"docket/engine/adoption"
	"docket/engine/interchange"
	"docket/engine/provenance"
	"docket/engine/suite"
)

func adopt(t *testing.T, text string, o adoption.Options) *adoption.Adoption {
	t.Helper()
	file, err := interchange.ReadWith(context.Background(), "logs/log.jsonl", strings.NewReader(text), interchange.Options{Asked: true})
	if err != nil {
		t.Fatal(err)
	}
	o.Added = "2026-08-11"
	if o.Known == nil {
		o.Known = func(string) string { return "" }
	}
	a, err := adoption.Adopt(file, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const log = `{"id":"a","text":"x","locale":"de","input":{"q":"one"}}
{"id":"b","text":"x","locale":"en","input":{"q":"from ada@shop.example"}}
{"id":"c","text":"x","input":{"q":"three"}}
{"id":"d","text":"x","locale":"en"}
{"id":"e","text":"x","locale":"en","input":{"body_file":"secret.txt"}}
`

// TestNothingIsLeftOutInSilence says that every id of a file is a case, known, or
// skipped with a reason.
func TestNothingIsLeftOutInSilence(t *testing.T) {
	a := adopt(t, log, adoption.Options{Known: func(id string) string { return map[string]string{"a": "a.yaml"}[id] }})
	if len(a.Cases) != 2 || len(a.Known) != 1 || len(a.Skipped) != 2 {
		t.Fatalf("%d cases, %d known, %d skipped of 5 ids", len(a.Cases), len(a.Known), len(a.Skipped))
	}
	for _, c := range a.Cases {
		if !strings.Contains(string(c.Text), "imported from JSON Lines, file log.jsonl") || strings.Contains(string(c.Text), "text: x") {
			t.Errorf("the case is\n%s", c.Text)
		}
	}
}

// TestProvenance says that lint asks for more than that a case was imported,
// and takes a segment of a log for a reason.
func TestProvenance(t *testing.T) {
	for said, good := range map[string]bool{
		provenance.Adopted("promptfoo results", "run a-7.v3.json"):                             false,
		provenance.Adopted("promptfoo results", "a.json") + "; INC-7: the window was left out": true,
		"sampled from log.jsonl, locale en, 2026-08-11":                                        true,
	} {
		if why := provenance.Boilerplate(&suite.Case{ID: "a", Provenance: said}, nil); (why == "") != good {
			t.Errorf("%q: %q", said, why)
		}
	}
}

func TestSampleIsRedacted(t *testing.T) {
	a := adopt(t, log, adoption.Options{Sample: 2, By: "locale", Seed: 1, Redact: true})
	if len(a.Cases) != 2 || len(a.Uncovered) != 1 || a.Uncovered[0] != "c" {
		t.Fatalf("drew %d cases, uncovered %q", len(a.Cases), a.Uncovered)
	}
	if text := string(a.Cases[1].Text); !strings.Contains(text, "[email 1]") || !strings.Contains(text, "sampled from log.jsonl, locale en, 2026-08-11") {
		t.Errorf("the case is\n%s", text)
	}
}
