package python

import (
	"bytes"
	"encoding/json"
	"sort"
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/python/syntax"
)

// external follows a call of something that the suite imports, or of a builtin.
func (e *evaluator) external(name string, args []argument, x *syntax.Call) value {
	pos := positional(args)
	last := name[strings.LastIndexByte(name, '.')+1:]
	if v, ok := e.builtin(name, pos, args, x); ok {
		return v
	}
	switch name {
	case "textwrap.dedent", "dedent":
		if t, ok := first(pos).(text); ok {
			return text(dedent(string(t)))
		}
		return orUnknown(first(pos), e.source(x))
	case "inspect.cleandoc", "cleandoc":
		if t, ok := first(pos).(text); ok {
			return text(cleandoc(string(t)))
		}
		return orUnknown(first(pos), e.source(x))
	case "pathlib.Path", "Path", "pathlib.PurePath", "pathlib.PosixPath":
		if l, ok := pathTo(first(pos)); ok && len(pos) == 1 {
			return l
		}
	case "json.dumps":
		if s, ok := dumped(pos, args); ok {
			return text(s)
		}
	case "json.loads", "json.load", "orjson.loads", "ujson.loads", "json5.loads":
		return e.loads(first(pos), x)
	case "pytest.approx", "approx":
		return e.approximately(pos, args)
	case "math.isclose", "isclose":
		return e.isClose(pos, args, x)
	case "asyncio.gather":
		return &sequence{open: '[', items: pos}
	case "asyncio.run", "asyncio.wait_for", "copy.deepcopy", "copy.copy", "typing.cast", "anyio.run":
		if name == "typing.cast" && len(pos) == 2 {
			return pos[1]
		}
		return orUnknown(first(pos), e.source(x))
	case "types.SimpleNamespace", "SimpleNamespace":
		o := &object{attrs: map[string]binding{}}
		for _, a := range args {
			if a.name != "" {
				o.attrs[a.name] = a.b
			}
		}
		return o
	}
	if strings.HasPrefix(name, "re.") || strings.HasPrefix(name, "regex.") {
		return e.regex(last, pos, args, x)
	}
	switch last {
	case "Mock", "MagicMock", "AsyncMock", "NonCallableMock", "create_autospec", "patch", "object", "mock_open", "PropertyMock", "Spy", "ANY", "call":
		if strings.Contains(name, "ock") || strings.Contains(name, "patch") || last == "ANY" {
			e.tell(args)
			return &symbol{role: doubleRole, source: e.source(x)}
		}
	}
	return e.program(last, name, args, x)
}

func orUnknown(v value, source string) value {
	switch v := v.(type) {
	case *symbol, unknown:
		return v
	case nil:
		return unknownf("computed at run time by %s", brief(source))
	}
	return v
}

// program follows a call of the program under test: by the words of its name a
// prompt, a client, data of run time, or else a question to the model.
func (e *evaluator) program(last, name string, args []argument, x *syntax.Call) value {
	lower := strings.ToLower(last)
	s := &symbol{source: e.source(x)}
	switch {
	case strings.Contains(lower, "prompt") || strings.HasPrefix(lower, "render") || strings.HasPrefix(lower, "build_messages"):
		s.role = promptRole
		s.call = &call{text: e.source(x), inputs: e.inputs(args)}
	case last != "" && last[0] >= 'A' && last[0] <= 'Z' && !strings.Contains(last, "_") && strings.ToUpper(last) != last:
		s.role = objectRole
		if strings.HasSuffix(last, "Error") || strings.HasSuffix(last, "Exception") {
			s.role = raisedRole
		} else if isDouble(last) {
			s.role = doubleRole
		}
		if strings.HasSuffix(last, "Path") {
			return unknownf("read at run time from %s", brief(e.source(x)))
		}
	case makes(lower):
		s.role = objectRole
	case inspects(last):
		s.role = objectRole
	case loads(lower) || runtimeModule(name):
		s.role = runtimeRole
	default:
		s.role = resultRole
		s.call = e.ask(args, x)
	}
	return s
}

