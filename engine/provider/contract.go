package provider

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"docket/engine/canonical"
	"docket/engine/check"
	"docket/engine/output"
	"docket/engine/wire"
)

// maxContracts is how many compiled contracts are kept. A system has a few
// prompts, and so a few.
const maxContracts = 64

// contracts holds answers to what a request asks for, and keeps what it
// compiled. The zero value is ready.
type contracts struct {
	mu       sync.Mutex
	compiled map[string]*check.SchemaCheck // by the hash of tools and schema
}

// hold returns what an answer breaks of the tools and the format that the
// request declares, with the JSON pointer to the place.
func (c *contracts) hold(r *wire.Request, o *output.Output) error {
	schema, err := c.compile(r)
	if err != nil {
		return fmt.Errorf("it cannot be held to the request: %w", err)
	}
	document, has := output.Document(o.Text)
	verdict, err := schema.Judge(context.Background(), &check.Subject{Output: o, Document: document, HasDocument: has})
	switch {
	case err != nil:
		return err
	case !verdict.Pass:
		return errors.New(verdict.Message)
	}
	if _, object := document.(map[string]any); r.JSONObject && !object && (len(o.ToolCalls) == 0 || strings.TrimSpace(o.Text) != "") {
		return errors.New("the text is not a JSON object, and the request asks for one")
	}
	return held(r.Choice, o.ToolCalls)
}

// held holds calls to what the request says of whether there must be any.
func held(choice wire.Choice, calls []output.ToolCall) error {
	switch {
	case choice.None && len(calls) > 0:
		return fmt.Errorf("at /tool_calls/0: the request forbids tool calls, and this calls %q", calls[0].Name)
	case choice.Required && len(calls) == 0 && choice.Name != "":
		return fmt.Errorf("at /tool_calls: the request asks for a call of %q, and there is none", choice.Name)
	case choice.Required && len(calls) == 0:
		return errors.New("at /tool_calls: the request asks for a tool call, and there is none")
	}
	for i, call := range calls {
		if choice.Name != "" && call.Name != choice.Name {
			return fmt.Errorf("at /tool_calls/%d/name: the request asks for a call of %q, and this calls %q", i, choice.Name, call.Name)
		}
	}
	return nil
}

func (c *contracts) compile(r *wire.Request) (*check.SchemaCheck, error) {
	tools := r.Tools
	if tools == nil {
		tools = []any{} // a request without tools allows no call
	}
	key := canonical.Hash([]any{tools, r.Schema})
	c.mu.Lock()
	defer c.mu.Unlock()
	if have, ok := c.compiled[key]; ok {
		return have, nil
	}
	compiled, err := check.Schema(tools, r.Schema)
	if err != nil {
		return nil, err
	}
	if c.compiled == nil || len(c.compiled) >= maxContracts {
		c.compiled = map[string]*check.SchemaCheck{}
	}
	c.compiled[key] = compiled
	return compiled, nil
}
