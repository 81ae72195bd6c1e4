//go:build unix

package check

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the program into a process group of its own, which is killed as
// a whole when its time is up.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}

// endGroup kills what is left of the program's group. A group that is gone is
// no error.
func endGroup(command *exec.Cmd) {
	if command.Process != nil {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
	}
}
