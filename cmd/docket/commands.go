package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// A group is commands that are looked for together.
type group struct {
	id, title string
	commands  []*cobra.Command
}

// groups is the table of commands, in the order in which help lists them. A new
// command is one file and one line here.
func (a *app) groups() []group {
	return []group{
		{"day", "Every day", []*cobra.Command{
			newRun(a), newDiff(a), newReview(a), newAccept(a), newReject(a), newWrite(a), newMerge(a),
		}},
		{"suite", "The suite and its cases", []*cobra.Command{
			newInit(a), newAdd(a), newImport(a), newMigrate(a), newContract(a), newCases(a), newWhy(a), newPrune(a), newRestore(a), newLint(a),
		}},
		{"baseline", "What is compared with", []*cobra.Command{
			newCalibrate(a), newDescribe(a), newRescore(a), newJudge(a), newRekey(a),
		}},
		{"past", "What the runs say", []*cobra.Command{
			newCompare(a), newHistory(a), newResults(a), newExport(a),
		}},
		{"around", "Around it", []*cobra.Command{
			newSchema(a), newDoctor(a), newCompletion(a), newMan(a),
		}},
	}
}

// listCommands prints the commands by group, a line each.
func (a *app) listCommands(root *cobra.Command) {
	for _, g := range root.Groups() {
		fmt.Fprintln(a.out, g.Title)
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && !c.Hidden {
				fmt.Fprintf(a.out, "  docket %-11s %s\n", c.Name(), c.Short)
			}
		}
		fmt.Fprintln(a.out)
	}
}
