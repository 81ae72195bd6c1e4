package review_test

import (
	"strings"
	"testing"

	"docket/engine/diff"
	"docket/tui"
	"docket/tui/review"
	"docket/tui/tuitest"
)

var groundOfModel = diff.Ground{Field: "model", Old: "a", New: "b"}

func drive(t *testing.T, l *library, set ...func(*review.Options)) *tuitest.Driver {
	t.Helper()
	return tuitest.Drive(t, l.screen(t, set...), tui.Options{Width: 120, Height: 36})
}

func filter(d *tuitest.Driver, text string) {
	d.Press("/")
	d.Type(text)
	d.Press("enter")
}

func TestFilters(t *testing.T) {
	tests := []struct {
		text  string
		shows []string
		hides []string
	}{
		{"status:regressed", []string{"branch-0007", "hours-0219"}, []string{"hours-0031", "rooms-0140"}},
		{"of:lang", []string{"loans-0008"}, []string{"hours-0031"}},
		{"tag:hours 閉館", []string{"閉館-0007"}, []string{"hours-0031"}},
		{"incident", []string{"branch-0007", "hours-0219"}, []string{"fines-0012"}},
		{"closed open", []string{"hours-0031"}, []string{"fines-0019"}},
		{"status:unsettled", []string{"loans-0004"}, []string{"hours-0031", "loans-0008"}},
		{"is:unstable", []string{"loans-0004", "loans-0008"}, []string{"hours-0031"}},
		{"is:edited", []string{"fines-0019"}, []string{"hours-0031"}},
		{"is:expired", []string{"nothing matches the filter"}, []string{"loans-0008"}},
		{"status:error", []string{"rooms-0021", "the model answered with status 529"}, []string{"hours-0031"}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			d := drive(t, newLibrary())
			filter(d, tt.text)
			d.Sees(tt.shows...)
			d.Misses(tt.hides...)
		})
	}
}

func TestFiltersSayWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{"status:bogus": "no status bogus; there is regressed, ", "status:": "status: is one of regressed, ", "status:unstable": "type is:unstable", "is:": "is: takes unstable", "of:": "of: needs the name", "tag:": "tag: needs a tag"} {
		d := drive(t, newLibrary())
		d.Press("/")
		d.Type(text)
		d.Sees(want)
		if text == "status:bogus" {
			d.Press("enter") // is not kept, and matches nothing
			d.Sees(want, "nothing matches the filter")
		}
	}
}

func TestAGroupOfErrorsOffersNoVerdict(t *testing.T) {
	d := drive(t, newLibrary())
	filter(d, "status:error")
	d.Press("k")
	d.Sees("nothing to decide, ", "Error: the system failed")
	d.Misses("accept what is undecided here", "reject what is undecided here")
	for _, key := range []string{"a", "r", "A", "R"} {
		d.Press(key)
		d.Sees("there is nothing to decide in this group")
		d.Misses("reason  ")
	}
}

func TestARejectIsRemembered(t *testing.T) {
	d := drive(t, newLibrary())
	d.Sees("✗ before", "the same change was rejected: the finder must be asked, see INC-304", "2026-06-03, Ada")
	d.Press("3")
	d.Sees("rejected by Ada", "“the finder must be asked, see INC-304”", "fail, score 0.5, label open")
	d.Press("r")
	d.Sees("the finder must be asked, see INC-304  enter: as before")
	d.Press("esc", "a")
	d.Misses("enter: as before")
}

func TestFailingChecksSayWhy(t *testing.T) {
	d := drive(t, newLibrary())
	d.Sees(`"17:30" is not in the text`, "pass 5/5", "fail 3/3")
}

func TestABulkDecisionSaysWhatItFallsOn(t *testing.T) {
	d := drive(t, newLibrary())
	d.Press("g", " ", "j", "j", " ", "j", "j", "A")
	d.Type("fine")
	d.Press("enter")
	d.Sees("accept 2 cases", "2 of them regressed: checks are lost for good.", "1 of them was rejected before, with the same change.", "2 of them come from incidents.")
	d.Press("A", "enter")
	d.Sees("0 decided")
}

func TestACaseThatFailedIsNotDecided(t *testing.T) {
	session := &memory{}
	d := drive(t, newLibrary(), func(o *review.Options) { o.Session = session })
	filter(d, "status:error")
	d.Press("a")
	d.Sees("there is nothing to decide on this case")
	d.Press("A")
	if len(session.log) != 0 {
		t.Errorf("decided: %+v", session.log)
	}
}

