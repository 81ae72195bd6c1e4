// Package highlight gives JSON, YAML and the source of old tests the roles that a theme draws them in.
//
// It has small lexers of its own: the library's collection costs every
// start of the program 15 ms. Even so lexing is slow, well under a megabyte a
// second. Lines is therefore for texts that are read outside the loop that
// draws, and leaves what is larger than Most without roles from there on; Line is
// for one line that came into sight, and does so after MostOfLine. Neither
// changes a byte of a text.
package highlight

import (
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"

	"docket/tui/style"
)

// Most is how many bytes of a text are given roles.
const Most = 64 << 10

// MostOfLine is how many bytes of one line are given roles when it comes into
// sight.
const MostOfLine = 1 << 10

// A Language is what a text is written in.
type Language struct{ lexer chroma.Lexer }

// JSON returns the language of JSON texts.
func JSON() Language { return Language{chroma.MustNewLexer(&chroma.Config{Name: "JSON"}, jsonRules)} }

// YAML returns the language of YAML texts.
func YAML() Language { return Language{chroma.MustNewLexer(&chroma.Config{Name: "YAML"}, yamlRules)} }

func jsonRules() chroma.Rules {
	return chroma.Rules{"root": {
		{Pattern: `\s+`, Type: chroma.Text},
		{Pattern: `"(?:\\.|[^"\\\n])*"(?=\s*:)`, Type: chroma.NameTag},
		{Pattern: `"(?:\\.|[^"\\\n])*"`, Type: chroma.String},
		{Pattern: `-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`, Type: chroma.Number},
		{Pattern: `true|false|null`, Type: chroma.KeywordConstant},
		{Pattern: `[{}\[\],:]`, Type: chroma.Punctuation},
		{Pattern: `.`, Type: chroma.Text},
	}}
}

func yamlRules() chroma.Rules {
	return chroma.Rules{"root": {
		{Pattern: `(?<=^|\s)#.*`, Type: chroma.Comment},
		{Pattern: `^([ \t]*(?:- +)*)([\w][\w .-]*|"[^"\n]*"|'[^'\n]*')(:)(?=\s|$)`, Type: chroma.ByGroups(chroma.Text, chroma.NameTag, chroma.Punctuation)},
		{Pattern: `([{,] *)([\w][\w .-]*)(:)(?=\s)`, Type: chroma.ByGroups(chroma.Punctuation, chroma.NameTag, chroma.Punctuation)},
		{Pattern: `"(?:\\.|[^"\\\n])*"|'[^'\n]*'`, Type: chroma.String},
		{Pattern: `(?<=: |- |\[|, )-?\d[\d.:-]*(?=[ \t]*(?:$|#|[,\]}]))`, Type: chroma.Number},
		{Pattern: `(?<=: |- |\[|, )(?:true|false|null)(?=[ \t]*(?:$|#|[,\]}]))`, Type: chroma.KeywordConstant},
		{Pattern: `[\[\]{}]|^\s*-(?= )`, Type: chroma.Punctuation},
		{Pattern: `[^\s#"'\[\]{},]+`, Type: chroma.Text},
		{Pattern: `\s`, Type: chroma.Text},
		{Pattern: `.`, Type: chroma.Text},
	}}
}

// Line gives one line its roles: those that it has in Lines, since neither
// language has a piece that goes over a line end.
func (l Language) Line(text string) style.Line {
	head, tail := text, ""
	if len(text) > MostOfLine {
		cut := MostOfLine
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		head, tail = text[:cut], text[cut:]
	}
	lines := l.lex(head)
	if len(lines) != 1 { // it was more than a line
		return style.Of(style.Plain, text)
	}
	if tail == "" {
		return lines[0]
	}
	return join(lines[0], tail, style.Plain)
}

// Python returns the language of Python's source.
func Python() Language {
	return Language{chroma.MustNewLexer(&chroma.Config{Name: "Python"}, func() chroma.Rules {
		return codeRules(`#.*`, `(?:[rRbBuUfF]{0,2})(?:"""[\s\S]*?(?:"""|\z)|'''[\s\S]*?(?:'''|\z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)`,
			`(?:assert|async|await|class|def|del|elif|else|except|finally|for|from|if|import|in|is|lambda|not|and|or|pass|raise|return|try|while|with|yield)`)
	})}
}

// JavaScript returns the language of JavaScript's and TypeScript's source.
func JavaScript() Language {
	return Language{chroma.MustNewLexer(&chroma.Config{Name: "JavaScript"}, func() chroma.Rules {
		return codeRules(`//.*|/\*[\s\S]*?(?:\*/|\z)`, "`(?:\\\\.|[^`\\\\])*`?|"+`"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?`,
			`(?:async|await|class|const|else|export|expect|for|from|function|if|import|in|let|new|of|return|test|it|describe|throw|try|catch|var|while)`)
	})}
}

// codeRules tell comments, strings, numbers and words of a language from the
// rest of it.
func codeRules(comment, text, words string) chroma.Rules {
	return chroma.Rules{"root": {
		{Pattern: comment, Type: chroma.Comment},
		{Pattern: text, Type: chroma.String},
		{Pattern: `\b` + words + `\b`, Type: chroma.NameTag},
		{Pattern: `\b(?:True|False|None|true|false|null|undefined|\d[\w.]*)\b`, Type: chroma.Number},
		{Pattern: `[A-Za-z_$][\w$]*`, Type: chroma.Text},
		{Pattern: `\s+`, Type: chroma.Text},
		{Pattern: `[\s\S]`, Type: chroma.Text},
	}}
}

// Lines splits a text into its lines and gives each its roles.
func (l Language) Lines(text string) []style.Line {
	head, tail := text, ""
	if len(text) > Most {
		cut := strings.LastIndexByte(text[:Most], '\n') + 1
		head, tail = text[:cut], text[cut:]
	}
	lines := l.lex(head)
	if tail == "" {
		return lines
	}
	lines = lines[:len(lines)-1] // the head ends in a line end
	for line := range strings.SplitSeq(tail, "\n") {
		lines = append(lines, style.Of(style.Plain, line))
	}
	return lines
}

func (l Language) lex(text string) []style.Line {
	// A carriage return may be the very thing to see: nothing is normalised.
	tokens, err := l.lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, text)
	if err != nil {
		return plain(text)
	}
	lines := []style.Line{nil}
	taken := 0
	for token := tokens(); token != chroma.EOF; token = tokens() {
		taken += len(token.Value)
		for i, part := range strings.Split(token.Value, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if last := &lines[len(lines)-1]; part != "" {
				*last = join(*last, part, role(token.Type))
			}
		}
	}
	if taken != len(text) {
		return plain(text)
	}
	return lines
}

// join adds a piece of text, to the span before it where that has its role.
func join(line style.Line, text string, role style.Role) style.Line {
	if n := len(line); n > 0 && line[n-1].Role == role {
		line[n-1].Text += text
		return line
	}
	return append(line, style.Span{Text: text, Role: role})
}

func plain(text string) []style.Line {
	var lines []style.Line
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, style.Of(style.Plain, line))
	}
	return lines
}

func role(t chroma.TokenType) style.Role {
	switch {
	case t == chroma.NameTag:
		return style.Key
	case t.InCategory(chroma.Comment), t == chroma.Punctuation:
		return style.Dim
	case t == chroma.String:
		return style.Text
	case t == chroma.Number, t == chroma.KeywordConstant:
		return style.Number
	default:
		return style.Plain
	}
}
