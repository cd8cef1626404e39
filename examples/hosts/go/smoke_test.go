package agenthost

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func host(t *testing.T) Host {
	bin := os.Getenv("AGENT_HOST_BIN")
	if bin == "" {
		t.Skip("SKIPPED: AGENT_HOST_BIN names no program")
	}
	dir := t.TempDir()
	return Host{Bin: bin, Env: append(os.Environ(), "XDG_STATE_HOME="+dir), Dir: dir, KillGrace: 5 * time.Second}
}

func turn(t *testing.T, h Host, prompt string, more ...string) Result {
	t.Helper()
	file := filepath.Join(h.Dir, "prompt")
	if err := os.WriteFile(file, []byte(prompt), 0o600); err != nil {
		t.Fatal(err)
	}
	result, err := h.Turn(context.Background(), append([]string{"--runtime", "demo", "--prompt-file", file}, more...), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if result.Dropped > 0 {
		t.Fatalf("%d of %d lines could not be decoded", result.Dropped, result.Lines)
	}
	return result
}

func TestHandshake(t *testing.T) {
	if _, err := host(t).Check(); err != nil {
		t.Fatal(err)
	}
}

func TestExec(t *testing.T) {
	result := turn(t, host(t), "hello", "--tools", "none", "--timeout", "60s", "--budget-usd", "1e+00")
	if result.ExitCode != 0 || result.Text == "" || result.SessionID == "" || result.OutputTokens == 0 {
		t.Fatalf("%+v", result)
	}
	if ClassOf(result.NativeSandbox) != ChatOnly {
		t.Fatalf("native_sandbox %q is not chat-only", result.NativeSandbox)
	}
}

func TestTools(t *testing.T) {
	h := host(t)
	called := ""
	tools := map[string]Tool{"create_nodes": {Name: "create_nodes", Description: "makes nodes", Run: func(args json.RawMessage) (string, error) {
		called = string(args)
		return "created 2 nodes", nil
	}}}
	declared, _ := json.Marshal([]Tool{tools["create_nodes"]})
	file := filepath.Join(h.Dir, "tools.json")
	if err := os.WriteFile(file, declared, 0o600); err != nil {
		t.Fatal(err)
	}
	result, err := h.Turn(context.Background(), []string{"--runtime", "demo", "--prompt", `tool create_nodes {"count":2}`, "--tools", "stdio", "--tools-file", file}, tools, nil)
	if err != nil || result.ExitCode != 0 || !strings.Contains(called, `"count":2`) || !strings.Contains(result.Text, "created 2 nodes") {
		t.Fatalf("%+v %v %q", result, err, called)
	}
}

func TestCancel(t *testing.T) {
	h := host(t)
	ctx, cancel := context.WithCancel(context.Background())
	result, err := h.Turn(ctx, []string{"--runtime", "demo", "--prompt", "hang"}, nil, func(event Event) {
		if event.Type == "assistant" {
			cancel()
		}
	})
	cancel()
	if err != nil || result.ExitCode != 130 || result.Code != "cancelled" {
		t.Fatalf("%+v %v", result, err)
	}
}

func TestScan(t *testing.T) {
	var scan struct{ Agents []Agent }
	if err := host(t).JSON(&scan, "agent", "scan", "--json", "--all"); err != nil {
		t.Fatal(err)
	}
	found := map[string]Agent{}
	for _, agent := range scan.Agents {
		found[agent.ID] = agent
	}
	for _, id := range []string{"claude", "codex", "kimicode", "pi-rpc", "qwen-rpc"} {
		if _, ok := found[id]; !ok {
			t.Errorf("no entry for %s", id)
		}
	}
	if class := found["claude"].Class("workspace-write"); class != ChatOnly {
		t.Errorf("claude is of class %d", class)
	}
	if class := found["codex"].Class("workspace-write"); class != Sandboxed {
		t.Errorf("codex is of class %d", class)
	}
	if class := found["copilot"].Class("workspace-write"); class != Unconfined {
		t.Errorf("copilot is of class %d", class)
	}
}

func TestDoctorAndModels(t *testing.T) {
	h := host(t)
	var doctor struct {
		V       int
		Results []struct{ Component, Name, Status string }
	}
	if err := h.JSON(&doctor, "doctor", "--json", "-c", "claude"); err != nil || doctor.V != 1 || len(doctor.Results) == 0 {
		t.Fatalf("%+v %v", doctor, err)
	}
	var models struct {
		V         int
		Supported bool
	}
	if err := h.JSON(&models, "agent", "models", "--runtime", "demo", "--json"); err != nil || models.V != 1 {
		t.Fatalf("%+v %v", models, err)
	}
	var tested struct{ Status, Runtime string }
	if err := h.JSON(&tested, "agent", "test", "demo", "--json", "--timeout", "60s"); err != nil || tested.Status == "" {
		t.Fatalf("%+v %v", tested, err)
	}
}

func TestOrg(t *testing.T) {
	h := host(t)
	began := time.Now()
	turn(t, h, "first", "--org", "sec", "--role", "lead")
	var list struct {
		V     int
		Items []struct{ Name, Status string }
	}
	if err := h.JSON(&list, "org", "list", "--format", "json"); err != nil || len(list.Items) != 1 || list.Items[0].Status != "stopped" {
		t.Fatalf("%+v %v", list, err)
	}
	var status struct {
		V        int
		Run      string
		ClosedBy string `json:"closed_by"`
	}
	if err := h.JSON(&status, "org", "status", "sec", "--format", "json"); err != nil || status.ClosedBy != "org-complete" {
		t.Fatalf("%+v %v", status, err)
	}
	if err := h.JSON(&status, "org", "status", "nope", "--format", "json"); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Fatalf("an unknown org: %v", err)
	}
	// It begins with what was before it, and goes on with the next run.
	seen := map[string]int{}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	stops := 0
	events := make(chan OrgEvent, 1000)
	go h.Follow(ctx, "sec", began, 10*time.Millisecond, func(event OrgEvent) { events <- event })
	turn(t, h, "second", "--org", "sec", "--role", "lead")
	for stops < 2 {
		select {
		case event := <-events:
			seen[event.ID]++
			if event.From == "" && event.Data["closedBy"] != nil {
				stops++
			}
		case <-ctx.Done():
			t.Fatalf("%d events and no second end", len(seen))
		}
	}
	for id, times := range seen {
		if times != 1 {
			t.Errorf("%s came %d times", id, times)
		}
	}
}
