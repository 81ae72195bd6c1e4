package syntax

// skipElement returns the offset behind the JSX element that begins at an
// offset, or 0 where none does: the `<` is then a comparison or a type.
func skipElement(source []byte, at int) int {
	e := &element{source: source, at: at}
	if !e.skip(0) {
		return 0
	}
	return e.at
}

// maxElementDepth is how deep elements and braces in them may nest.
const maxElementDepth = 200

// maxMisreadings is how often something in braces may look like an element and
// be none: each is read twice.
const maxMisreadings = 20

type element struct {
	source      []byte
	at          int
	misreadings int
}

func (e *element) peek(n int) byte {
	if e.at+n < len(e.source) {
		return e.source[e.at+n]
	}
	return 0
}

func nameByte(c byte) bool {
	return c == '_' || c == '$' || c == '-' || c == '.' || c == ':' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

func (e *element) name() string {
	from := e.at
	for nameByte(e.peek(0)) {
		e.at++
	}
	return string(e.source[from:e.at])
}

func (e *element) space() {
	for e.peek(0) == ' ' || e.peek(0) == '\t' || e.peek(0) == '\n' || e.peek(0) == '\r' {
		e.at++
	}
}

// skip passes over one element, with what is in it.
func (e *element) skip(depth int) bool {
	if depth > maxElementDepth || e.peek(0) != '<' {
		return false
	}
	e.at++
	name := e.name()
	for {
		e.space()
		switch c := e.peek(0); {
		case c == '/' && e.peek(1) == '>':
			e.at += 2
			return name != ""
		case c == '>':
			e.at++
			return e.children(name, depth)
		case c == '{' && name != "":
			if !e.braces(depth) {
				return false
			}
		case (c == '"' || c == '\'') && name != "":
			if !e.quoted(c) {
				return false
			}
		case c == '=' && name != "":
			e.at++
		case nameByte(c) && name != "":
			// `<T extends X>(` begins a generic function, not an element.
			if e.name() == "extends" && e.peek(0) != '=' {
				return false
			}
		default:
			return false
		}
	}
}

// children passes over text, elements and braces up to the closing tag.
func (e *element) children(name string, depth int) bool {
	for e.at < len(e.source) {
		switch {
		case e.peek(0) == '<' && e.peek(1) == '/':
			e.at += 2
			e.space()
			if e.name() != name {
				return false
			}
			e.space()
			if e.peek(0) != '>' {
				return false
			}
			e.at++
			return true
		case e.peek(0) == '<':
			if !e.skip(depth + 1) {
				return false
			}
		case e.peek(0) == '{':
			if !e.braces(depth) {
				return false
			}
		default:
			e.at++
		}
	}
	return false
}

// braces passes over an expression in braces.
func (e *element) braces(depth int) bool {
	if depth > maxElementDepth {
		return false
	}
	e.at++
	open := 1
	for e.at < len(e.source) {
		switch c := e.peek(0); {
		case c == '{':
			open++
			e.at++
		case c == '}':
			e.at++
			if open--; open == 0 {
				return true
			}
		case c == '"' || c == '\'' || c == '`':
			if !e.quoted(c) {
				return false
			}
		case c == '/' && e.peek(1) == '*':
			e.at += 2
			for e.at < len(e.source) && (e.peek(0) != '*' || e.peek(1) != '/') {
				e.at++
			}
			e.at += 2
		case c == '/' && e.peek(1) == '/':
			for e.at < len(e.source) && e.peek(0) != '\n' {
				e.at++
			}
		case c == '<' && (e.peek(1) == '>' || 'a' <= e.peek(1) && e.peek(1) <= 'z' || 'A' <= e.peek(1) && e.peek(1) <= 'Z'):
			// An element's text may hold quotation marks; a comparison may look alike.
			from := e.at
			if !e.skip(depth + 1) {
				if e.misreadings++; e.misreadings > maxMisreadings {
					return false
				}
				e.at = from + 1
			}
		default:
			e.at++
		}
	}
	return false
}

func (e *element) quoted(mark byte) bool {
	e.at++
	for e.at < len(e.source) {
		c := e.peek(0)
		e.at++
		switch {
		case c == '\\' && mark == '`':
			e.at++
		case c == mark:
			return true
		}
	}
	return false
}
