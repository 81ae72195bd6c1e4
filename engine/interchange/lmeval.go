package interchange

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"docket/engine/phrase"
)

// lmEvalRule is how rows of lm-eval pair: doc_id is a position, and the hash
// of the document is not.
const lmEvalRule = "a case's id is the first 16 digits of its doc_hash, or a hash of its document where it has none (--id names a key of the document, or doc_id, instead)"

func isLMEval(s *sight) bool {
	return s.first == '{' && s.has("doc_id") && s.any("resps", "filtered_resps")
}

func isLMEvalResults(s *sight) bool {
	return s.first == '{' && s.has("results") && !s.keys["results.version"] &&
		s.any("lm_eval_version", "n-shot", "higher_is_better", "versions", "configs", "task_hashes", "group_subtasks")
}

func refuseLMEvalResults(_ context.Context, in *input) (*collector, error) {
	return nil, wholeFile(in.name, "it holds the totals of lm-eval and no outputs; give the file of samples that lies beside it (samples_TASK_….jsonl, which lm_eval writes with --log_samples)")
}

// readLMEval reads a file of samples of one task of the lm-eval harness: a line
// for each document and filter.
//
// A filter extracts an answer from the responses, which are the same for every
// filter: so the lines of one document are one case, its repeated responses are
// its samples, and each metric under each filter is a check,
// "lm-eval:exact_match,strict-match". The harness scores the document and not
// each response, so the checks stand with the first sample. Metrics that count
// right answers give a verdict where they are 0 or 1; any other is a score.
// Of a question with choices the output is the choice with the highest
// probability.
func readLMEval(ctx context.Context, in *input) (*collector, error) {
	l := &lmEval{collector: newCollector(in), documents: map[string]*lmDocument{}}
	if in.options.ID == "" {
		l.tally.rule = lmEvalRule
	}
	err := eachLine(ctx, l.collector, in, func(t text, ended bool) {
		if row, ok := l.lineObject(t, ended, text.parseLoose); ok {
			l.line(t, row)
		}
	})
	for _, d := range l.documents {
		l.rows[d.row].Checks = d.checks.all
	}
	return l.collector, err
}

type lmEval struct {
	*collector
	documents map[string]*lmDocument
}

// An lmDocument is a document of which a line was read.
type lmDocument struct {
	row       int // of its first sample
	responses string
	filters   map[string]int // the line of each
	checks    *checks
}

func (l *lmEval) line(t text, row map[string]any) {
	id := ""
	switch hash := textAt(row, "doc_hash"); {
	case l.options.ID != "":
		var why string
		if id, why = l.chosenID(row["doc"], row); why != "" {
			l.problem(t, "", "%s", why)
			return
		}
	case hash != "":
		id = "doc-" + hash[:min(16, len(hash))]
	case row["doc"] != nil:
		id = digest("doc", row["doc"])
	default:
		l.problem(t, "", "expected a \"doc\" or a \"doc_hash\", the case that this is an output of")
		return
	}
	filter := textAt(row, "filter")
	if filter == "" {
		filter = "none"
	}
	// A data set may hold a document twice: these are samples of one case.
	key := id + "\x00" + spelled(row["doc_id"])
	responses := digest("resps", row["resps"])
	d := l.documents[key]
	if d == nil {
		before := len(l.rows)
		outputs, wrong := lmOutputs(row)
		if wrong != "" {
			l.problem(t, "", "%s", wrong)
			return
		}
		for _, text := range outputs {
			e := entry{text: t, row: Row{ID: id, Input: lmInput(row)}}
			e.row.Output.Text = text
			l.entry(e)
		}
		if len(l.rows) == before {
			return // the id is no good
		}
		d = &lmDocument{row: before, responses: responses, filters: map[string]int{}, checks: newChecks("lm-eval")}
		l.documents[key] = d
	}
	switch line, twice := d.filters[filter]; {
	case twice:
		l.problem(t, "", "document %s is there twice under the filter %q, first on line %d; delete one", spelled(row["doc_id"]), phrase.Abridge(filter, 40), line)
		return
	case d.responses != responses:
		l.problem(t, "", "document %s has other responses here than under its first filter, on line %d", spelled(row["doc_id"]), l.rows[d.row].Line)
		return
	}
	d.filters[filter] = t.line
	lmChecks(d.checks, filter, row)
}

