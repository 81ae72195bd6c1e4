package draft_test

import (
	"strings"
	"testing"

	"docket/engine/canonical"
	"docket/engine/legacy"
	"docket/engine/legacy/draft"
)

func TestInputHoldsNoModel(t *testing.T) {
	test := legacy.Test{Name: "test_a", Inputs: []legacy.Input{
		{Value: "my kettle leaks", Name: "ticket"},
		{Value: "quill-large-0301", Name: "model", From: "MODEL"},
		{Name: "temperature", Why: "computed at run time"},
	}}
	var files draft.Fixtures
	input, missing := draft.Input(&test, &files)
	if got := string(canonical.Marshal(input)); got != `{"ticket":"my kettle leaks"}` {
		t.Errorf("the input is %s", got)
	}
	if len(missing) != 2 || !strings.HasPrefix(missing[0], "input model is left out: ") || !strings.HasPrefix(missing[1], "input temperature is left out: ") {
		t.Errorf("missing: %q", missing)
	}
}

func TestProvenanceOfABulkCommit(t *testing.T) {
	test := legacy.Test{Name: "test_duplicate", Doc: "Ticket 4502, reported by finance."}
	for file, want := range map[int]string{
		0:    "INC-219 — Ticket 4502, reported by finance (old test test_duplicate, commit aaaa111 of 2025-04-02)",
		30:   "INC-219 — Ticket 4502, reported by finance (old test test_duplicate, commit aaaa111 of 2025-04-02)",
		1041: "Ticket 4502, reported by finance (old test test_duplicate, commit aaaa111 of 2025-04-02)",
	} {
		o := draft.Origin{Commits: []draft.Commit{{ID: "aaaa111", Day: "2025-04-02", Subject: "tests, INC-219 and others", Lines: 4, File: file}}}
		if got := draft.Provenance(&test, o); got != want {
			t.Errorf("of %d lines\ngot  %s\nwant %s", file, got, want)
		}
	}
	o := draft.Origin{Commits: []draft.Commit{{ID: "aaaa111", Day: "2025-04-02", Subject: "tests, INC-219 and others", Lines: 4, File: 1041}}}
	if got, want := draft.Provenance(&legacy.Test{Name: "a"}, o), "no reason is known (old test a, commit aaaa111 of 2025-04-02)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	o.Commits[0].Subject = "test the summariser"
	if got, want := draft.Provenance(&legacy.Test{Name: "a"}, o), "test the summariser (old test a, commit aaaa111 of 2025-04-02)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
