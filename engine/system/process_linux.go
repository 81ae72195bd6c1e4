package system

import "syscall"

// attributes gives a program a group of processes of its own, and has the
// kernel kill it when docket ends, however docket ends; see launcher.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
