package system

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"docket/engine/source"
)

// maxDeclaredFile bounds, in bytes, a prompt or a schema that a declaration
// names.
const maxDeclaredFile = 16 << 20

// A text is a file that a declaration names, with what it holds.
type text struct {
	path, data string
	at         source.Value // where it is named; absent where it is not
}

// readDeclared reads the file that the value of a key names.
func readDeclared(v source.Value, key string, root *os.Root) ([]byte, *source.Problem) {
	path, ok := v.Text()
	if !ok || path == "" {
		p := v.Problemf("%s must name a file, got %s", key, v.Describe())
		return nil, &p
	}
	data, err := readInside(root, path)
	if err != nil {
		p := v.Problemf("%s: %v", key, err)
		return nil, &p
	}
	return data, nil
}

// readInside reads a file that must lie inside root.
func readInside(root *os.Root, path string) ([]byte, error) {
	file, err := openInside(root, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxDeclaredFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the file %q cannot be read: %w", path, reason(err))
	case len(data) > maxDeclaredFile:
		return nil, fmt.Errorf("the file %q is larger than %d MB", path, maxDeclaredFile>>20)
	}
	return data, nil
}

// openInside opens a regular file that must lie inside root.
func openInside(root *os.Root, path string) (*os.File, error) {
	local := filepath.FromSlash(path)
	if root == nil || !filepath.IsLocal(local) {
		return nil, fmt.Errorf("the file %q lies outside the folder of .docket.yaml; files named there stay inside it", path)
	}
	// A pipe would never open, and a device never end.
	info, err := root.Stat(local)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the file %q does not exist", path)
	case err != nil:
		return nil, fmt.Errorf("the file %q cannot be opened: %w", path, reason(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%q is not a regular file", path)
	}
	file, err := root.Open(local)
	if err != nil {
		return nil, fmt.Errorf("the file %q cannot be opened: %w", path, reason(err))
	}
	return file, nil
}

// reason strips the name of the system call and the path from an error that
// is quoted beside the path.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
