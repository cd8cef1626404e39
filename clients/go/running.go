package turnout

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os/exec"
	"sync"
	"time"
)

// It promises to be gone 4 s after a cancel.
const (
	termAfter  = 5 * time.Second
	killAfter  = 1500 * time.Millisecond
	stderrKept = 64 * 1024
)

// Running is a turn under way. Read it to its end with Events or Result, or the agent is held back and stays.
type Running struct {
	turn      Turn
	files     *prepared
	command   *exec.Cmd
	lines     *bufio.Reader
	stdin     io.WriteCloser
	stderr    tail
	frames    chan any
	collected collector
	gone      chan struct{}
	cancelled sync.Once
	stop      func() bool

	mutex   sync.Mutex
	calls   map[string]context.CancelFunc
	steered int
	begun   bool
	over    bool
	broken  []Event
	err     error
}

// tail keeps the end of what was written.
type tail struct {
	mutex sync.Mutex
	bytes []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.bytes = append(t.bytes, p...)
	if len(t.bytes) > stderrKept {
		t.bytes = t.bytes[len(t.bytes)-stderrKept:]
	}
	return len(p), nil
}

// Start begins a turn. It ends when it is over, or as cancelled when ctx is done.
func (c *Client) Start(ctx context.Context, turn Turn) (*Running, error) {
	files, err := prepare(turn)
	if err != nil {
		return nil, err
	}
	args := append(append(c.argv[1:len(c.argv):len(c.argv)], "agent", "exec"), files.argv...)
	r := &Running{
		turn: turn, files: files, command: exec.Command(c.argv[0], args...),
		frames: make(chan any, 64), gone: make(chan struct{}), calls: map[string]context.CancelFunc{},
	}
	r.command.Env = c.env
	ownGroup(r.command)
	r.command.Stderr = &r.stderr
	stdout, err := r.command.StdoutPipe()
	if err == nil {
		r.stdin, err = r.command.StdinPipe()
	}
	if err == nil {
		err = r.command.Start()
	}
	if err != nil {
		_ = files.remove()
		return nil, &Error{Code: "missing-binary", Message: fmt.Sprintf("%s can't be started: %v", c.Path, err), Hint: install, Cause: err}
	}
	r.lines = bufio.NewReaderSize(stdout, 64*1024)
	go r.write()
	r.send(map[string]any{"v": 1, "type": "prompt", "text": turn.Prompt})
	r.stop = context.AfterFunc(ctx, r.Cancel)
	return r, nil
}

// Stream begins a turn and yields its events. Leaving the loop, or the end of ctx, cancels it and waits until nothing of
// it runs. An error is yielded last: a *UsageError or *Error of a turn that never began.
func (c *Client) Stream(ctx context.Context, turn Turn) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r, err := c.Start(ctx, turn)
		if err != nil {
			yield(nil, err)
			return
		}
		r.Events()(yield)
	}
}

// Exec runs a turn to its end. It returns a *TurnError when the turn fails.
func (c *Client) Exec(ctx context.Context, turn Turn) (*Result, error) {
	r, err := c.Start(ctx, turn)
	if err != nil {
		return nil, err
	}
	return r.Result()
}

// Events yields the events that were not read yet. Leaving the loop cancels the turn.
func (r *Running) Events() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			event, err := r.next()
			if event == nil && err == nil {
				return
			}
			if !yield(event, err) {
				r.Close()
				return
			}
		}
	}
}

// Result runs the turn to its end. It returns a *TurnError, with the Result in it, when the turn failed.
func (r *Running) Result() (*Result, error) {
	for {
		event, err := r.next()
		if err != nil {
			return nil, err
		}
		if event == nil {
			break
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	if err := r.collected.err(); err != nil {
		return nil, err
	}
	return r.collected.result(), nil
}

// Close cancels the turn if it is not over, and waits until nothing of it runs.
func (r *Running) Close() {
	if r.over {
		return
	}
	if r.collected.done == nil {
		r.Cancel()
	}
	for {
		if event, err := r.next(); event == nil || err != nil {
			return
		}
	}
}

// Cancel ends the turn: it asks, ends the process after 5 s and kills it after 1.5 more. Go on reading until Done. A
// second call waits no longer for the agent to go by itself.
func (r *Running) Cancel() {
	r.send(map[string]any{"v": 1, "type": "cancel"})
	r.cancelled.Do(func() {
		go func() {
			for _, step := range []struct {
				wait time.Duration
				end  func(*exec.Cmd)
			}{{termAfter, terminate}, {killAfter, kill}} {
				select {
				case <-r.gone:
					return
				case <-time.After(step.wait):
					step.end(r.command)
				}
			}
		}()
	})
}

// Steer gives guidance to the running agent. It returns an id: a Status with Steer says whether it was taken.
func (r *Running) Steer(text string) string {
	r.mutex.Lock()
	r.steered++
	id := fmt.Sprintf("s%d", r.steered)
	r.mutex.Unlock()
	r.send(map[string]any{"v": 1, "type": "steer", "id": id, "text": text})
	return id
}

func (r *Running) send(frame any) {
	select {
	case r.frames <- frame:
	case <-r.gone:
	}
}

// write carries frames in order; a prompt may be longer than a pipe holds.
func (r *Running) write() {
	// What can't be written any more is not needed any more: stdout tells the rest.
	defer r.stdin.Close()
	encoder := json.NewEncoder(r.stdin)
	for {
		select {
		case frame := <-r.frames:
			if encoder.Encode(frame) != nil {
				for {
					select {
					case <-r.frames:
					case <-r.gone:
						return
					}
				}
			}
		case <-r.gone:
			return
		}
	}
}

// next returns nil, nil after the last event.
func (r *Running) next() (Event, error) {
	for !r.over {
		if len(r.broken) > 0 {
			event := r.broken[0]
			r.broken = r.broken[1:]
			r.hear(event)
			return event, nil
		}
		if r.collected.done != nil {
			r.end()
			return nil, nil
		}
		line, err := r.lines.ReadBytes('\n')
		event := readEvent(line)
		if event != nil {
			if !r.begun {
				// Whatever it says first, it has read the files by then.
				r.begun = true
				_ = r.files.remove()
			}
			r.hear(event)
			return event, nil
		}
		if err != nil {
			if err := r.cutOff(); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// cutOff ends a stream that has no Done.
func (r *Running) cutOff() error {
	code := r.wait()
	r.stderr.mutex.Lock()
	stderr := r.stderr.bytes
	r.stderr.mutex.Unlock()
	message := fmt.Sprintf("turnout ended (exit code %d) before the turn was over\n%s", code, stderr)
	if r.begun {
		r.broken = []Event{&Failure{Code: "runner-error", Message: message}, &Done{ExitCode: 1, StopReason: "error"}}
		return nil
	}
	r.err = &Error{Code: "runner-error", Message: message}
	if usage := usageOf(stderr); usage != nil && code == 2 {
		r.err = usage
	}
	r.end()
	return r.err
}

func (r *Running) wait() int {
	err := r.command.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return -1
	}
	return r.command.ProcessState.ExitCode()
}

func (r *Running) end() {
	if r.over {
		return
	}
	r.over = true
	r.stop()
	if r.command.ProcessState == nil {
		r.wait()
	}
	close(r.gone)
	_ = r.files.remove()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, cancel := range r.calls {
		cancel()
	}
}
