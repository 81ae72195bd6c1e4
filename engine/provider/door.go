// Package provider is the door between a system under test and everything that
// it calls: an HTTP server on loopback that a system reaches by base URL, as it
// would reach a vendor or a service. Who answers behind it is settled once, by
// the configuration it is opened with: the canned answers of each case,
// recordings, the real thing, or the real thing with its answers saved. Neither
// a system nor what runs it can tell.
//
// Each sample of each case has an address of its own, which nobody can guess,
// so that whatever a system sends is booked to the case that sent it: there is
// no counter and no state that two cases share. What passes is read on the way,
// so that latency, tokens, cost, the model that answered and why it stopped are
// known of any system, whatever it says of itself.
//
// The door listens on 127.0.0.1 only. In mock and replay it opens no
// connection. It never writes a key, keeps none beyond a call, and sends one
// only to its vendor's host, to loopback, or to a host that a person named on
// the command line. Nothing that a client sends becomes a path or a file name
// here.
package provider

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"docket/engine/output"
)

// A Who says who answers.
type Who string

// Those who may answer for models and services. Services have no canned
// answers.
const (
	Mock   Who = "mock"
	Replay Who = "replay"
	Live   Who = "live"
	Record Who = "record"
	// Pinned answers for services from recordings where there are any, and
	// goes to the service otherwise.
	Pinned Who = "pinned"
)

// ServicesFor returns who answers for services where nobody said: recordings
// where models are canned or replayed, recordings as far as they go where
// models are live, and the service, recorded, where models are recorded.
func ServicesFor(models Who) Who {
	switch models {
	case Live:
		return Pinned
	case Record:
		return Record
	}
	return Replay
}

// A Config is what a door is opened with.
type Config struct {
	Models   Who
	Services Who // "" for ServicesFor(Models)

	// Canned returns what a case answers for its model calls, in their order.
	// An error costs the case that asked. It is needed for mock.
	Canned func(id string) ([]output.Output, error)
	// Tape holds the recordings; needed to replay and to record.
	Tape Tape

	// BaseURLs holds, by provider, what the vendor's own base-URL variable
	// would hold. A provider that is not in it is reached where that variable
	// of the environment says, else at its vendor.
	BaseURLs map[string]string
	// ServiceURLs holds the address of each service by its name.
	ServiceURLs map[string]string
	// Remote is the address of a system that is itself reached over HTTP; "" for
	// none. It is live whoever answers for models.
	Remote string

	Prices   Prices
	KeyHosts []string // hosts that a person allowed to be sent a key
	// Timeout is how long one attempt at a live call may take; 0 for two
	// minutes. Attempts is how often a model is asked at most; 0 for 4.
	Timeout  time.Duration
	Attempts int

	Getenv    func(string) string                              // nil for os.Getenv
	Transport http.RoundTripper                                // of live calls; nil for one of the door's own
	Wait      func(ctx context.Context, d time.Duration) error // between attempts; nil waits
}

// A Door is open until it is closed. It may be used by several goroutines.
type Door struct {
	config    Config
	models    answerer
	services  answerer
	remote    answerer
	upstreams map[string]*upstream // by route: "p/openai", "s/search", "x"
	contracts contracts
	patience  patience
	host      string // 127.0.0.1:PORT
	server    *http.Server
	own       *http.Transport // closed with the door; nil where another was given

	mu      sync.Mutex
	lines   map[string]*Line // by token
	spent   Spent
	visited map[string]bool // services that answered for real
}

// Open opens a door. It must be closed.
func Open(config Config) (*Door, error) {
	d := &Door{config: config, upstreams: map[string]*upstream{}, lines: map[string]*Line{}, visited: map[string]bool{}}
	d.patience = patience{body: time.Minute, write: 30 * time.Second}
	d.setDefaults()
	if err := d.choose(); err != nil {
		return nil, err
	}
	if err := d.findUpstreams(); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("no port of 127.0.0.1 can be listened on: %w", err)
	}
	d.host = listener.Addr().String()
	d.server = &http.Server{
		Handler:           d,
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		// What a client does wrong on a connection is its case's affair, and
		// reaches the case as a request that did not come.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	go d.server.Serve(listener) // ends with Close
	return d, nil
}

