package javascript

import (
	"docket/engine/legacy"
	"docket/engine/legacy/javascript/syntax"
)

// inputs are what a call is given, by name where the source has one.
func inputs(args []*value, n *syntax.Node, vendor bool) []legacy.Input {
	var list []legacy.Input
	for i, a := range args {
		switch {
		case a.double || a.fn != nil:
		case vendor && a.fields != nil:
			list = append(list, vendorInputs(a)...)
		case a.fields != nil && a.from == "":
			for _, k := range a.keys {
				list = append(list, input(k, a.fields[k]))
			}
		default:
			name := ""
			if nodes := n.Args(); i < len(nodes) && nodes[i].Kind == syntax.Ident && nodes[i].Text != a.from {
				name = nodes[i].Text
			}
			list = append(list, input(name, a))
		}
	}
	return list
}

// vendorInputs takes what the user says of the parameters of a vendor's call;
// the rest is machinery.
func vendorInputs(a *value) []legacy.Input {
	var list []legacy.Input
	for _, k := range []string{"prompt", "input", "contents", "messages"} {
		f, ok := a.fields[k]
		if !ok {
			continue
		}
		items, many := f.list()
		if !many {
			list = append(list, input(k, f))
			continue
		}
		for _, m := range items {
			if m.known {
				m = opened(m)
			}
			role, _ := m.fields["role"].str()
			if c, ok := m.fields["content"]; ok && role != "system" && role != "developer" {
				list = append(list, input("content", c))
			}
		}
	}
	return list
}

// opened gives a known object as one whose members are values.
func opened(v *value) *value {
	m, ok := v.data.(map[string]any)
	if !ok {
		return object()
	}
	o := object()
	for k, x := range m {
		o.set(k, data(x))
	}
	return o
}

func input(name string, v *value) legacy.Input {
	in := legacy.Input{Name: name, From: v.from}
	x, ok := v.json()
	if !ok {
		in.Why = v.reason()
		return in
	}
	in.Value = x
	return in
}
