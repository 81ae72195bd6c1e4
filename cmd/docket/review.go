package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func newReview(a *app) *cobra.Command {
	return &cobra.Command{Use: "review", Hidden: true, RunE: func(*cobra.Command, []string) error { return errors.New("later") }}
}
