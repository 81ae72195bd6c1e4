package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"docket/engine/provenance"
)

func newWhy(a *app) *cobra.Command {
	var format, suiteName string
	cmd := &cobra.Command{
		Use:   "why CASE",
		Short: "say why a case exists, who changed it, and what it has caught",
		Long: `Why puts together what is known of one case: its provenance, with what it refers
to; the commits that added and changed it, under every name that its file had,
and the files that it reads; each decision on it, with the reason; and each time
it failed, under which system, and what was done about it. It reads git, the
decisions and the results of this machine, and runs nothing. A case that was
deleted is found by its id as well.

Addresses are made of references as links: in the configuration says.

Exit codes: 0 the case is known; 2 it is not, or something is wrong.`,
		Example: `  docket why summarise-0047
  docket why inv-0031 --suite invoices --format json`,
		Args: exactly("the id of one case"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := provenance.FormatNamed(format)
			if err != nil {
				return err
			}
			p, err := a.load()
			if err != nil {
				return err
			}
			story, err := p.Why(cmd.Context(), suiteName, args[0])
			if err != nil {
				return err
			}
			return f.Write(a.out, story, a.columns(), a.hyperlinks())
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	cmd.Flags().StringVar(&suiteName, "suite", "", "the suite of the case, where several have one of this id")
	return cmd
}

// columns is how wide a text may be: what the environment says, as far as lines
// of that length can still be read.
func (a *app) columns() int {
	const usual, most = 80, 120
	n, err := strconv.Atoi(a.getenv("COLUMNS"))
	if err != nil || n <= 0 {
		return usual
	}
	return min(n, most)
}

// hyperlinks reports whether stdout is a terminal that is known to have
// hyperlinks. Others would leave the address out, so it is printed there.
func (a *app) hyperlinks() bool {
	if !a.colored() {
		return false
	}
	switch a.getenv("TERM_PROGRAM") {
	case "iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio":
		return true
	}
	if version, err := strconv.Atoi(a.getenv("VTE_VERSION")); err == nil && version >= 5000 {
		return true
	}
	switch a.getenv("TERM") {
	case "xterm-kitty", "xterm-ghostty", "alacritty", "foot", "contour", "wezterm":
		return true
	}
	return a.getenv("WT_SESSION") != "" || a.getenv("DOMTERM") != ""
}
