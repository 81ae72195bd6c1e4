package interchange

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
)

// packed makes an archive of members, each a name and a text.
func packed(t *testing.T, members ...[2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		f, err := w.Create(m[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(m[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sampleOf is a sample whose answer is a text.
func sampleOf(id, text, more string) string {
	return fmt.Sprintf(`{"id":%q,"epoch":1,"input":"q",%s"output":{"choices":[{"message":{"content":%q}}]}}`, id, more, text)
}

// TestInspectZipBomb: an archive that unpacks to a thousand times its size is
// read as far as the bound, however it is cut into members; what is skipped
// costs no memory and does not count.
func TestInspectZipBomb(t *testing.T) {
	const most = 1 << 20
	half := strings.Repeat("a", most/2)
	for name, c := range map[string]struct {
		members [][2]string
		want    string
	}{
		"small samples":      {[][2]string{{"samples/a_epoch_1.json", sampleOf("a", half, "")}}, ""},
		"events are skipped": {[][2]string{{"samples/a_epoch_1.json", sampleOf("a", half, `"events":["`+strings.Repeat("b", 4*most)+`"],`)}}, ""},
		"one sample":         {[][2]string{{"samples/a_epoch_1.json", sampleOf("a", half+half, "")}}, "unpacks to more than"},
		"many samples": {[][2]string{
			{"samples/a_epoch_1.json", sampleOf("a", half, "")}, {"samples/b_epoch_1.json", sampleOf("b", half, "")},
		}, "unpacks to more than"},
		"a sample in parts": {[][2]string{
			{"samples/a_epoch_1/sample.json", sampleOf("a", "x", "")},
			{"samples/a_epoch_1/attachments/0.json", `["` + half + `"]`},
			{"samples/a_epoch_1/attachments/1.json", `["` + half + `"]`},
		}, "unpacks to more than"},
		"the header": {[][2]string{{"header.json", `{"version":2,"eval":{"task":"` + half + half + `"}}`}}, "unpacks to more than"},
	} {
		t.Run(name, func(t *testing.T) {
			data := packed(t, c.members...)
			if len(data) > most/100 {
				t.Fatalf("the archive has %d bytes", len(data))
			}
			_, err := readInspectArchive(context.Background(), &input{name: "log.eval", Reader: bufio.NewReader(bytes.NewReader(data))}, most)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestInspectAttachmentsBomb: references that stand for more text than a sample
// may hold are refused before the text is put together.
func TestInspectAttachmentsBomb(t *testing.T) {
	part := `{"type":"text","text":"attachment://x"}`
	sample := `{"id":"a","epoch":1,"input":"q","attachments":{"x":"` + strings.Repeat("a", 1<<20) + `"},"output":{"choices":[{"message":{"content":[` +
		strings.Repeat(part+",", 300) + part + `]}}]}}`
	c, err := readInspectZip(context.Background(), &input{name: "log.eval", Reader: bufio.NewReader(bytes.NewReader(packed(t, [2]string{"samples/a_epoch_1.json", sample})))})
	if err != nil || len(c.wrong) != 1 || !strings.Contains(c.wrong[0].Error(), "attachments come to more than 256 MB") {
		t.Errorf("got %v, %v", err, c.wrong)
	}
}

// TestInspectNamesLeadNowhere: members whose names leave the folder are read as
// what they hold, or refused, and nothing is written anywhere.
func TestInspectNamesLeadNowhere(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, member := range []string{
		"../../samples/a_epoch_1.json", "samples/../../../a_epoch_1.json", "/etc/samples/a_epoch_1.json", `samples\..\..\a_epoch_1.json`,
		"samples/../a_epoch_1/sample.json", "samples/\x1b]52;c;x\x07_epoch_1.json", "samples/\u202ea_epoch_1.json",
	} {
		whole := sampleOf("../../a", "yes", "")
		for _, sample := range []string{whole, whole[:40]} {
			data := packed(t, [2]string{"header.json", `{"version":2,"status":"success","eval":{"task":"t"}}`}, [2]string{member, sample})
			_, err := readInspectZip(context.Background(), &input{name: "log.eval", Reader: bufio.NewReader(bytes.NewReader(data))})
			if err != nil && strings.ContainsAny(err.Error(), "\x1b\x07\u202e") {
				t.Errorf("%q: its name stands in the error as it is: %q", member, err)
			}
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("reading left %v, %v", left, err)
	}
}