// lmOutputs returns the responses to a document, one for each repeat.
func lmOutputs(row map[string]any) (outputs []string, wrong string) {
	requests := listAt(row, "resps")
	if len(requests) == 0 {
		return nil, "expected \"resps\", the responses, as a list with something in it, got " + describe(row["resps"])
	}
	one, _ := requests[0].([]any)
	if len(requests) == 1 && len(one) > 0 {
		for _, r := range one {
			if s, ok := r.(string); ok {
				outputs = append(outputs, s)
			}
		}
		if len(outputs) == len(one) {
			return outputs, ""
		}
	}
	best, pick := math.Inf(-1), -1
	for i, r := range requests {
		list, _ := r.([]any)
		probability, ok := lmProbability(first(list))
		if !ok {
			return nil, fmt.Sprintf("expected response %d as text, or as a probability and whether it is the likeliest, got %s", i+1, phrase.Abridge(spelled(r), 40))
		}
		if probability > best {
			best, pick = probability, i
		}
	}
	if len(requests) == 1 || pick < 0 {
		return []string{""}, "" // a probability alone says nothing
	}
	return []string{lmArgument(row, pick, 1)}, ""
}

// lmProbability reads a logarithm, beside which it says whether the
// continuation is the likeliest.
func lmProbability(v any) (float64, bool) {
	if list, ok := v.([]any); ok {
		v = first(list)
	}
	switch v := v.(type) {
	case string:
		f, err := strconv.ParseFloat(v, 64)
		return f, err == nil && !math.IsNaN(f)
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	}
	return 0, false
}

// lmArgument returns the argument k of the request i, text only: an object of
// objects since 2024, a list of lists before.
func lmArgument(row map[string]any, i, k int) string {
	if list := listAt(row, "arguments"); i < len(list) {
		if inner, ok := list[i].([]any); ok && k < len(inner) {
			s, _ := inner[k].(string)
			return s
		}
	}
	return textAt(row, "arguments", "gen_args_"+strconv.Itoa(i), "arg_"+strconv.Itoa(k))
}

func lmInput(row map[string]any) map[string]any {
	prompt := lmArgument(row, 0, 0)
	if prompt == "" {
		return nil
	}
	in := map[string]any{"prompt": prompt}
	if n := len(listAt(row, "resps")); n > 1 {
		choices := make([]any, n)
		for i := range choices {
			choices[i] = lmArgument(row, i, 1)
		}
		in["choices"] = choices
	}
	return in
}

// lmChecks adds the metrics of a line: every number that is no part of the
// line's frame.
func lmChecks(all *checks, filter string, row map[string]any) {
	message := ""
	if answers := listAt(row, "filtered_resps"); len(answers) == 1 {
		if s, ok := answers[0].(string); ok {
			message = "extracted " + strconv.Quote(phrase.Abridge(s, 40))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(row)) {
		score := numberAt(row, name)
		if b := boolAt(row, name); b != nil {
			score = oneOrZero(b)
		}
		if score == nil || name == "doc_id" {
			continue
		}
		var pass *bool
		if metric, _, _ := strings.Cut(name, ","); lmCounts(metric) && (*score == 0 || *score == 1) {
			right := *score == 1
			pass = &right
		}
		if filter != "none" && !strings.HasSuffix(name, ","+filter) {
			name += "," + filter
		}
		all.add(name, pass, score, message)
	}
}

// lmCounts reports whether a metric says that an answer is right by 1 and
// wrong by 0.
func lmCounts(metric string) bool {
	switch metric {
	case "exact_match", "em", "acc", "acc_norm", "acc_bytes", "acc_mutual_info", "contains", "pass@1", "pass_at_1",
		"prompt_level_strict_acc", "prompt_level_loose_acc", "likelihood_acc":
		return true
	}
	return false
}
