package system_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

// agent is a program as teams have them: for each request it asks a model, does
// the searches that the model calls for, asks again, and prints the answer. It
// knows its addresses from its environment, as vendors' clients do.
func agent() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(9)
		}
		text, err := work(r.Input)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		answer, _ := json.Marshal(map[string]any{"text": text})
		fmt.Println(string(answer))
	}
}

// work answers one request. A request for more calls than it takes makes them
// and does nothing with them; a mute one makes none.
func work(input map[string]any) (string, error) {
	if input["mute"] != nil {
		return "from memory", nil
	}
	messages := []any{map[string]any{"role": "user", "content": input["question"]}}
	for range 5 {
		message, err := chat(messages)
		if err != nil {
			return "", err
		}
		if extra, _ := input["extra"].(float64); extra > 0 {
			for range int(extra) {
				if _, err := chat(messages); err != nil && input["stubborn"] == nil {
					return "", err
				}
			}
			delete(input, "extra")
		}
		messages = append(messages, message)
		calls, _ := message["tool_calls"].([]any)
		if len(calls) == 0 {
			text, _ := message["content"].(string)
			return text, nil
		}
		for _, c := range calls {
			call := c.(map[string]any)
			arguments := call["function"].(map[string]any)["arguments"].(string)
			found, err := fetch(os.Getenv("SEARCH_URL")+"/find", arguments)
			if err != nil {
				return "", err
			}
			messages = append(messages, map[string]any{"role": "tool", "tool_call_id": call["id"], "content": found})
		}
	}
	return "", fmt.Errorf("no end")
}

func chat(messages []any) (map[string]any, error) {
	body, _ := json.Marshal(map[string]any{
		"model": "m-1", "messages": messages,
		"tools": []any{map[string]any{"type": "function", "function": map[string]any{
			"name": "search", "parameters": map[string]any{"type": "object", "required": []any{"q"}},
		}}},
	})
	answer, err := fetch(os.Getenv("OPENAI_BASE_URL")+"/chat/completions", string(body))
	if err != nil {
		return nil, err
	}
	var d struct {
		Choices []struct{ Message map[string]any }
	}
	if err := json.Unmarshal([]byte(answer), &d); err != nil || len(d.Choices) == 0 {
		return nil, fmt.Errorf("no chat completion: %s", answer)
	}
	return d.Choices[0].Message, nil
}

// fetch sends a body with the key that the environment has.
func fetch(address, body string) (string, error) {
	request, err := http.NewRequest(http.MethodPost, address, bytes.NewReader([]byte(body)))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+os.Getenv("OPENAI_API_KEY"))
	r, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	all, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("HTTP %d: %s", r.StatusCode, all)
	}
	return string(all), err
}
