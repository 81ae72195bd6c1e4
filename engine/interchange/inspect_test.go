package interchange_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"docket/engine/interchange"
)

// scored counts the verdicts of a file's rows.
func scored(file *interchange.File) (pass, fail, none int) {
	for _, r := range file.Rows {
		switch {
		case len(r.Checks) == 0 || r.Checks[0].Pass == nil:
			none++
		case *r.Checks[0].Pass:
			pass++
		default:
			fail++
		}
	}
	return pass, fail, none
}

func TestRealInspectEpochs(t *testing.T) {
	deflate := real(t, interchange.Options{}, "inspect", "epochs2_deflate.eval")
	packed := real(t, interchange.Options{}, "inspect", "epochs2_zstd.eval")
	if diff := cmp.Diff(deflate.Rows, packed.Rows); diff != "" {
		t.Errorf("packed by zstd it reads as another log: %s", diff)
	}
	verdicts := map[string]bool{}
	for _, r := range deflate.Rows {
		verdicts[fmt.Sprint(r.ID, "#", r.Sample)] = *r.Checks[0].Pass
	}
	// Sample 1 is wrong in one epoch and right in the other.
	if diff := cmp.Diff(map[string]bool{"1#1": false, "1#2": true, "2#1": true, "2#2": true}, verdicts); diff != "" {
		t.Error(diff)
	}
	if r := deflate.Report; r.Cases != 2 || r.Fewest != 2 || r.Most != 2 || r.Ordered != 0 || r.Rule != "" || len(r.Notes) != 0 {
		t.Errorf("report %+v", r)
	}
}

func TestRealInspectScoredAndNot(t *testing.T) {
	unscored := real(t, interchange.Options{}, "inspect", "popularity_unscored.eval")
	withScores := real(t, interchange.Options{}, "inspect", "popularity_scored.eval")
	if pass, fail, none := scored(unscored); pass != 0 || fail != 0 || none != 10 || unscored.Report.Unjudged != 10 || unscored.Report.Errors != 0 {
		t.Errorf("an unscored log has %d passes, %d failures, %d without a verdict, report %+v", pass, fail, none, unscored.Report)
	}
	if pass, fail, none := scored(withScores); pass != 8 || fail != 2 || none != 0 {
		t.Errorf("the scored log has %d passes, %d failures, %d without a verdict", pass, fail, none)
	}
	texts := func(file *interchange.File) map[string]string {
		all := map[string]string{}
		for _, r := range file.Rows {
			all[r.ID] = r.Output.Text
		}
		return all
	}
	if diff := cmp.Diff(texts(unscored), texts(withScores)); diff != "" || len(texts(unscored)) != 10 {
		t.Errorf("the same ten outputs differ: %s", diff)
	}
	for _, r := range withScores.Rows {
		if r.ID == "9" && (*r.Output.InputTokens != 61 || *r.Output.OutputTokens != 2 || r.Output.Model != "gpt-4o-mini-2024-07-18" || r.Output.StopReason != "stop") {
			t.Errorf("sample 9 is %+v", r.Output)
		}
	}
}

func TestRealInspectCancelled(t *testing.T) {
	file := real(t, interchange.Options{}, "inspect", "popularity_cancelled.json")
	if pass, fail, _ := scored(file); len(file.Rows) != 3 || pass != 2 || fail != 1 {
		t.Errorf("rows %v", spellAll(file))
	}
	if !slices.ContainsFunc(file.Report.Notes, func(s string) bool { return strings.Contains(s, `"cancelled"`) }) {
		t.Errorf("the report does not say that the run was cancelled: %q", file.Report.Notes)
	}
	if ms := file.Rows[0].Output.LatencyMS; ms == nil || *ms != 546 {
		t.Errorf("latency %v", ms)
	}
}

func TestRealInspectTools(t *testing.T) {
	file := real(t, interchange.Options{}, "inspect", "tool_calls_trimmed.json")
	calls := file.Rows[0].Output.ToolCalls
	if len(calls) == 0 || calls[0].Name != "web_browser_go" || !strings.Contains(string(calls[0].Arguments), "aisi.gov.uk") {
		t.Errorf("calls %+v", calls)
	}
	if *file.Rows[0].Output.InputTokens != 15235 {
		t.Errorf("cached tokens are counted twice: %d", *file.Rows[0].Output.InputTokens)
	}
	pool := real(t, interchange.Options{}, "inspect", "v3_attachments_messagepool.eval")
	row := pool.Rows[0]
	if row.ID != "0" || row.Output.Text != "done" || len(row.Output.ToolCalls) < 2 || row.Output.ToolCalls[0].Name != "bash" || spellCheck(row.Checks[0]) != "inspect:closeness_log=?(0)" {
		t.Errorf("row %s", spell(row))
	}
	if strings.Contains(spell(row), "attachment://") {
		t.Errorf("an attachment was not put in its place: %s", spell(row))
	}
}

