package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// ReadFile reads a file that the configuration names, by a path relative to its
// folder. It opens nothing outside the repository, and nothing but a regular
// file of at most [MaxInputBytes]. Errors are sentences that name the file.
func (c *Config) ReadFile(name string) ([]byte, error) {
	clean, err := c.place(name)
	if err != nil {
		return nil, err
	}
	dir, err := c.open(path.Dir(clean))
	if err != nil {
		return nil, fmt.Errorf("%q %w", name, describe(err))
	}
	defer dir.root.Close()
	return ReadBelow(dir.root, path.Base(clean))
}

// ReadBelow reads a regular file of at most [MaxInputBytes] below a root that a
// path must not leave. Errors are sentences that name the file.
func ReadBelow(root *os.Root, name string) ([]byte, error) {
	data, err := readRegular(root, name, MaxInputBytes)
	if err != nil {
		return nil, fmt.Errorf("%q %w", name, err)
	}
	return data, nil
}

// ReadFile reads a file that a case names outside its input, such as a schema,
// by the rules of input files: from the suite's folder, or else from the folder
// that suites share. The bytes need not be text.
func (s *Suite) ReadFile(name string) ([]byte, error) {
	clean, err := insidePath(name)
	if err != nil {
		return nil, err
	}
	folders := []string{s.Config.Cases}
	if s.Config.Fixtures != "" {
		folders = append(folders, s.Config.Fixtures)
	}
	for _, in := range folders {
		var dir *folder
		if dir, err = s.config.open(in); err != nil {
			return nil, fmt.Errorf("%q %w", in, describe(err))
		}
		var data []byte
		data, err = readRegular(dir.root, clean, MaxInputBytes)
		dir.root.Close()
		if err == nil {
			return data, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return nil, fmt.Errorf("%q %w", name, err)
}
