package python

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"docket/engine/legacy/python/syntax"
)

// maxSets is how many tests one test function may become.
const maxSets = 300

// A paramSet is one set of parameters of a test.
type paramSet struct {
	id     string
	values map[string]binding
}

// paramSets are the sets of a test's parameters: those of its decorators, the
// closest first as pytest names them, its class's, and its fixtures'. A problem
// says that they could not be read, and stands for the one set that is given.
func (r *reader) paramSets(d *syntax.Def, c *class) ([]paramSet, string) {
	e := r.evaluator()
	e.class = c
	sets := []paramSet{{values: map[string]binding{}}}
	var problem string
	decorators := make([]syntax.Expr, 0, len(d.Decorators))
	for i := len(d.Decorators) - 1; i >= 0; i-- {
		decorators = append(decorators, d.Decorators[i])
	}
	if c != nil {
		for i := len(c.def.Decorators) - 1; i >= 0; i-- {
			decorators = append(decorators, c.def.Decorators[i])
		}
	}
	if c != nil {
		decorators = append(decorators, marksIn(c.def.Body)...)
	}
	decorators = append(decorators, marksIn(r.main.tree.Body)...)
	for _, x := range decorators {
		call, ok := x.(*syntax.Call)
		if !ok || !strings.HasSuffix(dottedName(x), "mark.parametrize") && dottedName(x) != "parametrize" {
			continue
		}
		more, why := e.parametrize(call)
		if why != "" {
			problem = why
			continue
		}
		if sets, why = product(sets, more); why != "" {
			problem = why
		}
	}
	for _, more := range e.fixtureSets(d) {
		var why string
		if sets, why = product(sets, more); why != "" {
			problem = why
		}
	}
	distinct(sets)
	return sets, problem
}

// marksIn are the marks that a module, or a class, gives all of its tests: those
// of the last pytestmark.
func marksIn(body []syntax.Stmt) []syntax.Expr {
	var marks []syntax.Expr
	for _, s := range body {
		a, ok := s.(*syntax.Assign)
		if !ok || len(a.Targets) != 1 || dottedName(a.Targets[0]) != "pytestmark" {
			continue
		}
		switch x := a.Value.(type) {
		case *syntax.Sequence:
			marks = x.Items
		default:
			marks = []syntax.Expr{x}
		}
	}
	return marks
}

// product combines two lists of sets.
func product(a, b []paramSet) ([]paramSet, string) {
	if len(a)*len(b) > maxSets {
		return a, fmt.Sprintf("it has more than %d sets of parameters, which are not read", maxSets)
	}
	out := make([]paramSet, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			id := x.id
			if id != "" {
				id += "-"
			}
			values := maps.Clone(x.values)
			maps.Copy(values, y.values)
			out = append(out, paramSet{id + y.id, values})
		}
	}
	return out, ""
}

// distinct numbers ids that are the same, as pytest does.
func distinct(sets []paramSet) {
	count := map[string]int{}
	for _, s := range sets {
		count[s.id]++
	}
	seen := map[string]int{}
	for i, s := range sets {
		if s.id != "" && count[s.id] > 1 {
			sets[i].id += strconv.Itoa(seen[s.id])
			seen[s.id]++
		}
	}
}

// parametrize reads one decorator, or says why it cannot be.
func (e *evaluator) parametrize(x *syntax.Call) (sets []paramSet, why string) {
	var namesOf, valuesOf, idsOf syntax.Expr
	place := 0
	for _, a := range x.Args {
		switch {
		case a.Name == "argnames" || a.Name == "" && place == 0:
			namesOf = a.X
		case a.Name == "argvalues" || a.Name == "" && place == 1:
			valuesOf = a.X
		case a.Name == "ids":
			idsOf = a.X
		}
		if a.Name == "" {
			place++
		}
	}
	names := paramNames(e.eval(namesOf))
	if len(names) == 0 || valuesOf == nil {
		return nil, "its parameters cannot be read from the source"
	}
	rows, ok := e.rows(valuesOf)
	if !ok {
		return nil, "its parameters are made at run time by " + brief(e.source(valuesOf))
	}
	if len(rows) == 0 {
		return nil, "its list of parameters is empty"
	}
	var ids []value
	if idsOf != nil {
		ids, _ = iterate(e.eval(idsOf))
	}
	for i, row := range rows {
		set := paramSet{values: map[string]binding{}}
		parts := []binding{row.b}
		if len(names) > 1 {
			parts = nil
			items, ok := iterate(row.b.value)
			if row.parts != nil {
				parts = row.parts
			} else if ok {
				for _, v := range items {
					parts = append(parts, binding{value: v})
				}
			}
		}
		var id []string
		for k, n := range names {
			b := binding{value: unknownf("a parameter that is made at run time")}
			if k < len(parts) {
				b = parts[k]
			}
			set.values[n] = b
			id = append(id, paramID(b.value, n, i))
		}
		set.id = strings.Join(id, "-")
		if i < len(ids) {
			if t, ok := display(ids[i]); ok {
				if _, isNone := ids[i].(none); !isNone {
					set.id = t
				}
			}
		}
		if row.id != "" {
			set.id = row.id
		}
		sets = append(sets, set)
	}
	return sets, ""
}

