package phrase

import (
	"fmt"
	"strings"
)

// Size writes a number of bytes: "512 bytes", "3 KB", "1.5 MB", "2 GB".
func Size(n int64) string {
	switch {
	case n >= 1e9:
		return inTenths(n, 1e9) + " GB"
	case n >= 1e6:
		return inTenths(n, 1e6) + " MB"
	case n >= 1e3:
		return fmt.Sprintf("%d KB", (n+999)/1000)
	}
	return Count(int(n), "byte", "bytes")
}

// inTenths writes a number of units with one decimal, unless that is 0.
func inTenths(n int64, unit float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/unit), ".0")
}
