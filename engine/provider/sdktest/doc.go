// Package sdktest points the vendors' own Go clients at docket's door: what
// they cannot read, no system could. It is a module of its own, so that docket
// does not depend on them; run it with `go test ./...` in this folder.
package sdktest
