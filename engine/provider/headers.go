package provider

import (
	"mime"
	"net/http"
	"strings"
)

// endToEnd copies the headers that are meant for the far end. Those that speak
// of one connection stay behind, those that Connection names included, so that
// no client can make two servers read one request in two ways.
func endToEnd(h http.Header) http.Header {
	kept := h.Clone()
	for _, value := range h.Values("Connection") {
		for name := range strings.SplitSeq(value, ",") {
			kept.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range []string{
		"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization",
		"Te", "Trailer", "Transfer-Encoding", "Upgrade", "Expect", "Content-Length", "Forwarded", "X-Forwarded-For",
		"X-Forwarded-Host", "X-Forwarded-Proto",
	} {
		kept.Del(name)
	}
	if kept == nil {
		kept = http.Header{}
	}
	return kept
}

// keptOfRequest returns the headers of a request that shape its answer.
func keptOfRequest(h http.Header) http.Header {
	return pick(h, "Content-Type", "Accept", "Anthropic-Version", "Anthropic-Beta", "Openai-Beta", "Content-Encoding")
}

func pick(h http.Header, names ...string) http.Header {
	kept := http.Header{}
	for _, name := range names {
		if values := h.Values(name); len(values) > 0 {
			kept[name] = values
		}
	}
	return kept
}

// isStream reports whether a response is a stream of server-sent events.
func isStream(h http.Header) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && kind == "text/event-stream"
}
