package secret

import (
	"slices"
	"strings"
)

// minSecret is the length in bytes of the shortest value that is looked for in
// all that is written. Shorter ones stand in too many innocent texts.
const minSecret = 8

// Environment returns the values of an environment, in the form of os.Environ, that
// must never be written: those of variables whose name ends like a secret's
// (_KEY, _TOKEN, _SECRET, _PASSWORD, _CREDENTIALS and their like, with or
// without a number or _ID behind it).
//
// Values under eight bytes are left out, and so are those under twelve that are
// letters only, such as "postgres" or "disabled": they are words, and taking
// words out of requests would make different requests equal.
func Environment(environ []string) []string {
	var values []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		value = strings.TrimSpace(value)
		if secretVariable(name) && !weak(value) {
			values = append(values, value)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

func secretVariable(name string) bool {
	name = strings.TrimRight(strings.ToUpper(name), "_0123456789")
	name = strings.TrimSuffix(name, "_ID")
	for _, ending := range [...]string{"KEY", "KEYS", "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE", "PWD", "CREDENTIALS", "CREDENTIAL", "PAT", "BEARER"} {
		if rest, ok := strings.CutSuffix(name, ending); ok {
			switch ending {
			case "PWD", "PAT": // the working directory; a word's end, as in COMPAT
				return strings.HasSuffix(rest, "_")
			}
			return true
		}
	}
	return false
}

func weak(value string) bool {
	const longestWord = 11
	if len(value) < minSecret {
		return true
	}
	letters := strings.IndexFunc(value, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) < 0
	return letters && len(value) <= longestWord
}

// Parameter reports whether a parameter of a query or a form holds a
// secret, by its name.
func Parameter(name string) bool {
	switch folded := foldName(name); folded {
	case "key", "token", "sig", "signature", "auth", "jwt", "bearer", "pwd", "hmac", "code", "assertion", "clientassertion",
		"xamzsignature", "xamzcredential", "xgoogsignature", "xgoogcredential", "subscriptionkey", "accesskeyid", "awsaccesskeyid", "sessionid":
		return true
	default:
		return secretName(folded)
	}
}

// secretMember reports whether a string in JSON is a secret, by its key and its
// look. A cookie is one where it reads like a cookie.
func secretMember(name, value string) bool {
	switch folded := foldName(name); folded {
	case "cookie", "setcookie":
		return strings.Contains(value, "=")
	default:
		return secretName(folded)
	}
}

// secretName holds the names that mean a secret wherever they stand.
func secretName(folded string) bool {
	switch folded {
	case "apikey", "xapikey", "openaiapikey", "anthropicapikey", "xgoogapikey", "ocpapimsubscriptionkey", "apitoken", "apisecret",
		"accesstoken", "refreshtoken", "idtoken", "authtoken", "xauthtoken", "sessiontoken", "securitytoken", "xamzsecuritytoken", "bearertoken", "csrftoken", "xcsrftoken",
		"secret", "clientsecret", "secretkey", "secretaccesskey", "awssecretaccesskey", "signingkey", "signingsecret", "webhooksecret", "privatekey", "encryptionkey", "accesskey",
		"password", "passwd", "passphrase", "userpassword", "dbpassword",
		"authorization", "proxyauthorization", "credential", "credentials":
		return true
	}
	return false
}

// foldName drops case and punctuation, so that X-Api-Key, api_key and apiKey
// are one name.
func foldName(name string) string {
	const longest = 64
	if len(name) > longest {
		return ""
	}
	folded := make([]byte, 0, longest)
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			folded = append(folded, c)
		case c >= 'A' && c <= 'Z':
			folded = append(folded, c-'A'+'a')
		case c == '-', c == '_', c == '.', c == ' ':
		default:
			return ""
		}
	}
	return string(folded)
}
