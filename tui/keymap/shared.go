package keymap

import "github.com/charmbracelet/bubbles/key"

// The sections of the help.
const (
	Deciding = "decide"
	Moving   = "move"
	Seeing   = "look"
	Leaving  = "session"
	Asked    = "in a dialog"
)

// shared lists the bindings that every screen has. A new one is one line here; a
// test holds each key to one meaning in each scope. Those with a name can be put
// on other keys by a user.
func shared() []Binding {
	bind := func(do Action, in Scope, section, show, desc string, keys ...string) Binding {
		return Binding{Binding: key.NewBinding(key.WithKeys(keys...), key.WithHelp(show, desc)), Do: do, In: in, Section: section}
	}
	named := func(name string, do Action, in Scope, section, show, desc string, keys ...string) Binding {
		b := bind(do, in, section, show, desc, keys...)
		b.Name = name
		return b
	}
	move := func(b Binding) Binding { b.Replay = true; return b }
	decide := func(b Binding) Binding { b.Decides = true; return b }
	foot := func(rank int, b Binding) Binding { b.Footer = rank; return b }
	long := func(words string, b Binding) Binding { b.Long = words; return b }
	tab := func(n int, section, name string) Binding {
		b := bind(Tab, Main, section, "1 to 4", "a tab of the detail", name)
		b.Arg = n
		return b
	}
	scroll := Main | Help | Confirm

	return []Binding{
		foot(30, long("take the last decision back", decide(named("undo", Undo, Main, Deciding, "u", "undo", "u")))),
		decide(named("redo", Redo, Main, Deciding, "U", "do it again", "U", "ctrl+r")),
		named("mark", Mark, Main, Deciding, "space", "mark, for deciding several at once", " "),

		move(named("up", Up, Main, Moving, "↑ k", "up", "up", "k")),
		move(named("down", Down, Main, Moving, "↓ j", "down", "down", "j")),
		move(named("half-up", HalfUp, scroll, Moving, "ctrl+u", "half a page up", "ctrl+u")),
		move(named("half-down", HalfDown, scroll, Moving, "ctrl+d", "half a page down", "ctrl+d")),
		move(named("page-up", PageUp, scroll, Moving, "pgup", "a page up", "pgup", "ctrl+b")),
		move(named("page-down", PageDown, scroll, Moving, "pgdn", "a page down", "pgdown", "ctrl+f")),
		move(named("first", Top, Main, Moving, "g home", "first", "g", "home")),
		move(named("last", Bottom, Main, Moving, "G end", "last", "G", "end")),
		foot(40, long("next undecided", move(named("next", NextOpen, Main, Moving, "n", "next", "n")))),
		move(named("previous", PreviousOpen, Main, Moving, "N", "previous undecided", "N")),
		move(named("next-group", NextGroup, Main, Moving, "}", "next group", "}")),
		move(named("previous-group", PreviousGroup, Main, Moving, "{", "previous group", "{")),
		bind(Enter, Main, Moving, "enter", "fold a group, or read a row", "enter"),
		move(named("fold", Fold, Main, Moving, "←", "fold the group", "left")),
		move(named("unfold", Unfold, Main, Moving, "→", "unfold the group", "right")),

		foot(60, long("the other pane", named("pane", OtherPane, Main, Seeing, "tab", "pane", "tab", "shift+tab"))),
		move(named("scroll-up", ScrollUp, Main, Seeing, "K", "scroll the detail up", "K", "shift+up")),
		move(named("scroll-down", ScrollDown, Main, Seeing, "J", "scroll the detail down", "J", "shift+down")),
		tab(0, Seeing, "1"), tab(1, "", "2"), tab(2, "", "3"), tab(3, "", "4"),
		named("next-tab", TabNext, Main, Seeing, "]", "next tab of the detail", "]", "ctrl+right"),
		named("previous-tab", TabPrevious, Main, Seeing, "[", "previous tab of the detail", "[", "ctrl+left"),
		named("grouping", Grouping, Main, Seeing, "v", "another grouping", "v"),
		foot(70, named("filter", StartFilter, Main, Seeing, "/", "filter", "/")),
		named("layout", Layout, Main, Seeing, "|", "side by side, or stacked", "|", "ctrl+t"),
		named("wrap", Wrap, Main, Seeing, "w", "wrap long values, or cut them", "w"),
		named("unchanged", Unchanged, Main, Seeing, "=", "show or hide what is unchanged", "="),

		named("copy", Copy, Main, Leaving, "y", "copy the name of the row", "y"),
		named("mouse", Mouse, Main, Leaving, "M", "free the mouse for selecting text", "M"),
		foot(80, long("show what will be written, and ask", decide(named("write", Write, Main, Leaving, "ctrl+s", "write", "ctrl+s")))),
		foot(90, long("every key", named("help", ShowHelp, Main, Leaving, "?", "help", "?", "f1"))),
		bind(Back, Main|Help, Leaving, "esc", "one step back, never a decision", "esc"),
		bind(Suspend, Main|Help|Filter|Reason|Choice|Confirm|Small, Leaving, "ctrl+z", "suspend", "ctrl+z"),
		foot(100, long("quit; decisions are kept", named("quit", Quit, Main|Small, Leaving, "q", "quit", "q"))),
		bind(Interrupt, Main|Help|Filter|Reason|Choice|Confirm|Small, Leaving, "ctrl+c", "the same from anywhere", "ctrl+c"),

		foot(10, decide(bind(Accept, Reason, Asked, "enter", "go on", "enter"))),
		foot(10, bind(Accept, Filter, "", "enter", "keep the filter", "enter")),
		foot(50, bind(Back, Filter|Reason|Choice|Confirm, "", "esc", "back", "esc")),
		foot(20, named("earlier", Earlier, Reason, Asked, "↑", "an earlier reason", "up", "ctrl+p")),
		named("later", Later, Reason, Asked, "↓", "a later one", "down", "ctrl+n"),
		foot(30, long("write it in $EDITOR, in several lines", named("editor", Compose, Reason, Asked, "ctrl+e", "editor", "ctrl+e"))),

		foot(10, decide(bind(Yes, Confirm, Asked, "y", "do it", "y"))),
		decide(bind(Accept, Confirm, Asked, "enter", "take the choice in brackets", "enter")),
		foot(20, bind(Switch, Confirm, Asked, "tab", "the other choice", "tab", "shift+tab", "left", "right")),
		bind(Back, Confirm, "", "n", "no", "n", "q"),
		foot(90, move(bind(Down, Confirm|Help, "", "j", "down", "down", "j"))),
		foot(91, move(bind(Up, Confirm|Help, "", "k", "up", "up", "k"))),
		foot(20, bind(Back, Help, "", "esc", "close", "q", "enter")),
		named("help", Back, Help, "", "?", "close", "?", "f1"),
		bind(Back, Choice, "", "q", "back", "q"),
	}
}
