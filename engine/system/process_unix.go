//go:build unix && !linux

package system

import "syscall"

// attributes gives a program a group of processes of its own. There is nothing
// here that ends it where docket is killed with -9; a program that reads its
// stdin sees it close.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
