package tui_test

import (
	"bytes"
	"strings"
	"testing"

	"docket/tui"
	"docket/tui/tuitest"
)

// answer runs a plain session on a script of answers and returns what it said.
func answer(t *testing.T, f *fruits, lines ...string) (string, tui.Result) {
	t.Helper()
	var out bytes.Buffer
	result, err := tui.Run(t.Context(), tuitest.Ready(f), tui.Options{
		In: strings.NewReader(strings.Join(lines, "\n") + "\n"), Out: &out, Plain: true, Getenv: func(string) string { return "" },
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return out.String(), result
}

func says(t *testing.T, out string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(out, text) {
			t.Errorf("it does not say %q:\n%s", text, out)
		}
	}
}

func TestPlainReadsOneRowOut(t *testing.T) {
	out, _ := answer(t, market(), "q")
	says(t, out,
		"12 of 220 changed, 0 decided",
		"fruit 1 of 12, undecided",
		"group: price green → up, 9 fruits, 0 decided",
		"why: complaint 219",
		"  price, changed\n    spring: 2.10 a kilo\n    summer: 2.60 a kilo\n",
		"  crates, lost\n    spring: stack_crate(crate_id, height, colour)\n",
		"  2 unchanged",
		"a keep, r drop, d put off,",
		"Nothing is decided yet; `market review` opens it again.")
}

func TestPlainDecides(t *testing.T) {
	f := market()
	out, result := answer(t, f, "a", "in season", "a", "", "keep for the jam", "r soft", "u", "U", "n", "d", "b", "q")
	told(t, f, "keep apple-0031 (in season); keep apple-0044 (in season); keep gooseberry-0101 (for the jam); drop grape-0007 (soft); later kiwi-0012")
	says(t, out, "An empty reason takes: in season", "kept: apple-0031", "undone: 1 fruit", "done again: 1 fruit", "5 of 12 fruits decided and kept")
	if result.Decided != 5 || result.Written {
		t.Errorf("result %+v", result)
	}
}

func TestPlainEndOfInputDecidesNothing(t *testing.T) {
	for _, script := range [][]string{{"a"}, {"A"}, {"A x"}, {"x price"}, {"w"}, nil} {
		f := market()
		var out bytes.Buffer
		if _, err := tui.Run(t.Context(), tuitest.Ready(f), tui.Options{In: strings.NewReader(strings.Join(script, "\n")), Out: &out, Plain: true}); err != nil {
			t.Errorf("after %q: %v", script, err)
		}
		told(t, f, "")
	}
}

func TestPlainGroupAsksFirst(t *testing.T) {
	f := market()
	out, _ := answer(t, f, "A ripe", "no", "A ripe", "y", "q")
	says(t, out, "keep 9 fruits; 8 of them were never opened.", "Nothing was done.", "kept: 9 fruits")
	if n := strings.Count(f.session.told(), "keep "); n != 1 {
		t.Errorf("%d decisions, want one on nine rows", n)
	}
}

func TestPlainPartNeedsAName(t *testing.T) {
	f := market()
	out, _ := answer(t, f, "x", "x carats", "q")
	told(t, f, "")
	says(t, out, "Say which line is decided alone by its name: price, crates, ripeness",
		"There is no such line to decide alone: carats. There is: price, crates, ripeness")
}

func TestPlainNeedsAReason(t *testing.T) {
	f := market()
	out, _ := answer(t, f, "a", "", "r because", "q")
	says(t, out, "A reason is needed; nothing was decided.", "because is no reason; nothing was decided.")
	told(t, f, "")
}

func TestPlainPartTabsFilterAndGo(t *testing.T) {
	f := market()
	out, _ := answer(t, f, "x crates", "r", "heavy", "label", "2", "scales", "o", "/ colour:red", "s", "s", "s", "/", "g plum-0003", "nonsense", "", "v", "q")
	told(t, f, "drop apple-0031#crates (heavy)")
	says(t, out, "dropped: crates of apple-0031", "It may have a stone.", "weighed twice", "2 of 12 shown", "strawberry-0400", "This is the last one.", `"nonsense" is no choice here.`, "grouped by nothing")
}

func TestPlainWrites(t *testing.T) {
	f := market()
	out, result := answer(t, f, "w", "d", "w", "no", "w", "yes")
	says(t, out, "nothing is decided yet", "1 decisions go into the list", "wrote 1 decisions\ngit add market.txt\n")
	if !result.Written || f.session.wrote != 1 {
		t.Errorf("result %+v, wrote %d times", result, f.session.wrote)
	}
}

func TestPlainShowsWhatATerminalWouldActOn(t *testing.T) {
	f := market()
	f.rows[0].name = "apple\x1b[2J\u202e"
	f.rows[0].is = "2.60\ra kilo"
	out, _ := answer(t, f, "q")
	if strings.ContainsAny(out, "\x1b\r\u202e") {
		t.Errorf("control characters are printed: %q", out)
	}
	says(t, out, "apple<ESC>[2J<U+202E>", "2.60<CR>a kilo")
}

func TestAccessibleIsPlain(t *testing.T) {
	var out bytes.Buffer
	_, err := tui.Run(t.Context(), tuitest.Ready(market()), tui.Options{In: strings.NewReader("q\n"), Out: &out, Getenv: func(k string) string {
		return map[string]string{"ACCESSIBLE": "1"}[k]
	}})
	if err != nil {
		t.Fatal(err)
	}
	says(t, out.String(), "choice: ")
}

func TestAPipeIsNoTerminal(t *testing.T) {
	f := market()
	_, err := tui.Run(t.Context(), tuitest.Ready(f), tui.Options{In: strings.NewReader("d\n"), Out: &bytes.Buffer{}, Getenv: func(string) string { return "" }})
	if err == nil || !strings.Contains(err.Error(), "--plain") {
		t.Errorf("through a pipe: %v, want a sentence that names --plain", err)
	}
	told(t, f, "")
}

func TestPlainGoesByGroups(t *testing.T) {
	f := market()
	out, _ := answer(t, f, "}", "{", "{", "=", "q")
	says(t, out, "cherry-0021", "There is no group before this.", "origin, unchanged: Spain")
	told(t, f, "")
}

func TestPlainMarksAndReasonsOfSeveralLines(t *testing.T) {
	f := market()
	out, _ := answer(t, f, "m", "m", "m", "back", "m", "A", "ripe,\\", "and sweet", "y", "N", "q")
	says(t, out, "marked: apple-0031, 1 in all", "no longer marked: gooseberry-0101, 2 in all", "keep 2 fruits marked;", "kept: 2 fruits marked")
	told(t, f, "keep apple-0031,apple-0044 (ripe,\nand sweet)")
}
