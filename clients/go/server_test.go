package turnout

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

const token = "a-token-of-the-tests"

func served(t *testing.T) *Server {
	client := demo(t)
	args := append(client.argv[1:len(client.argv):len(client.argv)], "agent", "serve", "--transport", "http", "--port", "0", "--store", "memory")
	command := exec.Command(client.argv[0], args...)
	command.Env = append(client.env, "TURNOUT_TOKEN="+token)
	stderr := must(command.StderrPipe())(t)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		_ = command.Wait()
	})
	address := regexp.MustCompile(`http://[\d.]+:\d+`)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if url := address.FindString(lines.Text()); url != "" {
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return &Server{URL: url, Token: token}
		}
	}
	t.Fatal("the server did not start")
	return nil
}

func TestRunsOfAServer(t *testing.T) {
	ctx, server := context.Background(), served(t)
	run := must(server.Run(ctx, "demo", "say hi", nil))(t)
	count := int64(0)
	for _, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		count++
	}
	var summary struct{ Text string }
	if err := json.Unmarshal(run.Summary, &summary); err != nil || summary.Text != "hi" || run.Seq != count {
		t.Error(err, summary, run.Seq, count)
	}
	next := int64(3)
	for one, err := range server.Events(ctx, run.ID, 2) {
		if err != nil || one.Seq != next {
			t.Fatal(one, err)
		}
		next++
	}
	if next != count+1 {
		t.Errorf("events end at %d of %d", next-1, count)
	}
	tools := []map[string]any{{"name": "add", "description": "Adds."}}
	text := answered(t, must(server.Run(ctx, "demo", `tool add {"a":2}`, Keys{"tools": tools}))(t), false)
	contains(t, text, "five")
	contains(t, answered(t, must(server.Run(ctx, "demo", "ask", Keys{"approvals": "ask"}))(t), false), "allow_once")
	contains(t, answered(t, must(server.Run(ctx, "demo", "hang", nil))(t), true), `"status":"cancelled"`)
	var refused *ServerError
	if err := server.Call(ctx, "dance", nil, nil); !errors.As(err, &refused) || refused.Status != 200 {
		t.Error(err)
	}
	if _, err := server.Run(ctx, "demo", "hello", Keys{"access": "everything"}); !errors.As(err, &refused) {
		t.Error(err)
	}
	other := &Server{URL: server.URL, Token: "another"}
	if err := other.Call(ctx, "ping", nil, nil); !errors.As(err, &refused) || refused.Status != 401 {
		t.Error(err)
	}
}

// answered reads a run to its end and answers what it asks.
func answered(t *testing.T, run *Run, cancels bool) string {
	ctx := context.Background()
	for event, err := range run.Events() {
		switch e := event.(type) {
		case *ToolCall:
			err = run.ToolResult(ctx, e.ID, true, "five")
		case *PermissionRequest:
			err = run.Approve(ctx, e.ID, Decision{Choice: AllowOnce})
		case *Assistant:
			if cancels {
				err = run.Cancel(ctx)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return string(run.Summary)
}

func TestAFollowerGoesOnAfterALostConnection(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		asked = append(asked, string(body))
		if len(asked) == 1 {
			fmt.Fprint(w, `{"kind":"event","seq":1,"event":{"v":1,"type":"plan"}}`+"\n"+`{"kind":"event","seq":2,"event":{"v":1,"type":"plan"}}`+"\n")
			return
		}
		fmt.Fprint(w, `{"kind":"event","seq":3,"event":{"v":1,"type":"plan"}}`+"\n"+`{"kind":"done"}`+"\n")
	}))
	defer server.Close()
	var seen []int64
	for one, err := range (&Server{URL: server.URL}).Events(context.Background(), "run_1", 0) {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, one.Seq)
	}
	if fmt.Sprint(seen) != "[1 2 3]" || !strings.Contains(asked[1], `"since":2`) {
		t.Error(seen, asked)
	}
}