// inspects tells the name of a function that asks no model: one that is private
// to the program, says something about a value, or gives it in another form.
func inspects(name string) bool {
	if strings.HasPrefix(name, "_") {
		return true
	}
	switch name {
	case "id", "hash", "repr", "vars", "dir", "copy", "deepcopy", "stringify", "construct", "encode", "decode", "serialize", "deserialize", "transform",
		"items", "keys", "values", "build_request", "import_module", "reload", "signature", "get_type_hints", "snapshot", "get_headers":
		return true
	}
	for _, verb := range []string{"is_", "has_", "to_", "as_", "from_", "encode_", "decode_", "serialize_", "deserialize_", "deepcopy_", "validate_", "format_exc", "model_dump", "model_validate", "get_finished_", "get_current_"} {
		if strings.HasPrefix(name, verb) {
			return true
		}
	}
	return false
}

// makes tells the name of a function that gives a client, an agent or the like.
func makes(name string) bool {
	for _, verb := range []string{"make_", "create_", "build_", "get_", "new_", "setup_", "init_"} {
		if !strings.HasPrefix(name, verb) {
			continue
		}
		for _, noun := range []string{"client", "agent", "app", "session", "chain", "pipeline", "server", "settings", "config", "llm", "model", "db"} {
			if strings.HasSuffix(name, noun) {
				return true
			}
		}
	}
	return false
}

func loads(name string) bool {
	for _, verb := range []string{"load", "read", "open", "fixture", "get_fixture", "sample"} {
		if name == verb || strings.HasPrefix(name, verb+"_") {
			return true
		}
	}
	return false
}

// runtimeModule tells a function of a standard module that says something about
// the moment or the machine, and nothing about an answer.
func runtimeModule(name string) bool {
	module, _, found := strings.Cut(name, ".")
	if !found {
		return false
	}
	switch module {
	case "os", "sys", "time", "datetime", "random", "pathlib", "uuid", "tempfile", "shutil", "io", "logging", "asyncio",
		"subprocess", "itertools", "functools", "collections", "operator", "math", "string", "hashlib", "base64", "decimal",
		"inspect", "types", "typing", "contextlib", "warnings", "threading", "copy", "csv", "pickle", "yaml", "glob", "json",
		"numpy", "np", "pandas", "pd", "socket", "struct", "secrets", "enum", "dataclasses", "abc", "textwrap", "platform":
		return true
	}
	return false
}

// ask notes a call of the program.
func (e *evaluator) ask(args []argument, x *syntax.Call) *call {
	c := &call{text: e.source(x), inputs: e.inputs(args), model: true}
	e.calls = append(e.calls, c)
	return c
}

// inputs are the arguments of a call as data. Clients and doubles are machinery
// and left out; a prompt stands for what it was made of.
func (e *evaluator) inputs(args []argument) []legacy.Input {
	var out []legacy.Input
	for _, a := range args {
		switch v := a.b.value.(type) {
		case *symbol:
			if v.role == objectRole || v.role == doubleRole {
				continue
			}
			if v.role == promptRole && v.call != nil {
				out = append(out, v.call.inputs...)
				continue
			}
		case *object, *class, *function:
			continue
		case *sequence, *dict:
			if prompts := promptsIn(v, 0); len(prompts) > 0 {
				for _, c := range prompts {
					out = append(out, c.inputs...)
				}
				continue
			}
		}
		in := legacy.Input{Name: a.name, From: a.b.from}
		in.Value, in.Why = model(a.b.value)
		if in.Why != "" {
			in.Value = nil
		}
		out = append(out, in)
	}
	return out
}

// promptsIn are the calls that made prompts within a list of messages.
func promptsIn(v value, depth int) []*call {
	if depth > 6 {
		return nil
	}
	var out []*call
	var items []value
	switch v := v.(type) {
	case *symbol:
		if v.role == promptRole && v.call != nil {
			return []*call{v.call}
		}
	case *sequence:
		items = v.items
	case *dict:
		items = v.values
	}
	for _, item := range items {
		out = append(out, promptsIn(item, depth+1)...)
	}
	return out
}

