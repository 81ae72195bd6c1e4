package main

import (
	"github.com/spf13/cobra"

	"docket/engine/interchange"
	"docket/engine/safetext"
)

// addReadFlags adds the flags that say how two files are read.
func addReadFlags(cmd *cobra.Command, o *interchange.Options) {
	cmd.Flags().StringVar(&o.ID, "id", "", "with two files, the `field` that tells cases apart, where the format has no id (metadata.ticket)")
	cmd.Flags().StringVar(&o.Variant, "variant", "", "with two files, the provider, model or prompt of this `name`, where they hold several")
}

// readFlags spells these flags for the next command.
func readFlags(o interchange.Options) string {
	s := ""
	if o.ID != "" {
		s += " --id " + safetext.Word(o.ID)
	}
	if o.Variant != "" {
		s += " --variant " + safetext.Word(o.Variant)
	}
	return s
}
