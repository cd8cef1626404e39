package turnout

import (
	"encoding/json"
	"strings"
)

// Result is how a turn ended. Unknown numbers are nil, never 0.
type Result struct {
	ExitCode   int
	StopReason string
	// Output is the agent's last message, or the JSON text with OutputSchema; HasOutput is false when there was none.
	Output     string
	HasOutput  bool
	Structured json.RawMessage
	SessionID  string
	Usage      Totals
	DurationMs int64
	Patch      *Patch
}

type collector struct {
	done    *Done
	end     *TurnEnd
	failure *Failure
	patch   *Patch
	session string
	message string
	begun   bool
	pieces  []string
}

func (c *collector) hear(event Event) {
	switch e := event.(type) {
	case *Session:
		c.session = e.SessionID
	case *Assistant:
		switch {
		case e.ParentToolUseID != "" || e.Text == "":
		case c.begun && e.MessageID == c.message:
			c.pieces = append(c.pieces, e.Text)
		case !c.begun || e.Replaces != "" || strings.TrimSpace(e.Text) != "":
			c.begun, c.message, c.pieces = true, e.MessageID, []string{e.Text}
		}
	case *TurnEnd:
		c.end = e
	case *Patch:
		c.patch = e
	case *Failure:
		if e.Code != "bad-frame" {
			c.failure = e
		}
	case *Done:
		c.done = e
	}
}

func (c *collector) result() *Result {
	r := &Result{ExitCode: 1, StopReason: "error", SessionID: c.session, Patch: c.patch}
	if c.done != nil {
		r.ExitCode, r.StopReason, r.DurationMs = c.done.ExitCode, c.done.StopReason, c.done.DurationMs
		if c.done.Totals != nil {
			r.Usage = *c.done.Totals
		}
	}
	// Left out of `result` where it is long and came in pieces.
	r.Output, r.HasOutput = strings.Join(c.pieces, ""), c.begun
	if c.end != nil {
		r.Structured = c.end.Structured
		for _, text := range []*string{c.end.Text, c.end.Output} {
			if text != nil {
				r.Output, r.HasOutput = *text, true
			}
		}
	}
	return r
}

// err returns a *TurnError when the turn failed.
func (c *collector) err() error {
	result := c.result()
	if c.failure != nil {
		return &TurnError{Failure: *c.failure, Result: result}
	}
	if result.ExitCode == 0 {
		return nil
	}
	return &TurnError{Failure: Failure{Code: "runner-error", Message: "the turn ended with " + result.StopReason}, Result: result}
}