func (d *Door) setDefaults() {
	c := &d.config
	if c.Services == "" {
		c.Services = ServicesFor(c.Models)
	}
	if c.Timeout == 0 {
		c.Timeout = 2 * time.Minute
	}
	if c.Attempts == 0 {
		c.Attempts = 4
	}
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	if c.Wait == nil {
		c.Wait = wait
	}
}

// choose settles who answers. It is the only place where that is asked.
func (d *Door) choose() error {
	c := &d.config
	live := c.Remote != ""
	if c.Tape == nil && (c.Models == Replay || c.Models == Record) {
		return fmt.Errorf("to %s the answers of models needs a place for recordings", c.Models)
	}
	switch c.Models {
	case Mock:
		if c.Canned == nil {
			return errors.New("mock needs the canned answers of the cases")
		}
		d.models = d.canned
	case Replay:
		d.models = d.replayed
	case Live:
		d.models, live = d.live, true
	case Record:
		d.models, live = d.recorded, true
	default:
		return fmt.Errorf("models cannot be answered by %q: say mock, replay, live or record", c.Models)
	}
	switch c.Services {
	case Replay:
		d.services = d.replayed
	case Live:
		d.services, live = d.live, true
	case Record:
		d.services, live = d.recorded, true
	case Pinned:
		d.services, live = d.pinned, true
	default:
		return fmt.Errorf("services cannot be answered by %q: say replay, live or record", c.Services)
	}
	if c.Tape == nil && len(c.ServiceURLs) > 0 {
		switch c.Services {
		case Replay, Record:
			return fmt.Errorf("to %s the answers of services needs a place for recordings", c.Services)
		case Pinned:
			d.services = d.live
		}
	}
	d.remote = d.live
	// Without anybody who is live there is nothing that could connect.
	if live && c.Transport == nil {
		d.own = newTransport()
		c.Transport = d.own
	}
	return nil
}

// findUpstreams notes where everything that may be called is.
func (d *Door) findUpstreams() error {
	c := &d.config
	for _, v := range vendors() {
		base := c.BaseURLs[v.name]
		if base == "" {
			base = c.Getenv(v.baseVariable)
		}
		if base == "" {
			base = v.base
		}
		u, err := parseBase(base)
		if err != nil {
			return fmt.Errorf("the address of %s: %w", v.name, err)
		}
		d.upstreams["p/"+v.name] = &upstream{name: v.name, base: u, prefix: v.prefix, vendor: &v}
	}
	for _, name := range slices.Sorted(maps.Keys(c.ServiceURLs)) {
		u, err := parseBase(c.ServiceURLs[name])
		if err != nil {
			return fmt.Errorf("the address of the service %q: %w", name, err)
		}
		d.upstreams["s/"+url.PathEscape(name)] = &upstream{name: name, base: u}
	}
	if c.Remote != "" {
		u, err := parseBase(c.Remote)
		if err != nil {
			return fmt.Errorf("the address of the system: %w", err)
		}
		d.upstreams["x"] = &upstream{name: "the system", base: u, exact: true}
	}
	return nil
}

// parseBase reads the address of something that may be called.
func parseBase(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("it is not an address such as https://host/path") // which may hold a secret, and is not repeated
	case u.User != nil:
		return nil, errors.New("an address holds no user and no password; what is secret comes from the environment")
	case u.Fragment != "":
		return nil, errors.New("an address has no fragment, which is never sent")
	}
	return u, nil
}

// Close ends the door with every call that is under way.
func (d *Door) Close() error {
	err := d.server.Close()
	d.mu.Lock()
	lines := slices.Collect(maps.Values(d.lines))
	d.mu.Unlock()
	for _, l := range lines {
		l.Close()
	}
	if d.own != nil {
		d.own.CloseIdleConnections()
	}
	return err
}

// Line makes an address that a system can be given. It must be closed.
func (d *Door) Line() *Line {
	var token [16]byte
	rand.Read(token[:]) // never fails
	l := &Line{door: d, token: hex.EncodeToString(token[:])}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines[l.token] = l
	return l
}

func (d *Door) line(token string) *Line {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lines[token]
}

// known names what may be called, for a message.
func (d *Door) known(kind string) string {
	var names []string
	for route, u := range d.upstreams {
		if strings.HasPrefix(route, kind+"/") {
			names = append(names, u.name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
