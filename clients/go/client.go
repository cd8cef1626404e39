package turnout

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

const install = "npm install -g turnout"

// Options say where turnout is looked for.
type Options struct {
	// Path wins over TURNOUT_BIN and PATH.
	Path string
	// Env is the environment of turnout and of all it starts; this process's when nil.
	Env []string
	// Requires are capabilities that the program can't do without, such as exec-steer.
	Requires []string
}

// Handshake is what a turnout says of itself.
type Handshake struct {
	V, Protocol, Rev int
	Name, Version    string
	Capabilities     []string
}

// Client is an installed turnout. Goroutines may share it.
type Client struct {
	Path      string
	Handshake Handshake
	argv, env []string
}

// New finds turnout and asks for its handshake. It returns an *Error: missing-binary, or unsupported when it is too old.
func New(ctx context.Context, options Options) (*Client, error) {
	env := options.Env
	if env == nil {
		env = os.Environ()
	}
	wanted := options.Path
	if wanted == "" {
		wanted = lookUp(env, "TURNOUT_BIN")
	}
	if wanted == "" {
		wanted = "turnout"
	}
	found, err := exec.LookPath(wanted)
	if err != nil {
		message := fmt.Sprintf("%s was not found. Install it: %s. Or set TURNOUT_BIN to its path.", wanted, install)
		return nil, &Error{Code: "missing-binary", Message: message, Hint: install, Cause: err}
	}
	argv, err := argvOf(found)
	if err != nil {
		return nil, err
	}
	c := &Client{Path: found, argv: argv, env: env}
	return c, c.shakeHands(ctx, options.Requires)
}

func lookUp(env []string, name string) string {
	value := ""
	for _, one := range env {
		if text, ok := strings.CutPrefix(one, name+"="); ok {
			value = text
		}
	}
	return value
}

// argvOf starts what npm's shim starts on Windows: cmd.exe would read the arguments once more.
func argvOf(found string) ([]string, error) {
	if runtime.GOOS != "windows" || filepath.Ext(found) == ".exe" {
		return []string{found}, nil
	}
	script := filepath.Join(filepath.Dir(found), "node_modules", "turnout", "bin", "turnout.js")
	if _, err := os.Stat(script); err != nil {
		return nil, &Error{Code: "missing-binary", Message: found + " is not npm's shim of turnout. Install it: " + install, Hint: install, Cause: err}
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, &Error{Code: "missing-binary", Message: script + " needs Node.js, and there is no node on PATH", Cause: err}
	}
	return []string{node, script}, nil
}

// run runs a short command.
func (c *Client) run(ctx context.Context, limit time.Duration, args ...string) (stdout, stderr []byte, code int, err error) {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	command := exec.CommandContext(ctx, c.argv[0], append(c.argv[1:len(c.argv):len(c.argv)], args...)...)
	command.Env, command.WaitDelay = c.env, time.Second
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	err = command.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, nil, 0, &Error{Code: "runner-error", Message: fmt.Sprintf("%s did not answer: %v", c.Path, ctx.Err()), Cause: ctx.Err()}
	case err != nil && !errors.As(err, &exit):
		return nil, nil, 0, &Error{Code: "missing-binary", Message: fmt.Sprintf("%s can't be started: %v", c.Path, err), Hint: install, Cause: err}
	}
	return out.Bytes(), errs.Bytes(), command.ProcessState.ExitCode(), nil
}

// ask runs a command that prints one JSON document.
func (c *Client) ask(ctx context.Context, into any, args ...string) error {
	stdout, stderr, code, err := c.run(ctx, time.Minute, args...)
	if err != nil {
		return err
	}
	var refused struct {
		Error *struct{ Code, Message, Hint string }
	}
	if json.Unmarshal(stdout, &refused) == nil && refused.Error != nil {
		return &Error{Code: refused.Error.Code, Message: refused.Error.Message, Hint: refused.Error.Hint}
	}
	if code == 0 {
		if err := json.Unmarshal(stdout, into); err == nil {
			return nil
		}
	}
	if usage := usageOf(stderr); usage != nil {
		return usage
	}
	message := fmt.Sprintf("turnout %s failed (exit code %d): %s", strings.Join(args[:2], " "), code, bytes.TrimSpace(stderr))
	return &Error{Code: "runner-error", Message: message}
}

func (c *Client) shakeHands(ctx context.Context, requires []string) error {
	stdout, stderr, code, err := c.run(ctx, 15*time.Second, "--version", "--json")
	if err != nil {
		return err
	}
	hint := install + "@latest"
	refuse := func(what string) error {
		return &Error{Code: "unsupported", Message: fmt.Sprintf("%s %s. Update it: %s", c.Path, what, hint), Hint: hint}
	}
	h := &c.Handshake
	switch {
	case code != 0:
		return refuse(fmt.Sprintf("failed with exit code %d: %s", code, bytes.TrimSpace(stderr)))
	case json.Unmarshal(stdout, h) != nil || h.Name != "turnout":
		return refuse("does not answer as turnout does")
	case h.V != 1 || h.Protocol != 1:
		return refuse(fmt.Sprintf("(%s) speaks protocol %d, this client 1", h.Version, h.Protocol))
	}
	for _, one := range append([]string{"agent-exec"}, requires...) {
		if !slices.Contains(h.Capabilities, one) {
			return refuse(fmt.Sprintf("(%s) lacks what this program needs: %s", h.Version, one))
		}
	}
	return nil
}

// usageOf reads the usage error that turnout printed on stderr.
func usageOf(stderr []byte) error {
	for _, line := range bytes.Split(stderr, []byte("\n")) {
		var said struct{ Code, Message, Path, Rule, Hint string }
		if json.Unmarshal(line, &said) == nil && said.Code == "usage" {
			return &UsageError{Message: said.Message, Path: said.Path, Rule: said.Rule, Hint: said.Hint}
		}
	}
	return nil
}
