package engine

import "docket/engine/disk"

// Through makes a project write through another file system.
func (p *Project) Through(fsys disk.FS) { p.fsys = fsys }

// Through makes a review write through another file system.
func (v *Review) Through(fsys disk.FS) { v.fsys = fsys }

// Through makes an import write cases through another file system.
func (i *CaseImport) Through(fsys disk.FS) { i.fsys = fsys }
