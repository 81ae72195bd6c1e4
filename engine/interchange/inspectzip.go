package interchange

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"docket/engine/safetext"
)

// zstdMethod is how a member of a zip archive is marked that zstd packed.
const zstdMethod = 93

func isInspectZip(s *sight) bool { return isZip(s.head) }

// readInspectZip reads a log in Inspect's own form, a zip archive with a
// document for each sample, or with a folder of documents where a sample is
// large. A run that crashed leaves no header; its journal stands in.
//
// The names of members choose what is read, and never a file on the disk.
func readInspectZip(ctx context.Context, in *input) (*collector, error) {
	return readInspectArchive(ctx, in, MaxFile)
}

// readInspectArchive is readInspectZip with the most bytes that may be kept of
// what the archive unpacks to: a small one can hold a thousand times its size.
func readInspectArchive(ctx context.Context, in *input, most int64) (*collector, error) {
	archive, err := openZip(in)
	if err != nil {
		return nil, err
	}
	a := &inspectArchive{
		inspectLog: &inspectLog{collector: newCollector(in)},
		ctx:        ctx, members: make(map[string]*zip.File, len(archive.File)), samples: map[string]bool{},
		reader: bufio.NewReaderSize(nil, 64<<10), left: most,
	}
	var samples []*zip.File
	for _, f := range archive.File {
		if a.members[f.Name] != nil {
			return nil, wholeFile(in.name, "the archive holds %s twice", safetext.Line(f.Name))
		}
		a.members[f.Name] = f
		if name := sampleName(f.Name); name != "" {
			a.samples[name] = true
			samples = append(samples, f)
		}
	}
	if a.members["header.json"] == nil && a.members["_journal/start.json"] == nil && len(samples) == 0 {
		return nil, wholeFile(in.name, "it is a zip archive and no log of Inspect; unpack it first")
	}
	if err := a.readHeader(); err != nil {
		return nil, err
	}
	for _, f := range samples {
		if err := a.readSample(f); err != nil {
			return nil, err
		}
		if a.enough() {
			return a.collector, nil
		}
	}
	if err := a.complete(); err != nil {
		return nil, err
	}
	return a.collector, a.close()
}

// epochMark stands between a sample's id and its epoch in a member's name.
const epochMark = "_epoch_"

// sampleName returns the id and the epoch that the name of a member spells,
// joined by epochMark; "" where the member is no sample. An id may have
// slashes in it.
func sampleName(member string) string {
	name, inside := strings.CutPrefix(member, "samples/")
	name, folder := strings.CutSuffix(name, "/sample.json")
	if !folder {
		var document bool
		if name, document = strings.CutSuffix(name, ".json"); !document {
			return ""
		}
	}
	mark := strings.LastIndex(name, epochMark)
	if !inside || mark < 0 || strings.Contains(name[mark:], "/") {
		return ""
	}
	return name
}

func openZip(in *input) (*zip.Reader, error) {
	var file io.ReaderAt
	size := int64(0)
	if in.file != nil {
		file, size = in.file, in.file.Size()
	} else {
		data, err := io.ReadAll(io.LimitReader(in, maxDocument+1))
		switch {
		case err != nil:
			return nil, unread(in.name, err)
		case len(data) > maxDocument:
			return nil, wholeFile(in.name, "an archive of more than %d MB cannot be read from a pipe; give it as a file", maxDocument>>20)
		}
		file, size = bytes.NewReader(data), int64(len(data))
	}
	archive, err := zip.NewReader(file, size)
	if err != nil {
		return nil, wholeFile(in.name, "it is a zip archive that is damaged or cut short (%v); copy it again", err)
	}
	archive.RegisterDecompressor(zstdMethod, func(r io.Reader) io.ReadCloser {
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return io.NopCloser(failingReader{err})
		}
		return d.IOReadCloser()
	})
	return archive, nil
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

// An inspectArchive is a log while it is read from its archive.
type inspectArchive struct {
	*inspectLog
	ctx     context.Context
	members map[string]*zip.File
	samples map[string]bool // by sampleName
	reader  *bufio.Reader
	left    int64 // bytes that may yet be kept
	// chunks are the numbers of the parts of large samples, by folder.
	chunks map[string][]int
}

// document walks through one member of the archive.
func (a *inspectArchive) document(f *zip.File, r *bufio.Reader, walk func(s *stream) error) error {
	name := a.name + "/" + safetext.Line(f.Name)
	data, err := f.Open()
	if err != nil {
		if errors.Is(err, zip.ErrAlgorithm) {
			return wholeFile(name, "it is packed in a way that docket does not know (method %d); write the log again with inspect log convert --to json", f.Method)
		}
		return wholeFile(name, "it cannot be unpacked (%v); the archive may be damaged, copy it again", err)
	}
	defer data.Close()
	r.Reset(data)
	s := newStream(a.ctx, &input{name: name, Reader: r})
	s.left = &a.left
	if err := walk(s); err != nil {
		return err
	}
	return s.end() // reads to the end, where the checksum is
}

