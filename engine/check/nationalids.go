package check

import "strings"

// ibanLengths gives the length of an IBAN for each country that has them (the
// SWIFT registry), two letters and two digits each.
const ibanLengths = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20EG29ES24FI18FO18FR27GB22GE22GI23GL18GR27GT28" +
	"HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21MC27MD24ME22MK19MR27MT31MU30NL18NO15PK24PL28PS29PT25QA29RO24RS22" +
	"SA24SC31SE24SI19SK24SM27ST25SV28TL23TN24TR26UA29VA22VG24XK20"

// ibanLength returns the length of the IBAN that s starts with: its country's
// length, spaces or hyphens between groups not counted, and right check digits.
func ibanLength(s string) int {
	if len(s) < 15 || !isLetter(s[1]) || !isDigit(s[2]) || !isDigit(s[3]) {
		return 0
	}
	country := strings.ToUpper(s[:2])
	want := 0
	for i := 0; i < len(ibanLengths); i += 4 {
		if ibanLengths[i:i+2] == country {
			want = int(ibanLengths[i+2]-'0')*10 + int(ibanLengths[i+3]-'0')
		}
	}
	if want == 0 {
		return 0
	}
	compact := make([]byte, 0, 34)
	i := 0
	for i < len(s) && len(compact) < want {
		switch c := s[i]; {
		case isAlnum(c):
			if c >= 'a' {
				c -= 'a' - 'A'
			}
			compact = append(compact, c)
		case (c == ' ' || c == '-') && i > 0 && isAlnum(s[i-1]):
		default:
			return 0
		}
		i++
	}
	if len(compact) < want || !endsWord(s[i:]) || mod97(compact[4:], compact[:4]) != 1 {
		return 0
	}
	return i
}

// mod97 returns the remainder of the number that the parts spell, letters
// counting from A as 10 (ISO 7064, MOD 97-10).
func mod97(parts ...[]byte) int {
	remainder := 0
	for _, part := range parts {
		for _, c := range part {
			if isDigit(c) {
				remainder = (remainder*10 + int(c-'0')) % 97
			} else {
				remainder = (remainder*100 + int(c-'A') + 10) % 97
			}
		}
	}
	return remainder
}

// nationalInsurance returns the length of the British national insurance number
// that s starts with: two letters of those in use, six digits, A to D.
func nationalInsurance(s string) int {
	if len(s) < 9 || strings.IndexByte("ABCEGHJKLMNOPRSTWXYZ", s[0]) < 0 || strings.IndexByte("ABCEGHJKLMNPRSTWXYZ", s[1]) < 0 {
		return 0
	}
	switch s[:2] {
	case "BG", "GB", "KN", "NK", "NT", "TN", "ZZ":
		return 0
	}
	digits, i := 0, 2
	for ; i < len(s) && digits < 6; i++ {
		switch {
		case isDigit(s[i]):
			digits++
		case s[i] == ' ' && digits%2 == 0 && s[i-1] != ' ':
		default:
			return 0
		}
	}
	if i < len(s) && s[i] == ' ' {
		i++
	}
	if digits < 6 || i >= len(s) || s[i] < 'A' || s[i] > 'D' || !endsWord(s[i+1:]) {
		return 0
	}
	return i + 1
}

// spanishID returns the length of the Spanish DNI (eight digits and a letter) or
// NIE (X, Y or Z, seven digits and a letter) that s starts with. The letter is
// the number's remainder by 23.
func spanishID(s string) int {
	if len(s) < 9 {
		return 0
	}
	value, i := 0, 0
	if s[0] >= 'X' && s[0] <= 'Z' {
		value, i = int(s[0]-'X'), 1
		if s[i] == '-' {
			i++
		}
	}
	start := i
	for i < len(s) && isDigit(s[i]) && i < start+9 {
		value = value*10 + int(s[i]-'0')
		i++
	}
	if want := 8 - min(start, 1); i-start != want {
		return 0
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i >= len(s) || s[i] != "TRWAGMYFPDXBNJZSQVHLCKE"[value%23] || !endsWord(s[i+1:]) {
		return 0
	}
	return i + 1
}

// isNumericID reports whether a number is a national id that is all digits:
//
//   - a US social security number, 3-2-4, in a range that is issued;
//   - a Brazilian CPF, 000.000.000-00, with its two check digits;
//   - a French NIR, 15 digits whose key is right (mod 97);
//   - a Chinese resident id, 18 digits with a date and a check digit.
func isNumericID(n *number) bool {
	d := n.digits
	if n.plus {
		return false
	}
	switch len(d) {
	case 9:
		return n.grouped(3, 2, 4) && n.separatedBy("- ") && n.marks[0] == n.marks[1] &&
			d[:3] != "000" && d[:3] != "666" && d[0] != '9' && d[3:5] != "00" && d[5:] != "0000"
	case 11:
		return n.grouped(3, 3, 3, 2) && n.marks[0] == "." && n.marks[1] == "." && n.marks[2] == "-" && cpf(d)
	case 15:
		month := (d[3]-'0')*10 + d[4] - '0'
		return (d[0] == '1' || d[0] == '2') && (month >= 1 && month <= 12 || month >= 20 && month <= 42) && n.separatedBy(" \u00a0") &&
			int(d[13]-'0')*10+int(d[14]-'0') == 97-mod97([]byte(d[:13]))
	case 18:
		return len(n.sizes) == 1 && (strings.HasPrefix(d[6:], "19") || strings.HasPrefix(d[6:], "20")) && chineseID(d)
	}
	return false
}

func cpf(d string) bool {
	if strings.Count(d, d[:1]) == len(d) {
		return false
	}
	for check := 9; check <= 10; check++ {
		sum := 0
		for i := range check {
			sum += int(d[i]-'0') * (check + 1 - i)
		}
		if int(d[check]-'0') != sum*10%11%10 {
			return false
		}
	}
	return true
}

func chineseID(d string) bool {
	sum, weight := 0, 1
	for i := range 17 { // from the right: weights are powers of 2 modulo 11
		weight = weight * 2 % 11
		sum += int(d[16-i]-'0') * weight
	}
	check := (12 - sum%11) % 11
	return check < 10 && int(d[17]-'0') == check
}
