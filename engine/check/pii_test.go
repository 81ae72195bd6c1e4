package check_test

import (
	"strings"
	"testing"
)

func TestPersonalDataIsFound(t *testing.T) {
	for _, tt := range []struct{ kind, text string }{
		{"email", "write to ada.lovelace+x@mail.example.com."},
		{"email", "<jürgen@müller.example>"},
		{"email", "a@b.co, please"},
		{"phone", "+1 (212) 555-0142"},
		{"phone", "+442079460958"},
		{"phone", "+49 30 901820"},
		{"phone", "(212) 555-0142"},
		{"phone", "212-555-0142 or"},
		{"phone", "212.555.0142"},
		{"phone", "1-800-555-0142"},
		{"phone", "020 7946 0958"},
		{"phone", "030/90182012"},
		{"phone", "06 12 34 56 78"},
		{"phone", "0049 30 901820"},
		{"phone", "Phone: 2125550142"},
		{"phone", "call me at 555-0142"},
		{"phone", "電話：0312345678"},
		{"phone", "two 2 020 7946 0958"},
		{"payment_card", "4111 1111 1111 1111"},
		{"payment_card", "card 5555555555554444."},
		{"payment_card", "3782 822463 10005"},
		{"payment_card", "6011-1111-1111-1117"},
		{"iban", "DE89 3704 0044 0532 0130 00"},
		{"iban", "GB82WEST12345698765432."},
		{"iban", "fr14 2004 1010 0505 0001 3M02 606"},
		{"national_id", "SSN 219-09-9999"},
		{"national_id", "NI number AB 12 34 56 C"},
		{"national_id", "AB123456C"},
		{"national_id", "DNI 12345678Z"},
		{"national_id", "X-1234567-L"},
		{"national_id", "CPF 529.982.247-25"},
		{"national_id", "1 85 05 78 006 084 91"},
		{"ip_address", "from 192.168.10.4:8080"},
		{"ip_address", "203.0.113.7."},
		{"ip_address", "at 2001:db8::8a2e:370:7334"},
		{"ip_address", "[fe80::1]"},
	} {
		compiled := compile(t, "must_not_contain_pii: ["+tt.kind+"]")
		v := judge(t, compiled[0], subject(t, tt.text))
		if v.Pass || v.Score != 0 || v.Message == "" {
			t.Errorf("no %s in %q: %+v", tt.kind, tt.text, v)
		}
		if all := judge(t, compile(t, "must_not_contain_pii: true")[0], subject(t, "Text around: "+tt.text)); all.Pass {
			t.Errorf("nothing in %q when all kinds are looked for", tt.text)
		}
	}
}

func TestWhatOnlyLooksPersonal(t *testing.T) {
	compiled := compile(t, "must_not_contain_pii: true")
	for _, text := range []string{
		"",
		"Order 4417, invoice INV-2024-0012345, ticket TICKET_4471.",
		"Order 1234567890123456 shipped.", // no card: the Luhn check fails
		"Order number 2125550142 and parcel 00340434161094042557.",
		"ORD-212-555-0142 and /items/212-555-0142",
		"On 2026-01-02 10:30:45, 01.02.2026, 01/02/2026 10:30, 3/4/26.",
		"2026-01-02 2026-01-03 2026-01-04",
		"Version 1.2.3.4, v10.0.0.1, release 2.4.1.0.",
		"It costs $1,234,567.89 or 1.234.567,89 € or 12 345 678 EUR.",
		"0.123456789012 and 3.14159265358979",
		"100 000 000 people, 7 800 000 000 in all",
		"@ada wrote to team@localhost; see logo@2x.png and react@18.2.0",
		"std::vector<int> a::b 10:30:00 12:34:56:78",
		"localhost is 127.0.0.1, ::1 or 0.0.0.0",
		"300.1.2.3 and 1.2.3 and 1.2.3.4.5",
		"pages 100-200-300, sizes 10x20x30, 1-2-3-4-5-6-7-8-9",
		"GB12 3456 and DE00 3704 0044 0532 0130 00",
		"ISBN 978-3-16-148410-0, EAN 4006381333931",
		"room 101, floors 1 2 3 4 5 6 7 8 9 10 11 12",
		"219-00-9999 and 666-12-1234 and 900-12-1234",
		"AB12345C and QQ123456C and 12345678A",
		"0000 0000 0000 0000",
		"Section 1.2.3.4 and § 1.2.3.4",
		strings.Repeat("1 2 3 ", 5000),
		strings.Repeat("9", 100000),
		strings.Repeat("(", 100000),
		strings.Repeat("a@", 50000),
	} {
		if v := judge(t, compiled[0], subject(t, text)); !v.Pass {
			t.Errorf("%.80q: %s", text, v.Message)
		}
	}
}

func TestPersonalNames(t *testing.T) {
	compiled := compile(t, `must_not_contain_pii: {kinds: [email], names: ["Ada Lovelace", "田中", "Li"]}`)[0]
	for text, pass := range map[string]bool{
		"ADA\u00a0Lovelace's order":   false,
		"田中さんに連絡しました":                 false,
		"Li, please":                  false,
		"Adam Lovelacey":              true,
		"Lima and Oli":                true,
		"call +1 212 555 0142":        true, // not among the kinds
		"write to ada@example.com":    false,
		"Ada wrote, Lovelace replied": true,
	} {
		if v := judge(t, compiled, subject(t, text)); v.Pass != pass {
			t.Errorf("%q: %+v", text, v)
		}
	}
	v := judge(t, compiled, subject(t, "mail ada.lovelace@example.com"))
	if strings.Contains(v.Message, "lovelace") {
		t.Errorf("the message repeats what it found: %s", v.Message)
	}
}

func TestChecksumsOfIDs(t *testing.T) {
	compiled := compile(t, "must_not_contain_pii: [national_id]")[0]
	for text, pass := range map[string]bool{
		"529.982.247-25":        false,
		"529.982.247-26":        true,
		"111.111.111-11":        true,
		"12345678Z":             false,
		"12345678X":             true,
		"1 85 05 78 006 084 91": false,
		"1 85 05 78 006 084 36": true,
	} {
		if v := judge(t, compiled, subject(t, text)); v.Pass != pass {
			t.Errorf("%q: %+v", text, v)
		}
	}
}
