package wire

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Failure is an answer that is none: an error that a provider reported, or
// an answer that is not whole.
type Failure struct {
	// Status is the HTTP status that stands for the failure; 0 for an answer
	// that is not whole.
	Status  int
	Type    string // in the provider's word; "" where it has none
	Code    string // likewise
	Message string // untrusted text
}

// Error says what the provider said.
func (f *Failure) Error() string {
	said := f.Message
	if said == "" {
		said = "no reason given"
	}
	if f.Status == 0 {
		return said
	}
	if f.Type != "" {
		return fmt.Sprintf("%d %s: %s", f.Status, f.Type, said)
	}
	return fmt.Sprintf("%d: %s", f.Status, said)
}

// Temporary reports whether the same request may be answered at another time:
// a limit, an overload, a fault of the server, half an answer. A quota that is
// used up is none.
func (f *Failure) Temporary() bool {
	if f.Code == "insufficient_quota" || f.Type == "insufficient_quota" {
		return false
	}
	switch f.Status {
	case 0, 408, 409, 425, 429:
		return true
	}
	return f.Status >= 500 && f.Status != 501
}

// broken makes the failure of an answer that is not whole.
func broken(format string, args ...any) *Failure {
	return &Failure{Message: fmt.Sprintf(format, args...)}
}

// ReadFailure reads the body of a response whose status is an error. There is
// no form that all servers share, and some say it in plain text or HTML.
func ReadFailure(status int, body []byte) *Failure {
	f := &Failure{Status: status}
	if said, ok := reported(body); ok {
		f.Type, f.Code, f.Message = said.Type, said.Code, said.Message
		return f
	}
	f.Message = glimpse(body)
	return f
}

// glimpse returns the beginning of a body that is no JSON, in one line.
func glimpse(body []byte) string {
	const most = 200
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(body[:min(len(body), 4*most)]), "\ufffd")), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// reported reads the error that a JSON document reports, and says whether it
// reports one: {"error": {"message": …}} of both vendors, {"error": "…"} of
// Ollama, {"message": …} and {"detail": …} of web frameworks.
func reported(body []byte) (*Failure, bool) {
	var document struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &document) != nil {
		return nil, false
	}
	f := &Failure{}
	switch {
	case !isNull(document.Error):
		var inner struct {
			Type    json.RawMessage `json:"type"`
			Code    json.RawMessage `json:"code"`
			Message json.RawMessage `json:"message"`
		}
		if json.Unmarshal(document.Error, &inner) != nil {
			f.Message = spell(document.Error)
			return f, true
		}
		f.Type, f.Code, f.Message = spell(inner.Type), spell(inner.Code), spell(inner.Message)
		return f, true
	case !isNull(document.Detail):
		f.Message = spell(document.Detail)
		return f, true
	case len(document.Message) > 0 && document.Message[0] == '"':
		f.Message = spell(document.Message)
		return f, true
	}
	return nil, false
}

// spell returns a JSON string's text, "" for null, and anything else as it is
// written.
func spell(raw json.RawMessage) string {
	if isNull(raw) {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return glimpse(raw)
}

// isNull reports whether a member is absent or null.
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// statusOf is the HTTP status that stands for an error that was reported in the
// middle of a stream, by the type that the vendors give it.
func statusOf(kind string) int {
	switch kind {
	case "overloaded_error":
		return 529
	case "rate_limit_error", "rate_limit_exceeded":
		return 429
	case "authentication_error":
		return 401
	case "permission_error":
		return 403
	case "not_found_error":
		return 404
	case "invalid_request_error", "invalid_prompt":
		return 400
	}
	return 500
}
