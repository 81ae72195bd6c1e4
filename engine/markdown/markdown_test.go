package markdown

import "testing"

// Bars end a table's cell even inside code; an odd number of backslashes before
// each keeps them in it, whatever a forge makes of a backslash.
func TestCodeKeepsItsCell(t *testing.T) {
	for text, want := range map[string]string{
		"plain":        "`plain`",
		"":             "` `",
		"a|b":          "`a\\|b`",
		`a\|b`:         "`a\\\\\\|b`",
		`a\\|b`:        "`a\\\\\\|b`",
		"a`b":          "`a'b`",
		"a\nb":         "`a<LF>b`",
		"\x1b[31m\x07": "`<ESC>[31m<BEL>`",
		"<b> @all":     "`<b> @all`",
	} {
		if got := Code(text); got != want {
			t.Errorf("Code(%q) = %s, want %s", text, got, want)
		}
	}
}

// What a span holds is read back to the letter.
func TestSpanKeepsItsText(t *testing.T) {
	for text, want := range map[string]string{
		"plain":  "`plain`",
		"":       "` `",
		"a|b":    "`a|b`",
		"a`b":    "``a`b``",
		"``b`":   "``` ``b` ```",
		"a\nb":   "`a<LF>b`",
		"\x1b[m": "`<ESC>[m`",
	} {
		if got := Span(text); got != want {
			t.Errorf("Span(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestEscapeLeavesNoMarkup(t *testing.T) {
	for text, want := range map[string]string{
		"label changed on 9 of 220, shape unchanged": "label changed on 9 of 220, shape unchanged",
		"checks: refund_window lost on 1 of 3":       "checks: refund\\_window lost on 1 of 3",
		`*s* ![i] ~~x~~ a\|b > c`:                    `\*s\* \!\[i\] \~\~x\~\~ a\\\|b \> c`,
		"see #1":                                     "`see #1`",
		"ask @all":                                   "`ask @all`",
		"at http://e.example/`x`":                    "`at http://e.example/'x'`",
		"at www.e.example":                           "`at www.e.example`",
		"<b>":                                        "`<b>`",
		"&#64;all":                                   "`&#64;all`",
	} {
		if got := Text(text); got != want {
			t.Errorf("Text(%q) = %s, want %s", text, got, want)
		}
	}
}
