package phrase

import "testing"

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1 KB", 1001: "2 KB", 999_001: "1000 KB",
		1_000_000: "1 MB", 1_549_000: "1.5 MB", 500_000_000: "500 MB", 2_000_000_000: "2 GB", 2_100_000_000: "2.1 GB",
	} {
		if got := Size(n); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}
