//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestAddAsksForTheProvenance types an empty phrase, which is refused, and then
// a reason, at a terminal.
func TestAddAsksForTheProvenance(t *testing.T) {
	dir := copySuite(t)
	if err := os.WriteFile(filepath.Join(dir, "input.yaml"), []byte("mail: Invoice 1009\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := child(dir, []string{"TERM=xterm-256color"}, "add", "inv-9", "--input", "input.yaml")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	if _, err := io.WriteString(tty, "test\nINC-9: the reminder was paid twice\n"); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	_, _ = io.Copy(&said, tty) // ends with an error once the command has ended
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	for _, want := range []string{"Why does this case exist", "the provenance says nothing", "wrote cases/mail/inv-9.yaml"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q was not said:\n%s", want, said.String())
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "cases", "mail", "inv-9.yaml"))
	if err != nil || !strings.Contains(string(text), "INC-9: the reminder was paid twice") {
		t.Errorf("the case is %q, %v", text, err)
	}
}

// TestWhyLinks holds hyperlinks to terminals that are known to have them, and
// gives the address to all others.
func TestWhyLinks(t *testing.T) {
	dir := copySuite(t)
	config := filepath.Join(dir, ".docket.yaml")
	text, err := os.ReadFile(config)
	if err == nil {
		err = os.WriteFile(config, append(text, `links: {'T-(\d+)': 'https://tickets.example/$1'}`+"\n"...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	link := "\x1b]8;;https://tickets.example/1\x1b\\T-1\x1b]8;;\x1b\\"
	for _, terminal := range []struct {
		env   []string
		links bool
	}{
		{[]string{"TERM=xterm-256color", "TERM_PROGRAM=WezTerm"}, true},
		{[]string{"TERM=xterm-256color"}, false},
		{[]string{"TERM=xterm-256color", "TERM_PROGRAM=WezTerm", "NO_COLOR=1"}, false},
		{[]string{"TERM=dumb", "VTE_VERSION=7000"}, false},
	} {
		out, code := onTerminal(t, child(dir, append(terminal.env, "WT_SESSION=", "DOMTERM="), "why", "inv-1"))
		if code != codeOK || strings.Contains(out, link) != terminal.links || strings.Contains(out, "T-1 https://tickets.example/1") == terminal.links {
			t.Errorf("%v: exit code %d, %q", terminal.env, code, out)
		}
		if rest := strings.ReplaceAll(out, link, ""); strings.ContainsRune(rest, '\x1b') {
			t.Errorf("%v: more than links: %q", terminal.env, rest)
		}
	}
}
