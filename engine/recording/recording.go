// Package recording keeps what models and services answered, as files that are
// checked in, and answers from them. It holds the canonical form of a request,
// the redaction of secrets, the files, the search for the nearest recording
// when none fits, and the renaming of recordings when requests changed in a
// way that does not matter.
//
// Services: recordings/SERVICE/SLUG-HASH.json below the suite's folder, one
// request and its response, found by the hash of the canonical request alone,
// so that all cases share it and it answers as often as it is asked.
//
// Models: recordings/PROVIDER/CASE-HASH/SAMPLE.jsonl, one line a call, found by
// the hash of the canonical request within that file. Order only separates
// equal requests: the second of two equal calls gets the second answer, and a
// third is used up.
//
// # The canonical request
//
// "Canonical v1" is the SHA-256 of this document in the spelling of package
// canonical:
//
//	{"v":1, "upstream":…, "method":…, "path":…, "query":…, "headers":{…}, "body":…}
//
// Query is sorted by name, values of one name in their order. Of the headers
// four count: the media type of content-type, anthropic-version,
// anthropic-beta, openai-beta. The body is JSON where it is strict JSON, "form"
// where it is a form, "text" where it is any other text, JSON that is not
// strict included (a key twice, half a surrogate pair), and "base64" where it
// is not UTF-8. Absent members are left out. Gzip is undone first, and the
// boundary of a multipart body, which is random, is replaced.
//
// # Redaction
//
// Redaction comes before everything else: what is hashed, compared, shown and
// written is the redacted request. What is taken out reads [redacted], whoever
// recorded it, so that a machine with another key, or with none, finds the same
// recording.
//
//   - Headers are kept by allow-list, never by deny-list: see requestHeaders and
//     responseHeaders. No cookie and no authorization is ever among them.
//   - Values of environment variables that are named like a secret, such as
//     OPENAI_API_KEY (see [Secrets]): as they stand, escaped for URLs or JSON,
//     and in base64.
//   - Query and form parameters named like a secret: key, token, sig, api_key,
//     password and their like, compared without case and punctuation.
//   - Strings in JSON under a key named like a secret: api_key, access_token,
//     password, authorization, set-cookie and their like; but neither "key"
//     nor "token" alone, which answers and tool calls are full of.
//   - Within any text: bearer and basic credentials, the published shapes of
//     vendors' keys, JSON web tokens, private keys, user:password@ in addresses,
//     secret parameters of addresses.
//
// A response is otherwise kept byte for byte. What redaction cannot see is a
// secret that no rule describes, or one that a stream spreads over two events.
//
// # What it refuses
//
// A file that is damaged, edited by hand, in conflict or of a newer format is
// an error with its position, is never taken for a missing one, and stays as it
// is. Nothing here opens a connection, and nothing is read or written outside
// the folder recordings of the suite.
package recording

import (
	"errors"
	"fmt"

	"docket/engine/provider"
	"docket/engine/suite"
)

// Folder is the folder of a suite's recordings, below its cases.
const Folder = "recordings"

// A Key is the place of an exchange. Exactly one of Provider and Service is
// set. A service's recordings are found by request alone; its case is for
// reports.
type Key = provider.Key

// upstreamOf is the name of who answers.
func upstreamOf(k Key) string {
	if k.Service != "" {
		return k.Service
	}
	return k.Provider
}

func checkKey(k Key) error {
	switch {
	case (k.Provider == "") == (k.Service == ""):
		return errors.New("a recording belongs to a provider or to a service")
	case k.Provider != "" && k.Sample < 1:
		return fmt.Errorf("samples count from 1, got %d", k.Sample)
	case k.Provider != "":
		if err := suite.CheckID(k.CaseID); err != nil {
			return err
		}
	}
	return checkName(upstreamOf(k))
}
