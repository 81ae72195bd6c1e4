package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"docket/tui/keymap"
)

// bindings are the keys of a screen's own: its verdicts and its actions.
func bindings(spec Spec) []keymap.Binding {
	var out []keymap.Binding
	bind := func(name, k, desc string, b keymap.Binding) {
		b.Name = name
		b.Binding = key.NewBinding(key.WithKeys(k), key.WithHelp(keymap.Shown(k), desc))
		out = append(out, b)
	}
	for i, v := range spec.Verdicts {
		rank := 1 + i
		if v.Rare {
			rank = 75
		}
		in := keymap.Main | keymap.Choice
		if v.Whole {
			in = keymap.Main
		}
		bind(v.word(), v.Key, v.Name, keymap.Binding{
			Do: keymap.Verdict, Arg: i, In: in, Section: keymap.Deciding, Footer: rank, Decides: true,
			Long: v.long(spec),
		})
	}
	for i, v := range spec.Verdicts {
		if v.Bulk == "" {
			continue
		}
		rank := 0
		if i == 0 {
			rank = 50
		}
		bind(v.word()+"-group", v.Bulk, v.Name+" group", keymap.Binding{
			Do: keymap.Bulk, Arg: i, In: keymap.Main, Section: keymap.Deciding, Footer: rank, Decides: true,
			Long: v.Name + " the marked, or else the group",
		})
	}
	if spec.Parts {
		bind("part", "x", "decide this row of the detail alone", keymap.Binding{Do: keymap.Part, In: keymap.Main, Section: keymap.Deciding, Decides: true})
	}
	for i, a := range spec.Actions {
		bind(a.Word, a.Key, a.Name, keymap.Binding{Do: keymap.Custom, Arg: i, In: keymap.Main, Section: keymap.Seeing})
	}
	return out
}

// long is what the help says of a verdict.
func (v *Verdict) long(spec Spec) string {
	if v.Long != "" {
		return v.Long
	}
	return v.Name + " the " + spec.One + " under the cursor"
}

// word is what settings call a verdict: its name, in one word.
func (v *Verdict) word() string { return strings.ReplaceAll(v.Name, " ", "-") }

// Bindings are the keys of a screen's own, for settings that are held to the
// screens before one is open.
func Bindings(spec Spec) []keymap.Binding { return bindings(spec) }
