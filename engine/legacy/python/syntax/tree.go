package syntax

// A Span is a stretch of the source, by byte offsets from 0; End is after it.
type Span struct{ Start, End int }

// Range is the span itself, which makes whatever embeds one a Node.
func (s Span) Range() Span { return s }

// A Node is any part of the tree.
type Node interface{ Range() Span }

// A Comment is one comment, with its "#".
type Comment struct{ Span }

// A Problem is something that was not read, at an offset.
type Problem struct {
	At      int
	Message string
}

// An Expr is an expression.
type Expr interface {
	Node
	expr()
}

// The expressions.
type (
	// Name is an identifier.
	Name struct {
		Span
		ID string
	}
	// Number is a number as it is written, underscores included.
	Number struct {
		Span
		Text string
	}
	// String is one or several adjacent literals without replacement fields.
	String struct {
		Span
		Value string
		Bytes bool
		// Why says why Value is not the string that Python would make, such as
		// a character named by \N{…}; "" where it is.
		Why string
	}
	// Format is one or several adjacent literals of which some are f-strings.
	Format struct {
		Span
		Parts []FormatPart
	}
	// Keyword is True, False, None or "...".
	Keyword struct {
		Span
		ID string
	}
	// Attribute is X.Name.
	Attribute struct {
		Span
		X    Expr
		Name string
	}
	// Subscript is X[Index].
	Subscript struct {
		Span
		X, Index Expr
	}
	// Slice is Low:High:Step within a subscript; absent parts are nil.
	Slice struct {
		Span
		Low, High, Step Expr
	}
	// Call is Func(Args).
	Call struct {
		Span
		Func Expr
		Args []Arg
	}
	// Binary is Left Op Right of arithmetic.
	Binary struct {
		Span
		Left  Expr
		Op    string
		Right Expr
	}
	// Unary is Op X: "-", "+", "~" or "not".
	Unary struct {
		Span
		Op string
		X  Expr
	}
	// Bool is a chain of "and" or of "or".
	Bool struct {
		Span
		Op     string
		Values []Expr
	}
	// Compare is a chain of comparisons: Left Ops[0] Rights[0] Ops[1] ….
	Compare struct {
		Span
		Left   Expr
		Ops    []string // "==", "in", "not in", "is", "is not" …
		Rights []Expr
	}
	// If is Then if Cond else Else.
	If struct {
		Span
		Cond, Then, Else Expr
	}
	// Lambda is a function without a name.
	Lambda struct {
		Span
		Params []Param
		Body   Expr
	}
	// Sequence is a list, tuple or set: Open is '[', '(' or '{'.
	Sequence struct {
		Span
		Open  byte
		Items []Expr
	}
	// Dict is {Keys: Values}; a nil key is "**value".
	Dict struct {
		Span
		Keys, Values []Expr
	}
	// Comprehension is a list, set, generator or dict comprehension: Open is '[',
	// '{' or '('; Key is nil but for dicts.
	Comprehension struct {
		Span
		Open       byte
		Key, Value Expr
		Clauses    []Clause
	}
	// Star is *X or, with Double, **X.
	Star struct {
		Span
		Double bool
		X      Expr
	}
	// Await is await X.
	Await struct {
		Span
		X Expr
	}
	// Yield is yield X or yield from X; X may be nil.
	Yield struct {
		Span
		From bool
		X    Expr
	}
	// Walrus is Target := X.
	Walrus struct {
		Span
		Target *Name
		X      Expr
	}
	// BadExpr stands where an expression could not be read.
	BadExpr struct{ Span }
)

// A FormatPart is literal text, or a field where X is not nil.
type FormatPart struct {
	Text       string
	Why        string // as in String
	X          Expr
	Conversion string // r, s, a or ""
	Format     []FormatPart
}

// An Arg is an argument of a call: Name is "" for one by position, and "**" or
// "*" for one that is spread.
type Arg struct {
	Name string
	X    Expr
}

// A Clause is "for Target in Iter if Conds…" of a comprehension.
type Clause struct {
	Target Expr
	Iter   Expr
	Conds  []Expr
}

// A Param is a parameter of a function. Star is "", "*" or "**".
type Param struct {
	Name    string
	Star    string
	Default Expr // or nil
}

func (*Name) expr()          {}
func (*Number) expr()        {}
func (*String) expr()        {}
func (*Format) expr()        {}
func (*Keyword) expr()       {}
func (*Attribute) expr()     {}
func (*Subscript) expr()     {}
func (*Slice) expr()         {}
func (*Call) expr()          {}
func (*Binary) expr()        {}
func (*Unary) expr()         {}
func (*Bool) expr()          {}
func (*Compare) expr()       {}
func (*If) expr()            {}
func (*Lambda) expr()        {}
func (*Sequence) expr()      {}
func (*Dict) expr()          {}
func (*Comprehension) expr() {}
func (*Star) expr()          {}
func (*Await) expr()         {}
func (*Yield) expr()         {}
func (*Walrus) expr()        {}
func (*BadExpr) expr()       {}