func TestOneChangeIsDecidedAlone(t *testing.T) {
	session := &memory{}
	d := drive(t, newLibrary(), func(o *review.Options) { o.Session = session })
	d.Press("n", "tab", "j", "x", "a")
	d.Type("the number is in the heading")
	d.Press("enter")
	if len(session.log) != 1 || session.log[0].Part != "projection:entities" || session.log[0].Rows[0] != "hours-0219" {
		t.Errorf("decided: %+v", session.log)
	}
	d.Sees("◐ hours-0219")

	// A case that was edited, is new or gone is decided whole.
	for _, status := range []string{"redefined", "new", "gone"} {
		d.Press("esc")
		filter(d, "status:"+status)
		d.Press("tab", "x")
		d.Sees("x decides the row of the detail under the cursor")
		d.Press("esc", "esc")
	}
}

func TestOutputsAreTurnedAndShownRaw(t *testing.T) {
	d := drive(t, newLibrary())
	d.Press("n", "2")
	d.Sees("baseline, sample 1 of 2", "candidate, sample 1 of 3", "calls find_branch", "closed")
	d.Press(">")
	d.Sees("sample 2 of 3", `"city": "Ely",`)
	d.Press("o")
	d.Sees("as it came", `{"status": "closed", "branch":`)
	d.Press("<", "<")
	d.Sees("candidate, as it came, sample 3 of 3", "baseline, as it came, sample 2 of 2")
	d.Press("1", "o")
	d.Sees("works in the tab output")
}

func TestFencedJSONIsLaidOutAsJSON(t *testing.T) {
	l := newLibrary()
	answers := l.answers["branch-0007"]
	answers.Old[0].Output.Text = `{"b": {"c": 1}, "a": 2}`
	answers.New[0].Output.Text = "```json\n{\"a\": 2,\n  \"b\": {\"c\": 1}}\n```"
	d := drive(t, l)
	d.Press("2")
	d.Sees("```json", `    "a": 2,                                "a": 2,`)
}

func TestMissingProseNamesTheCommandThatGetsIt(t *testing.T) {
	d := drive(t, newLibrary())
	filter(d, "status:gone")
	d.Press("2")
	d.Sees("`docket run desk --system prod`")
}

func TestTheCaseFileIsShown(t *testing.T) {
	d := drive(t, newLibrary())
	d.Press("4")
	d.Sees("cases/desk/branch-0007.yaml", "max_words: 60   # the desk asked for it")
	filter(d, "status:gone")
	d.Sees("There is no case file with this id.")
}

func TestTheBannerNamesTheGrounds(t *testing.T) {
	d := drive(t, newLibrary(), func(o *review.Options) { o.Diff.Grounds = append(o.Diff.Grounds, groundOfModel) })
	d.Sees("! not comparable: model a → b")
	d = drive(t, newLibrary(), func(o *review.Options) { o.Diff.Grounds, o.Across = append(o.Diff.Grounds, groundOfModel), true })
	d.Sees("! compared across what is not comparable: model a → b")
}

// TestTheHeadSaysHowOldTheBaselineIs: the age is that of its oldest line, told in
// full where there is room; and how much of what is listed could be noise.
func TestTheHeadSaysHowOldTheBaselineIs(t *testing.T) {
	old := func(o *review.Options) {
		o.Diff.Oldest = "2026-02-03"
		o.Diff.Again = &diff.Alarms{Listed: 2, Of: 220}
	}
	for width, wants := range map[int][]string{
		200: {"baseline of 2026-08-11, oldest line of 2026-02-03", "2 of 220 listed when nothing had changed"},
		120: {" · oldest 2026-02-03"},
	} {
		d := tuitest.Drive(t, newLibrary().screen(t, old), tui.Options{Width: width, Height: 36})
		d.Sees(wants...)
	}
	d := drive(t, newLibrary())
	if view := d.View(); strings.Contains(view, "oldest") || !strings.Contains(view, "2026-08-11") || strings.Contains(view, "nothing had changed") {
		t.Errorf("a head of the usual kind says\n%s", view)
	}
}

func TestGroupings(t *testing.T) {
	d := drive(t, newLibrary())
	if !strings.Contains(d.View(), "label  open → closed") {
		t.Errorf("not by signature:\n%s", d.View())
	}
	d.Press("v")
	d.Sees("grouped by check", "opening_hours")
	d.Press("v")
	d.Sees("grouped by nothing", "label open → cl…")
	d.Press("v")
	d.Sees("grouped by signature")
}

// TestAllowIsRefusedBeforeAReasonIsAsked presses l where nothing can be
// allowed: the reason is not asked for, and the cursor stays where it is.
func TestAllowIsRefusedBeforeAReasonIsAsked(t *testing.T) {
	for filtered, want := range map[string]string{"status:gone": "is gone, so there is no old value", "status:regressed": "a check is never allowed to fail as well"} {
		d := drive(t, newLibrary())
		filter(d, filtered)
		d.Press("g", "n")
		d.Press("l")
		d.Sees(want)
		d.Misses("an earlier reason", "go on")
	}
}
