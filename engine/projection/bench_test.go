package projection_test

import (
	"testing"

	"docket/engine/projection"
)

const benchProse = `Situation: order 4417 of 11 August 2026 arrived with a cracked screen, and the customer wrote to us within the 30 days that the policy allows (INC-219).

Action taken: we looked at the photographs, opened a return and sent a prepaid label. The refund of €128.40 will be issued once the parcel is scanned at the depot, which usually takes two working days.

Open question: the customer would like to know whether the delivery charge of €4.90 is refunded, too; the policy does not say.`

const benchJSON = `{"id":"inv-0031","status":"overdue","amount":128.4,"currency":"EUR","due":"2026-08-11","lines":[{"sku":"AB12CD","count":2,"price":60.2},{"sku":"XY34ZW","count":1,"price":8}],"customer":{"number":"70001","name":"A. Example","country":"DE"},"flags":[],"note":"The customer wrote twice about the parcel that arrived with a cracked screen and asks for the money back within the week, since the invoice 4417 is to be paid by then and the new one has not been issued yet."}`

// BenchmarkSet measures all projections of one output of about 500 characters;
// the goal is under 30 µs without the language.
func BenchmarkSet(b *testing.B) {
	const config = "label: {path: status}\nnumbers:\n  amount: {path: amount, within: 0.01}\n  fee: {pattern: 'charge of €([\\d.]+)'}\n"
	input := map[string]any{"ticket": "Order 4417 of 11 August 2026, €128.40, see INC-219. " + benchProse}
	for _, bench := range []struct{ name, config, text string }{
		{"prose", config + "language: false\n", benchProse},
		{"JSON", config + "language: false\n", benchJSON},
		{"prose with language", config, benchProse},
		{"JSON with language", config, benchJSON},
	} {
		set := compile(b, bench.config, "overdue", "paid", "disputed")
		s := subject(bench.text, input)
		s.Prepared = set.Prepare(input)
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				set.Project(s)
			}
		})
	}
}

// BenchmarkEach measures each projection alone.
func BenchmarkEach(b *testing.B) {
	input := map[string]any{"ticket": benchProse}
	for _, name := range projection.Names() {
		config := "[" + name + "]"
		switch name {
		case "label":
			config = "{}"
		case "numbers":
			continue
		}
		set := compile(b, config, "overdue", "paid", "disputed")
		s := subject(benchProse, input)
		s.Prepared = set.Prepare(input)
		if name == "label" {
			continue
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				set.Project(s)
			}
		})
	}
	set := compile(b, "")
	b.Run("prepare", func(b *testing.B) {
		for b.Loop() {
			set.Prepare(input)
		}
	})
}

func BenchmarkFoldAndCompare(b *testing.B) {
	set := suite(b)
	input := map[string]any{"ticket": benchProse}
	one, other := set.Project(subject(benchJSON, input)), set.Project(subject(benchProse, input))
	old, new := measured(set, []map[string]any{one, one, one}), measured(set, []map[string]any{other, one, one})
	b.Run("fold 5", func(b *testing.B) {
		for b.Loop() {
			set.Fold([]map[string]any{one, one, one, one, one})
		}
	})
	b.Run("compare", func(b *testing.B) {
		for b.Loop() {
			for _, name := range set.Names() {
				set.Compare(name, old[name], new[name])
			}
		}
	})
}
