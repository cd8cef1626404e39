package turnout

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// The turnout under test, with a HOME of its own.
func demo(t *testing.T) *Client {
	path := os.Getenv("TURNOUT")
	if path == "" {
		path = absolute(t, "bin", "turnout.js")
	}
	home := t.TempDir()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_STATE_HOME=" + home, "TMPDIR=" + home, "TURNOUT_CONFINE=none"}
	return must(New(context.Background(), Options{Path: path, Env: env}))(t)
}

type sum struct {
	A int `json:"a" doc:"the first number"`
	B int `json:"b,omitempty"`
}

var add = NewTool("add", "Adds two numbers.", func(_ context.Context, in sum) (any, error) { return in.A + in.B, nil })

func output(t *testing.T, client *Client, turn Turn) string {
	t.Helper()
	turn.Runtime = "demo"
	return must(client.Exec(context.Background(), turn))(t).Output
}

func contains(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%q lacks %q", text, part)
	}
}

func TestTurnsWithToolsPermissionsAndOptions(t *testing.T) {
	client := demo(t)
	contains(t, output(t, client, Turn{Prompt: `tool add {"a":2,"b":3}`, Tools: []Tool{add}}), "5")
	contains(t, output(t, client, Turn{Prompt: "system", System: "be kind"}), "be kind")
	contains(t, output(t, client, Turn{Prompt: "env B", Env: map[string]string{"A": "1", "B": "1\n2"}}), "1\n2")
	if got := output(t, client, Turn{Prompt: "say " + strings.Repeat("x", 300_000)}); len(got) != 300_000 {
		t.Error(len(got))
	}
	breaks := NewTool("breaks", "Fails.", func(context.Context, struct{}) (any, error) { return nil, errors.New("no such record") })
	contains(t, output(t, client, Turn{Prompt: "tool breaks {}", Tools: []Tool{breaks}}), "no such record")
	allow := func(context.Context, *PermissionRequest) Decision { return Decision{Choice: AllowOnce} }
	contains(t, output(t, client, Turn{Prompt: "ask", OnPermission: allow}), "allow_once")
	deny := func(context.Context, *PermissionRequest) Decision { return Decision{Deny, "not today"} }
	contains(t, output(t, client, Turn{Prompt: "ask", OnPermission: deny}), "not today")
	schema := json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`)
	result := must(client.Exec(context.Background(), Turn{Runtime: "demo", Prompt: `json {"a":2}`, OutputSchema: schema}))(t)
	if string(result.Structured) != `{"a":2}` || result.Usage.InputTokens == nil {
		t.Errorf("%+v", result)
	}
	if again := must(client.Exec(context.Background(), Turn{Runtime: "demo", Prompt: "say hi", Resume: result.SessionID}))(t); again.SessionID != result.SessionID {
		t.Error(again.SessionID)
	}
}

func TestFailuresAreTypedErrors(t *testing.T) {
	client := demo(t)
	var failed *TurnError
	if _, err := client.Exec(context.Background(), Turn{Runtime: "demo", Prompt: "auth"}); !errors.As(err, &failed) || failed.Code != "auth" {
		t.Error(err)
	}
	_, err := client.Exec(context.Background(), Turn{Runtime: "demo", Prompt: "hang", Timeout: 500 * time.Millisecond})
	if !errors.As(err, &failed) || failed.Code != "timeout" || failed.Reason != "deadline" || failed.Result.ExitCode != 124 {
		t.Error(err)
	}
	var usage *UsageError
	for _, turn := range []Turn{{Prompt: "x"}, {Runtime: "demo"}, {Runtime: "demo", Prompt: "x", Access: "all"}, {Runtime: "demo", Prompt: "x", Cwd: "/no/such"}} {
		if _, err := client.Exec(context.Background(), turn); !errors.As(err, &usage) || usage.Path == "" {
			t.Errorf("%+v: %v", turn, err)
		}
	}
}

func TestTheEndOfTheContextAndLeavingTheLoopEndTheTurn(t *testing.T) {
	client := demo(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	last := &Done{}
	for event, err := range client.Stream(ctx, Turn{Runtime: "demo", Prompt: "hang hard"}) {
		if err != nil {
			t.Fatal(err)
		}
		switch e := event.(type) {
		case *Assistant:
			cancel()
		case *Done:
			last = e
		}
	}
	if last.ExitCode != 130 {
		t.Errorf("%+v", last)
	}
	running := must(client.Start(context.Background(), Turn{Runtime: "demo", Prompt: "hang"}))(t)
	for range running.Events() {
		break
	}
	var failed *TurnError
	if _, err := running.Result(); !errors.As(err, &failed) || failed.Code != "cancelled" {
		t.Error(err)
	}
	if running.command.ProcessState == nil {
		t.Error("the process is still there")
	}
}

func TestAToolSeesThatItsAnswerIsNoLongerNeeded(t *testing.T) {
	seen := make(chan struct{})
	waits := NewTool("waits", "Waits.", func(ctx context.Context, _ struct{}) (any, error) {
		<-ctx.Done()
		close(seen)
		return nil, ctx.Err()
	})
	running := must(demo(t).Start(context.Background(), Turn{Runtime: "demo", Prompt: "tool waits {}", Tools: []Tool{waits}}))(t)
	for event, err := range running.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := event.(*ToolCall); ok {
			running.Cancel()
		}
	}
	select {
	case <-seen:
	case <-time.After(20 * time.Second):
		t.Error("the tool still waits")
	}
}

func TestGuidanceReachesTheAgent(t *testing.T) {
	var steered sync.WaitGroup
	steered.Add(1)
	wait := NewTool("wait", "Waits.", func(context.Context, struct{}) (any, error) { steered.Wait(); return "waited", nil })
	running := must(demo(t).Start(context.Background(), Turn{Runtime: "demo", Prompt: "tool wait {} then say The end.", Tools: []Tool{wait}}))(t)
	delivered := ""
	for event, err := range running.Events() {
		if err != nil {
			t.Fatal(err)
		}
		switch e := event.(type) {
		case *ToolCall:
			running.Steer("be brief")
			steered.Done()
		case *Status:
			if e.Steer != nil {
				delivered = e.Steer.ID
			}
		}
	}
	if delivered != "s1" {
		t.Errorf("steer %q", delivered)
	}
}

func TestListings(t *testing.T) {
	client := demo(t)
	result := must(client.Exec(context.Background(), Turn{Runtime: "demo", Prompt: "say hi"}))(t)
	ids := map[string]bool{}
	for _, one := range must(client.Scan(context.Background(), ScanOptions{All: true}))(t) {
		ids[one.ID] = true
	}
	for _, one := range must(client.Models(context.Background(), "demo"))(t) {
		ids[one.ID] = true
	}
	for _, one := range must(client.Sessions(context.Background(), "demo", "."))(t) {
		ids[one.ID] = true
	}
	for _, id := range []string{"demo", "claude", "demo-1", result.SessionID} {
		if !ids[id] {
			t.Errorf("%s is not listed", id)
		}
	}
	var refused *Error
	if _, err := client.Models(context.Background(), "no-such"); !errors.As(err, &refused) || refused.Code != "unknown-runtime" {
		t.Error(err)
	}
}

func TestStructsBecomeSchemas(t *testing.T) {
	want := `{"additionalProperties":false,"properties":{"a":{"description":"the first number","type":"integer"},"b":{"type":"integer"}},"required":["a"],"type":"object"}`
	if string(add.Schema) != want {
		t.Error(string(add.Schema))
	}
	defer func() {
		if recover() == nil {
			t.Error("a channel got a schema")
		}
	}()
	NewTool("x", "", func(context.Context, struct{ C chan int }) (any, error) { return nil, nil })
}
