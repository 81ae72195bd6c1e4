package recording

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"docket/engine/canonical"
)

// MaxBody is the size in bytes of the largest body that is recorded, before and
// after compression.
const MaxBody = 32 << 20

// maxBodyDepth leaves room for what a file puts around a body, which must
// itself nest no deeper than canonical.MaxDepth.
const maxBodyDepth = canonical.MaxDepth - 50

// A form is how a request's body is kept. Its value is the member's name in
// files and in the canonical request.
type form string

const (
	noBody     form = ""
	jsonBody   form = "body"
	formBody   form = "form"
	textBody   form = "text"
	binaryBody form = "base64"
)

// A body is the body of a request in canonical form.
type body struct {
	form   form
	json   any        // of jsonBody, in the JSON model
	params parameters // of formBody
	text   string     // of textBody; of binaryBody, in base64
}

// readBody brings a request's body into canonical form. What cannot be read as
// it declares itself is text or bytes: a request is never refused for its body.
func readBody(data []byte, mediaType string, params map[string]string) body {
	if len(data) == 0 {
		return body{}
	}
	switch {
	case mediaType == "application/x-www-form-urlencoded" && utf8.Valid(data):
		return body{form: formBody, params: readParameters(string(data))}
	case strings.HasPrefix(mediaType, "multipart/") && len(params["boundary"]) > 0:
		// Chosen at random by every client, and part of nothing that is meant.
		data = bytes.ReplaceAll(data, []byte(params["boundary"]), []byte("boundary"))
	case mayBeJSON(data, mediaType):
		if v, err := canonical.Parse(data); err == nil && depth(v) <= maxBodyDepth {
			return body{form: jsonBody, json: v}
		}
	}
	if utf8.Valid(data) {
		return body{form: textBody, text: string(data)}
	}
	return body{form: binaryBody, text: base64.StdEncoding.EncodeToString(data)}
}

// mayBeJSON holds back from reading a word or a number in plain text as JSON,
// where 1 and 1.0 are two texts.
func mayBeJSON(data []byte, mediaType string) bool {
	if mediaType == "" || isJSON(mediaType) {
		return true
	}
	start := bytes.TrimLeft(data, " \t\r\n")
	return len(start) > 0 && (start[0] == '{' || start[0] == '[')
}

func isJSON(mediaType string) bool {
	return mediaType == "application/json" || mediaType == "text/json" || strings.HasSuffix(mediaType, "+json")
}

// value is the body as it stands in a file and in the canonical request.
func (b *body) value() any {
	switch b.form {
	case jsonBody:
		return b.json
	case formBody:
		return b.params.encode()
	default:
		return b.text
	}
}

// bytes returns a body that reads as the recorded one did.
func (b *body) bytes() []byte {
	switch b.form {
	case noBody:
		return nil
	case jsonBody:
		return canonical.Marshal(b.json)
	case formBody:
		return []byte(b.params.encode())
	case binaryBody:
		data, _ := base64.StdEncoding.DecodeString(b.text) // checked when it was read
		return data
	}
	return []byte(b.text)
}

func depth(v any) int {
	deepest := 0
	switch v := v.(type) {
	case map[string]any:
		for _, w := range v {
			deepest = max(deepest, depth(w))
		}
	case []any:
		for _, w := range v {
			deepest = max(deepest, depth(w))
		}
	default:
		return 0
	}
	return deepest + 1
}

// mediaType splits a content type. The type is in lower case, "" where there is
// none that can be read.
func mediaType(header http.Header) (string, map[string]string) {
	name, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return "", nil
	}
	return name, params
}

// inflate undoes the encodings of a body, as far as all of them are gzip, and
// reports whether the body now stands without any. Another encoding, or gzip
// that does not read, is left as it is.
func inflate(header http.Header, data []byte) (plain []byte, done bool, err error) {
	encodings := strings.Split(strings.ToLower(strings.Join(header.Values("Content-Encoding"), ",")), ",")
	plain = data
	for i := len(encodings) - 1; i >= 0; i-- {
		switch strings.TrimSpace(encodings[i]) {
		case "", "identity":
		case "gzip", "x-gzip":
			next, err := gunzip(plain)
			if errors.Is(err, errTooLarge) {
				return nil, false, err
			}
			if err != nil {
				return data, false, nil
			}
			plain = next
		default:
			return data, false, nil
		}
	}
	return plain, true, nil
}

var errTooLarge = fmt.Errorf("a request or an answer has more than %d MB, which is the most that docket records", MaxBody>>20)

func gunzip(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, nil // the answer to HEAD, and 304, name an encoding and have no body
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(io.LimitReader(r, MaxBody+1))
	if err != nil {
		return nil, err
	}
	if len(plain) > MaxBody {
		return nil, errTooLarge
	}
	return plain, nil
}