// A row is one item of a list of parameters.
type row struct {
	b     binding
	parts []binding // of a tuple or pytest.param, with what held each of them
	id    string
}

// rows reads a list of parameters: as it is written, so that the names that hold
// its items are kept, or whatever it evaluates to.
func (e *evaluator) rows(x syntax.Expr) ([]row, bool) {
	if s, ok := x.(*syntax.Sequence); ok {
		var out []row
		for _, item := range s.Items {
			if star, ok := item.(*syntax.Star); ok {
				more, ok := e.rows(star.X)
				if !ok {
					return nil, false
				}
				out = append(out, more...)
				continue
			}
			out = append(out, e.row(item))
		}
		return out, true
	}
	if n, ok := x.(*syntax.Name); ok && len(e.module.names[n.ID]) == 1 && !e.module.unsure[n.ID] {
		if a, ok := e.module.names[n.ID][0].(*syntax.Assign); ok && len(a.Targets) == 1 {
			if s, ok := a.Value.(*syntax.Sequence); ok {
				return e.rows(s)
			}
		}
	}
	items, ok := iterate(e.eval(x))
	var out []row
	for _, v := range items {
		out = append(out, row{b: binding{value: v}})
	}
	return out, ok
}

func (e *evaluator) row(x syntax.Expr) row {
	switch x := x.(type) {
	case *syntax.Sequence:
		if x.Open != '{' {
			r := row{b: e.bind(x)}
			for _, item := range x.Items {
				r.parts = append(r.parts, e.bind(item))
			}
			return r
		}
	case *syntax.Call:
		name := dottedName(x)
		if name != "pytest.param" && name != "param" {
			break
		}
		var r row
		for _, a := range x.Args {
			switch a.Name {
			case "":
				r.parts = append(r.parts, e.bind(a.X))
			case "id":
				if t, ok := e.eval(a.X).(text); ok {
					r.id = string(t)
				}
			}
		}
		if len(r.parts) > 0 {
			r.b = r.parts[0]
		}
		return r
	}
	return row{b: e.bind(x)}
}

// paramNames are the names of parameters: "a, b" or ["a", "b"].
func paramNames(v value) []string {
	var out []string
	switch v := v.(type) {
	case text:
		for _, n := range strings.Split(string(v), ",") {
			if n = strings.TrimSpace(n); n != "" {
				out = append(out, n)
			}
		}
	case *sequence:
		for _, item := range v.items {
			if t, ok := item.(text); ok {
				out = append(out, string(t))
			}
		}
	}
	return out
}

// paramID is what pytest calls a value: itself where it is plain, else the
// parameter's name and place.
func paramID(v value, name string, i int) string {
	switch v := v.(type) {
	case text:
		return escapeID(string(v))
	case number, truth, none:
		s, _ := display(v)
		return s
	}
	return name + strconv.Itoa(i)
}

// escapeID writes what is not printable ASCII as pytest does.
func escapeID(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f || 0x80 <= r && r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r >= 0x10000:
			fmt.Fprintf(&b, `\U%08x`, r)
		case r >= utf8.RuneSelf:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// fixtureSets are the parameters of the fixtures that a test asks for.
func (e *evaluator) fixtureSets(d *syntax.Def) [][]paramSet {
	var out [][]paramSet
	seen := map[string]bool{}
	var visit func(params []syntax.Param, depth int)
	visit = func(params []syntax.Param, depth int) {
		for _, p := range params {
			if seen[p.Name] || depth > maxCalls {
				continue
			}
			seen[p.Name] = true
			f, m := e.findFixture(p.Name)
			if f == nil {
				continue
			}
			visit(f.Params, depth+1)
			call := fixtureCall(f)
			if call == nil {
				continue
			}
			module := e.module
			e.module = m
			for _, a := range call.Args {
				if a.Name != "params" {
					continue
				}
				rows, ok := e.rows(a.X)
				if !ok || len(rows) == 0 {
					continue
				}
				var sets []paramSet
				for i, r := range rows {
					id := r.id
					if id == "" {
						id = paramID(r.b.value, p.Name, i)
					}
					sets = append(sets, paramSet{id, map[string]binding{"fixture " + p.Name: r.b}})
				}
				out = append(out, sets)
			}
			e.module = module
		}
	}
	visit(d.Params, 0)
	return out
}