func (a *inspectArchive) readHeader() error {
	for _, name := range []string{"header.json", "_journal/start.json"} {
		if f := a.members[name]; f != nil {
			return a.document(f, a.reader, func(s *stream) error {
				return s.object(func(key string) error { return a.header(s, key) })
			})
		}
	}
	return nil
}

func (a *inspectArchive) readSample(f *zip.File) error {
	return a.document(f, a.reader, func(s *stream) error {
		var parts func(map[string]any) error
		if folder, large := strings.CutSuffix(f.Name, "sample.json"); large && strings.HasSuffix(folder, "/") {
			parts = func(sample map[string]any) error { return a.assemble(folder, sample) }
		}
		return a.sample(s, safetext.Line(f.Name), parts)
	})
}

// assemble reads the messages and the attachments of a sample that is spread
// over a folder: lists in parts, each named by the index of its first item.
func (a *inspectArchive) assemble(folder string, sample map[string]any) error {
	pool, err := a.sequence(folder + "messages/")
	if err != nil {
		return err
	}
	var messages []any
	refs, held := sample["message_refs"].([]any)
	for _, ref := range refs {
		from, to := ref, any(nil)
		if pair, ok := ref.([]any); ok && len(pair) == 2 {
			from, to = pair[0], pair[1]
		}
		start, ok := integer(from)
		end := start + 1
		if to != nil && ok {
			end, ok = integer(to)
		}
		if !ok || start < 0 || end < start || end > int64(len(pool)) {
			return wholeFile(a.name+"/"+safetext.Line(folder)+"sample.json", "it refers to the messages %s, and the archive holds %d", spelled(ref), len(pool))
		}
		if len(messages)+int(end-start) > maxMessages {
			return wholeFile(a.name+"/"+safetext.Line(folder)+"sample.json", "it refers to more than %d messages", maxMessages)
		}
		messages = append(messages, pool[start:end]...)
	}
	if !held {
		messages = pool
	}
	if messages != nil {
		sample["messages"] = messages
	}
	texts, err := a.sequence(folder + "attachments/")
	if err != nil {
		return err
	}
	attached := make(map[string]any, len(texts))
	for i, text := range texts {
		attached[strconv.Itoa(i)] = text
	}
	maps.Copy(attached, objectAt(sample, "attachments"))
	sample["attachments"] = attached
	return nil
}

// maxMessages bounds how many messages one sample may have.
const maxMessages = 1 << 20

// sequence reads a list that is spread over the members of a folder.
func (a *inspectArchive) sequence(folder string) ([]any, error) {
	if a.chunks == nil {
		a.chunks = map[string][]int{}
		for name := range a.members {
			slash := strings.LastIndexByte(name, '/') + 1
			if n, err := strconv.Atoi(strings.TrimSuffix(name[slash:], ".json")); err == nil && n >= 0 {
				a.chunks[name[:slash]] = append(a.chunks[name[:slash]], n)
			}
		}
	}
	starts := a.chunks[folder]
	slices.Sort(starts)
	var all []any
	for _, start := range starts {
		f := a.members[folder+strconv.Itoa(start)+".json"]
		if f == nil || start != len(all) {
			return nil, wholeFile(a.name+"/"+safetext.Line(folder), "a part is missing: the next one begins with item %d and not with %d", start, len(all))
		}
		err := a.document(f, bufio.NewReader(nil), func(s *stream) error {
			v, err := s.value()
			list, ok := v.([]any)
			if err == nil && !ok {
				return s.problemf("expected a list, got %s", describe(v))
			}
			all = append(all, list...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// complete holds that every sample that the archive's summaries name is there.
func (a *inspectArchive) complete() error {
	f := a.members["summaries.json"]
	if f == nil {
		return nil
	}
	var missing []string
	err := a.document(f, a.reader, func(s *stream) error {
		return s.list(func(int) error {
			v, err := s.value()
			name := spelled(at(v, "id")) + epochMark + spelled(at(v, "epoch"))
			if err == nil && !a.samples[name] {
				missing = append(missing, safetext.Line(name))
			}
			return err
		})
	})
	if err != nil || len(missing) == 0 {
		return err
	}
	return wholeFile(a.name, "%d samples that summaries.json names are not in the archive, first %s; copy it again", len(missing), fmt.Sprintf("%q", missing[0]))
}
