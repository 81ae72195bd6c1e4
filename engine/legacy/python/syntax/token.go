package syntax

// A tokenKind tells what a token is.
type tokenKind uint8

const (
	endToken tokenKind = iota // of the file
	newlineToken
	indentToken
	dedentToken
	nameToken // keywords, too
	numberToken
	stringToken // with its prefix and quotes; f-strings whole
	opToken
	badToken // a character that begins nothing
)

// A token is a stretch of the source. Indent, dedent and end tokens are empty.
type token struct {
	kind       tokenKind
	op         op
	start, end int
}

// An op is the text of an operator, packed: its last byte lowest.
type op uint32

// Operators that the parser asks for. The packing keeps a comparison one
// machine word, where the text would be compared byte by byte.
const (
	opLeftParen    = op('(')
	opRightParen   = op(')')
	opLeftBracket  = op('[')
	opRightBracket = op(']')
	opLeftBrace    = op('{')
	opRightBrace   = op('}')
	opColon        = op(':')
	opComma        = op(',')
	opSemicolon    = op(';')
	opDot          = op('.')
	opAssign       = op('=')
	opStar         = op('*')
	opPlus         = op('+')
	opMinus        = op('-')
	opSlash        = op('/')
	opPercent      = op('%')
	opAt           = op('@')
	opPipe         = op('|')
	opCaret        = op('^')
	opAmpersand    = op('&')
	opTilde        = op('~')
	opLess         = op('<')
	opGreater      = op('>')
	opExclamation  = op('!')
	opPower        = op('*')<<8 | op('*')
	opFloorDivide  = op('/')<<8 | op('/')
	opShiftLeft    = op('<')<<8 | op('<')
	opShiftRight   = op('>')<<8 | op('>')
	opEqual        = op('=')<<8 | op('=')
	opNotEqual     = op('!')<<8 | op('=')
	opLessEqual    = op('<')<<8 | op('=')
	opGreaterEqual = op('>')<<8 | op('=')
	opWalrus       = op(':')<<8 | op('=')
	opArrow        = op('-')<<8 | op('>')
	opEllipsis     = op('.')<<16 | op('.')<<8 | op('.')
)

// operatorAt gives the longest operator at the start of s and its length, or 0.
func operatorAt(s string) (op, int) {
	if len(s) >= 3 {
		switch s[:3] {
		case "...", "**=", "//=", ">>=", "<<=":
			return op(s[0])<<16 | op(s[1])<<8 | op(s[2]), 3
		}
	}
	if len(s) >= 2 {
		switch s[:2] {
		case "**", "//", "<<", ">>", "==", "!=", "<=", ">=", "->", ":=", "+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^=":
			return op(s[0])<<8 | op(s[1]), 2
		case "<>": // "not equal" of Python 2
			return opNotEqual, 2
		}
	}
	switch s[0] {
	case '(', ')', '[', ']', '{', '}', ':', ',', ';', '.', '=', '*', '+', '-', '/', '%', '@', '|', '^', '&', '~', '<', '>', '!':
		return op(s[0]), 1
	}
	return 0, 0
}

// augmented tells whether o is an assignment such as "+=", and its operator.
func (o op) augmented() (op, bool) {
	if o&0xff != '=' || o < 1<<8 {
		return 0, false
	}
	switch o {
	case opEqual, opNotEqual, opLessEqual, opGreaterEqual, opWalrus:
		return 0, false
	}
	return o >> 8, true
}

// String is the operator as it is written.
func (o op) String() string {
	var b []byte
	for shift := 16; shift >= 0; shift -= 8 {
		if c := byte(o >> shift); c != 0 {
			b = append(b, c)
		}
	}
	return string(b)
}
