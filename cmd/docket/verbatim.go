package main

import (
	"fmt"
	"io"
	"strings"
)

// verbatim prints data that programs take byte for byte and that may hold what
// drives a terminal. Into a pipe or a file it goes as it is; on a terminal spell
// makes it safe, and stderr says so where that made a difference.
func (a *app) verbatim(spell func(string) string, write func(io.Writer) error) error {
	if !isTerminal(a.screen) {
		return write(a.out)
	}
	var data strings.Builder
	if err := write(&data); err != nil {
		return err
	}
	shown := spell(data.String())
	if _, err := io.WriteString(a.out, shown); err != nil {
		return err
	}
	if shown != data.String() {
		fmt.Fprintln(a.err, "docket: what a terminal would obey or not show is spelled out above, as <ESC> or \\u202e: send stdout into a file or a pipe to get the data as it is")
	}
	return nil
}
