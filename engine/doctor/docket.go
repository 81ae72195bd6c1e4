package doctor

import (
	"context"
	"fmt"
	"runtime"
)

func lookAtDocket(_ context.Context, s *Surroundings) (found, mend string) {
	return fmt.Sprintf("%s, %s, %s/%s", s.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH), ""
}
