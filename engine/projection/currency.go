package projection

import "strings"

// currencyOf returns the ISO 4217 code of a currency written as its code in
// upper case, its sign or its English name; "" for anything else. The dollar
// sign is read as USD and the yen sign as JPY. Where a text means another
// dollar by it, both sides of a comparison are read alike.
func currencyOf(s string) string {
	switch s {
	case "$", "US$":
		return "USD"
	case "€":
		return "EUR"
	case "£":
		return "GBP"
	case "¥", "￥", "円":
		return "JPY"
	case "₹":
		return "INR"
	case "₩":
		return "KRW"
	case "₽":
		return "RUB"
	case "₺":
		return "TRY"
	case "₴":
		return "UAH"
	case "₫":
		return "VND"
	case "₪":
		return "ILS"
	case "₱":
		return "PHP"
	case "₦":
		return "NGN"
	case "zł":
		return "PLN"
	}
	switch {
	case len(s) == 3 && s[0] <= 'Z':
		if i := strings.Index(currencies, s); i >= 0 && i%4 == 0 {
			return currencies[i : i+3]
		}
	case strings.EqualFold(s, "dollar"), strings.EqualFold(s, "dollars"):
		return "USD"
	case strings.EqualFold(s, "euro"), strings.EqualFold(s, "euros"):
		return "EUR"
	case strings.EqualFold(s, "yen"):
		return "JPY"
	}
	return ""
}

// isWordToo reports whether a currency code or name is also a word that people
// write in capitals or in the plural, so that it needs a number beside it.
func isWordToo(s string) bool {
	switch s {
	case "ALL", "TRY", "TOP", "CUP", "MOP", "PEN", "GEL", "BAM", "LAK", "MAD", "SOS", "BOB", "COP", "CRC", "RON", "SAR", "SEK", "SOL", "WST":
		return true
	}
	return len(s) != 3 || s[0] > 'Z' // a name
}

// currencies are the codes of ISO 4217 that are money in use.
const currencies = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD " +
	"CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD " +
	"HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD " +
	"MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG " +
	"QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD " +
	"TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW "
