package engine_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain draws fewer examples than rapid would of its own, since each is a
// folder with a store that is synced to disk: -rapid.checks asks for more. Told
// so by the environment, the test binary stands in for a live system instead.
func TestMain(m *testing.M) {
	if folder := os.Getenv("DOCKET_TEST_ANSWERS"); folder != "" {
		scriptedSystem(folder)
		return
	}
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