// loads is json.loads.
func (e *evaluator) loads(v value, x *syntax.Call) value {
	switch v := v.(type) {
	case *symbol:
		switch v.role {
		case resultRole, answerRole:
			if v.measure == "" {
				e.assert(e.claim(v.as(answerRole), legacy.Parses, x), x)
			}
			return &symbol{role: documentRole, source: e.source(x), call: v.call}
		}
		return v.renamed(e.source(x))
	case located:
		if t, ok := e.reader.textAt(v); ok {
			return e.loads(text(t), x)
		}
		return unknownf("read at run time by %s", brief(e.source(x)))
	case text:
		d := json.NewDecoder(bytes.NewReader([]byte(v)))
		d.UseNumber()
		var m any
		if err := d.Decode(&m); err != nil {
			return unknownf("a text that is no JSON")
		}
		return fromModel(m)
	}
	return orUnknown(v, e.source(x))
}

func fromModel(m any) value {
	switch m := m.(type) {
	case string:
		return text(m)
	case json.Number:
		return number(m)
	case bool:
		return truth(m)
	case []any:
		s := &sequence{open: '['}
		for _, item := range m {
			s.items = append(s.items, fromModel(item))
		}
		return s
	case map[string]any:
		keys := make([]string, 0, len(m))
		for k := range m {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		d := &dict{}
		for _, k := range keys {
			d.keys = append(d.keys, text(k))
			d.values = append(d.values, fromModel(m[k]))
		}
		return d
	}
	return none{}
}

// approximately is pytest.approx: by itself a millionth of the value.
func (e *evaluator) approximately(pos []value, args []argument) value {
	v := first(pos)
	if within, ok := keyword(args, "abs"); ok {
		return &approx{v, within}
	}
	n, ok := v.(number)
	if !ok {
		return orUnknown(v, "pytest.approx")
	}
	share := 1e-6
	if rel, ok := keyword(args, "rel"); ok {
		r, ok := rel.(number)
		if !ok {
			return unknownf("a tolerance of run time")
		}
		share, _ = json.Number(r).Float64()
	}
	f, _ := json.Number(n).Float64()
	return &approx{v, float(max(f, -f) * share)}
}

// isClose is math.isclose, whose tolerance is a billionth by itself.
func (e *evaluator) isClose(pos []value, args []argument, x *syntax.Call) value {
	if len(pos) < 2 {
		return unknownf("computed at run time by %s", brief(e.source(x)))
	}
	a, b := pos[0], pos[1]
	if _, ok := a.(*symbol); !ok {
		a, b = b, a
	}
	s, ok := a.(*symbol)
	if !ok {
		return unknownf("computed at run time by %s", brief(e.source(x)))
	}
	if within, ok := keyword(args, "abs_tol"); ok {
		return e.claim(s, legacy.Near, x, b, within)
	}
	rel, ok := keyword(args, "rel_tol")
	if !ok {
		rel = number("1e-9")
	}
	if near, ok := e.approximately([]value{b}, []argument{{"rel", binding{value: rel}}}).(*approx); ok {
		return e.claim(s, legacy.Near, x, near.value, near.within)
	}
	return e.claim(s, legacy.Near, x, unknownf("a tolerance of run time"))
}

// tell notes what a double is told to give back.
func (e *evaluator) tell(args []argument) {
	for _, a := range args {
		if a.name == "return_value" || a.name == "side_effect" || strings.HasSuffix(a.name, ".return_value") {
			e.toldTo(a.b.value, 0)
		}
	}
}

func (e *evaluator) toldTo(v value, depth int) {
	if depth > 8 || len(e.canned) > 200 {
		return
	}
	switch v := v.(type) {
	case text:
		e.canned = append(e.canned, string(v))
	case *sequence:
		for _, item := range v.items {
			e.toldTo(item, depth+1)
		}
	case *dict:
		for _, item := range v.values {
			e.toldTo(item, depth+1)
		}
	case *object:
		for _, b := range v.attrs {
			e.toldTo(b.value, depth+1)
		}
	}
}
