package agenthost

import (
	"bufio"
	"context"
	"encoding/json"
	"time"
)

// OrgEvent is one line of an org's log.
type OrgEvent struct {
	ID   string         `json:"id"`
	TS   int64          `json:"ts"`
	Org  string         `json:"org"`
	Run  string         `json:"run"`
	Type string         `json:"type"`
	From string         `json:"from"`
	Msg  string         `json:"msg"`
	Data map[string]any `json:"data"`
}

// Follow gives every event of an org from a time on, across ends of the stream, until the context is cancelled. The first
// cursor is the time with nanoseconds, later ones are ids.
func (h Host) Follow(ctx context.Context, org string, from time.Time, retry time.Duration, on func(OrgEvent)) {
	cursor := from.UTC().Format(time.RFC3339Nano)
	for ctx.Err() == nil {
		cursor = h.stream(ctx, org, cursor, on)
		select {
		case <-ctx.Done():
		case <-time.After(retry):
		}
	}
}

func (h Host) stream(ctx context.Context, org, cursor string, on func(OrgEvent)) string {
	cmd := h.command(ctx, "org", "events", org, "--follow", "--ndjson", "--since", cursor)
	stdout, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return cursor
	}
	lines := bufio.NewScanner(stdout)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for lines.Scan() {
		var event OrgEvent
		if json.Unmarshal(lines.Bytes(), &event) != nil || event.ID == "" {
			continue
		}
		cursor = event.ID
		on(event)
	}
	_ = cmd.Wait()
	return cursor
}
