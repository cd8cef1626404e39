package turnout

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Choice answers a permission question.
type Choice string

const (
	AllowOnce    Choice = "allow_once"
	AllowSession Choice = "allow_session"
	Deny         Choice = "deny"
)

// Decision is a choice; the agent reads Message about a denial.
type Decision struct {
	Choice  Choice
	Message string
}

// Answers are given by the id of each question: a string or a list of strings. What is left out is declined.
type Answers map[string]any

// Turn is what to run. The fields are named as the flags of `turnout agent exec`; what is zero is not given.
type Turn struct {
	Runtime, Prompt, Model, Effort, System, Cwd, Resume string
	// Access is scoped (default), none, read, edit or full.
	Access, Confine, Isolate, Sandbox, SandboxFallback              string
	AllowRoot, Keep                                                 bool
	AllowBashPrefix, Settings, RequireMcp                           []string
	McpServers                                                      map[string]any
	MaxTurns, MaxToolCalls, BudgetTokens                            int
	BudgetUSD                                                       float64
	Timeout, IdleTimeout, StartupTimeout, ToolTimeout, WaitForQuota time.Duration
	OutputSchema                                                    json.RawMessage
	Images, Files                                                   []string
	Env                                                             map[string]string
	Record, Org, Role                                               string
	Tools                                                           []Tool
	OnPermission                                                    func(context.Context, *PermissionRequest) Decision
	OnQuestion                                                      func(context.Context, *Question) Answers
}

// prepared is the command line of a turn and its private files.
type prepared struct {
	argv   []string
	folder string
}

func (p *prepared) remove() error {
	folder := p.folder
	p.folder = ""
	if folder == "" {
		return nil
	}
	return os.RemoveAll(folder)
}

func (p *prepared) file(flag, text string) error {
	if p.folder == "" {
		folder, err := os.MkdirTemp("", "turnout-client-")
		if err != nil {
			return err
		}
		p.folder = folder
	}
	path := filepath.Join(p.folder, flag)
	p.argv = append(p.argv, "--"+flag+"="+path)
	return os.WriteFile(path, []byte(text), 0o600)
}

func (p *prepared) text(flag, value string) {
	// Joined, so that no value is taken for a flag.
	if value != "" {
		p.argv = append(p.argv, "--"+flag+"="+value)
	}
}

func (p *prepared) csv(flag string, values []string) error {
	for _, value := range values {
		if strings.Contains(value, ",") {
			return &UsageError{Message: fmt.Sprintf("--%s: an item can't contain a comma: %q", flag, value), Path: "--" + flag}
		}
	}
	p.text(flag, strings.Join(values, ","))
	return nil
}

func (p *prepared) path(flag, value string) error {
	if value == "" {
		return nil
	}
	path, err := filepath.Abs(value)
	p.text(flag, path)
	return err
}

func (p *prepared) env(env map[string]string) error {
	lines := ""
	for name, value := range env {
		// A file of variables has one on a line.
		if strings.ContainsAny(value, "\r\n") {
			p.text("env", name+"="+value)
		} else {
			lines += name + "=" + value + "\n"
		}
	}
	if lines == "" {
		return nil
	}
	return p.file("env-file", lines)
}

func number(value float64) string {
	if value == 0 {
		return ""
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

func duration(value time.Duration) string {
	if value == 0 {
		return ""
	}
	return number(float64(value)/float64(time.Millisecond)) + "ms"
}

func prepare(t Turn) (p *prepared, err error) {
	p = &prepared{argv: []string{"--prompt-frame"}}
	defer func() {
		if err != nil {
			_ = p.remove()
		}
	}()
	if t.Prompt == "" {
		return p, &UsageError{Message: "--prompt: must not be empty", Path: "--prompt"}
	}
	if t.Runtime == "" {
		return p, &UsageError{Message: "--runtime: missing; use an id from Scan, or auto", Path: "--runtime"}
	}
	cwd := t.Cwd
	if cwd == "" {
		cwd = "."
	}
	for _, one := range []struct{ flag, value string }{
		{"runtime", t.Runtime}, {"model", t.Model}, {"effort", t.Effort}, {"resume", t.Resume}, {"access", t.Access},
		{"confine", t.Confine}, {"isolate", t.Isolate}, {"sandbox", t.Sandbox}, {"sandbox-fallback", t.SandboxFallback},
		{"max-turns", number(float64(t.MaxTurns))}, {"max-tool-calls", number(float64(t.MaxToolCalls))},
		{"budget-tokens", number(float64(t.BudgetTokens))}, {"budget-usd", number(t.BudgetUSD)},
		{"timeout", duration(t.Timeout)}, {"idle-timeout", duration(t.IdleTimeout)},
		{"startup-timeout", duration(t.StartupTimeout)}, {"tool-timeout", duration(t.ToolTimeout)},
		{"wait-for-quota", duration(t.WaitForQuota)}, {"org", t.Org}, {"role", t.Role},
	} {
		p.text(one.flag, one.value)
	}
	if t.AllowRoot {
		p.argv = append(p.argv, "--allow-root")
	}
	if t.Keep {
		p.argv = append(p.argv, "--keep")
	}
	steps := []func() error{
		func() error { return p.path("cwd", cwd) },
		func() error { return p.path("record", t.Record) },
		func() error { return p.csv("allow-bash-prefix", t.AllowBashPrefix) },
		func() error { return p.csv("settings", t.Settings) },
		func() error { return p.csv("require-mcp", t.RequireMcp) },
		func() error { return p.env(t.Env) },
		func() error { return p.files(t) },
	}
	for _, image := range t.Images {
		steps = append(steps, func() error { return p.path("image", image) })
	}
	for _, file := range t.Files {
		steps = append(steps, func() error { return p.path("file", file) })
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return p, err
		}
	}
	if t.OnPermission != nil {
		p.text("approvals", "stdio")
	}
	if t.OnQuestion != nil {
		p.text("questions", "stdio")
	}
	return p, nil
}

// files writes what is too long or too private for a command line.
func (p *prepared) files(t Turn) error {
	if t.System != "" {
		if err := p.file("system-file", t.System); err != nil {
			return err
		}
	}
	if len(t.OutputSchema) > 0 {
		if err := p.file("output-schema", string(t.OutputSchema)); err != nil {
			return err
		}
	}
	if len(t.McpServers) > 0 {
		text, err := json.Marshal(map[string]any{"mcpServers": t.McpServers})
		if err != nil {
			return err
		}
		if err := p.file("mcp-config", string(text)); err != nil {
			return err
		}
	}
	if len(t.Tools) == 0 {
		return nil
	}
	type declared struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"schema,omitempty"`
	}
	list := make([]declared, 0, len(t.Tools))
	for _, one := range t.Tools {
		list = append(list, declared{one.Name, one.Description, one.Schema})
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	p.text("tools", "stdio")
	return p.file("tools-file", string(text))
}
