package engine_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain draws fewer examples than rapid would of its own, since each is a
// folder with a store that is synced to disk: -rapid.checks asks for more.
func TestMain(m *testing.M) {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if !asked {
		if err := flag.Set("rapid.checks", "25"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
