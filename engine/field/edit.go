package field

import "maps"

// Edit returns the document in which every value that the path leads to is
// replaced by what edit makes of it, or left out where edit says not to keep
// it; items behind one that is left out move up. The document that was given
// stays as it is, and what lies beside the path is shared with the result.
// Where the path leads nowhere, the result is the document itself.
func (p Path) Edit(doc any, edit func(old any) (v any, keep bool)) any {
	v, keep := edited(doc, p.steps, edit)
	if !keep {
		return nil
	}
	return v
}

func edited(v any, steps []step, edit func(any) (any, bool)) (any, bool) {
	if len(steps) == 0 {
		return edit(v)
	}
	st, rest := steps[0], steps[1:]
	switch v := v.(type) {
	case map[string]any:
		old, there := v[st.key]
		if st.kind != member || !there {
			return v, true
		}
		changed := maps.Clone(v)
		w, keep := edited(old, rest, edit)
		if keep {
			changed[st.key] = w
		} else {
			delete(changed, st.key)
		}
		return changed, true
	case []any:
		if st.kind == member || st.kind == item && st.index >= len(v) {
			return v, true
		}
		changed := make([]any, 0, len(v))
		for i, old := range v {
			if st.kind == item && st.index != i {
				changed = append(changed, old)
			} else if w, keep := edited(old, rest, edit); keep {
				changed = append(changed, w)
			}
		}
		return changed, true
	}
	return v, true
}
