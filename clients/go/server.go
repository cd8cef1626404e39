package turnout

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"strings"
	"time"
)

// again are the waits before a follower that lost its connection tries once more.
var again = []time.Duration{200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second}

// ErrCutOff is an answer of the server without its last line.
var ErrCutOff = errors.New("turnout: the answer ended before its last line")

// Server is a running `turnout agent serve --transport http`. docs/server.md lists the ops and their keys.
type Server struct {
	// URL such as http://127.0.0.1:9090.
	URL, Token string
	// HTTP is http.DefaultClient when nil. A Timeout of it would end streams, too.
	HTTP *http.Client
}

// Keys are the keys of a request.
type Keys map[string]any

type line struct {
	Kind, Code, Message string
	Seq, To             int64
	Event               json.RawMessage
	RunID               string `json:"run_id"`
	SessionID           string `json:"session_id"`
}

func (s *Server) post(ctx context.Context, op string, keys Keys) (io.ReadCloser, error) {
	request := Keys{"op": op}
	maps.Copy(request, keys)
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	call, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(s.URL, "/")+"/v1/agent", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	call.Header.Set("Content-Type", "application/json")
	if s.Token != "" {
		call.Header.Set("Authorization", "Bearer "+s.Token)
	}
	client := s.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	response, err := client.Do(call)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusOK {
		return response.Body, nil
	}
	defer response.Body.Close()
	refused := &ServerError{Code: "http", Message: response.Status, Status: response.StatusCode}
	var said line
	if text, err := io.ReadAll(io.LimitReader(response.Body, 65536)); err == nil && json.Unmarshal(text, &said) == nil && said.Message != "" {
		refused.Message = said.Message
	}
	return nil, refused
}

// read calls hear for each line of an answer until its last, or until hear returns false.
func read(body io.Reader, hear func(said line, raw []byte) bool) error {
	lines := bufio.NewReaderSize(body, 64*1024)
	for {
		raw, err := lines.ReadBytes('\n')
		var said line
		if json.Unmarshal(raw, &said) == nil {
			switch said.Kind {
			case "error":
				return &ServerError{Code: said.Code, Message: said.Message, Status: http.StatusOK}
			case "done":
				return nil
			}
			if !hear(said, raw) {
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return ErrCutOff
		}
		if err != nil {
			return err
		}
	}
}

// Call makes a request that is not a stream; its result goes into a pointer, or nowhere when that is nil.
func (s *Server) Call(ctx context.Context, op string, keys Keys, into any) error {
	body, err := s.post(ctx, op, keys)
	if err != nil {
		return err
	}
	defer body.Close()
	var broken error
	err = read(body, func(said line, raw []byte) bool {
		if said.Kind == "result" && into != nil {
			broken = json.Unmarshal(raw, into)
		}
		return broken == nil
	})
	return errors.Join(broken, err)
}

// Run is a turn on the server.
type Run struct {
	ID, SessionID string
	// Seq is the number of the last event that was read: the cursor for Server.Events.
	Seq int64
	// Summary is the server's result, once the events have ended.
	Summary json.RawMessage
	server  *Server
	body    io.ReadCloser
	lines   *bufio.Reader
}

// Run begins a turn. Unless it is detached, it ends with its caller: read Events to the end.
func (s *Server) Run(ctx context.Context, runtime, prompt string, keys Keys) (*Run, error) {
	request := Keys{"runtime": runtime, "prompt": prompt}
	maps.Copy(request, keys)
	body, err := s.post(ctx, "exec", request)
	if err != nil {
		return nil, err
	}
	run := &Run{server: s, body: body, lines: bufio.NewReaderSize(body, 64*1024)}
	err = read(run.lines, func(said line, _ []byte) bool {
		run.ID, run.SessionID = said.RunID, said.SessionID
		return run.ID == ""
	})
	if err == nil && run.ID == "" {
		err = ErrCutOff
	}
	if err != nil {
		body.Close()
		return nil, err
	}
	return run, nil
}

// Events yields the run's events once. Leaving the loop hangs up.
func (r *Run) Events() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		defer r.body.Close()
		open := true
		err := read(r.lines, func(said line, raw []byte) bool {
			switch said.Kind {
			case "event":
				r.Seq = said.Seq
				open = yield(readEvent(said.Event), nil)
			case "result":
				r.Summary = raw
			}
			return open
		})
		if open && err != nil {
			yield(nil, err)
		}
	}
}

// ToolResult answers a ToolCall.
func (r *Run) ToolResult(ctx context.Context, callID string, ok bool, result any) error {
	return r.server.Call(ctx, "tool_result", Keys{"run_id": r.ID, "call_id": callID, "ok": ok, "result": result}, nil)
}

// Approve answers a PermissionRequest.
func (r *Run) Approve(ctx context.Context, requestID string, decision Decision) error {
	keys := Keys{"run_id": r.ID, "request_id": requestID, "choice": decision.Choice}
	if decision.Message != "" {
		keys["message"] = decision.Message
	}
	return r.server.Call(ctx, "approve", keys, nil)
}

// Answer answers a Question.
func (r *Run) Answer(ctx context.Context, questionID string, answers Answers) error {
	return r.server.Call(ctx, "answer", Keys{"run_id": r.ID, "question_id": questionID, "answers": answers}, nil)
}

// Steer gives guidance to the running agent.
func (r *Run) Steer(ctx context.Context, text string) error {
	return r.server.Call(ctx, "steer", Keys{"run_id": r.ID, "text": text}, nil)
}

// Cancel ends the run; go on reading until its last event.
func (r *Run) Cancel(ctx context.Context) error {
	return r.server.Call(ctx, "cancel", Keys{"run_id": r.ID}, nil)
}

// Numbered is an event with its number in the run.
type Numbered struct {
	Seq   int64
	Event Event
}

// Events follows a run after the event with that number until it ends, through lost connections.
func (s *Server) Events(ctx context.Context, runID string, since int64) iter.Seq2[Numbered, error] {
	return func(yield func(Numbered, error) bool) {
		open := true
		for failed := 0; open; failed++ {
			body, err := s.post(ctx, "events", Keys{"run_id": runID, "since": since, "follow": true})
			if err == nil {
				err = read(body, func(said line, _ []byte) bool {
					switch said.Kind {
					case "gap":
						since = said.To
					case "event":
						since, failed = said.Seq, 0
						open = yield(Numbered{said.Seq, readEvent(said.Event)}, nil)
					}
					return open
				})
				body.Close()
			}
			var refused *ServerError
			if err == nil || !open {
				return
			}
			if errors.As(err, &refused) || ctx.Err() != nil || failed >= len(again) {
				yield(Numbered{}, fmt.Errorf("following %s: %w", runID, err))
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(again[failed]):
			}
		}
	}
}
