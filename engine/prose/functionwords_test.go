package prose

import "testing"

// TestFunctionWordsDecide holds the quick way to English that has words which
// are Dutch, too: "was", "over".
func TestFunctionWordsDecide(t *testing.T) {
	for _, text := range []string{
		"The customer was told about the refund over the phone and the agent wrote down what was agreed, no more.",
		"Over the weekend she was at home, and the parcel was left with a neighbour who was not asked.",
	} {
		if got, decided, _ := byFunctionWords(text); got != "en" || !decided {
			t.Errorf("byFunctionWords(%q) = %q, decided %v; want \"en\" without asking further", text, got, decided)
		}
	}
	dutch := "De klant was al over de terugbetaling gebeld, en het bedrag wordt binnen vijf dagen op de rekening van de klant overgemaakt, als er niets tussen komt."
	if got := Language(dutch); got != "nl" {
		t.Errorf("Language(%q) = %q", dutch, got)
	}
}
