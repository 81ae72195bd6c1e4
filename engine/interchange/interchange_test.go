package interchange_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"docket/engine/interchange"
	"docket/engine/output"
	"docket/engine/source"
)

func read(t *testing.T, text string) *interchange.File {
	t.Helper()
	file, err := interchange.Read(t.Context(), "runs/new.jsonl", strings.NewReader(text))
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return file
}

func number[N int64 | float64](n N) *N { return &n }

func TestOneLineInFull(t *testing.T) {
	file := read(t, `{"id": "inv-0031", "sample": 2, "text": "It is overdue.", "tool_calls": [{"name": "lookup", "arguments": {"b": 1.0, "a": "x"}}], "input": {"n": 1}, "model": "m-1", "latency_ms": 812, "input_tokens": 310, "output_tokens": 44.0, "cost_usd": 0.0012, "stop_reason": "end", "raw": {"k": [1, 2]}, "error": null}`+"\n")
	want := []interchange.Row{{
		ID: "inv-0031", Sample: 2, Line: 1,
		Input: map[string]any{"n": json.Number("1")},
		Output: output.Output{
			Text:      "It is overdue.",
			ToolCalls: []output.ToolCall{{Name: "lookup", Arguments: json.RawMessage(`{"b": 1.0, "a": "x"}`)}},
			Model:     "m-1", StopReason: "end",
			LatencyMS: number(812.0), InputTokens: number(int64(310)), OutputTokens: number(int64(44)), CostUSD: number(0.0012),
			Raw: json.RawMessage(`{"k": [1, 2]}`),
		},
	}}
	if diff := cmp.Diff(want, file.Rows); diff != "" {
		t.Error(diff)
	}
	if file.Format != "JSON Lines" || file.Hash == "" {
		t.Errorf("format %q, hash %q", file.Format, file.Hash)
	}
}

// TestAbsentIsNotZero reads what lines say, and what they leave open.
func TestAbsentIsNotZero(t *testing.T) {
	for name, tt := range map[string]struct {
		line      string
		text      string
		calls     []output.ToolCall
		callError string
		failed    string
	}{
		"text":                       {line: `{"id":"a","text":"hi"}`, text: "hi"},
		"empty text is an answer":    {line: `{"id":"a","text":""}`},
		"output as a string":         {line: `{"id":"a","output":"hi"}`, text: "hi"},
		"output as JSON":             {line: `{"id":"a","output":{"n": 1.0, "m":[true,null]}}`, text: `{"n": 1.0, "m":[true,null]}`},
		"output as a number":         {line: `{"id":"a","output":4.50}`, text: "4.50"},
		"output false":               {line: `{"id":"a","output":false}`, text: "false"},
		"null text beside calls":     {line: `{"id":"a","text":null,"tool_calls":[]}`, calls: []output.ToolCall{}},
		"no calls":                   {line: `{"id":"a","text":"x","tool_calls":[]}`, text: "x", calls: []output.ToolCall{}},
		"unknown calls":              {line: `{"id":"a","text":"x","tool_calls":null}`, text: "x"},
		"arguments in a string":      {line: `{"id":"a","tool_calls":[{"name":"f","arguments":"{\"a\": 1}"}]}`, calls: []output.ToolCall{{Name: "f", Arguments: json.RawMessage(`{"a": 1}`)}}},
		"no arguments":               {line: `{"id":"a","tool_calls":[{"name":"f"},{"name":"g","arguments":null},{"name":"h","arguments":""}]}`, calls: []output.ToolCall{{Name: "f"}, {Name: "g"}, {Name: "h"}}},
		"a vendor's form":            {line: `{"id":"a","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}`, calls: []output.ToolCall{{Name: "f", Arguments: json.RawMessage(`{}`)}}},
		"a call that did not parse":  {line: `{"id":"a","tool_calls_error":"bad JSON"}`, callError: "bad JSON"},
		"arguments that do not":      {line: `{"id":"a","tool_calls":[{"name":"f","arguments":"{\"a\": "}]}`, calls: []output.ToolCall{{Name: "f", Arguments: json.RawMessage(`"{\"a\": "`)}}, callError: `the arguments of call 1, "f", did not parse: line 1, column 7: expected a JSON value, found the end`},
		"arguments that are a list":  {line: `{"id":"a","tool_calls":[{"name":"f","arguments":[1]}]}`, calls: []output.ToolCall{{Name: "f", Arguments: json.RawMessage(`[1]`)}}, callError: `the arguments of call 1, "f", are a list and no JSON object`},
		"an error":                   {line: `{"id":"a","error":"HTTP 529"}`, failed: "HTTP 529"},
		"an error as an object":      {line: `{"id":"a","error":{"b":1,"a":2}}`, failed: `{"a":2,"b":1}`},
		"an error null is none":      {line: `{"id":"a","text":"x","error":null}`, text: "x"},
		"an empty error is none":     {line: `{"id":"a","text":"x","error":""}`, text: "x"},
		"a key with an escape in it": {line: `{"\u0069d":"a","text":"x"}`, text: "x"},
	} {
		t.Run(name, func(t *testing.T) {
			row := read(t, tt.line).Rows[0]
			want := output.Output{Text: tt.text, ToolCalls: tt.calls, ToolCallsError: tt.callError}
			if tt.callError != "" {
				// What the parser says in detail is its own affair.
				row.Output.ToolCallsError = row.Output.ToolCallsError[:min(len(row.Output.ToolCallsError), 45)]
				want.ToolCallsError = tt.callError[:min(len(tt.callError), 45)]
			}
			if diff := cmp.Diff(want, row.Output); diff != "" {
				t.Error(diff)
			}
			if row.Error != tt.failed {
				t.Errorf("error %q, want %q", row.Error, tt.failed)
			}
		})
	}
}

