// Package agenthost is a host of the Agent Exec Protocol v1, as small as one can be: it finds the program, checks its
// handshake, and runs turns of local agents. It knows no agent program by itself.
package agenthost

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

const minVersion = "2.10.0"

var required = []string{"agent-exec", "agent-scan", "org-json-v1"}

// maxLine is the longest line that is read; a longer one ends the stream.
const maxLine = 4 << 20

// Host calls one program that speaks the protocol.
type Host struct {
	Bin string
	Env []string
	Dir string
	// KillGrace is what a cancelled turn has until its process is killed.
	KillGrace time.Duration
}

// Handshake is what `--version --json` prints.
type Handshake struct {
	V            int      `json:"v"`
	Version      string   `json:"version"`
	Capabilities []string `json:"capabilities"`
}

func (h Host) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, h.Bin, args...)
	cmd.Env, cmd.Dir = h.Env, h.Dir
	return cmd
}

// JSON calls the program and decodes the one document on its stdout. The reason of a failure is its stderr.
func (h Host) JSON(into any, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := h.command(ctx, args...).Output()
	// A report of what is wrong, such as the doctor's, is an answer too.
	if err != nil && len(out) == 0 {
		var failed *exec.ExitError
		if errors.As(err, &failed) && len(failed.Stderr) > 0 {
			return fmt.Errorf("%s: %s", strings.Join(args, " "), strings.TrimSpace(string(failed.Stderr)))
		}
		return err
	}
	return json.Unmarshal(out, into)
}

// Check shakes hands, and says why the program can't be used.
func (h Host) Check() (Handshake, error) {
	var shaken Handshake
	if err := h.JSON(&shaken, "--version", "--json"); err != nil {
		return shaken, fmt.Errorf("handshake: %w", err)
	}
	if shaken.V != 1 {
		return shaken, fmt.Errorf("protocol %d is not 1", shaken.V)
	}
	if older(shaken.Version, minVersion) {
		return shaken, fmt.Errorf("%s is too old (need >= %s)", shaken.Version, minVersion)
	}
	for _, name := range required {
		if !has(shaken.Capabilities, name) {
			return shaken, fmt.Errorf("%s lacks capability %q", shaken.Version, name)
		}
	}
	return shaken, nil
}

func older(version, than string) bool {
	parse := func(text string) (core [3]int) {
		text = strings.TrimPrefix(strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == '+' })[0], "v")
		for i, part := range strings.SplitN(text, ".", 3) {
			core[i], _ = strconv.Atoi(part)
		}
		return core
	}
	a, b := parse(version+"-"), parse(than)
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func has(all []string, one string) bool {
	for _, name := range all {
		if name == one {
			return true
		}
	}
	return false
}

// Event is any event; unknown types and fields are ignored.
type Event struct {
	Type                 string          `json:"type"`
	ID                   string          `json:"id"`
	Name                 string          `json:"name"`
	Text                 string          `json:"text"`
	Args                 json.RawMessage `json:"args"`
	SessionID            string          `json:"session_id"`
	Access               string          `json:"access"`
	NativeSandbox        string          `json:"native_sandbox"`
	StreamsIncrementally bool            `json:"streams_incrementally"`
	InputTokens          *int            `json:"input_tokens"`
	OutputTokens         *int            `json:"output_tokens"`
	CostUSD              *float64        `json:"cost_usd"`
	IsError              bool            `json:"is_error"`
	Code                 string          `json:"code"`
	Message              string          `json:"message"`
	Fatal                bool            `json:"fatal"`
	ExitCode             int             `json:"exit_code"`
}

// Tool is a tool of the host's.
type Tool struct {
	Name        string                                     `json:"name"`
	Description string                                     `json:"description"`
	Schema      json.RawMessage                            `json:"schema,omitempty"`
	Run         func(args json.RawMessage) (string, error) `json:"-"`
}

// Result is how a turn ended.
type Result struct {
	Text                      string
	SessionID                 string
	NativeSandbox             string
	InputTokens, OutputTokens int
	CostUSD                   *float64
	ExitCode                  int
	Code                      string
	Lines, Dropped            int
}

// Turn runs one turn. Cancelling the context asks the program to end it; it is killed when it does not.
func (h Host) Turn(ctx context.Context, args []string, tools map[string]Tool, on func(Event)) (Result, error) {
	var result Result
	cmd := h.command(context.Background(), append([]string{"agent", "exec"}, args...)...)
	ownGroup(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return result, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return result, err
	}
	if err := cmd.Start(); err != nil {
		return result, err
	}
	frames := &frameWriter{to: stdin}
	over := make(chan struct{})
	go func() {
		select {
		case <-over:
			return
		case <-ctx.Done():
		}
		frames.send(map[string]any{"v": 1, "type": "cancel"})
		stdin.Close()
		select {
		case <-over:
		case <-time.After(h.KillGrace):
			killGroup(cmd)
		}
	}()
	lastText, deltas, streams, finished := "", "", false, false
	lines := bufio.NewScanner(stdout)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for lines.Scan() {
		line := lines.Bytes()
		if len(line) == 0 || line[0] != '{' {
			continue
		}
		result.Lines++
		var event Event
		if json.Unmarshal(line, &event) != nil {
			result.Dropped++
			continue
		}
		if on != nil {
			on(event)
		}
		switch event.Type {
		case "start":
			streams, result.NativeSandbox = event.StreamsIncrementally, event.NativeSandbox
		case "session":
			result.SessionID = event.SessionID
		case "assistant":
			lastText = event.Text
			deltas += event.Text
		case "tool_call":
			deltas = ""
			go answer(frames, event, tools)
		case "usage":
			// This host takes a report for the sum so far; `result` is the last word.
			snapshot(&result, event)
		case "result":
			snapshot(&result, event)
			result.Text = event.Text
		case "error":
			if event.Fatal || result.Code == "" {
				result.Code = event.Code
			}
		case "done":
			result.ExitCode, finished = event.ExitCode, true
		}
	}
	if err := lines.Err(); err != nil && !errors.Is(err, io.EOF) {
		killGroup(cmd)
	}
	waited := cmd.Wait()
	close(over)
	if result.Text == "" {
		if result.Text = lastText; streams {
			result.Text = deltas
		}
	}
	if !finished {
		return result, fmt.Errorf("interrupted: %v", waited)
	}
	return result, nil
}

func snapshot(result *Result, event Event) {
	if event.InputTokens != nil {
		result.InputTokens = *event.InputTokens
	}
	if event.OutputTokens != nil {
		result.OutputTokens = *event.OutputTokens
	}
	result.CostUSD = event.CostUSD
}

type frameWriter struct {
	mutex sync.Mutex
	to    io.Writer
}

func (w *frameWriter) send(frame map[string]any) {
	line, err := json.Marshal(frame)
	if err != nil {
		return
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	// A turn that has ended reads no more.
	_, _ = w.to.Write(append(line, '\n'))
}

func answer(frames *frameWriter, call Event, tools map[string]Tool) {
	text, ok := "no such tool", false
	if tool, known := tools[call.Name]; known {
		said, err := tool.Run(call.Args)
		text, ok = said, err == nil
		if err != nil {
			text = err.Error()
		}
	}
	frames.send(map[string]any{"v": 1, "type": "tool_result", "id": call.ID, "ok": ok, "result": map[string]string{"text": text}})
}
