package suggestion

import (
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Two cases are alike where their inputs, and their expectations, share most
// shingles: runs of so many words. Pairs are found by MinHash (A. Broder, On the
// resemblance and containment of documents, 1997): a signature agrees in each
// place with the probability of the Jaccard index, and bands of it that are
// equal name the pairs that are worth counting in full.
const (
	shingle  = 3
	bands    = 32
	rows     = 4
	likeness = 0.7 // the least Jaccard index of inputs, and of expectations
)

// A Text is what a case asks, in words.
type Text struct{ Input, Expect []string }

// A Pair is a text and the first of those before it that it is like; Like is the
// smaller of the two indexes.
type Pair struct {
	A, B int // indexes, A < B
	Like float64
}

// Words splits a text into runs of letters and digits, in lower case, and single
// characters of scripts without spaces.
func Words(s string) []string {
	var words []string
	start := -1
	flush := func(end int) {
		if start >= 0 {
			words = append(words, strings.ToLower(s[start:end]))
		}
		start = -1
	}
	for i, r := range s {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			flush(i)
			words = append(words, string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if start < 0 {
				start = i
			}
		default:
			flush(i)
		}
	}
	flush(len(s))
	return words
}

// Alike returns for each text that is like one before it the first such text, in
// order. Where all texts are alike it looks at few pairs of them.
func Alike(texts []Text) []Pair {
	seed := maphash.MakeSeed()
	salts := make([]uint64, bands*rows)
	for i := range salts {
		salts[i] = mix(uint64(i) + 1)
	}
	inputs, expects := make([][]uint64, len(texts)), make([][]uint64, len(texts))
	type key struct {
		band int
		hash uint64
	}
	buckets := map[key][]int{}
	looked := make([]int, len(texts)) // the text that was last compared with each, and 1
	var pairs []Pair
	for b, t := range texts {
		inputs[b], expects[b] = shingles(seed, t.Input), shingles(seed, t.Expect)
		first := Pair{A: b, B: b}
		for band, hash := range signature(inputs[b], salts) {
			k := key{band, hash}
			for _, a := range buckets[k] { // in rising order
				if a >= first.A {
					break
				}
				if looked[a] == b+1 {
					continue
				}
				looked[a] = b + 1
				if like := alike(expects[a], expects[b]); like >= likeness {
					if like = min(like, alike(inputs[a], inputs[b])); like >= likeness {
						first = Pair{a, b, like}
						break
					}
				}
			}
			buckets[k] = append(buckets[k], b)
		}
		if first.A < b {
			pairs = append(pairs, first)
		}
	}
	return pairs
}

// alike is the Jaccard index of two sets, or 0 where their sizes rule out that
// it is enough.
func alike(a, b []uint64) float64 {
	if small, large := min(len(a), len(b)), max(len(a), len(b)); float64(small) < likeness*float64(large) {
		return 0
	}
	return jaccard(a, b)
}

// shingles returns the hashes of a text's shingles, sorted, each once. A text
// that is shorter than one is a shingle of its own.
func shingles(seed maphash.Seed, words []string) []uint64 {
	var all []uint64
	for i := 0; i == 0 || i+shingle <= len(words); i++ {
		var h maphash.Hash
		h.SetSeed(seed)
		for _, word := range words[i:min(i+shingle, len(words))] {
			h.WriteString(word)
			h.WriteByte(0)
		}
		all = append(all, h.Sum64())
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// signature returns the hash of each band of a MinHash signature.
func signature(set, salts []uint64) []uint64 {
	out := make([]uint64, bands)
	for band := range out {
		hash := uint64(band)
		for _, salt := range salts[band*rows : (band+1)*rows] {
			least := uint64(math.MaxUint64)
			for _, v := range set {
				least = min(least, mix(v^salt))
			}
			hash = mix(hash ^ least)
		}
		out[band] = hash
	}
	return out
}

// mix spreads the bits of a number: the finaliser of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// jaccard is the share of two sorted sets that both have.
func jaccard(a, b []uint64) float64 {
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both++
			i++
			j++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
