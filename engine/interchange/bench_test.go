package interchange_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"docket/engine/interchange"
)

// manyRows is a file of promptfoo's with n rows of some 3 KB, as promptfoo
// spells them: indented.
func manyRows(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		var row any
		text := strings.Repeat("You can return any item within 30 days. ", 20)
		line := pfRow{
			id: fmt.Sprint(i), desc: fmt.Sprintf("case %d", i/2), vars: fmt.Sprintf(`"q":"How long do I have, for order %d?"`, i/2),
			rest: fmt.Sprintf(`"latencyMs":12,"response":{"output":%q,"tokenUsage":{"prompt":21,"completion":9,"total":30}},"namedScores":{"facts":1},"gradingResult":{"pass":true,"componentResults":[{"pass":true,"score":1,"reason":"Assertion passed","assertion":{"type":"icontains","metric":"facts","value":"30 days"}},{"pass":true,"score":1,"assertion":{"type":"word-count"}}]}`, text),
		}.String()
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			panic(err)
		}
		pretty, err := json.MarshalIndent(row, "      ", "  ")
		if err != nil {
			panic(err)
		}
		if i > 0 {
			b.WriteString(",\n")
		}
		b.Write(pretty)
	}
	return fmt.Appendf(nil, "{\"evalId\":\"e\",\"results\":{\"version\":3,\"timestamp\":\"t\",\"results\":[\n%s\n]}}", b.Bytes())
}

// manySamples is a log of Inspect's with n samples of which events are the
// most, as they are.
func manySamples(n int) []byte {
	event := `{"event":"model","timestamp":"2026-01-01T00:00:00Z","input":[{"role":"user","content":"attachment://h"}],"output":{"choices":[{"message":{"content":"` + strings.Repeat("some words ", 20) + `"}}]},"metrics":{"x":NaN}}`
	events := `"events":[` + strings.Repeat(event+",", 20) + event + "]"
	var all []string
	for i := range n {
		all = append(all, insSample(fmt.Sprint(i), 1, `"scores":{"match":{"value":"C"}},"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"`+strings.Repeat("an answer ", 40)+`"}],`+events+`,"attachments":{"h":"x"}`))
	}
	return []byte(insLog(all...))
}

func benchmarkRead(b *testing.B, data []byte, rows int) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		file, err := interchange.Read(b.Context(), "f", bytes.NewReader(data))
		if err != nil || len(file.Rows) != rows {
			b.Fatal(err)
		}
	}
}

func benchmarkDecoder(b *testing.B, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPromptfoo(b *testing.B)             { benchmarkRead(b, manyRows(2000), 2000) }
func BenchmarkPromptfooEncodingJSON(b *testing.B) { benchmarkDecoder(b, manyRows(2000)) }
func BenchmarkInspect(b *testing.B)               { benchmarkRead(b, manySamples(1000), 1000) }
func BenchmarkInspectEncodingJSON(b *testing.B) {
	benchmarkDecoder(b, bytes.ReplaceAll(manySamples(1000), []byte("NaN"), []byte("0.5")))
}

func BenchmarkInspectArchive(b *testing.B) {
	members := map[string]string{"header.json": `{"status":"success","eval":{}}`}
	one := string(manySamples(1))
	one = one[strings.Index(one, `{"id"`) : len(one)-len("\n]}")]
	size := 0
	for i := range 1000 {
		members[fmt.Sprintf("samples/%d_epoch_1.json", i)] = strings.Replace(one, `"id":0`, fmt.Sprintf(`"id":%d`, i), 1)
		size += len(one)
	}
	for name, method := range map[string]uint16{"deflate": zip.Deflate, "zstd": zstdMethod} {
		data := []byte(zipped(b, members, method))
		b.Run(name, func(b *testing.B) {
			benchmarkRead(b, data, 1000)
			b.SetBytes(int64(size)) // of JSON
		})
	}
}

// TestMemory holds that a file is read as a stream: the most that is in use
// while it is read stays under three times what is kept of it, or what one
// value and the buffers take. The file is made while it is read.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 60 MB")
	}
	one := manyRows(1)
	head, tail := bytes.Index(one, []byte("[\n"))+2, bytes.LastIndex(one, []byte("\n]"))
	const rows = 15_000
	r, w := io.Pipe()
	go func() {
		_, _ = w.Write(one[:head])
		for i := range rows {
			row := bytes.Replace(one[head:tail], []byte(`"id": "0"`), fmt.Appendf(nil, `"id": "%d"`, i), 1)
			if i > 0 {
				_, _ = w.Write([]byte(","))
			}
			_, _ = w.Write(row)
		}
		_, _ = w.Write(one[tail:])
		w.Close()
	}()
	inUse := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	runtime.GC()
	before := inUse()
	var most atomic.Uint64
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				most.Store(max(most.Load(), inUse()))
			}
		}
	}()
	file, err := interchange.Read(t.Context(), "f", r)
	close(done)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	kept := inUse() - before
	t.Logf("kept %d MB, most %d MB", kept>>20, (most.Load()-before)>>20)
	if most.Load()-before > 3*kept {
		t.Errorf("reading took %d MB for the %d MB that are kept", (most.Load()-before)>>20, kept>>20)
	}
	runtime.KeepAlive(file)
}
