package syntax

import (
	"github.com/tdewolff/parse/v2/js"
)

// maxTypeTokens is how far a `<` is followed to find out whether it begins type
// arguments; each bracketed group counts as one.
const maxTypeTokens = 2000

// typeArguments returns the index behind the `>` that closes the `<` at a
// token, and 0 where no list of types begins there.
func (p *parser) typeArguments(at int) int {
	if k := p.toks[at].kind; k != js.LtToken && k != js.LtLtToken {
		return 0
	}
	depth := 0
	for steps := 0; at < len(p.toks)-1 && steps < maxTypeTokens; steps++ {
		t := p.toks[at]
		switch t.kind {
		case js.LtToken:
			depth++
		case js.LtLtToken:
			depth += 2
		case js.GtToken:
			depth--
		case js.GtGtToken:
			depth -= 2
		case js.GtGtGtToken:
			depth -= 3
		case js.OpenParenToken, js.OpenBracketToken, js.OpenBraceToken, js.TemplateStartToken:
			at = t.match
		case js.CommaToken, js.DotToken, js.ColonToken, js.QuestionToken, js.BitOrToken, js.BitAndToken, js.ArrowToken, js.EqToken, js.SubToken,
			js.StringToken, js.TemplateToken, js.EllipsisToken, js.ExtendsToken, js.TypeofToken, js.NullToken, js.TrueToken, js.FalseToken,
			js.ThisToken, js.VoidToken, js.InToken, js.ImportToken, js.NewToken, js.ConstToken, js.SuperToken, js.OptChainToken:
		default:
			if !js.IsIdentifier(t.kind) && !js.IsNumeric(t.kind) {
				return 0
			}
		}
		at++
		if depth == 0 {
			return at
		}
		if depth < 0 {
			return 0
		}
	}
	return 0
}

// skipTypeParameters passes over <T extends X = Y> where it stands.
func (p *parser) skipTypeParameters() {
	if p.kind() != js.LtToken {
		return
	}
	to := p.typeArguments(p.i)
	if to == 0 {
		p.fail("the list of types does not end")
	}
	p.i = to
}

// skipType passes over a type.
func (p *parser) skipType() {
	to := p.typeFrom(p.i)
	if to == 0 {
		p.fail("a type was expected here")
	}
	p.i = to
}

// typeFrom returns the index behind the type that begins at a token, 0 where
// none begins. Groups in brackets are jumped over, so that it is linear in what
// it passes; it changes nothing, except that a >= behind a type is taken apart
// by typeEnd.
func (p *parser) typeFrom(at int) int {
	wanted := true  // a name, a literal or a group has to come
	group := false  // the last was a group in parentheses, so that => goes on
	conditions := 0 // extends that wait for their ?
	branches := 0   // ? that wait for their :
	for at < len(p.toks)-1 {
		t := p.toks[at]
		if wanted {
			switch {
			case t.kind == js.OpenParenToken, t.kind == js.OpenBracketToken, t.kind == js.OpenBraceToken, t.kind == js.TemplateStartToken:
				at = t.match
				if at >= len(p.toks)-1 {
					return 0
				}
				wanted, group = false, t.kind == js.OpenParenToken
			case t.kind == js.LtToken:
				to := p.typeEnd(at)
				if to == 0 {
					return 0
				}
				at = to - 1
			case t.kind == js.BitOrToken, t.kind == js.BitAndToken, t.kind == js.SubToken, t.kind == js.TypeofToken, t.kind == js.NewToken:
			case (p.word(t, "keyof") || p.word(t, "readonly") || p.word(t, "unique") || p.word(t, "infer") || p.word(t, "asserts") || p.word(t, "abstract")) &&
				p.operandOfType(at+1):
			case js.IsIdentifierName(t.kind), js.IsNumeric(t.kind), t.kind == js.StringToken, t.kind == js.TemplateToken:
				wanted, group = false, false
			default:
				return 0
			}
			at++
			continue
		}
		switch {
		case t.kind == js.DotToken, t.kind == js.BitOrToken, t.kind == js.BitAndToken:
			wanted = true
		case t.kind == js.LtToken:
			to := p.typeEnd(at)
			if to == 0 {
				return at
			}
			at, group = to-1, false
		case t.kind == js.OpenParenToken && p.word(p.toks[at-1], "import"):
			at = t.match
		case t.kind == js.OpenBracketToken && !t.newline:
			at, group = t.match, false
		case t.kind == js.ExtendsToken:
			conditions++
			wanted = true
		case t.kind == js.QuestionToken && conditions > 0:
			conditions--
			branches++
			wanted = true
		case t.kind == js.ColonToken && branches > 0:
			branches--
			wanted = true
		case t.kind == js.ArrowToken && group:
			wanted = true
		case p.word(t, "is") && !t.newline:
			wanted = true
		default:
			return at
		}
		at++
	}
	if wanted {
		return 0
	}
	return min(at, len(p.toks)-1)
}

// operandOfType reports whether the token could follow keyof and its like.
func (p *parser) operandOfType(at int) bool {
	if at >= len(p.toks) {
		return false
	}
	k := p.toks[at].kind
	return js.IsIdentifierName(k) && !p.word(p.toks[at], "extends") && !p.word(p.toks[at], "is") || k == js.OpenParenToken || k == js.OpenBracketToken || k == js.OpenBraceToken ||
		k == js.StringToken
}

// typeEnd is typeArguments where a type surely stands, so that a `>=` there is
// a `>` and the sign of a value behind it.
func (p *parser) typeEnd(at int) int {
	if to := p.typeArguments(at); to > 0 {
		return to
	}
	depth := 0
	for i, steps := at, 0; i < len(p.toks)-1 && steps < maxTypeTokens; i, steps = i+1, steps+1 {
		t := &p.toks[i]
		switch t.kind {
		case js.LtToken:
			depth++
		case js.GtToken:
			depth--
		case js.OpenParenToken, js.OpenBracketToken, js.OpenBraceToken:
			i = t.match
		case js.GtEqToken:
			if depth == 1 {
				t.kind, t.start = js.EqToken, t.start+1
				return i
			}
			return 0
		case js.GtGtEqToken:
			if depth == 2 {
				t.kind, t.start = js.EqToken, t.start+2
				return i
			}
			return 0
		case js.SemicolonToken:
			return 0
		}
	}
	return 0
}