const insHead = `{"version":2,"status":"success","eval":{"task":"t","run_id":"r","model":"vendor/m"},"samples":[
%s
]}`

func insSample(id string, epoch int, rest string) string {
	return fmt.Sprintf(`{"id":%s,"epoch":%d,"input":"q","output":{"model":"m","choices":[{"message":{"role":"assistant","content":"yes"},"stop_reason":"stop"}]},%s}`, id, epoch, rest)
}

func insLog(samples ...string) string { return fmt.Sprintf(insHead, strings.Join(samples, ",\n")) }

func TestInspectSamples(t *testing.T) {
	for name, tt := range map[string]struct{ sample, want string }{
		"a number for an id":  {insSample(`7`, 2, `"scores":{"match":{"value":"C"}}`), `7#2 "yes" inspect:match=pass(1)`},
		"letters":             {insSample(`"a"`, 1, `"scores":{"a":{"value":"I"},"b":{"value":"P"},"c":{"value":"N"},"d":{"value":true},"e":{"value":"no"}}`), `a#1 "yes" inspect:a=fail(0) inspect:b=?(0.5) inspect:c=fail(0) inspect:d=pass(1) inspect:e=fail(0)`},
		"numbers":             {insSample(`"a"`, 1, `"scores":{"s":{"value":0.25}}`), `a#1 "yes" inspect:s=?(0.25)`},
		"NaN is unscored":     {insSample(`"a"`, 1, `"scores":{"s":{"value":NaN,"explanation":"a NaN \"NaN\""}}`), `a#1 "yes" inspect:s=?`},
		"several values":      {insSample(`"a"`, 1, `"scores":{"s":{"value":{"x":1,"y":"C"}},"u":{"value":["C","I"]}}`), `a#1 "yes" inspect:s.x=?(1) inspect:s.y=pass(1) inspect:u[0]=pass(1) inspect:u[1]=fail(0)`},
		"an old score":        {insSample(`"a"`, 1, `"score":{"value":"C"}`), `a#1 "yes" inspect:score=pass(1)`},
		"old events":          {insSample(`"a"`, 1, `"transcript":{"events":[{"k":-Infinity}]}`), `a#1 "yes"`},
		"not scored":          {insSample(`"a"`, 1, `"scores":null`), `a#1 "yes"`},
		"an error":            {insSample(`"a"`, 1, `"error":{"message":"boom","traceback":"…"},"scores":{}`), `a#1 error "boom"`},
		"error null":          {insSample(`"a"`, 1, `"error":null`), `a#1 "yes"`},
		"invalidated":         {insSample(`"a"`, 1, `"invalidation":{"reason":"wrong prompt"}`), `a#1 error "invalidated: wrong prompt"`},
		"an attachment":       {insSample(`"a"`, 1, `"messages":[{"role":"assistant","tool_calls":[{"function":"f","arguments":{"code":"attachment://h"}}]}],"attachments":{"h":"print(1)"}`), `a#1 "yes" f({"code":"print(1)"})`},
		"a call unparsed":     {insSample(`"a"`, 1, `"messages":[{"role":"assistant","tool_calls":[{"function":"f","arguments":{},"parse_error":"bad"}]}]`), `a#1 "yes"`},
		"a completion":        {`{"id":"a","epoch":1,"input":[{"role":"user","content":"q"}],"output":{"completion":"done","choices":[]}}`, `a#1 "done"`},
		"parts of a content":  {`{"id":"a","output":{"choices":[{"message":{"content":[{"type":"reasoning","reasoning":"hm"},{"type":"text","text":"A"},{"type":"text","text":"B"}]}}]}}`, `a#1 "A\nB"`},
		"no output":           {`{"id":"a","epoch":1,"messages":[{"role":"assistant","content":"last words"}]}`, `a#1 "last words"`},
		"no output, a limit":  {`{"id":"a","epoch":1,"limit":{"type":"time"}}`, `a#1 error "the log holds no output of this sample; it ran into its limit of time"`},
		"several models used": {insSample(`"a"`, 1, `"model_usage":{"x":{"input_tokens":1},"y":{"input_tokens":2}}`), `a#1 "yes"`},
	} {
		t.Run(name, func(t *testing.T) {
			file := read(t, insLog(tt.sample))
			if diff := cmp.Diff([]string{tt.want}, spellAll(file)); diff != "" {
				t.Error(diff)
			}
		})
	}
	unparsed := read(t, insLog(insSample(`"a"`, 1, `"messages":[{"role":"assistant","tool_calls":[{"function":"f","arguments":{},"parse_error":"bad"}]}]`))).Rows[0].Output
	if unparsed.ToolCallsError != "the arguments of f did not parse: bad" {
		t.Errorf("output %+v", unparsed)
	}
	for name, want := range map[string]string{
		insLog(`{"epoch":1}`):                `f:2:1: samples[0]: expected a sample with an "id"`,
		insLog(insSample(`"a"`, 0, `"x":1`)): `"epoch" must be a whole number from 1`,
		insLog():                             "this log of Inspect holds no samples",
		strings.Replace(insLog(), "[\n\n]", "null", 1):   "this log of Inspect holds no samples",
		insLog(insSample(`"a"`, 1, `"id":"b"`)):          `the key "id" comes twice`,
		insLog(insSample(`"a"`, 1, `"scores":{"s":Na}`)): "f:2:",
	} {
		refuse(t, interchange.Options{}, name, want)
	}
	chosen, err := interchange.ReadWith(t.Context(), "f", strings.NewReader(insLog(insSample(`1`, 1, `"metadata":{"ticket":"T-1"}`))), interchange.Options{ID: "ticket"})
	if err != nil || chosen.Rows[0].ID != "T-1" {
		t.Errorf("%v, %v", chosen, err)
	}
}

