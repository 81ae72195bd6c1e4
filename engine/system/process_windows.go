package system

import (
	"os"
	"syscall"
)

// attributes keeps a Ctrl-C on the console from reaching the program.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// endGroup ends the program itself; what it started sees its pipes close.
func endGroup(p *os.Process) {
	p.Kill()
}
