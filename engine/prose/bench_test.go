package prose

import (
	"strings"
	"testing"
)

// sample is a text of about 500 characters, of the kind that a support
// assistant writes.
const sample = `Situation: the customer's order 4417 arrived on 3 March with a cracked screen, and they wrote to us within the 30 days that the policy allows.

Action taken: we confirmed the photos, opened a return, and sent a prepaid label to the address on file. The refund of 128.40 EUR will be issued once the parcel is scanned at the depot, which usually takes two working days.

Open question: they'd like to know whether the original delivery charge is refunded, too; the policy doesn't say.`

const sampleJapanese = `お客様のご注文は三月三日に届きましたが、画面が割れていました。返品の手続きを開始し、送料無料のラベルをお送りしました。返金は荷物が倉庫に到着してから二営業日ほどで行われます。配送料の返金については、規約に記載がありませんので、担当者に確認いたします。ご不便をおかけして申し訳ございません。`

func bench[T any](b *testing.B, measure func(string) T) {
	for _, text := range []struct{ name, text string }{
		{"English", sample},
		{"Curly", strings.NewReplacer("'", "’", " with", " — with").Replace(sample)},
		{"Japanese", sampleJapanese},
	} {
		b.Run(text.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				measure(text.text)
			}
		})
	}
}

func BenchmarkNormalize(b *testing.B)  { bench(b, Normalize) }
func BenchmarkWords(b *testing.B)      { bench(b, Words) }
func BenchmarkCharacters(b *testing.B) { bench(b, Characters) }
func BenchmarkSentences(b *testing.B)  { bench(b, Sentences) }
func BenchmarkParagraphs(b *testing.B) { bench(b, Paragraphs) }
func BenchmarkBullets(b *testing.B)    { bench(b, Bullets) }
func BenchmarkSections(b *testing.B)   { bench(b, Sections) }
func BenchmarkLanguage(b *testing.B)   { bench(b, Language) }
func BenchmarkRefusal(b *testing.B)    { bench(b, Refusal) }
