package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"

	"docket/engine/phrase"
)

// Limits of what [Parse] reads.
const (
	// MaxBytes is the size of the largest file.
	MaxBytes = 4_000_000
	// MaxDepth is how deep lists and mappings may nest.
	MaxDepth = 200
	// MaxAliased is how many values aliases and merge keys may stand for, all
	// taken together.
	MaxAliased = 10_000

	// mostProblems is how many problems of one file are listed.
	mostProblems = 1000
)

// Parse reads a file that holds exactly one YAML document. The file is named in
// positions and not opened. All problems of the text come together; where there
// is one the value may be incomplete, and it is absent where the text is no YAML
// at all. A byte-order mark and Windows line ends are accepted.
func Parse(file string, data []byte) (Value, Problems) {
	text, problem := readable(file, data)
	if problem != nil {
		return Value{}, Problems{*problem}
	}
	root, err := decode(text)
	if err != nil {
		return Value{}, Problems{explain(file, text, err)}
	}
	if root == nil {
		return Value{}, Problems{Position{file, 1, 1}.Problemf("the file is empty, or holds nothing but comments")}
	}
	c := converter{file: &file}
	v, _ := c.convert(root, 0)
	if c.stopped {
		return Value{}, c.problems
	}
	return v, c.problems
}

// errSecond says that another document begins after the first.
type errSecond struct{ line, column int }

func (e errSecond) Error() string { return "a second document" }

// decode reads one document and makes sure that no other follows. It returns
// nil for a text without any.
func decode(text []byte) (root *yaml.Node, err error) {
	// yaml.v3 turns its own panics into errors; one that it forgot must not
	// end docket over a file.
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, fmt.Errorf("yaml: this part cannot be read: %v", r)
		}
	}()
	var document, next yaml.Node
	reader := yaml.NewDecoder(bytes.NewReader(text))
	if err := reader.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, err
	}
	switch err := reader.Decode(&next); {
	case err == nil:
		return nil, errSecond{next.Line, next.Column}
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return document.Content[0], nil
}

// A converter turns yaml.v3's nodes into values.
type converter struct {
	file     *string
	problems Problems
	anchors  map[*yaml.Node]anchor // values that aliases may stand for
	aliased  int                   // values that aliases have stood for
	stopped  bool                  // the document is not worth reading on
}

// An anchor is a value with a name. Its extent is zero while it is being read.
type anchor struct {
	value  Value
	extent extent
}

// An extent is how much a value stands for, itself included, as if there were
// no aliases in it.
type extent struct {
	values int
	height int // of its lists and mappings in one another, 1 for a scalar
}

// add takes in a value that lies directly in this one.
func (e *extent) add(inner extent) {
	e.values += inner.values
	e.height = max(e.height, 1+inner.height)
}

// convert returns the value of n, which lies in depth lists and mappings.
func (c *converter) convert(n *yaml.Node, depth int) (Value, extent) {
	if n.Kind == yaml.AliasNode {
		return c.alias(n, depth)
	}
	if n.Anchor != "" {
		if c.anchors == nil {
			c.anchors = map[*yaml.Node]anchor{}
		}
		c.anchors[n] = anchor{}
	}
	out := &node{file: c.file, line: int32(n.Line), column: int32(n.Column)}
	size := extent{1, 1}
	switch {
	case depth > MaxDepth:
		c.tooDeep(n)
	case n.Kind == yaml.ScalarNode:
		out.text = n.Value
		out.kind = c.scalar(n)
	case n.Kind == yaml.SequenceNode:
		c.tag(n, "!!seq")
		out.kind = List
		out.items = make([]Value, 0, len(n.Content))
		for _, item := range n.Content {
			v, s := c.convert(item, depth+1)
			if c.stopped {
				break
			}
			out.items = append(out.items, v)
			size.add(s)
		}
	case n.Kind == yaml.MappingNode:
		c.tag(n, "!!map")
		out.kind = Map
		c.mapping(n, out, depth, &size)
	}
	v := Value{out}
	if n.Anchor != "" {
		c.anchors[n] = anchor{v, size}
	}
	return v, size
}

func (c *converter) fail(n *yaml.Node, format string, args ...any) {
	if len(c.problems) == mostProblems {
		format, args = "more than %d things are wrong in this file; the rest is not listed", []any{mostProblems}
		c.stopped = true
	}
	c.problems = append(c.problems, Position{*c.file, n.Line, n.Column}.Problemf(format, args...))
}

