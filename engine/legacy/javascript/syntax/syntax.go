// Package syntax reads JavaScript and TypeScript into a tree, for reading and
// never for running: the types of TypeScript and the elements of JSX are passed
// over, and everything else keeps its place in the source.
//
// The tokens are those of a kept lexer, which serves both languages alike; the
// grammar over them is this package's, since a parser for JavaScript alone stops
// at the first type, and keeps no positions. The package refuses to judge:
// scopes, strict mode and early errors are nobody's here. A statement that it
// cannot read is a Problem, and reading goes on behind it.
package syntax

import (
	"sort"
)

// A Dialect says what `<` can mean where a value begins.
type Dialect int

// The dialects. In TypeScript alone `<` begins a type there, in the others an
// element of JSX.
const (
	JavaScript Dialect = iota
	TypeScript
	TypeScriptJSX
)

// A Problem is a place that could not be read.
type Problem struct {
	Offset  int
	Message string
}

// A Comment is a comment of the source, its marks included.
type Comment struct {
	Start, End int
}

// A Tree is a source file.
type Tree struct {
	Source   []byte
	Body     []*Node // the statements of the file
	Comments []Comment
	Problems []Problem // in the order of the source
	lines    []int     // the offset of each line
}

// MaxBytes is the size of the largest source that Parse reads.
const MaxBytes = 32_000_000

// Parse reads a source as far as it can be read. It never fails: what it passed
// over stands in the tree's Problems.
func Parse(source []byte, dialect Dialect) *Tree {
	t := &Tree{Source: source, lines: lineStarts(source)}
	if len(source) > MaxBytes {
		t.Problems = []Problem{{Message: "the file is too large for source that people wrote"}}
		return t
	}
	l := scan(source, dialect)
	t.Comments, t.Problems = l.comments, l.problems
	p := &parser{source: source, toks: l.tokens, dialect: dialect}
	t.Body = p.statements(len(p.toks) - 1)
	t.Problems = append(t.Problems, p.problems...)
	sort.SliceStable(t.Problems, func(i, j int) bool { return t.Problems[i].Offset < t.Problems[j].Offset })
	return t
}

// Line returns the line of an offset, counted from 1.
func (t *Tree) Line(offset int) int {
	return sort.Search(len(t.lines), func(i int) bool { return t.lines[i] > offset })
}

// Lines returns how many lines the source has.
func (t *Tree) Lines() int {
	n := len(t.lines)
	if n > 0 && t.lines[n-1] == len(t.Source) {
		n--
	}
	return n
}

// Text returns the source of a node.
func (t *Tree) Text(n *Node) string { return string(t.Source[n.Start:n.End]) }

// LineSpan returns the text of whole lines, first and last included, without
// the last one's line end.
func (t *Tree) LineSpan(first, last int) string {
	if first < 1 || first > len(t.lines) || last < first {
		return ""
	}
	end := len(t.Source)
	if last < len(t.lines) {
		end = t.lines[last] - 1
	}
	return string(t.Source[t.lines[first-1]:end])
}

// lineStarts knows the line ends of the language: LF, CR, CRLF, U+2028, U+2029.
// Only LF and CR count here, as editors and blame count them.
func lineStarts(source []byte) []int {
	starts := []int{0}
	for i, c := range source {
		if c == '\n' || c == '\r' && (i+1 == len(source) || source[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// A Kind is what a node is.
type Kind int

// The kinds of nodes, each with what its Text and Kids are.
const (
	Invalid    Kind = iota
	Ident           // Text: the name; this and super, too
	Private         // Text: the name with its #
	String          // Text: the value
	Number          // Text: as in the source
	Literal         // Text: true, false, null
	Regexp          // Text: the pattern; Op: the flags
	Template        // Kids: String, expression, String, … String
	Tagged          // Kids: tag, Template
	Array           // Kids: items; a hole is a node of kind Empty
	Object          // Kids: Property, Spread
	Property        // Text: the key, or Kids[1] where Computed; Kids[0]: the value
	Spread          // Kids: one
	Call            // Kids: callee, arguments…
	New             // Kids: callee, arguments…
	Member          // Text: the name; Kids: object
	Index           // Kids: object, index
	Unary           // Op; Kids: one. Op is await, yield, typeof, … too
	Binary          // Op; Kids: two
	Assign          // Op; Kids: target, value. In patterns: a default
	Cond            // Kids: three
	Sequence        // Kids: at least two
	Function        // Text: the name or ""; Kids: the body (Block or an expression), parameters…
	Class           // Text: the name or ""; Kids: the members, then what it extends (Empty for nothing)
	Element         // JSX, passed over
	Empty           // nothing
	Block           // Kids: statements
	Var             // Op: const, let, var, using; Kids: Declarator
	Declarator      // Kids: pattern, value (Empty for none)
	ExprStmt        // Kids: one
	Return          // Kids: one (Empty for none)
	Throw           // Kids: one
	If              // Kids: test, then, else (Empty for none)
	ForOf           // Op: of or in; Kids: pattern or Var, what is gone through, body
	Loop            // for, while, do; Kids: what is in its head…, body
	Try             // Kids: block, handler, finalizer (Empty where absent)
	Switch          // Kids: what is switched on, statements…
	Import          // Text: the module; Kids: ImportName
	ImportName      // Text: the local name; Op: the name in the module, default or *
	Export          // Op: default or "" or from; Kids: what is exported
	Enum            // Text: the name; Kids: Property
	Decorator       // Kids: one
)

// A Node is a piece of the source.
type Node struct {
	Kind       Kind
	Start, End int // offsets of its first byte and behind its last
	Text, Op   string
	Kids       []*Node
	Optional   bool // a link of an optional chain
	Computed   bool // a key in brackets
	Async      bool
	Arrow      bool
	Lossy      bool // the value has no spelling in UTF-8, or an escape that is none
}

// Kid returns the i-th kid, nil where there is none or it is Empty.
func (n *Node) Kid(i int) *Node {
	if n == nil || i >= len(n.Kids) || n.Kids[i] == nil || n.Kids[i].Kind == Empty {
		return nil
	}
	return n.Kids[i]
}

// Args returns the arguments of a Call or New; nil for any other node.
func (n *Node) Args() []*Node {
	if n == nil || n.Kind != Call && n.Kind != New || len(n.Kids) == 0 {
		return nil
	}
	return n.Kids[1:]
}

// Params returns the parameters of a Function.
func (n *Node) Params() []*Node {
	if n == nil || n.Kind != Function {
		return nil
	}
	return n.Kids[1:]
}

// Walk calls visit for a node and what is below it, until visit returns false
// for a node, whose kids it then passes over.
func Walk(n *Node, visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, k := range n.Kids {
		Walk(k, visit)
	}
}
