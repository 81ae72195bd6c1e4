package suite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"
)

// MaxInputBytes is the size of the largest file that a case may read as input.
const MaxInputBytes = 16_000_000

// inputFiles reads the files that inputs name. They come from the suite's
// folder, or else from the shared folder that the suite names, and from nowhere
// else: both are roots that no path and no link leaves. A file that many cases
// name is read once.
type inputFiles struct {
	suite  *folder
	shared *folder // nil without one

	mu    sync.Mutex
	known map[string]*inputFile
}

// A folder is a root and how its files are named in messages and in
// [Case.Files].
type folder struct {
	root *os.Root
	name string // relative to the folder of .docket.yaml
}

type inputFile struct {
	once sync.Once
	text string
	at   string
	err  error
}

// close lets go of the folders.
func (in *inputFiles) close() {
	in.suite.root.Close()
	if in.shared != nil {
		in.shared.root.Close()
	}
}

// read returns the text of the file that an input names, and its path relative
// to the folder of .docket.yaml. Errors are sentences without a position.
func (in *inputFiles) read(name string) (text, at string, err error) {
	in.mu.Lock()
	file := in.known[name]
	if file == nil {
		file = &inputFile{}
		in.known[name] = file
	}
	in.mu.Unlock()
	file.once.Do(func() { file.text, file.at, file.err = in.load(name) })
	return file.text, file.at, file.err
}

func (in *inputFiles) load(name string) (text, at string, err error) {
	clean, err := insidePath(name)
	if err != nil {
		return "", "", err
	}
	text, err = in.suite.load(clean)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return text, path.Join(in.suite.name, clean), err
	}
	if in.shared == nil {
		return "", "", fmt.Errorf("there is no file %q in %s", name, in.suite.name)
	}
	text, err = in.shared.load(clean)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", fmt.Errorf("there is no file %q in %s, and none in %s", name, in.suite.name, in.shared.name)
	}
	return text, path.Join(in.shared.name, clean), err
}

// load reads a text file of the folder.
func (d *folder) load(name string) (string, error) {
	data, err := readRegular(d.root, name, MaxInputBytes)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		return "", fmt.Errorf("%q %w", name, err)
	}
	if !utf8.Valid(data) {
		return "", fmt.Errorf("%q is not UTF-8 text", name)
	}
	return string(data), nil
}

// insidePath cleans a path that must stay inside a folder.
func insidePath(name string) (string, error) {
	if err := portable(name); err != nil {
		return "", err
	}
	clean := path.Clean(name)
	if leaves(clean) {
		return "", fmt.Errorf("%q leaves the folder that it must stay in", name)
	}
	return clean, nil
}

// portable refuses paths that are absolute on some system, or mean one thing
// here and another there.
func portable(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("a path must not be blank")
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fmt.Errorf("the path %q holds control characters", name)
	case path.IsAbs(name), strings.HasPrefix(name, `\`), len(name) > 1 && name[1] == ':':
		return fmt.Errorf("%q is an absolute path; docket reads only files of the repository, by relative paths", name)
	case strings.Contains(name, `\`):
		return fmt.Errorf(`%q holds a backslash; write / between folders`, name)
	}
	return nil
}

// leaves reports whether a clean relative path leads out of where it starts.
func leaves(clean string) bool {
	return clean == ".." || strings.HasPrefix(clean, "../") || !filepath.IsLocal(filepath.FromSlash(clean))
}

// readRegular reads a file of at most limit bytes below root. It opens nothing
// but a regular file, since a pipe would block and a device never end. Errors go
// on after the file's name: "is a folder".
func readRegular(root *os.Root, name string, limit int64) ([]byte, error) {
	native := filepath.FromSlash(name)
	info, err := root.Stat(native)
	if err != nil {
		return nil, describe(err)
	}
	if err := regular(info, limit); err != nil {
		return nil, err
	}
	f, err := root.Open(native)
	if err != nil {
		return nil, describe(err)
	}
	defer f.Close()
	data := make([]byte, info.Size()+1) // one more, to see the end at the first read
	n, err := io.ReadFull(f, data)
	switch {
	case err == nil:
		return nil, errors.New("grew while it was read; try again")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return data[:n], nil
	}
	return nil, describe(err)
}

func regular(info fs.FileInfo, limit int64) error {
	switch {
	case info.IsDir():
		return errors.New("is a folder")
	case !info.Mode().IsRegular():
		return errors.New("is not a regular file but a pipe, a socket or a device")
	case info.Size() > limit:
		return fmt.Errorf("is %.1f MB large; docket reads at most %d MB here", float64(info.Size())/1e6, limit/1_000_000)
	}
	return nil
}

// describe says why a file could not be read, in words that go on after its
// name. What is missing stays recognisable as [fs.ErrNotExist].
func describe(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("does not exist%w", silent{fs.ErrNotExist})
	case errors.Is(err, fs.ErrPermission):
		return errors.New("must not be read: permission denied")
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		if strings.Contains(pathError.Err.Error(), "escapes") { // os.Root has no value for it
			return errors.New("is a link, or lies behind one, that leaves the folder it must stay in")
		}
		return fmt.Errorf("cannot be read: %w", pathError.Err)
	}
	return fmt.Errorf("cannot be read: %w", err)
}

// silent is an error that adds nothing to a sentence.
type silent struct{ error }

func (silent) Error() string   { return "" }
func (s silent) Unwrap() error { return s.error }
