package baseline

import (
	"errors"
	"io/fs"

	"docket/engine/disk"
)

// NamedOutputs returns the hashes of the outputs that some line of some baseline
// below a folder names, whether or not its suite is configured. A baseline that
// cannot be read is an error, since what it names is not known.
func NamedOutputs(fsys disk.FS, root string) (map[string]bool, error) {
	suites, err := Suites(fsys, root)
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, suite := range suites {
		for _, mode := range Modes() {
			file, err := Open(fsys, root, suite, mode)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				continue
			case err != nil:
				return nil, err
			}
			for i := range file.Lines {
				line, err := file.Line(i)
				if err != nil {
					return nil, err
				}
				named[line.Outputs] = true
			}
		}
	}
	return named, nil
}
