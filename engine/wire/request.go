package wire

import "maps"

// readHead reads what a request spells alike in all formats: the model, whether
// the answer is to be a stream, and the tools. It returns the body beside, for
// what each format spells its own way.
func readHead(body []byte) (map[string]any, *Request, error) {
	b, err := readBody(body)
	if err != nil {
		return nil, nil, err
	}
	r := &Request{}
	r.Model, _ = b["model"].(string)
	r.Stream, _ = b["stream"].(bool)
	tools, _ := b["tools"].([]any)
	r.Tools = functions(tools)
	return b, r, nil
}

// head begins a request with what all formats spell alike: the parameters, the
// model, and the tools, each as it stands where own says that the format has it
// so, and else as translate spells it.
func (p *Prompt) head(own func(map[string]any) bool, translate func(tool) any) (map[string]any, error) {
	b := maps.Clone(p.Params)
	if b == nil {
		b = map[string]any{}
	}
	b["model"] = p.Model
	tools, err := listTools(p.Tools, own, translate)
	if err != nil {
		return nil, err
	}
	if len(tools) > 0 {
		b["tools"] = tools
	}
	return b, nil
}

// member returns a member of an object; nil where there is none.
func member(v any, key string) any {
	object, _ := v.(map[string]any)
	return object[key]
}
