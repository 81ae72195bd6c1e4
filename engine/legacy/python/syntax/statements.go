package syntax

// A Stmt is a statement.
type Stmt interface {
	Node
	stmt()
}

// The statements. Those that say nothing about a test (pass, break, del,
// global …) are Plain.
type (
	// Def is a function; its span includes its decorators.
	Def struct {
		Span
		Name       string
		NameAt     int
		Async      bool
		Params     []Param
		Decorators []Expr
		Body       []Stmt
	}
	// Class is a class; its span includes its decorators.
	Class struct {
		Span
		Name       string
		Bases      []Arg
		Decorators []Expr
		Body       []Stmt
	}
	// Assign is Targets[0] = Targets[1] = … = Value. An annotated assignment is
	// one with a single target, and a nil Value where it has none.
	Assign struct {
		Span
		Targets []Expr
		Value   Expr
	}
	// Augment is Target Op= Value.
	Augment struct {
		Span
		Target Expr
		Op     string
		Value  Expr
	}
	// ExprStmt is an expression on its own.
	ExprStmt struct {
		Span
		X Expr
	}
	// Return is return X; X may be nil.
	Return struct {
		Span
		X Expr
	}
	// Assert is assert Cond, Message; Message may be nil.
	Assert struct {
		Span
		Cond, Message Expr
	}
	// Raise is raise X; X may be nil.
	Raise struct {
		Span
		X Expr
	}
	// IfStmt is if and its elifs, in order, and else.
	IfStmt struct {
		Span
		Conds  []Expr
		Bodies [][]Stmt
		Else   []Stmt
	}
	// For is for Target in Iter; its else joins its body.
	For struct {
		Span
		Target, Iter Expr
		Body         []Stmt
	}
	// While is while Cond; its else joins its body.
	While struct {
		Span
		Cond Expr
		Body []Stmt
	}
	// With is with Items; Targets are nil where there is no "as".
	With struct {
		Span
		Items   []Expr
		Targets []Expr
		Body    []Stmt
	}
	// Try is try with its handlers, else and finally.
	Try struct {
		Span
		Body     []Stmt
		Handlers []Handler
		Else     []Stmt
		Finally  []Stmt
	}
	// Match is match Subject.
	Match struct {
		Span
		Subject Expr
		Cases   []Case
	}
	// Import is import Names, or from Module import Names, where a name "*" is all.
	Import struct {
		Span
		From   bool
		Module string // without leading dots
		Level  int    // how many leading dots
		Names  []Alias
	}
	// Plain is a statement that holds nothing for a reader of tests.
	Plain struct{ Span }
	// Bad is a statement that could not be read, and the block below it.
	Bad struct {
		Span
		Body []Stmt
	}
)

// A Handler is "except Type as Name".
type Handler struct {
	Type Expr // or nil
	Name string
	Body []Stmt
}

// A Case is "case Pattern if Guard". Patterns are kept as expressions: a mapping
// is a Dict, alternatives a Binary "|", "as" a Walrus, a class pattern a Call.
type Case struct {
	Pattern Expr
	Guard   Expr // or nil
	Body    []Stmt
}

// An Alias is "Name as As"; As is Name where there is no "as".
type Alias struct{ Name, As string }

func (*Def) stmt()      {}
func (*Class) stmt()    {}
func (*Assign) stmt()   {}
func (*Augment) stmt()  {}
func (*ExprStmt) stmt() {}
func (*Return) stmt()   {}
func (*Assert) stmt()   {}
func (*Raise) stmt()    {}
func (*IfStmt) stmt()   {}
func (*For) stmt()      {}
func (*While) stmt()    {}
func (*With) stmt()     {}
func (*Try) stmt()      {}
func (*Match) stmt()    {}
func (*Import) stmt()   {}
func (*Plain) stmt()    {}
func (*Bad) stmt()      {}