func TestInspectCutSwappedDuplicated(t *testing.T) {
	a, b, c := insSample(`"a"`, 1, `"scores":{"s":{"value":"C"}}`), insSample(`"b"`, 1, `"scores":{"s":{"value":"I"}}`), insSample(`"a"`, 2, `"events":[[{"x":"]}"}]]`)
	cutDocument(t, insLog(a, b, c))
	if diff := cmp.Diff(answers(t, insLog(a, b, c)), answers(t, insLog(c, b, a))); diff != "" {
		t.Error(diff)
	}
	refuse(t, interchange.Options{}, insLog(a, b, a), `sample 1 of "a" is there twice, at samples[0] and at samples[2]`)

	members := map[string]string{
		"header.json":            `{"version":2,"status":"success","eval":{"task":"t","dataset":{"sample_ids":["a","x/b"]}}}`,
		"samples/a_epoch_1.json": a, "samples/x/b_epoch_1.json": strings.Replace(b, `"b"`, `"x/b"`, 1),
		"summaries.json": `[{"id":"a","epoch":1},{"id":"x/b","epoch":1}]`,
	}
	whole := zipped(t, members, zip.Deflate)
	if got := read(t, whole); len(got.Rows) != 2 || len(got.Report.Notes) != 0 {
		t.Errorf("rows %v, report %+v", spellAll(got), got.Report)
	}
	for n := 4; n < len(whole); n += 37 {
		refuse(t, interchange.Options{}, whole[:n], "f: it is a zip archive that is damaged or cut short")
	}
	damaged := []byte(zipped(t, members, zip.Store))
	i := bytes.Index(damaged, []byte(`"yes"`))
	damaged[i+1] = 'Y'
	refuse(t, interchange.Options{}, string(damaged), "checksum")
	delete(members, "samples/a_epoch_1.json")
	refuse(t, interchange.Options{}, zipped(t, members, zip.Deflate), `1 samples that summaries.json names are not in the archive, first "a_epoch_1"`)
	refuse(t, interchange.Options{}, zipped(t, map[string]string{"a.txt": "x"}, zip.Store), "it is a zip archive and no log of Inspect")
	delete(members, "summaries.json")
	delete(members, "header.json")
	members["_journal/start.json"] = `{"version":2,"eval":{"model":"vendor/m"}}`
	if got := read(t, zipped(t, members, zstdMethod)); len(got.Rows) != 1 || !strings.Contains(fmt.Sprint(got.Report.Notes), "does not say that its run ended") {
		t.Errorf("rows %v, report %+v", spellAll(got), got.Report)
	}
}

