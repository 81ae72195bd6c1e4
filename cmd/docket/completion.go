package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newCompletion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "completion SHELL",
		Short:   "print a completion script for bash, zsh, fish or powershell",
		Example: "  docket completion bash > /etc/bash_completion.d/docket\n  docket completion zsh > \"${fpath[1]}/_docket\"",
		Args:    exactly("one shell"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.out)
			default:
				return fmt.Errorf("no completion for %q: name bash, zsh, fish or powershell", args[0])
			}
		},
	}
}
