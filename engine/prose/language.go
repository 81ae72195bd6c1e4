package prose

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/abadojack/whatlanggo"
)

// Unknown is the language of a text that is too short or too mixed to tell.
const Unknown = "unknown"

const (
	languageCharacters = 300 // looked at, since the cost grows with them
	languageWords      = 20  // needed
	// Running text has a function word in fewer letters than these, in every
	// language of the table; keys, names and addresses have not.
	lettersPerFunctionWord = 60
)

// Language returns the ISO 639-1 code of the language that a text is written
// in, or Unknown where its first 300 characters hold fewer than 20 words or
// leave a doubt. See Guess for how it is told.
func Language(s string) string {
	head := firstRunes(s, languageCharacters)
	if words(head, languageWords) < languageWords {
		return Unknown
	}
	if code, sure := guess(head, true); sure {
		return code
	}
	return Unknown
}

// Guess returns the likeliest language of a text, however short, and whether
// there is no doubt about it. The code is Unknown for a text with no letters of
// a script that it knows.
//
// The script that at least two thirds of the letters of the first 300 characters
// belong to decides first: Chinese, Japanese (Han with one kana in twenty or
// more), Korean, Greek, Hebrew, Thai and others need nothing else. Languages in
// the Latin and the Cyrillic script are told by their function words where those
// agree, which is quick; a long text with hardly any is Unknown. Where they
// disagree, and in the Arabic and Devanagari scripts, trigrams decide
// (whatlanggo) among a list of languages that is kept short on purpose: over all
// that it knows, the library takes Russian for Macedonian.
func Guess(s string) (code string, sure bool) {
	return guess(firstRunes(s, languageCharacters), false)
}

// Languages returns the ISO 639-1 codes that Language can return, sorted.
func Languages() []string {
	var codes []string
	for _, s := range scripts {
		if s.language != "" {
			codes = append(codes, s.language)
		}
		for l := range s.languages {
			codes = append(codes, iso6391(l))
		}
	}
	for _, l := range functionWords {
		codes = append(codes, l.language)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// iso6391 returns the code of a language: "no" for Norwegian, whichever written
// form, as people write, and "fa" for Persian, which the library leaves out.
func iso6391(l whatlanggo.Lang) string {
	switch l {
	case whatlanggo.Nob:
		return "no"
	case whatlanggo.Pes:
		return "fa"
	}
	return l.Iso6391()
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// A script is a set of letters, with the only language that is told from it, or
// the languages among which trigrams decide.
type script struct {
	table     *unicode.RangeTable
	language  string
	languages map[whatlanggo.Lang]bool
}

// guess is Guess for a text that is short enough. Of a long one prose must be
// seen, in function words, before trigrams are asked.
func guess(s string, long bool) (string, bool) {
	var counts [len(scripts)]int
	total := 0
	for _, r := range s {
		if r < utf8.RuneSelf {
			if isASCIILetter(byte(r)) {
				counts[latin]++
				total++
			}
			continue
		}
		if !unicode.IsLetter(r) {
			continue
		}
		total++
		for i := range scripts {
			if unicode.Is(scripts[i].table, r) {
				counts[i]++
				break
			}
		}
	}
	if total == 0 {
		return Unknown, false
	}
	if east := counts[han] + counts[hiragana] + counts[katakana]; 3*east >= 2*total {
		if 20*(counts[hiragana]+counts[katakana]) >= east {
			return "ja", true
		}
		return "zh", true
	}
	best := 0
	for i, n := range counts {
		if n > counts[best] {
			best = i
		}
	}
	if counts[best] == 0 {
		return Unknown, false
	}
	certain := 3*counts[best] >= 2*total
	if code := scripts[best].language; code != "" {
		return code, certain
	}
	if (best == latin || best == cyrillic) && certain {
		code, decided, seen := byFunctionWords(s)
		if decided {
			return code, true
		}
		if long && seen < max(2, total/lettersPerFunctionWord) {
			return Unknown, false // keys and names, or a language not told here
		}
	}
	info := whatlanggo.DetectWithOptions(s, whatlanggo.Options{Whitelist: scripts[best].languages})
	if info.Confidence == 0 || !scripts[best].languages[info.Lang] {
		return Unknown, false // a tie, which the library breaks by chance
	}
	return iso6391(info.Lang), certain && info.IsReliable()
}

// The scripts that guess names; their places in the table below.
const (
	latin = iota
	cyrillic
	han
	hiragana
	katakana
)

// scripts is a fixed table, in the order in which a letter is looked for:
// nothing writes to it.
var scripts = [...]script{
	latin: {table: unicode.Latin, languages: set(
		whatlanggo.Eng, whatlanggo.Deu, whatlanggo.Fra, whatlanggo.Spa, whatlanggo.Ita, whatlanggo.Por, whatlanggo.Nld,
		whatlanggo.Swe, whatlanggo.Dan, whatlanggo.Nob, whatlanggo.Fin, whatlanggo.Pol, whatlanggo.Ces, whatlanggo.Hun,
		whatlanggo.Ron, whatlanggo.Tur, whatlanggo.Ind, whatlanggo.Vie)},
	cyrillic: {table: unicode.Cyrillic, languages: set(whatlanggo.Rus, whatlanggo.Ukr, whatlanggo.Bul)},
	han:      {table: unicode.Han, language: "zh"},
	hiragana: {table: unicode.Hiragana, language: "ja"},
	katakana: {table: unicode.Katakana, language: "ja"},
	{table: unicode.Hangul, language: "ko"},
	{table: unicode.Arabic, languages: set(whatlanggo.Arb, whatlanggo.Pes, whatlanggo.Urd)},
	{table: unicode.Devanagari, languages: set(whatlanggo.Hin, whatlanggo.Mar, whatlanggo.Nep)},
	{table: unicode.Greek, language: "el"},
	{table: unicode.Hebrew, language: "he"},
	{table: unicode.Thai, language: "th"},
	{table: unicode.Bengali, language: "bn"},
	{table: unicode.Tamil, language: "ta"},
	{table: unicode.Telugu, language: "te"},
	{table: unicode.Kannada, language: "kn"},
	{table: unicode.Malayalam, language: "ml"},
	{table: unicode.Gujarati, language: "gu"},
	{table: unicode.Gurmukhi, language: "pa"},
	{table: unicode.Oriya, language: "or"},
	{table: unicode.Georgian, language: "ka"},
	{table: unicode.Armenian, language: "hy"},
	{table: unicode.Sinhala, language: "si"},
	{table: unicode.Khmer, language: "km"},
	{table: unicode.Lao, language: "lo"},
	{table: unicode.Myanmar, language: "my"},
	{table: unicode.Ethiopic, language: "am"},
}

func set(languages ...whatlanggo.Lang) map[whatlanggo.Lang]bool {
	m := make(map[whatlanggo.Lang]bool, len(languages))
	for _, l := range languages {
		m[l] = true
	}
	return m
}