func TestInspectLargeSamples(t *testing.T) {
	members := map[string]string{
		"header.json":                          `{"version":3,"status":"success","eval":{"task":"t"}}`,
		"samples/a_epoch_1/sample.json":        `{"id":"a","epoch":1,"input":"attachment://1","message_refs":[[0,1],[2,3]],"output":{"choices":[{"message":{"content":"attachment://0"}}]},"scores":{"s":{"value":"C"}}}`,
		"samples/a_epoch_1/messages/0.json":    `[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"function":"unused","arguments":{}}]}]`,
		"samples/a_epoch_1/messages/2.json":    `[{"role":"assistant","tool_calls":[{"function":"f","arguments":{"x":"attachment://1"}}]}]`,
		"samples/a_epoch_1/attachments/0.json": `["the answer","the question"]`,
		"samples/a_epoch_1/events/0.json":      `[{"event":"model"}]`,
		"samples/a_epoch_1/events/stats.json":  `{}`,
		"samples/b_epoch_1.json":               insSample(`"b"`, 1, `"scores":{}`),
	}
	got := read(t, zipped(t, members, zip.Deflate))
	want := []string{`a#1 "the answer" f({"x":"the question"}) inspect:s=pass(1)`, `b#1 "yes"`}
	if diff := cmp.Diff(want, spellAll(got)); diff != "" {
		t.Error(diff)
	}
	delete(members, "samples/a_epoch_1/messages/0.json")
	refuse(t, interchange.Options{}, zipped(t, members, zip.Deflate), "f/samples/a_epoch_1/messages/: a part is missing")
	members["samples/a_epoch_1/messages/0.json"] = `[]`
	delete(members, "samples/a_epoch_1/messages/2.json")
	refuse(t, interchange.Options{}, zipped(t, members, zip.Deflate), "it refers to the messages [0,1], and the archive holds 0")
}

const zstdMethod = 93

// zipped packs members into an archive, in the order of their names.
func zipped(t testing.TB, members map[string]string, method uint16) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zstdMethod, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) })
	var names []string
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(members[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func FuzzInspect(f *testing.F) {
	for _, seed := range []string{
		insLog(insSample(`1`, 1, `"scores":{"a":{"value":NaN},"b":{"value":{"x":[1]}}},"attachments":{"h":"x"}`), insSample(`"b"`, 2, `"score":"C","messages":[{"role":"assistant","tool_calls":[{"function":"f","arguments":"attachment://h"}]}]`)),
		`{"version":2,"eval":{"task":"t"},"samples":null}`, `{"eval":{"task":-Infinity},"samples":[{"id":NaN}],"status":1}`,
	} {
		f.Add([]byte(seed), "ticket")
	}
	f.Fuzz(func(t *testing.T, data []byte, id string) {
		holds(t, bytes.NewReader(data), interchange.Options{})
		holds(t, bytes.NewReader(data), interchange.Options{ID: id})
	})
}

// FuzzInspectArchive fuzzes the members of an archive, and the archive itself.
// With its usual settings go test spends a minute on making one find smaller, and
// finds nothing meanwhile: run it with -fuzzminimizetime 1x.
func FuzzInspectArchive(f *testing.F) {
	sample := insSample(`"a"`, 1, `"message_refs":[[0,1],0]`)
	for _, method := range []uint16{zip.Deflate, zip.Store, zstdMethod} {
		f.Add([]byte(zipped(f, map[string]string{"header.json": "{}", "samples/a_epoch_1/sample.json": sample, "samples/a_epoch_1/messages/0.json": "[{}]"}, method)), []byte(sample), []byte("[{}]"))
	}
	f.Fuzz(func(t *testing.T, archive, sample, messages []byte) {
		holds(t, bytes.NewReader(archive), interchange.Options{})
		holds(t, strings.NewReader(zipped(t, map[string]string{
			"header.json": "{}", "samples/a_epoch_1/sample.json": string(sample), "samples/a_epoch_1/messages/0.json": string(messages),
			"samples/a_epoch_1/attachments/0.json": string(messages), "summaries.json": `[]`,
		}, zip.Store)), interchange.Options{})
	})
}
