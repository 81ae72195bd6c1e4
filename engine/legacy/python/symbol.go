package python

import (
	"strconv"

	"docket/engine/field"
	"docket/engine/legacy"
)

// A role is what a value of run time is, as far as its uses tell.
type role uint8

const (
	runtimeRole  role = iota // nothing is known
	objectRole               // an object of the program under test, such as a client
	resultRole               // what a call of the program gave; its uses tell what it is
	answerRole               // the text of the model
	documentRole             // JSON in it, or an object with fields made of it
	toolsRole                // the list of tool calls
	toolRole                 // one of them
	toolNameRole
	toolArgsRole
	responseRole // the vendor's response object
	doubleRole   // a mock
	promptRole   // what is sent
	raisedRole   // an exception
	snapshotRole // a snapshot fixture
	typeRole     // the type of something
)

// A symbol is a value that exists only at run time, and what it is about.
type symbol struct {
	role    role
	path    string
	measure string // what it counts or lists of an answer: "words", "lines", …; "keys" of a document
	counted bool   // it is the number of them
	fold    bool   // brought to lower case
	source  string
	call    *call
}

// A call is a call of the program under test.
type call struct {
	text   string
	inputs []legacy.Input
	model  bool // it is one that asks the model
}

// subject is what a claim about s is about.
func (s *symbol) subject() legacy.Subject {
	switch s.role {
	case resultRole, answerRole:
		return legacy.Answer
	case documentRole:
		return legacy.Document
	case toolsRole, toolRole, toolNameRole, toolArgsRole:
		return legacy.Tools
	case responseRole:
		return legacy.Response
	case doubleRole:
		return legacy.Double
	case promptRole:
		return legacy.Prompt
	case raisedRole:
		return legacy.Raised
	case typeRole:
		return legacy.Type
	case snapshotRole:
		return legacy.Answer
	}
	return legacy.Other
}

// as is a copy of s in another role.
func (s *symbol) as(r role) *symbol {
	c := *s
	c.role = r
	return &c
}

// renamed is a copy of s that is spelled in another way.
func (s *symbol) renamed(source string) *symbol {
	c := *s
	c.source = source
	return &c
}

// member is the attribute or key of a symbol.

func (s *symbol) member(name, source string) *symbol {
	c := *s
	c.source = source
	c.measure, c.counted = "", false
	switch s.role {
	case resultRole, responseRole:
		c.role = memberRole(s.role, name)
		switch c.role {
		case documentRole:
			if s.role == resultRole && !documentName(name) {
				c.path = string(field.AppendKey(nil, name))
			} else {
				c.path = ""
			}
		case responseRole:
			c.path = join(s.path, name)
		default:
			c.path = ""
		}
	case answerRole:
		// .text of a text: still it.
	case documentRole:
		c.path = string(field.AppendKey([]byte(s.path), name))
	case toolsRole, toolRole:
		switch name {
		case "name", "tool_name", "tool":
			c.role = toolNameRole
		case "arguments", "args", "input", "parameters", "kwargs":
			c.role = toolArgsRole
		case "function":
			c.role = toolRole
		default:
			c.role, c.path = responseRole, "tool_calls."+name
		}
	case toolArgsRole:
		c.path = string(field.AppendKey([]byte(s.path), name))
	case promptRole, doubleRole, raisedRole:
		c.path = join(s.path, name)
	default:
		c.path = ""
	}
	return &c
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func documentName(name string) bool {
	switch name {
	case "data", "json", "parsed", "document", "payload", "structured_output", "parsed_output":
		return true
	}
	return false
}

// memberRole is what the member of a result or response is, by its name: the
// vendors' SDKs and the wrappers around them agree on these.
func memberRole(of role, name string) role {
	switch name {
	case "text", "content", "output_text", "completion", "answer", "reply", "final_output":
		return answerRole
	case "output", "summary", "result", "body":
		if of == resultRole {
			return answerRole
		}
	case "tool_calls", "tool_uses", "function_calls", "function_call", "tools_called", "actions":
		return toolsRole
	case "choices", "message", "messages", "candidates", "parts", "delta", "outputs", "response", "raw":
		return responseRole
	case "id", "model", "usage", "finish_reason", "stop_reason", "role", "created", "object", "index", "status_code",
		"status", "headers", "latency", "latency_ms", "cost", "system_fingerprint", "prompt_tokens", "completion_tokens",
		"total_tokens", "input_tokens", "output_tokens", "type", "logprobs", "refusal", "request_id", "stop_sequence",
		"is_closed", "http_request", "http_response", "elapsed", "ok", "url", "request":
		return responseRole
	}
	if documentName(name) {
		return documentRole
	}
	if of == resultRole {
		return documentRole
	}
	return responseRole
}

// item is an element of a symbol: by its place, or any of them where at is -1.
func (s *symbol) item(at int, source string) *symbol {
	c := *s
	c.source = source
	c.counted = false
	place := "[]"
	if at >= 0 {
		place = "[" + strconv.Itoa(at) + "]"
	}
	switch s.role {
	case documentRole:
		if s.measure == "" {
			c.path = s.path + place
		}
	case toolsRole:
		c.role = toolRole
	case responseRole, promptRole:
		c.path = s.path + place
	}
	return &c
}

// claimPath is the path that a claim about s has.
func (s *symbol) claimPath(e *evaluator) string {
	switch s.role {
	case resultRole, answerRole:
		return s.measure
	case documentRole:
		if s.counted {
			return "len(" + s.path + ")"
		}
		return s.path
	case toolArgsRole:
		name := e.tool
		if name == "" {
			name = "*"
		}
		return join(name, s.path)
	case toolsRole, toolRole, toolNameRole:
		if s.counted {
			return "len()"
		}
		return ""
	}
	return brief(s.source)
}
