package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"docket/engine/contract"
	"docket/engine/disk"
	"docket/engine/interchange"
	"docket/engine/source"
	"docket/engine/suite"
)

func newContract(a *app) *cobra.Command {
	var format string
	var read interchange.Options
	cmd := &cobra.Command{
		Use:   "contract CONTRACT [OUTPUTS | -]",
		Short: "hold outputs to a format contract",
		Long: `Contract holds every output of a file, or of stdin, to the checks of a contract:
a prefix, a number of lines, JSON with given keys. What a prompt asks of its
format stands there and not in the cases, so that no model is marked down for it
in a comparison.

A contract is {version: 1, expect: {…}} in YAML, with the checks that cases have,
less those that ask about a case. Outputs are JSON Lines, or any other file that
docket diff reads. Nothing is written, and no model is asked.

Exit codes: 0 every output keeps the contract; 1 some broke it; 2 a file is
wrong, or holds no output.`,
		Example: `  docket contract contracts/summariser.yaml outputs.jsonl
  tail -n 100 production.jsonl | docket contract contracts/summariser.yaml -
  docket contract contracts/summariser.yaml outputs.jsonl --format json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("docket contract takes a contract, and outputs or - for stdin: see `docket contract --help`")
			}
			return atMost(2, "a contract and a file of outputs")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			form, err := contract.FormatNamed(format)
			if err != nil {
				return err
			}
			outputs := "-"
			if len(args) == 2 {
				outputs = args[1]
			}
			return a.contract(cmd.Context(), args[0], outputs, read, form)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	addReadFlags(cmd, &read)
	return cmd
}

func (a *app) contract(ctx context.Context, file, outputs string, read interchange.Options, format contract.Format) error {
	data, err := disk.ReadNamed(file, source.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no contract %s: docket migrate writes one, or write version: 1 and expect: {…}", file)
	}
	if err != nil {
		return err
	}
	c, problems := contract.Parse(file, data, beside(file))
	if err := problems.Err(); err != nil {
		return err
	}
	in := a.in
	if outputs != "-" {
		f, err := disk.OpenNamed(outputs, interchange.MaxFile)
		if err != nil {
			return fmt.Errorf("%w; or give outputs on standard input, as -", err)
		}
		defer f.Close()
		in = f
	}
	name := outputs
	if outputs == "-" {
		name = "stdin"
	}
	rows, err := interchange.ReadWith(ctx, name, in, read)
	if err != nil {
		return err
	}
	result, err := c.Hold(ctx, rows.Rows)
	switch {
	case err != nil:
		return err
	case result.Outputs == 0:
		return fmt.Errorf("%s holds no output that could be judged: every one of its %d is an error", name, result.Failed)
	}
	if err := format.Write(a.out, result); err != nil {
		return err
	}
	if result.Broken > 0 {
		return exit{codeChange}
	}
	return nil
}

// beside reads schema files from the contract's own folder, and from nowhere
// else.
func beside(file string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		root, err := os.OpenRoot(filepath.Dir(file))
		if err != nil {
			return nil, err
		}
		defer root.Close()
		return suite.ReadBelow(root, name)
	}
}
