package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"
)

// fakeSystem is a program that an exec system starts. Its first argument says
// how it behaves; an id that ends in "-odd" gets the odd behaviour, every
// other one an answer, so that a script can see that one case alone suffers.
func fakeSystem() {
	behaviour := "answer"
	if len(os.Args) > 1 {
		behaviour = os.Args[1]
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var request struct {
			ID     string         `json:"id"`
			Sample int            `json:"sample"`
			Input  map[string]any `json:"input"`
		}
		if err := json.Unmarshal(lines.Bytes(), &request); err != nil {
			fmt.Fprintln(os.Stderr, "fakesystem: no request:", err)
			os.Exit(3)
		}
		answer := func(text string) {
			json.NewEncoder(os.Stdout).Encode(map[string]any{"text": text})
		}
		if behaviour == "scripted" {
			// The answer to sample 3 of inv-1 is what answers/inv-1.3 holds, else
			// what answers/inv-1 does; each is asked for by its own process.
			text, err := os.ReadFile(fmt.Sprintf("answers/%s.%d", request.ID, request.Sample))
			if err != nil {
				text, err = os.ReadFile("answers/" + request.ID)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, "no answer is scripted")
				os.Exit(4)
			}
			answer(strings.TrimSpace(string(text)))
			return
		}
		plain := func() { answer(fmt.Sprint(request.Input["mail"], " Status: ", status(request.ID))) }
		if !strings.HasSuffix(request.ID, "-odd") {
			plain()
			if behaviour != "jsonl" && behaviour != "jsonl-crash" && behaviour != "jsonl-garbage" {
				return
			}
			continue
		}
		switch behaviour {
		case "crash", "jsonl-crash":
			fmt.Fprintln(os.Stderr, "cannot reach \x1b[31mthe ledger")
			os.Exit(7)
		case "hang":
			signal.Ignore(os.Interrupt)
			time.Sleep(time.Minute)
		case "garbage", "jsonl-garbage":
			fmt.Println("Traceback (most recent call last):")
		case "flood":
			chunk := strings.Repeat("x", 1<<20)
			for range 50 {
				fmt.Print(chunk)
			}
		case "silent":
		case "reports":
			fmt.Println(`{"error": "quota \u001b]0;owned\u0007 exceeded"}`)
		case "wait":
			// Marks that it was asked, and waits to be interrupted.
			os.WriteFile(os.Getenv("FAKESYSTEM_MARK"), nil, 0o644)
			time.Sleep(time.Minute)
		default:
			plain()
		}
		if behaviour != "jsonl" && behaviour != "jsonl-garbage" {
			return
		}
	}
}

func status(id string) string {
	if strings.Contains(id, "late") {
		return "overdue"
	}
	return "paid"
}

// fakeCheck is a program that a `command` check starts: it marks that it ran in
// the file that its argument names, and passes an output of at most ten bytes.
func fakeCheck() {
	var subject struct {
		Output struct {
			Text string `json:"text"`
		} `json:"output"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&subject); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	if err := os.WriteFile(os.Args[1], nil, 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{"pass": len(subject.Output.Text) <= 10, "message": "length"})
}
