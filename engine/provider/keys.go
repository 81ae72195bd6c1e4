package provider

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Placeholder is what the variables of keys hold for a program where nobody
// real answers for models.
const Placeholder = "docket-placeholder-no-key"

// A vendor is a provider of models: where it is and how it knows who asks.
type vendor struct {
	name         string
	base         string // what its base-URL variable would hold
	prefix       string // the path at the end of base
	baseVariable string
	keyVariable  string
	keyHeader    string
	keyPrefix    string // before the key
}

// vendors is the table of providers, sorted by name.
func vendors() []vendor {
	return []vendor{
		{
			name: "anthropic", base: "https://api.anthropic.com", baseVariable: "ANTHROPIC_BASE_URL",
			keyVariable: "ANTHROPIC_API_KEY", keyHeader: "X-Api-Key",
		},
		{
			name: "openai", base: "https://api.openai.com/v1", prefix: "/v1", baseVariable: "OPENAI_BASE_URL",
			keyVariable: "OPENAI_API_KEY", keyHeader: "Authorization", keyPrefix: "Bearer ",
		},
	}
}

// Providers names the providers that systems can be given, sorted.
func Providers() []string {
	var names []string
	for _, v := range vendors() {
		names = append(names, v.name)
	}
	return names
}

// otherKeys names variables in which the clients of other vendors, and other
// clients of the same, look for keys.
func otherKeys() []string {
	return []string{
		"ANTHROPIC_AUTH_TOKEN", "AWS_BEARER_TOKEN_BEDROCK", "AZURE_OPENAI_API_KEY", "CEREBRAS_API_KEY", "COHERE_API_KEY",
		"CO_API_KEY", "DEEPSEEK_API_KEY", "FIREWORKS_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "GROQ_API_KEY",
		"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "MISTRAL_API_KEY", "NVIDIA_API_KEY", "OPENAI_ADMIN_KEY", "OPENROUTER_API_KEY",
		"PERPLEXITY_API_KEY", "REPLICATE_API_TOKEN", "TOGETHER_API_KEY", "VOYAGE_API_KEY", "XAI_API_KEY",
	}
}

// credentials are the headers in which clients send who they are.
func credentials() []string {
	return []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Cookie"}
}

// trusted reports whether a key may be sent to an upstream: its vendor's host
// over TLS, or a host that is open to any.
func (d *Door) trusted(u *upstream) bool {
	if d.openTo(u) {
		return true
	}
	if u.vendor == nil || u.base.Scheme != "https" {
		return false
	}
	own, err := url.Parse(u.vendor.base)
	return err == nil && strings.EqualFold(own.Host, u.base.Host)
}

// openTo reports whether any key may be sent to an upstream: loopback, or a
// host that was named on the command line.
func (d *Door) openTo(u *upstream) bool {
	host := u.base.Hostname()
	return isLoopback(host) || slices.ContainsFunc(d.config.KeyHosts, func(h string) bool {
		return strings.EqualFold(h, host) || strings.EqualFold(h, u.base.Host)
	})
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// authorize sets the key of a call that goes out, or takes it away. A key that
// the system sent is sent on; one that it has not got comes from docket's own
// environment.
func (d *Door) authorize(h http.Header, u *upstream) {
	trusted := d.trusted(u)
	if u.vendor != nil && !trusted {
		for _, name := range credentials() {
			h.Del(name)
		}
	}
	drop(h, Placeholder)
	if !d.openTo(u) {
		for _, variable := range foreignKeys(u.vendor) {
			if key := d.config.Getenv(variable); key != "" {
				drop(h, key)
			}
		}
	}
	if u.vendor == nil || !trusted || h.Get("Authorization") != "" || h.Get("X-Api-Key") != "" {
		return
	}
	if key := d.config.Getenv(u.vendor.keyVariable); key != "" {
		h.Set(u.vendor.keyHeader, u.vendor.keyPrefix+key)
	}
}

// foreignKeys names the variables whose keys are not the vendor's own.
func foreignKeys(own *vendor) []string {
	names := otherKeys()
	for _, v := range vendors() {
		names = append(names, v.keyVariable)
	}
	if own == nil {
		return names
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return strings.HasPrefix(name, strings.ToUpper(own.name)+"_")
	})
}

// drop takes out every header that holds a secret.
func drop(h http.Header, secret string) {
	for name, values := range h {
		if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, secret) }) {
			delete(h, name)
		}
	}
}

// KeyVariable names the environment variable that a provider's key comes from;
// "" for no provider.
func KeyVariable(provider string) string {
	for _, v := range vendors() {
		if v.name == provider {
			return v.keyVariable
		}
	}
	return ""
}

// Asks reports whether somebody real answers for models, so that a call may cost
// money and a model be out of reach.
func (d *Door) Asks() bool { return d.config.Models == Live || d.config.Models == Record }

// Environment returns what a program that is given an address needs in its
// environment besides, as NAME=value: the address is not to be reached by way
// of a proxy, and where nobody real answers for models, the variables that
// hold keys hold a placeholder, so that a client that goes round the door
// fails instead of spending.
func (d *Door) Environment() []string {
	var env []string
	for _, name := range []string{"NO_PROXY", "no_proxy"} {
		hosts := "127.0.0.1"
		if before := d.config.Getenv(name); before != "" {
			hosts = before + "," + hosts
		}
		env = append(env, name+"="+hosts)
	}
	if d.Asks() {
		return env
	}
	for _, v := range vendors() {
		env = append(env, v.keyVariable+"="+Placeholder)
	}
	for _, name := range otherKeys() {
		if d.config.Getenv(name) != "" {
			env = append(env, name+"="+Placeholder)
		}
	}
	return env
}