func TestSamplesNumberThemselves(t *testing.T) {
	file := read(t, `{"id":"a","text":"1"}
{"id":"b","text":"1"}
{"id":"a","sample":2,"text":"2"}
{"id":"a","text":"3"}
{"id":"a","sample":7,"text":"7"}
{"id":"a","text":"4"}
`)
	var got []string
	for _, r := range file.Rows {
		got = append(got, fmt.Sprint(r.ID, r.Sample, " line ", r.Line))
	}
	want := []string{"a1 line 1", "b1 line 2", "a2 line 3", "a3 line 4", "a7 line 5", "a4 line 6"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReport(t *testing.T) {
	file := read(t, `{"id":"a","text":"x","model":"m","latency_ms":1,"verdict":true}
{"id":"a","text":"y","model":"m","latency_ms":null,"verdict":false,"raw":{"z":1}}
{"id":"b","error":"down"}
`)
	want := interchange.Report{
		Rows: 3, Cases: 2, Fewest: 1, Most: 2, Errors: 1, Unjudged: 2, Ordered: 3,
		Absent: []interchange.Count{{"cost_usd", 2}, {"input", 2}, {"input_tokens", 2}, {"latency_ms", 1}, {"output_tokens", 2}, {"tool_calls", 2}},
		Unread: []interchange.Count{{"verdict", 2}},
	}
	if diff := cmp.Diff(want, file.Report); diff != "" {
		t.Error(diff)
	}
	// What is not read is kept.
	if got := string(file.Rows[0].Output.Raw); got != `{"verdict":true}` {
		t.Errorf("raw is %s", got)
	}
	if got := string(file.Rows[1].Output.Raw); got != `{"verdict":false,"raw":{"z":1}}` {
		t.Errorf("raw is %s", got)
	}
}

// TestSpellings reads one file in the ways that editors and systems spell it.
func TestSpellings(t *testing.T) {
	plain := "{\"id\":\"a\",\"text\":\"x\"}\n{\"id\":\"b\",\"text\":\"y\"}\n"
	want := read(t, plain).Rows
	for name, text := range map[string]string{
		"no line end at the end": strings.TrimSuffix(plain, "\n"),
		"Windows line ends":      strings.ReplaceAll(plain, "\n", "\r\n"),
		"byte-order mark":        "\ufeff" + plain,
		"blank line at the end":  plain + " \n\n",
	} {
		if diff := cmp.Diff(want, read(t, text).Rows); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	list := read(t, "[ {\"id\":\"a\",\"text\":\"x\"},\n  {\"id\":\"b\",\"text\":\"y\"} ]")
	if diff := cmp.Diff(want, list.Rows); diff != "" || list.Format != "JSON list" {
		t.Errorf("as a list, %s: %s", list.Format, diff)
	}
}

func TestWhatIsWrong(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"empty":            {"", "it is empty"},
		"blank":            {" \n\n", "it is empty"},
		"gzip":             {"\x1f\x8b\x08\x00\x00", "compressed with gzip"},
		"zip":              {"PK\x03\x04rest", "zip archive"},
		"UTF-16":           {"\xff\xfe{\x00", "UTF-16"},
		"binary":           {"{\"id\"\x00", "it is binary, there is a NUL byte at offset 5"},
		"HTML":             {"\n<!DOCTYPE html><html>", "HTML page"},
		"XML":              {"<?xml version='1.0'?>", "XML or HTML"},
		"conflict":         {"<<<<<<< HEAD\n{}\n", "conflict markers"},
		"conflict, later":  {"{\"id\":\"a\",\"text\":\"\"}\n<<<<<<< HEAD\n", "f:2:1: this is one of git's conflict markers"},
		"prose":            {"The answer is\n", `f:1:1: expected JSON Lines, one object like {"id": "…", "text": "…"} on each line, got "The answer is"`},
		"a number":         {"{\"id\":\"a\",\"text\":\"\"}\n 7\n", "f:2:2: expected an object, one output on each line, got the number 7"},
		"cut short":        {"{\"id\":\"a\",\"text\":\"\"}\n{\"id\":\"b\",\"te", "f:2:"},
		"cut short, why":   {"{\"id\":\"a\",\"text\":\"\"}\n{\"id\":\"b\",\"te", "the file is cut short"},
		"list cut short":   {"[{\"id\":\"a\",\"text\":\"\"},", "the file is cut short"},
		"spread out":       {"{\n  \"id\": \"a\",\n  \"text\": \"\"\n}\n", "f:1:1: the object does not end on its line"},
		"list of words":    {"[\"a\"]", "f:1:2: expected an object, one output for each item of the list, got the string \"a\""},
		"empty list":       {"[]", "it holds no output"},
		"duplicate key":    {"{\"id\":\"a\",\"id\":\"b\",\"text\":\"\"}\n", "f:1:11: "},
		"no id":            {`{"case":"a","text":"x"}`, `f:1:1: expected an "id", the case that this is an output of; this object has "case", "text"`},
		"id a number":      {`{"id":31,"text":"x"}`, `f:1:7: "id" must be a string, got the number 31; put it in quotes`},
		"id blank":         {`{"id":" ","text":"x"}`, `f:1:7: this id is blank`},
		"id long":          {`{"id":"` + strings.Repeat("x", 257) + `","text":"x"}`, `f:1:7: this id has 257 bytes, the most is 256`},
		"id escape":        {`{"id":"a\u001b[2J","text":"x"}`, `f:1:7: this id holds a control character: "a\x1b[2J"`},
		"says nothing":     {`{"id":"a","model":"m"}`, `f:1:1: expected one of "text", "output", "tool_calls" and "error"; this object has "id", "model"`},
		"text and output":  {`{"id":"a","text":"x","output":"y"}`, `f:1:31: an object has either "text" or "output"`},
		"text a list":      {`{"id":"a","text":["x"]}`, `f:1:18: "text" must be a string, got a list; "output" may be any JSON`},
		"sample zero":      {`{"id":"a","sample":0,"text":"x"}`, `f:1:20: "sample" must be a whole number from 1, got the number 0`},
		"sample half":      {`{"id":"a","sample":1.5,"text":"x"}`, `"sample" must be a whole number from 1`},
		"negative latency": {`{"id":"a","latency_ms":-1,"text":"x"}`, `"latency_ms" must be a number that is not negative`},
		"huge cost":        {`{"id":"a","cost_usd":1e999,"text":"x"}`, `"cost_usd" must be a number`},
		"tokens as text":   {`{"id":"a","input_tokens":"31","text":"x"}`, `"input_tokens" must be a whole number that is not negative, or null where it is unknown, got the string "31"`},
		"model a list":     {`{"id":"a","model":[],"text":"x"}`, `"model" must be a string or null, got a list`},
		"calls an object":  {`{"id":"a","tool_calls":{}}`, `f:1:24: "tool_calls" must be a list ([] for none, null where it is unknown), got an object`},
		"call unnamed":     {`{"id":"é","tool_calls":[ {"arguments":{}}]}`, `f:1:26: a tool call is {"name": …, "arguments": {…}} with a name, got an object without one`},
		"error a number":   {`{"id":"a","error":3}`, `"error" must be a string or null, got the number 3`},
		"the same twice": {
			"{\"id\":\"a\",\"sample\":1,\"text\":\"\"}\n\n{\"id\":\"a\",\"sample\":1,\"text\":\"\"}\n",
			`f:3:1: sample 1 of "a" is there twice, at line 1 and at line 3`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := interchange.Read(t.Context(), "f", strings.NewReader(tt.text))
			var problems source.Problems
			if !errors.As(err, &problems) {
				t.Fatalf("Read gives %v (%T), want problems", err, err)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Read says\n\t%s\nwant\n\t%s", err, tt.want)
			}
			if len(problems) > 1 {
				t.Errorf("%d sentences for one mistake:\n%s", len(problems), err)
			}
		})
	}
}

func TestManyMistakesStopSomewhere(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "{\"id\":%d,\"text\":\"\"}\n", i)
	}
	_, err := interchange.Read(t.Context(), "f", strings.NewReader(text.String()))
	if want := `f:1:7: "id" must be a string, got the number 0; put it in quotes; and 19 more lines alike; there may be more like these, no more are listed`; err == nil || err.Error() != want {
		t.Errorf("Read says\n\t%v\nwant\n\t%s", err, want)
	}
	two := `{"case_id":"a","text":""}` + "\n" + `{"id":"b"}` + "\n" + `{"case_id":"c","text":""}` + "\n"
	_, err = interchange.Read(t.Context(), "f", strings.NewReader(two))
	if err == nil || strings.Count(err.Error(), "\n") != 1 || !strings.Contains(err.Error(), "--id case_id, or id: case_id under systems; and 1 more line alike\nf:2:1: ") {
		t.Errorf("Read says\n\t%v", err)
	}
}

