package check_test

import (
	"context"
	"testing"

	"docket/engine/check"
)

const benchText = `Situation: the customer's order 4417 arrived on 3 March with a cracked screen, and they wrote to us within the 30 days that the policy allows.

Action taken: we confirmed the photos, opened a return, and sent a prepaid label to the address on file. The refund of 128.40 EUR will be issued once the parcel is scanned at the depot, which usually takes two working days.

Open question: they'd like to know whether the original delivery charge is refunded, too; the policy doesn't say.`

func BenchmarkJudge(b *testing.B) {
	for _, expect := range []string{
		`must_contain_fact: [{key: f, value: "30 days"}]`,
		`must_not_contain: ["14 days"]`,
		`must_match: ['\d+ days']`,
		"must_not_contain_pii: true",
		"max_words: 90",
		"max_sentences: 9",
		"structure: three_sections",
		"language: en",
		"refusal: false",
		"covers: [refund, label]",
	} {
		compiled := compile(b, expect)
		s := subject(b, benchText)
		b.Run(compiled[0].Key, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				fresh := check.Subject{Input: s.Input, Output: s.Output}
				if v, err := compiled[0].Judge(context.Background(), &fresh); err != nil || !v.Pass {
					b.Fatal(v, err)
				}
			}
		})
	}
	compiled := compile(b, "json_schema: {type: object, required: [status], properties: {status: {type: string}, amount: {type: number}}}")
	s := subject(b, `{"status":"overdue","amount":128.40}`)
	b.Run("json_schema", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if v, err := compiled[0].Judge(context.Background(), s); err != nil || !v.Pass {
				b.Fatal(v, err)
			}
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	for name, expect := range map[string]string{
		"four checks": "must_contain_fact: [{key: f, value: \"30 days\"}]\nmust_not_contain_pii: true\nmax_words: 60\nstructure: three_sections\n",
		"json_schema": "json_schema: {type: object, required: [status], properties: {status: {type: string}, amount: {type: number}}}",
	} {
		v, e := parse(b, expect), env(b)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, problems := check.Compile(v, e); len(problems) > 0 {
					b.Fatal(problems)
				}
			}
		})
	}
}
