package recording

import "docket/engine/disk"

// Through puts something between the store and the disk.
func (s *Store) Through(wrap func(disk.FS) disk.FS) { s.fsys = wrap(s.fsys) }

// Through puts something between what is renamed and the disk.
func (r *Rekeying) Through(wrap func(disk.FS) disk.FS) { r.store.Through(wrap) }