func TestLongLine(t *testing.T) {
	long := strings.Repeat("x", 30<<20)
	file := read(t, `{"id":"a","text":"`+long+`"}`+"\n"+`{"id":"b","text":"short"}`+"\n")
	if len(file.Rows) != 2 || len(file.Rows[0].Output.Text) != len(long) {
		t.Error("the long line was not read whole")
	}
}

func TestReadingFails(t *testing.T) {
	broken := iotest.ErrReader(errors.New("the disk is gone"))
	if _, err := interchange.Read(t.Context(), "f", broken); err == nil || !strings.Contains(err.Error(), "f: cannot be read: the disk is gone") {
		t.Errorf("Read says %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := interchange.Read(ctx, "f", strings.NewReader(strings.Repeat("\n", 600)+"{")); err == nil {
		t.Error("an empty start is read")
	}
	if _, err := interchange.Read(ctx, "f", strings.NewReader(strings.Repeat("{\"id\":\"a\",\"text\":\"\"}\n", 600))); !errors.Is(err, context.Canceled) {
		t.Errorf("Read goes on after it was cancelled: %v", err)
	}
}

func TestReadAnswer(t *testing.T) {
	row, err := interchange.ReadAnswer([]byte("\n{\"text\":\"x\"}\n"))
	if err != nil || row.Output.Text != "x" || row.ID != "" || row.Sample != 0 {
		t.Errorf("ReadAnswer gives %+v, %v", row, err)
	}
	for text, want := range map[string]string{
		"Traceback (most": `expected one JSON object, got "Traceback (most"`,
		"{\"text\":":      "ends in the middle",
		"[]":              "expected one JSON object, got a list",
		"{}":              "this object is empty",
		"{\"id\":7}":      "\"id\" must be a string",
	} {
		if _, err := interchange.ReadAnswer([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ReadAnswer(%s) says %v, want %s", text, err, want)
		}
	}
}

// TestRoundTrip writes rows as JSON Lines and reads them back.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type line struct {
			ID     string              `json:"id"`
			Text   *string             `json:"text"`
			Calls  []map[string]string `json:"tool_calls"`
			Tokens *int64              `json:"input_tokens,omitempty"`
		}
		id := rapid.StringMatching(`[a-z0-9 :/|\[\]日本]{0,12}x`)
		lines := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) line {
			l := line{ID: id.Draw(t, "id")}
			text := rapid.String().Draw(t, "text")
			l.Text = &text
			if rapid.Bool().Draw(t, "calls") {
				l.Calls = []map[string]string{{"name": "f" + rapid.String().Draw(t, "name")}}
			}
			if rapid.Bool().Draw(t, "tokens") {
				l.Tokens = number(rapid.Int64Range(0, 1<<53).Draw(t, "n"))
			}
			return l
		}), 1, 20).Draw(t, "lines")
		var text strings.Builder
		for _, l := range lines {
			encoded, err := json.Marshal(l)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(encoded)
			text.WriteByte('\n')
		}
		file, err := interchange.Read(t.Context(), "f", strings.NewReader(text.String()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text.String())
		}
		for i, row := range file.Rows {
			want := output.Output{Text: *lines[i].Text, InputTokens: lines[i].Tokens}
			for _, c := range lines[i].Calls {
				want.ToolCalls = append(want.ToolCalls, output.ToolCall{Name: c["name"]})
			}
			if diff := cmp.Diff(want, row.Output); diff != "" || row.ID != lines[i].ID {
				t.Fatalf("line %d: %s", i+1, diff)
			}
		}
	})
}

// TestRealFiles reads other people's outputs where they are at hand.
func TestRealFiles(t *testing.T) {
	shared := filepath.Join("..", "..", "..", "shared", "data")
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the folder shared/data beside the repository is absent: real files are not read")
	}
	files, err := filepath.Glob(filepath.Join(shared, "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", shared, err)
	}
	files = append(files, filepath.Join(shared, "formats", "generic", "outputs.synthetic.jsonl"))
	for _, path := range files {
		data, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := interchange.Read(t.Context(), filepath.Base(path), data)
		data.Close()
		if filepath.Base(path) == "cases.jsonl" {
			// Cases are no outputs: the message says what is missing.
			if err == nil || !strings.Contains(err.Error(), `expected one of "text", "output", "tool_calls" and "error"`) {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		t.Logf("%s: %+v", filepath.Join(filepath.Base(filepath.Dir(path)), file.Name), file.Report)
	}
}
