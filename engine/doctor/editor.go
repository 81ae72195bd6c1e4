package doctor

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

func lookAtEditor(_ context.Context, s *Surroundings) (found, mend string) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		words := strings.Fields(s.Getenv(name))
		if len(words) == 0 {
			continue
		}
		if _, err := exec.LookPath(words[0]); err != nil {
			mend = "it is not found: set " + name + " to a program that is there"
		}
		return fmt.Sprintf("%s is %s", name, strings.Join(words, " ")), mend
	}
	return "none is set, so that e opens vi", "set EDITOR, such as EDITOR=nano"
}