// alias returns the value that n stands for. Values are shared, so an alias
// costs nothing here; the limit is for those who walk the value later.
func (c *converter) alias(n *yaml.Node, depth int) (Value, extent) {
	target := c.anchors[n.Alias]
	if target.value.IsZero() {
		c.fail(n, "the alias *%s stands for a value that it is part of", printable(n.Value))
		c.stopped = true
		return Value{}, extent{}
	}
	if depth+target.extent.height > MaxDepth+1 {
		c.tooDeep(n)
	}
	c.aliased += target.extent.values
	if c.aliased > MaxAliased {
		c.fail(n, "the aliases of this file stand for more than %d values; write the values out", MaxAliased)
		c.stopped = true
	}
	return target.value, target.extent
}

func (c *converter) tooDeep(n *yaml.Node) {
	c.fail(n, "lists and mappings nest deeper than %d", MaxDepth)
	c.stopped = true
}

// scalar returns the kind of a scalar.
func (c *converter) scalar(n *yaml.Node) Kind {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Style&yaml.TaggedStyle != 0 {
		c.tag(n, "!!str")
		return String
	}
	if n.Style&quoted != 0 {
		return String
	}
	return plainKind(n.Value)
}

// tag refuses every tag but the one that says nothing new.
func (c *converter) tag(n *yaml.Node, allowed string) {
	if n.Style&yaml.TaggedStyle != 0 && n.Tag != allowed {
		c.fail(n, "the tag %q means nothing here; leave it out", phrase.Abridge(n.Tag, mostShown))
	}
}

// mapping reads the entries of n into out, and adds to its extent.
func (c *converter) mapping(n *yaml.Node, out *node, depth int, size *extent) {
	out.entries = make([]Entry, 0, len(n.Content)/2)
	// Among few keys a look at each is faster than a map.
	var lines map[string]int
	if len(n.Content) > 2*16 {
		lines = make(map[string]int, len(n.Content)/2)
	}
	var merges []Value
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		merge := k.Kind == yaml.ScalarNode && k.Tag == "!!merge"
		key, isText := "", false
		if !merge {
			key, isText = c.key(k, depth+1)
		}
		if c.stopped {
			return
		}
		v, s := c.convert(n.Content[i+1], depth+1)
		if c.stopped {
			return
		}
		size.add(s)
		if merge {
			merges = append(merges, v)
		}
		if !isText {
			continue
		}
		first, twice := 0, false
		if lines != nil {
			if first, twice = lines[key]; !twice {
				lines[key] = k.Line
			}
		} else {
			for _, e := range out.entries {
				if e.Key == key {
					first, twice = e.KeyAt.Line, true
				}
			}
		}
		if twice {
			c.fail(k, "the key %q stands twice in one mapping, first on line %d; leave one of them", phrase.Abridge(key, mostShown), first)
			continue
		}
		out.entries = append(out.entries, Entry{key, Position{*c.file, k.Line, k.Column}, v})
	}
	if len(merges) > 0 {
		have := make(map[string]bool, len(out.entries))
		for _, e := range out.entries {
			have[e.Key] = true
		}
		for _, m := range merges {
			c.merge(out, m, have)
		}
	}
}

// key returns the text of a key.
func (c *converter) key(k *yaml.Node, depth int) (string, bool) {
	v, _ := c.convert(k, depth)
	if c.stopped {
		return "", false
	}
	if s, ok := v.Text(); ok {
		return s, true
	}
	problem := "a key must be text, got %s"
	if s := v.Scalar(); s != "" {
		problem += "; put it in quotes"
	}
	c.fail(k, problem, v.Describe())
	return "", false
}

// merge adds what a merge key << brings: the entries of a mapping, or of each of
// a list of them. Keys that the mapping has already win.
func (c *converter) merge(out *node, from Value, have map[string]bool) {
	const expected = "the merge key << takes a mapping, or a list of them, got %s"
	sources := []Value{from}
	if from.Kind() == List {
		sources = from.Items()
	}
	for _, s := range sources {
		if s.Kind() != Map {
			c.problems = append(c.problems, s.Problemf(expected, s.Describe()))
			continue
		}
		for _, e := range s.Entries() {
			if !have[e.Key] {
				have[e.Key] = true
				out.entries = append(out.entries, e)
			}
		}
	}
}
