package python

import (
	"math"
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/python/syntax"
)

// unittest follows an assertion method of unittest.TestCase; false is a method
// that is none.
func (e *evaluator) unittest(name string, x *syntax.Call) (value, bool) {
	if !strings.HasPrefix(name, "assert") && name != "fail" {
		if name == "subTest" || name == "id" || strings.HasPrefix(name, "add") || name == "skipTest" || name == "enterContext" {
			e.arguments(x)
			return unknownf("what %s gives at run time", brief(name)), true
		}
		return nil, false
	}
	args := e.arguments(x)
	pos := positional(args)
	a, b := first(pos), second(pos)
	compare := func(o string) value { return e.compared(a, o, b, x) }
	var v value
	switch name {
	case "assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertSetEqual", "assertTupleEqual", "assertSequenceEqual", "assertMultiLineEqual", "assertCountEqual", "assertIs":
		v = compare("==")
	case "assertNotEqual", "assertIsNot":
		v = compare("!=")
	case "assertTrue":
		v = e.condition(a, x)
	case "assertFalse":
		v = e.not(e.condition(a, x))
	case "assertIn":
		v = compare("in")
	case "assertNotIn":
		v = compare("not in")
	case "assertIsNone":
		v = e.compared(a, "is", none{}, x)
	case "assertIsNotNone":
		v = e.compared(a, "is not", none{}, x)
	case "assertGreater":
		v = compare(">")
	case "assertGreaterEqual":
		v = compare(">=")
	case "assertLess":
		v = compare("<")
	case "assertLessEqual":
		v = compare("<=")
	case "assertIsInstance", "assertNotIsInstance":
		v = e.external("isinstance", args, x)
		if c, ok := v.(*cond); ok && name == "assertNotIsInstance" {
			v = e.not(c)
		}
	case "assertRegex", "assertNotRegex", "assertRegexpMatches":
		p, flags := "", ""
		switch t := b.(type) {
		case text:
			p = string(t)
		case *pattern:
			p, flags = t.text, t.flags
		}
		v = e.search("search", p, flags, a, x)
		if c, ok := v.(*cond); ok && name == "assertNotRegex" {
			v = e.not(c)
		}
	case "assertAlmostEqual", "assertNotAlmostEqual":
		v = e.almost(a, b, args, x)
		if c, ok := v.(*cond); ok && name == "assertNotAlmostEqual" {
			v = e.not(c)
		}
	case "assertRaises", "assertRaisesRegex", "assertWarns", "assertLogs":
		e.assert(e.raises(pos, x), x)
		return &symbol{role: raisedRole, source: e.source(x)}, true
	case "fail":
		v = unknownf("it always fails where it is reached")
	default:
		return nil, false
	}
	e.assert(e.condition(v, x), x)
	return none{}, true
}

// raises is the claim that an exception of given types is raised.
func (e *evaluator) raises(pos []value, x syntax.Node) *cond {
	return e.claim(&symbol{role: raisedRole, source: e.source(x)}, legacy.Raises, x, typeNames(first(pos))...)
}

// almost is assertAlmostEqual: seven places by itself.
func (e *evaluator) almost(a, b value, args []argument, x *syntax.Call) value {
	if _, ok := a.(*symbol); !ok {
		a, b = b, a
	}
	s, ok := a.(*symbol)
	if !ok {
		return unknownf("computed at run time by %s", brief(e.source(x)))
	}
	if delta, ok := keyword(args, "delta"); ok {
		return e.claim(s, legacy.Near, x, b, delta)
	}
	places := 7
	if v, ok := keyword(args, "places"); ok {
		n, ok := integer(v)
		if !ok || n < 0 || n > 15 {
			return e.claim(s, legacy.Near, x, unknownf("a tolerance of run time"))
		}
		places = n
	}
	return e.claim(s, legacy.Near, x, b, float(0.5*math.Pow(10, -float64(places))))
}
