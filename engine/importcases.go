package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"docket/engine/adoption"
	"docket/engine/disk"
	"docket/engine/interchange"
	"docket/engine/projection"
	"docket/engine/rehearsal"
	"docket/engine/secret"
	"docket/engine/source"
)

// A CaseImport is what a file of results comes to as cases, and where they go.
type CaseImport struct {
	*adoption.Adoption
	File *interchange.File
	Dir  string // as it was named

	fsys disk.FS
}

// ImportCases reads a file of another tool's results, or a log, and drafts a case
// for each id that no case in the folder dir has. It writes nothing; the drafts
// load as a suite, or are an error. Labels are those of the suite, if there is
// one.
func ImportCases(ctx context.Context, file, dir string, read interchange.Options, o adoption.Options) (*CaseImport, error) {
	read.Asked = true
	f, err := ReadResults(ctx, file, read)
	if err != nil {
		return nil, err
	}
	known, err := idsIn(dir)
	if err != nil {
		return nil, err
	}
	o.Secrets = secret.New(secret.Environment(os.Environ()))
	o.Known = func(id string) string { return known[id] }
	adopted, err := adoption.Adopt(f, o)
	if err != nil {
		return nil, err
	}
	i := &CaseImport{Adoption: adopted, File: f, Dir: dir, fsys: disk.OS{}}
	if len(i.Cases) == 0 {
		return i, nil
	}
	labels, problems := projection.Labels(o.Labels, source.Value{}, source.Position{})
	drafts := map[string][]byte{}
	for _, c := range i.Cases {
		drafts[path.Join("cases", c.Name)] = c.Text
	}
	problems = append(problems, rehearsal.Load("cases", drafts, labels)...)
	if err := problems.Err(); err != nil {
		return nil, fmt.Errorf("no case was written, since it would not load: %w", err)
	}
	return i, nil
}

// Write writes the cases, each whole or not at all, and over nothing. Where one
// cannot be written, those before it are there, and the same import again goes on
// with the others.
func (i *CaseImport) Write() error {
	if err := disk.MakeAll(i.fsys, i.Dir, 0o755); err != nil {
		return fmt.Errorf("the folder of the cases cannot be made: %w", err)
	}
	for n, c := range i.Cases {
		if err := i.create(c.Name, c.Text); err != nil {
			return fmt.Errorf("%d of %d cases were written, and the same import again goes on with the others: %w", n, len(i.Cases), err)
		}
	}
	return nil
}

// create writes the file of one case. One that holds the same already is what
// another import wrote since the folder was looked at.
func (i *CaseImport) create(name string, text []byte) error {
	full := filepath.Join(i.Dir, name)
	err := disk.CreateClean(i.fsys, full, text, 0o644)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if there, err := disk.Read(i.fsys, full, source.MaxBytes); err == nil && bytes.Equal(there, text) {
		return nil
	}
	return fmt.Errorf("%s is there already, for another case: move it", full)
}

// idsIn finds the ids of the cases below a folder, with their files.
func idsIn(dir string) (map[string]string, error) {
	ids := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == dir {
			return nil
		}
		if err != nil || !entry.Type().IsRegular() || !strings.HasSuffix(name, ".yaml") {
			return err
		}
		data, err := disk.ReadNamed(name, source.MaxBytes)
		if err != nil {
			return err
		}
		v, _ := source.Parse(name, data) // whatever else is wrong in it, lint says
		if id, ok := v.Get("id").Text(); ok {
			ids[id] = name
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the cases in %s cannot be read: %w", dir, err)
	}
	return ids, nil
}
