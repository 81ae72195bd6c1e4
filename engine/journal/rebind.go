package journal

// Rebind binds an open journal to another subject, as closing it and opening it
// for that subject would, without letting go of the lock in between: what holds
// is carried over, what does not is listed by Stale. Holds is as in Config.
//
// After an error the journal on disk is the one before, or the new one whole;
// this one decides nothing any more, and is to be opened again.
func (j *Journal) Rebind(subject string, holds func(Decision) bool) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.closed != nil:
		return j.closed
	case subject == j.config.Subject:
		j.config.Holds = holds
		return nil
	}
	j.config.Subject, j.config.Holds = subject, holds
	if j.appender != nil {
		if err := j.appender.Close(); err != nil {
			j.closed = err
			return err
		}
		j.appender = nil
	}
	j.carried = true
	if err := j.begin(j.state.carry(holds)); err != nil {
		j.closed = err
		return err
	}
	return nil
}
