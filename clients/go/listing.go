package turnout

import (
	"context"
	"path/filepath"
)

// Agent is one runtime and what it can do; Raw fields that are not here are in schemas/scan.json.
type Agent struct {
	ID            string   `json:"id"`
	Title         string   `json:"title"`
	Installed     bool     `json:"installed"`
	Version       *string  `json:"version"`
	Path          *string  `json:"path"`
	AccessModes   []string `json:"access_modes"`
	ToolTransport string   `json:"tool_transport"`
	Transport     string   `json:"transport"`
}

// ScanOptions choose what a scan lists; Probe starts each program for its version.
type ScanOptions struct{ All, Installed, Probe bool }

// Scan lists the runtimes. It starts nothing without Probe.
func (c *Client) Scan(ctx context.Context, options ScanOptions) ([]Agent, error) {
	args := []string{"agent", "scan", "--json"}
	for flag, on := range map[string]bool{"--all": options.All, "--installed": options.Installed, "--probe": options.Probe} {
		if on {
			args = append(args, flag)
		}
	}
	var document struct{ Agents []Agent }
	err := c.ask(ctx, &document, args...)
	return document.Agents, err
}

// Model is a model of a runtime; ID is for Turn.Model.
type Model struct {
	ID         string   `json:"id"`
	Label      string   `json:"label"`
	Default    bool     `json:"default"`
	ResolvedID string   `json:"resolved_id"`
	AliasOf    string   `json:"alias_of"`
	Aliases    []string `json:"aliases"`
}

// Models lists the models that a runtime offers. Starts it. None where it can't list them.
func (c *Client) Models(ctx context.Context, runtime string) ([]Model, error) {
	var document struct{ Models []Model }
	err := c.ask(ctx, &document, "agent", "models", "--runtime="+runtime, "--json")
	return document.Models, err
}

// StoredSession is a session that a runtime keeps; ID is for Turn.Resume.
type StoredSession struct {
	ID    string  `json:"id"`
	Title *string `json:"title"`
	Cwd   *string `json:"cwd"`
	Time  *string `json:"time"`
}

// Sessions lists the sessions of a runtime in a folder, newest first.
func (c *Client) Sessions(ctx context.Context, runtime, cwd string) ([]StoredSession, error) {
	where, err := filepath.Abs(cwd)
	if err != nil {
		return nil, err
	}
	var document struct{ Sessions []StoredSession }
	err = c.ask(ctx, &document, "agent", "sessions", "--runtime="+runtime, "--cwd="+where, "--json")
	return document.Sessions, err
}
