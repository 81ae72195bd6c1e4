//go:build unix

package system

import (
	"os"
	"syscall"
)

// endGroup kills the group of processes that p is the head of.
func endGroup(p *os.Process) {
	syscall.Kill(-p.Pid, syscall.SIGKILL) // fails where all have ended
}
