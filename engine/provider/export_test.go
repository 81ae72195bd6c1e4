package provider

import "time"

// BePatient sets how long the door waits for a client. It is called before the
// first request.
func (d *Door) BePatient(body, write time.Duration) { d.patience = patience{body, write} }

// Lines counts the addresses that the door knows.
func (d *Door) Lines() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.lines)
}
