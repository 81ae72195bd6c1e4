package system

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// outlive is how long the pipes of a program that ended are read on. Whoever
// still holds them then has left the program's group of processes.
const outlive = 2 * time.Second

// A process is a program while it runs, at the head of a group of processes of
// its own: a Ctrl-C on the terminal reaches docket and not the program, and
// what the program started ends with it.
type process struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stdout  *os.File
	stderr  *tail
	exited  chan struct{} // closed once the program has ended
	drained chan struct{} // closed once stderr was read to its end

	mu   sync.Mutex
	gone bool // the group was ended; its number may be another's by now
}

// A launcher starts processes, all from one thread of the operating system that
// it keeps for as long as it is open.
//
// On Linux a child is killed when the thread that started it ends (Pdeathsig),
// which is how it dies with docket even where docket is killed with -9. Go may
// end a thread that some goroutine had locked, and any thread may have started
// a child; only one that no other goroutine can get is safe.
type launcher struct {
	orders chan func()
	closed chan struct{}
	once   sync.Once
}

func newLauncher() *launcher {
	l := &launcher{orders: make(chan func()), closed: make(chan struct{})}
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread() // or the thread would end here
		for {
			select {
			case order := <-l.orders:
				order()
			case <-l.closed:
				return
			}
		}
	}()
	return l
}

func (l *launcher) close() { l.once.Do(func() { close(l.closed) }) }

var errClosed = errors.New("the system was closed before it answered")

// start starts a program in a folder.
func (l *launcher) start(command []string, dir string, env []string) (*process, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, env
	cmd.SysProcAttr = attributes()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	// The pipes are docket's own, so that waiting for the program is not
	// waiting for whoever inherited them.
	stdout, stdoutEnd, err := os.Pipe()
	if err != nil {
		stdin.Close()
		return nil, err
	}
	stderr, stderrEnd, err := os.Pipe()
	if err != nil {
		stdin.Close()
		stdout.Close()
		stdoutEnd.Close()
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = stdoutEnd, stderrEnd
	started := make(chan error, 1)
	select {
	case l.orders <- func() { started <- cmd.Start() }:
		err = <-started
	case <-l.closed:
		err = errClosed
	}
	stdoutEnd.Close()
	stderrEnd.Close()
	if err != nil {
		stdin.Close()
		stdout.Close()
		stderr.Close()
		return nil, err
	}
	p := &process{
		cmd: cmd, stdin: stdin, stdout: stdout, stderr: &tail{},
		exited: make(chan struct{}), drained: make(chan struct{}),
	}
	go func() {
		io.Copy(p.stderr, stderr)
		stderr.Close()
		close(p.drained)
	}()
	go func() {
		cmd.Wait() // the outcome is in cmd.ProcessState
		p.settle()
		time.AfterFunc(outlive, func() {
			stdout.Close()
			stderr.Close()
		})
	}()
	return p, nil
}

// end ends the program and what it started. It may be called at any time.
func (p *process) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		endGroup(p.cmd.Process)
	}
}

// settle ends what a program that has ended left behind. It is the last that is
// done to the group: its number may soon be another's.
func (p *process) settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	endGroup(p.cmd.Process)
	p.gone = true
	close(p.exited)
}

// readAll reads what the program prints until it closes its stdout, and
// reports whether that was within most bytes. Once ctx is done it ends the
// program.
func (p *process) readAll(ctx context.Context, most int64) (printed []byte, whole bool) {
	defer p.stdout.Close()
	defer context.AfterFunc(ctx, p.end)()
	printed, _ = io.ReadAll(io.LimitReader(p.stdout, most+1)) // what was read counts
	return printed, int64(len(printed)) <= most
}

// wait waits until the program has ended, or ctx is done, and reports whether
// it has ended.
func (p *process) wait(ctx context.Context) bool {
	select {
	case <-p.exited:
		return true
	default:
	}
	select {
	case <-p.exited:
		return true
	case <-ctx.Done():
		return false
	}
}

// failed says how a program that has ended failed: "exit status 3", say; "" for
// one that did not fail, or has not ended.
func (p *process) failed() string {
	select {
	case <-p.exited:
		if !p.cmd.ProcessState.Success() {
			return p.cmd.ProcessState.String()
		}
	default:
	}
	return ""
}

// lastWords returns the end of what a program that was ended wrote to stderr.
func (p *process) lastWords() string {
	timer := time.NewTimer(outlive)
	defer timer.Stop()
	select {
	case <-p.drained:
	case <-timer.C:
	}
	return p.stderr.last()
}
