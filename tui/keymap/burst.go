package keymap

import tea "github.com/charmbracelet/bubbletea"

// Split takes a key message apart. Bubble Tea reports all letters of one read
// as a single key, so that "jjj" would be a key that no table knows
// (charmbracelet/bubbletea#326). More than one message in the answer means a
// burst: fast typing, or a paste into a terminal without bracketed paste. A
// bracketed paste comes back whole.
func Split(msg tea.KeyMsg) []tea.KeyMsg {
	if msg.Type != tea.KeyRunes || msg.Paste || len(msg.Runes) < 2 {
		return []tea.KeyMsg{msg}
	}
	parts := make([]tea.KeyMsg, len(msg.Runes))
	for i, r := range msg.Runes {
		parts[i] = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt && i == 0}
		if r == ' ' {
			parts[i].Type = tea.KeySpace
		}
	}
	return parts
}

// Name is the name under which a table knows a key. A letter of another
// keyboard layout is named by the Latin letter on the same key, so that
// commands work without switching; call it for commands only, never for text.
func Name(msg tea.KeyMsg) string {
	if msg.Type == tea.KeyRunes && len(msg.Runes) == 1 && msg.Runes[0] >= 0x80 {
		if latin, ok := layouts(msg.Runes[0]); ok {
			msg.Runes = []rune{latin}
		}
	}
	return msg.String()
}

// layouts maps a letter of a Russian, Ukrainian, Greek or Hebrew keyboard, or
// of the Korean two-set one, to the Latin letter on its key.
func layouts(r rune) (rune, bool) {
	const latin = "qwertyuiop[]asdfghjkl;'zxcvbnm,.QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>"
	for _, layout := range [...]string{
		"йцукенгшщзхъфывапролджэячсмитьбюЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ",
		"йцукенгшщзхїфівапролджєячсмитьбюЙЦУКЕНГШЩЗХЇФІВАПРОЛДЖЄЯЧСМИТЬБЮ",
		";ςερτυθιοπ[]ασδφγηξκλ΄'ζχψωβνμ,.:΅ΕΡΤΥΘΙΟΠ{}ΑΣΔΦΓΗΞΚΛ¨\"ΖΧΨΩΒΝΜ<>",
		"/'קראטוןםפ][שדגכעיחלךף,זסבהנמצתץ",
		"ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔ[]ㅁㄴㅇㄹㅎㅗㅓㅏㅣ;'ㅋㅌㅊㅍㅠㅜㅡ,.",
	} {
		at := 0
		for _, letter := range layout {
			if letter == r {
				return rune(latin[at]), true
			}
			at++
		}
	}
	return 0, false
}
