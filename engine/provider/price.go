package provider

import "docket/engine/wire"

// A Price is what a model costs, in US dollars per million tokens.
type Price struct {
	Input, Output float64
	// Of tokens read from a cache and written to one; nil where they cost what
	// input costs.
	CacheRead, CacheWrite *float64
}

// Prices is a table of prices, as it stood on a date.
type Prices struct {
	Date   string           // YYYY-MM-DD; "" where it is not said
	All    *Price           // of every model that Models does not name; nil for none
	Models map[string]Price // by the name that was asked for or that answered
}

// of returns the price of a model. The name that answered counts before the one
// that was asked for, since the one is what is billed.
func (p Prices) of(answered, asked string) *Price {
	for _, name := range []string{answered, asked} {
		if price, ok := p.Models[name]; ok && name != "" {
			return &price
		}
	}
	return p.All
}

// Cost returns what an answer cost in US dollars; nil where the price or the
// tokens are not known.
func (p Prices) Cost(a *wire.Answer, asked string) *float64 {
	price := p.of(a.Model, asked)
	if price == nil || a.Input == nil || a.Output == nil {
		return nil
	}
	const million = 1e6
	plain := *a.Input
	cost := float64(*a.Output) * price.Output / million
	for _, cached := range []struct {
		tokens *int64
		price  *float64
	}{{a.CacheRead, price.CacheRead}, {a.CacheWrite, price.CacheWrite}} {
		if cached.tokens == nil || cached.price == nil {
			continue
		}
		n := min(*cached.tokens, plain)
		plain -= n
		cost += float64(n) * *cached.price / million
	}
	cost += float64(plain) * price.Input / million
	return &cost
}

// Spent is what the calls of models that were answered for real have cost.
type Spent struct {
	USD     float64 // of those of which it is known
	Calls   int
	Unknown int // of these, calls of which the cost is not known
}

// Plus adds what was spent by another way.
func (s Spent) Plus(other Spent) Spent {
	return Spent{USD: s.USD + other.USD, Calls: s.Calls + other.Calls, Unknown: s.Unknown + other.Unknown}
}

// Spent returns what was spent by way of the door so far.
func (d *Door) Spent() Spent {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.spent
}

func (d *Door) spend(cost *float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.spent.Calls++
	if cost == nil {
		d.spent.Unknown++
		return
	}
	d.spent.USD += *cost
}
