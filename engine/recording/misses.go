package recording

import (
	"errors"
	"io/fs"
	"path/filepath"

	"docket/engine/disk"
)

// Misses is where the requests of a suite's last run that found no recording are
// kept for docket rekey: a file of local state below the folder of the
// configuration.
type Misses struct {
	FS    disk.FS
	Dir   string
	Suite string
}

// mostMisses bounds, in bytes, what is read of misses.
const mostMisses = 256 << 20

// Name is the path of the file below the folder, with slashes.
func (m Misses) Name() string { return ".docket/misses/" + m.Suite + ".jsonl" }

func (m Misses) file() string { return filepath.Join(m.Dir, filepath.FromSlash(m.Name())) }

// Keep keeps the requests of a session that found no recording, in place of
// those of the run before.
func (m Misses) Keep(s *Store) error {
	data := s.AppendMisses(nil)
	if len(data) == 0 {
		return m.Forget()
	}
	if err := disk.MakeFolders(m.FS, m.Dir, filepath.Dir(m.file()), 0o700); err != nil {
		return err
	}
	return disk.Write(m.FS, m.file(), data, 0o600)
}

// Read returns what was kept; nothing where nothing was.
func (m Misses) Read() ([]byte, error) {
	data, err := disk.Read(m.FS, m.file(), mostMisses)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Forget lets go of what was kept.
func (m Misses) Forget() error {
	err := m.FS.Remove(m.file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
