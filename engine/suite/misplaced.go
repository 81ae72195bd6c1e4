package suite

import (
	"fmt"
	"strings"
)

// misplaced says where a key belongs that people put at the top level of a case
// and that must not stand there. Most are machinery: a case says what is asked
// and what should come out, and has to hold for another prompt, another model,
// another provider.
func misplaced(key string) (sentence string, ok bool) {
	place, ok := place(strings.ToLower(strings.ReplaceAll(key, "-", "_")))
	if !ok {
		return "", false
	}
	return fmt.Sprintf("%q does not belong in a case: %s", key, place), true
}

func place(key string) (where string, ok bool) {
	switch key {
	case "prompt", "prompts", "prompt_file", "prompt_template", "template", "system_prompt", "instructions":
		return "the prompt belongs to a system: systems.NAME.prompt in .docket.yaml", true
	case "system", "systems":
		return `the system belongs to the suite: suites.NAME.system in .docket.yaml, or docket run --system; a system prompt to systems.NAME.prompt`, true
	case "model", "models", "model_name", "engine", "deployment":
		return "the model belongs to a system: systems.NAME.model in .docket.yaml", true
	case "messages", "conversation", "history", "turns":
		return "a model's messages are made by the system; put what the situation brings under input", true
	case "temperature", "top_p", "top_k", "max_tokens", "max_output_tokens", "seed", "stop", "stop_sequences", "frequency_penalty",
		"presence_penalty", "reasoning_effort", "params", "parameters", "options":
		return "sampling parameters belong to a system: systems.NAME.params in .docket.yaml", true
	case "tools", "functions", "tool_choice", "function_call":
		return "tools belong to a system: systems.NAME.tools in .docket.yaml; which calls are expected goes under expect.tool_calls", true
	case "response_format", "output_schema", "json_schema", "schema":
		return "the schema of all outputs belongs to a system: systems.NAME.output_schema in .docket.yaml; what only this case asks of its JSON goes under expect.json_schema", true
	case "provider", "providers", "api_key", "base_url", "url", "endpoint", "headers", "sdk", "client", "adapter":
		return "how a model is reached belongs to a system: systems.NAME in .docket.yaml (keys come from the environment alone)", true
	case "command", "script", "exec", "env", "timeout", "retries":
		return "programs belong to a system: systems.NAME.command in .docket.yaml", true
	case "judge", "rubric", "grader":
		return "the judge belongs to the suite: suites.NAME.judge in .docket.yaml; what it is asked goes under expect.rubric", true
	case "samples", "repeat", "trials", "epochs":
		return "how often a case is sampled is said by suites.NAME.samples in .docket.yaml, or docket run --samples", true
	case "assert", "asserts", "assertions", "checks", "expected", "expected_output", "reference":
		return "what should come out goes under expect", true
	case "vars", "variables", "inputs":
		return "the situation goes under input", true
	}
	return "", false
}
