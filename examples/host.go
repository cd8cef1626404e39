// A host in Go: hands one tool to an agent, runs it when asked, prints the answer.
//
//	go run examples/host.go demo 'tool add {"a":2,"b":3}'
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const tools = `[{"name":"add","description":"Adds two numbers.","schema":{"type":"object",
  "properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}]`

// One struct holds every event: a field name has one type in all of them.
type event struct {
	Type, ID, Name, Text, Code, Message string
	Args                                struct{ A, B float64 }
	ExitCode                            int `json:"exit_code"`
}

func main() {
	runtime, prompt := "demo", `tool add {"a":2,"b":3}`
	if len(os.Args) > 2 {
		runtime, prompt = os.Args[1], os.Args[2]
	}
	turnout := "turnout"
	if set := os.Getenv("TURNOUT"); set != "" {
		turnout = set
	}
	folder, err := os.MkdirTemp("", "host-")
	check(err)
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "tools.json")
	check(os.WriteFile(file, []byte(tools), 0o600))

	argv := append(strings.Fields(turnout), "agent", "exec", "--runtime", runtime, "--prompt", prompt,
		"--tools", "stdio", "--tools-file", file)
	command := exec.Command(argv[0], argv[1:]...)
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	check(err)
	stdout, err := command.StdoutPipe()
	check(err)
	check(command.Start())

	code := 1
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<20) // A line stays under 1 MiB.
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue
		}
		switch e.Type {
		case "tool_call":
			answer, _ := json.Marshal(map[string]any{"v": 1, "type": "tool_result", "id": e.ID, "ok": true,
				"result": map[string]string{"text": fmt.Sprint(e.Args.A + e.Args.B)}})
			fmt.Fprintf(stdin, "%s\n", answer)
		case "assistant":
			fmt.Print(e.Text)
		case "error":
			fmt.Fprintf(os.Stderr, "%s: %s\n", e.Code, e.Message)
		case "done":
			code = e.ExitCode
		}
	}
	command.Wait()
	fmt.Println()
	os.RemoveAll(folder)
	os.Exit(code)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
