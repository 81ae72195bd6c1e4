package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/safetext"
)

func newAdd(a *app) *cobra.Command {
	var o engine.AddOptions
	var suiteName string
	cmd := &cobra.Command{
		Use:   "add ID",
		Short: "add a case, from an output of a run or from a file, with its provenance",
		Long: `Add writes the file of a new case. Before anything else it asks why the case
exists: on a terminal, where --provenance does not say so; a blank or empty
phrase is refused. The input comes from a file, from a file of outputs, or from
the case whose output a stored run holds.

What was answered is no proof of what is right: label, tools, language and
refusal on which all samples agree stand in the file as a comment, or with
--expect as the expectation. The answer itself is not kept. Nothing is
overwritten.

Exit codes: 0 the case is written; 2 something is wrong, and nothing was.`,
		Example: `  docket add inv-0220 --input mail.yaml --provenance "INC-301: the due date of the copy was read"
  docket add inv-0221 --from-run last --case inv-0031 --provenance "INC-302: …"
  docket add inv-0222 --output production.jsonl --case req-4711 --expect`,
		Args: exactly("the id of the new case"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := a.load()
			if err != nil {
				return err
			}
			s, err := p.Open(suiteName, "", "")
			if err != nil {
				return err
			}
			o.ID, o.Now = args[0], time.Now()
			if err := s.CheckNewID(o.ID); err != nil {
				return err
			}
			if !cmd.Flags().Changed("provenance") {
				if o.Provenance, err = a.askProvenance(s, o.ID); err != nil {
					return err
				}
			}
			added, err := s.Add(cmd.Context(), o)
			if err != nil {
				return err
			}
			if o.DryRun {
				fmt.Fprint(a.out, safetext.Block(string(added.Text)))
				return nil
			}
			path := a.plain(filepath.Join(p.Dir, filepath.FromSlash(added.Path)))
			fmt.Fprintf(a.out, "wrote %s\n", safetext.Line(path))
			if len(added.Suggested) > 0 && !o.Expect {
				fmt.Fprintln(a.out, "what was answered stands in it as a comment: say under expect what must hold")
			}
			fmt.Fprintf(a.out, "next: git add %s, then docket run %s\n", safetext.Line(safetext.Word(path)), safetext.Line(safetext.Word(s.Name)))
			return nil
		},
	}
	cmd.Flags().StringVar(&suiteName, "suite", "", "the suite to add to (default: the first)")
	cmd.Flags().StringVar(&o.Provenance, "provenance", "", "why the case exists: an incident, a ticket, a commit")
	cmd.Flags().StringVar(&o.Run, "from-run", "", "take input and output from this stored `run`, or from the last one")
	cmd.Flags().StringVar(&o.Outputs, "output", "", "take input and output from this `file` of outputs")
	cmd.Flags().StringVar(&o.Case, "case", "", "the `id` that is meant in the run or the file")
	cmd.Flags().StringVar(&o.Input, "input", "", "the `file` that holds the input, in YAML or JSON")
	cmd.Flags().StringArrayVar(&o.Tags, "tag", nil, "a tag; may be repeated")
	cmd.Flags().BoolVar(&o.Expect, "expect", false, "make what was answered the expectation")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "print the file and write nothing")
	return cmd
}

// mostAsked is how often a provenance is asked for before add gives up.
const mostAsked = 3

// askProvenance asks the person at the terminal why a case exists.
func (a *app) askProvenance(s *engine.Suite, id string) (string, error) {
	if !isTerminal(a.in) {
		return "", errors.New("a case needs its provenance, and there is no terminal to ask at: add --provenance TEXT")
	}
	lines := bufio.NewReader(a.in)
	var refused error
	for range mostAsked {
		fmt.Fprint(a.err, "Why does this case exist (an incident, a ticket, a commit)? ")
		said, err := lines.ReadString('\n')
		said = strings.TrimSpace(said)
		if refused = s.CheckProvenance(id, said); refused == nil {
			return said, nil
		}
		if errors.Is(err, io.EOF) {
			break
		}
		fmt.Fprintln(a.err, "docket: "+safetext.Line(refused.Error()))
	}
	return "", refused
}
