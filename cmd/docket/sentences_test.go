package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

var updateSentences = flag.Bool("update-sentences", false, "write the list of error messages that a person reads")

// sentence is a message as it stands in the source, and where.
type sentence struct {
	file, maker, text string
	line              int
	wraps             bool // an argument is an error by its name
}

// everySentence collects what errors.New, fmt.Errorf and Problemf are given, from
// all that the program is made of.
func everySentence(t *testing.T) []sentence {
	t.Helper()
	root := filepath.Join("..", "..")
	var found []sentence
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (name == "testdata" || name == "tuitest" || strings.HasSuffix(name, "test") && path != root || strings.HasPrefix(name, ".") && path != root) {
			if path != root {
				return filepath.SkipDir
			}
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			selector, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			maker := selector.Sel.Name
			of, _ := selector.X.(*ast.Ident)
			if maker != "Problemf" && (of == nil || of.Name+"."+maker != "errors.New" && of.Name+"."+maker != "fmt.Errorf") {
				return true
			}
			text, ok := constant(call.Args[0])
			if !ok {
				return true
			}
			s := sentence{file: filepath.ToSlash(rel), maker: maker, text: text, line: set.Position(call.Pos()).Line}
			for _, arg := range call.Args[1:] {
				if name, ok := arg.(*ast.Ident); ok && name.Name == "err" {
					s.wraps = true
				}
			}
			found = append(found, s)
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// constant joins the string literals of an expression; what is computed stands
// in it as an ellipsis.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok1 := constant(e.X)
		right, ok2 := constant(e.Y)
		if !ok1 {
			left = "…"
		}
		if !ok2 {
			right = "…"
		}
		return left + right, ok1 || ok2
	}
	return "", false
}

// goType is a name of Go's that a user has no use for.
var goType = regexp.MustCompile(`%T|\*?\b(?:map\[|\[\]byte|\[\]string|interface\{|struct\{|nil\b|goroutine|io\.EOF)`)

// fault is what is wrong with a sentence, or "".
func (s sentence) fault() string {
	first := []rune(s.text + " ")
	verb := regexp.MustCompile(`^%[a-z]`).MatchString(s.text)
	switch {
	case strings.TrimSpace(s.text) == "":
		return "it is empty"
	case !verb && unicode.IsUpper(first[0]) && len(first) > 2 && unicode.IsLower(first[1]):
		return "it begins with a capital"
	case strings.HasSuffix(s.text, ".") && !strings.HasSuffix(s.text, "…") || strings.HasSuffix(s.text, "!"):
		return "it ends with a full stop"
	case strings.HasSuffix(s.text, "\n") || s.text != strings.TrimSpace(s.text):
		return "it begins or ends with white space"
	case goType.MatchString(s.text):
		return "it names something of Go's"
	case s.maker == "Errorf" && s.wraps && !strings.Contains(s.text, "%w"):
		return "an error is not wrapped"
	}
	return ""
}

// sentencesFile lists every error message for a person to read.
const sentencesFile = "testdata/sentences.txt"

// TestEverySentence holds every error message to the house's rules, and the list
// of them to what the program says: a message that is new or said anew shows in
// the diff of the list, where somebody who did not write it reads it. Each stands
// there with its package and no line, so that moving code within one changes
// nothing.
func TestEverySentence(t *testing.T) {
	found := everySentence(t)
	if len(found) < 500 {
		t.Fatalf("only %d messages were found", len(found))
	}
	var list []string
	for _, s := range found {
		if fault := s.fault(); fault != "" {
			t.Errorf("%s:%d: %q: %s", s.file, s.line, s.text, fault)
		}
		list = append(list, fmt.Sprintf("%s: %s", path.Dir(s.file), strings.ReplaceAll(s.text, "\n", `\n`)))
	}
	slices.Sort(list)
	list = slices.Compact(list)
	if *updateSentences {
		if err := os.WriteFile(sentencesFile, []byte(strings.Join(list, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(sentencesFile)
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n"), "\n")
	if added, gone := without(list, listed), without(listed, list); len(added)+len(gone) > 0 {
		t.Errorf("%s is not what the program says:\n%s%s\nread what is new as a user would, and then: go test ./cmd/docket -run TestEverySentence -update-sentences",
			sentencesFile, marked("+ ", added), marked("- ", gone))
	}
}

// without returns what is in the first list and not in the other.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

// marked puts a mark before each line.
func marked(mark string, lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(mark + line + "\n")
	}
	return b.String()
}

// TestFaultsOfSentences: the rules find what they are for.
func TestFaultsOfSentences(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "empty",
		"Cannot read the file":    "capital",
		"the file is gone.":       "full stop",
		"the file is gone ":       "white space",
		"expected a %T":           "of Go's",
		"got nil":                 "of Go's",
		"JSON is expected":        "",
		"%s cannot be read: %w":   "",
		"the file cannot be read": "wrapped",
	} {
		s := sentence{maker: "Errorf", text: text, wraps: want == "wrapped"}
		if got := s.fault(); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
