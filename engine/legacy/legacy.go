// Package legacy reads old test suites of programs that call a model, and says
// what each test knew: the situation it stood for, the format that it held an
// answer to, or only the machinery of its day.
//
// A reader for a language turns source into Tests, in the neutral form below;
// the piles and their reasons are told from that form alone, so that a claim is
// judged alike whatever language it was written in. The package runs no test
// and no program, calls no model and writes no file. What cannot be read from
// the source alone is marked as unresolved, never guessed.
package legacy

// A File is one file of an old suite, as far as it could be read.
type File struct {
	Name     string // as it was named to the reader
	Language string // "python", "javascript", "typescript", "promptfoo", "snapshot", "csv"
	Tests    []Test // in the order of the source
	Lines    int
	// Problems are sentences about what was not read, with the line.
	Problems []Problem
}

// A Problem is something in a file that a reader passed over.
type Problem struct {
	Line    int
	Message string
}

// A Test is one test of an old suite: one function, one `it`, one row of a
// table. A test with parameters is one Test for each set of them where these
// can be read from the source.
type Test struct {
	Name       string // as its runner prints it, such as "TestRefunds.test_window[eu]" or "refunds > keeps the window"
	Line, End  int    // the first and last line of its source, from 1, decorators included
	Doc        string // its docstring, or the title where the language has titles instead
	Comments   []string
	Source     string // the text of its lines
	Inputs     []Input
	Call       string // the expression that asks the model, such as "summarise(ticket)"; "" where none was found
	Claims     []Claim
	Unresolved []Problem // what could not be read from the source alone
}

// An Input is a value that a test gives to what it calls.
type Input struct {
	Name  string // of the parameter or variable; "" for one by position
	Value any    // in the JSON model; nil where Why is set
	Why   string // why there is no value, such as "computed at run time by load_ticket()"
	// From names the constant, fixture or parameter that held the value, such as
	// "TICKET_4471"; "" for a value written in the call. Tests that share a From of
	// one file share a fixture.
	From string
}

// A Claim is one assertion, in a form that does not depend on its language.
type Claim struct {
	Line, End int    // of its source
	Text      string // its source
	Subject   Subject
	// Path leads to what is judged within the subject: a path of package field for
	// JSON ("status", "items[0].name"), a spelling of the source for other objects.
	Path string
	Op   Op
	Not  bool // the claim denies Op: of each value or, with Any, of one of them
	Any  bool // one of the values is enough
	// Values are what Op compares with, in the JSON model: one, or several where the
	// source has a list or alternatives.
	Values []any
	// IgnoreCase says that both sides were brought to one case first.
	IgnoreCase bool
	// Why says why Values is empty although Op wants some: a value that is
	// computed at run time.
	Why string
	// Helper names the function of the suite that makes the assertion; "" where the
	// test itself does.
	Helper string
	// At is the line of the test that leads to the claim: Line, or the call of a
	// Helper. A claim of a helper in another file has that call as its Line, too.
	At int
}

// A Subject is what a claim is about.
type Subject string

// The subjects.
const (
	Answer   Subject = "answer"   // the text that the model gave
	Document Subject = "document" // the JSON in that text
	Tools    Subject = "tools"    // the tool calls that the model made; Path is the tool's name, or "name.argument"
	Response Subject = "response" // the vendor's response object around the answer
	Double   Subject = "double"   // a mock, stub or spy, and how it was called
	Prompt   Subject = "prompt"   // what was sent to the model
	Raised   Subject = "raised"   // an exception
	Type     Subject = "type"     // the type or class of a value
	Other    Subject = "other"    // what the reader cannot tell
)

// An Op is what a claim says about its subject.
type Op string

// The operations. The words, lines, bullets, sentences and characters of an
// answer are counted by subject Answer with Path "words", "lines" and so on.
const (
	Contains   Op = "contains"
	Equals     Op = "equals"
	Near       Op = "near"    // Values: the number and how far from it is allowed
	Matches    Op = "matches" // Values: a pattern
	StartsWith Op = "starts with"
	EndsWith   Op = "ends with"
	AtMost     Op = "at most"
	AtLeast    Op = "at least"
	HasKey     Op = "has key"
	OneOf      Op = "one of"
	Parses     Op = "parses" // as JSON
	Truthy     Op = "truthy"
	Called     Op = "called"
	IsA        Op = "is a"
	Raises     Op = "raises"
	Snapshot   Op = "snapshot"
	Unknown    Op = "unknown"
)
