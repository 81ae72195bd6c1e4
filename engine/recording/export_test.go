package recording

import "docket/engine/disk"

// Through puts something between the store and the disk.
func (s *Store) Through(wrap func(disk.FS) disk.FS) { s.fsys = wrap(s.fsys) }
