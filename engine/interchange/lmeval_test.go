package interchange_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/engine/interchange"
)

func TestRealLMEval(t *testing.T) {
	verdicts := func(name string) map[string]string {
		file := real(t, interchange.Options{ID: "doc_id"}, "lm-eval", name)
		all := map[string]string{}
		for _, r := range file.Rows {
			for _, c := range r.Checks {
				all[r.ID+" "+c.Name] = strings.TrimPrefix(spellCheck(c), c.Name+"=")
			}
		}
		if r := file.Report; r.Cases != 3 || r.Rows != 6 || r.Fewest != 2 {
			t.Errorf("report %+v", r)
		}
		return all
	}
	a, b := verdicts("samples_shop_math_run_a.synthetic.jsonl"), verdicts("samples_shop_math_run_b.synthetic.jsonl")
	var flipped []string
	for _, key := range []string{"0 strict-match", "1 strict-match", "2 strict-match", "0 flexible-extract", "1 flexible-extract", "2 flexible-extract"} {
		id, filter, _ := strings.Cut(key, " ")
		check := id + " lm-eval:exact_match," + filter
		if a[check] != "pass(1)" {
			t.Errorf("%s in the first run is %q", check, a[check])
		}
		if a[check] != b[check] {
			flipped = append(flipped, key)
		}
	}
	if diff := cmp.Diff([]string{"0 strict-match", "1 strict-match", "1 flexible-extract"}, flipped); diff != "" {
		t.Error(diff)
	}
	choice := real(t, interchange.Options{}, "lm-eval", "samples_multiple_choice.synthetic.jsonl")
	if diff := cmp.Diff([]string{`doc-d90a99a19747ad9e#1 " blue" lm-eval:acc=pass(1) lm-eval:acc_norm=pass(1)`}, spellAll(choice)); diff != "" {
		t.Error(diff)
	}
	_, err := interchange.Read(t.Context(), "r.json", openReal(t, "lm-eval", "results_run_a.synthetic.json"))
	if err == nil || !strings.Contains(err.Error(), "give the file of samples that lies beside it (samples_TASK_") {
		t.Errorf("the totals give %v", err)
	}
}

func lmLine(doc int, filter, resps, rest string) string {
	return fmt.Sprintf(`{"doc_id":%d,"doc":{"q":%d},"target":"x","arguments":{"gen_args_0":{"arg_0":"P%d","arg_1":" one"},"gen_args_1":{"arg_0":"P","arg_1":" two"}},"resps":%s,"filtered_resps":["x"],"filter":%q,"doc_hash":"%016d",%s}`+"\n", doc, doc, doc, resps, filter, doc, rest)
}

func TestLMEvalLines(t *testing.T) {
	for name, tt := range map[string]struct {
		lines string
		want  []string
	}{
		"filters are checks of one output": {
			lmLine(1, "a", `[["r1","r2"]]`, `"exact_match":1.0,"f1":0.5`) + lmLine(1, "b", `[["r1","r2"]]`, `"exact_match":0`),
			[]string{`doc-0000000000000001#1 "r1" lm-eval:exact_match,a=pass(1) lm-eval:f1,a=?(0.5) lm-eval:exact_match,b=fail(0)`, `doc-0000000000000001#2 "r2"`},
		},
		"a choice":              {lmLine(1, "none", `[[["-9.5","False"]],[["-1.0","True"]]]`, `"acc":0.0`), []string{`doc-0000000000000001#1 " two" lm-eval:acc=fail(0)`}},
		"a probability":         {lmLine(1, "none", `[[["-9.5","False"]]]`, `"perplexity":12.5`), []string{`doc-0000000000000001#1 "" lm-eval:perplexity=?(12.5)`}},
		"NaN is no score":       {lmLine(1, "none", `[["r"]]`, `"acc":NaN`), []string{`doc-0000000000000001#1 "r"`}},
		"no hash, older names":  {`{"doc_id":0,"doc":{"q":1},"arguments":[["P"," x"]],"resps":[["r"]],"exact_match,strict":1}`, []string{`doc-ac28dbc1a4c1#1 "r" lm-eval:exact_match,strict=pass(1)`}},
		"one document in twice": {lmLine(1, "none", `[["r"]]`, `"acc":1`) + strings.Replace(lmLine(1, "none", `[["s"]]`, `"acc":0`), `"doc_id":1`, `"doc_id":2`, 1), []string{`doc-0000000000000001#1 "r" lm-eval:acc=pass(1)`, `doc-0000000000000001#2 "s" lm-eval:acc=fail(0)`}},
	} {
		t.Run(name, func(t *testing.T) {
			file := read(t, tt.lines)
			got := spellAll(file)
			if name == "no hash, older names" { // the hash is our own affair
				got[0] = "doc-ac28dbc1a4c1" + got[0][strings.Index(got[0], "#"):]
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLMEvalCutSwappedDuplicated(t *testing.T) {
	a, b, c := lmLine(1, "x", `[["r"]]`, `"acc":1`), lmLine(2, "x", `[["s"]]`, `"acc":0`), lmLine(1, "y", `[["r"]]`, `"acc":0`)
	if diff := cmp.Diff(answers(t, a+b+c), answers(t, b+a+c)); diff != "" {
		t.Error(diff)
	}
	refuse(t, interchange.Options{}, a+b+a, `f:3:1: document 1 is there twice under the filter "x", first on line 1`)
	refuse(t, interchange.Options{}, a+strings.Replace(c, `[["r"]]`, `[["t"]]`, 1), "f:2:1: document 1 has other responses here")
	refuse(t, interchange.Options{}, a+b[:len(b)/2], "f:2:", "the file is cut short")
	refuse(t, interchange.Options{}, lmLine(1, "x", `[]`, `"acc":1`), `expected "resps"`)
	refuse(t, interchange.Options{}, lmLine(1, "x", `[[{}],[{}]]`, `"acc":1`), "expected response 1")
	refuse(t, interchange.Options{ID: "nothing"}, a, `it has no field "nothing"`)
}

func FuzzLMEval(f *testing.F) {
	f.Add([]byte(lmLine(1, "a", `[["r1","r2"]]`, `"exact_match":1.0`) + lmLine(1, "b", `[["r1","r2"]]`, `"exact_match,a":NaN,"exact_match":true`)))
	f.Add([]byte(lmLine(1, "none", `[[["-9.5","False"]],[["-1.0","True"]]]`, `"acc":0.0`)))
	f.Add([]byte(`{"doc_id":0,"doc":1,"arguments":[["P"," x"]],"resps":[[["1"]],[[2]]],"x,y":1,"x":1,"filter":"y"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		holds(t, bytes.NewReader(data), interchange.Options{})
		holds(t, bytes.NewReader(data), interchange.Options{ID: "q"})
	})
}
