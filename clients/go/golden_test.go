package turnout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const root = "../.."

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func absolute(t *testing.T, parts ...string) string {
	return must(filepath.Abs(filepath.Join(append([]string{root}, parts...)...)))(t)
}

const hello = `{"v":1,"name":"turnout","version":"9.9.9","protocol":1,"rev":30,"capabilities":["agent-exec"]}`

// played is a turnout that prints a file.
func played(t *testing.T, stream string, exit int, hello string) (*Client, error) {
	env := append(os.Environ(), "FAKE_HELLO="+hello, "FAKE_STREAM="+stream, fmt.Sprintf("FAKE_EXIT=%d", exit))
	return New(context.Background(), Options{Path: absolute(t, "fixtures", "bin", "speaks-as-turnout.js"), Env: env})
}

type expectation struct {
	Events     int      `json:"events"`
	ExitCode   int      `json:"exit_code"`
	StopReason string   `json:"stop_reason"`
	Output     *string  `json:"output"`
	Error      *string  `json:"error"`
	SessionID  *string  `json:"session_id"`
	Tools      []string `json:"tools"`
	Usage      Totals   `json:"usage"`
}

func some(text string, is bool) *string {
	if !is {
		return nil
	}
	return &text
}

func TestEveryGoldenStreamComesToWhatIsExpected(t *testing.T) {
	var all map[string]expectation
	text := must(os.ReadFile(absolute(t, "fixtures", "contract", "expected.json")))(t)
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	files := must(filepath.Glob(absolute(t, "fixtures", "contract", "*.ndjson")))(t)
	if len(files) != len(all) {
		t.Fatalf("%d streams, %d expectations", len(files), len(all))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ndjson")
		want := all[name]
		client := must(played(t, file, want.ExitCode, hello))(t)
		running := must(client.Start(context.Background(), Turn{Runtime: "demo", Prompt: "anything"}))(t)
		got := expectation{Tools: []string{}}
		for event, err := range running.Events() {
			if err != nil {
				t.Fatal(name, err)
			}
			got.Events++
			if call, ok := event.(*ToolCall); ok {
				got.Tools = append(got.Tools, call.Name)
			}
			if unknown, ok := event.(*Unknown); ok {
				t.Errorf("%s: %s is not known: %s", name, unknown.Type, unknown.Raw)
			}
		}
		result, err := running.Result()
		var failed *TurnError
		if errors.As(err, &failed) {
			result, got.Error = failed.Result, &failed.Code
		}
		got.ExitCode, got.StopReason, got.Usage = result.ExitCode, result.StopReason, result.Usage
		got.Output, got.SessionID = some(result.Output, result.HasOutput), some(result.SessionID, result.SessionID != "")
		if !reflect.DeepEqual(got, want) {
			a, b := must(json.Marshal(got))(t), must(json.Marshal(want))(t)
			t.Errorf("%s:\n got %s\nwant %s", name, a, b)
		}
	}
}

func TestUnknownEventsPassThroughAndABrokenStreamEndsInAnError(t *testing.T) {
	stream := filepath.Join(t.TempDir(), "stream.ndjson")
	long := strings.Repeat("y", 900_000)
	if err := os.WriteFile(stream, []byte(`{"v":1,"type":"news","x":"`+long+"\"}\nnot json\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	client := must(played(t, stream, 3, hello))(t)
	var types []string
	for event, err := range client.Stream(context.Background(), Turn{Runtime: "demo", Prompt: "x"}) {
		if err != nil {
			t.Fatal(err)
		}
		types = append(types, fmt.Sprintf("%T", event))
		if failure, ok := event.(*Failure); ok && !strings.Contains(failure.Message, "exit code 3") {
			t.Error(failure.Message)
		}
	}
	if want := []string{"*turnout.Unknown", "*turnout.Failure", "*turnout.Done"}; !reflect.DeepEqual(types, want) {
		t.Error(types)
	}
}

func TestAProgramThatIsNotTurnoutOrTooOldIsRefused(t *testing.T) {
	for from, to := range map[string]string{`"protocol":1`: `"protocol":2`, `"agent-exec"`: ``, `"turnout"`: `"other"`} {
		_, err := played(t, os.DevNull, 0, strings.Replace(hello, from, to, 1))
		var refused *Error
		if !errors.As(err, &refused) || refused.Code != "unsupported" {
			t.Errorf("%s: %v", to, err)
		}
	}
	if _, err := New(context.Background(), Options{Path: "/no/such/turnout"}); err == nil {
		t.Error("a missing program was found")
	}
}

// The structs have the fields of the schema, required ones without omitempty.
func TestTheTypesAreThoseOfTheSchema(t *testing.T) {
	type definition struct {
		Ref        string `json:"$ref"`
		Required   []string
		Properties map[string]struct{ Const any }
	}
	var schema struct {
		OneOf []definition
		Defs  map[string]definition `json:"$defs"`
	}
	if err := json.Unmarshal(must(os.ReadFile(absolute(t, "schemas", "event.json")))(t), &schema); err != nil {
		t.Fatal(err)
	}
	for _, one := range schema.OneOf {
		name := filepath.Base(one.Ref)
		described := schema.Defs[name]
		kind, phase := fmt.Sprint(described.Properties["type"].Const), fmt.Sprint(described.Properties["phase"].Const)
		if described.Ref != "" {
			described = schema.Defs[filepath.Base(described.Ref)]
		}
		want := map[string]bool{}
		for field := range described.Properties {
			want[field] = false
		}
		for _, field := range described.Required {
			want[field] = true
		}
		delete(want, "v")
		delete(want, "type")
		got := map[string]bool{}
		for _, field := range reflect.VisibleFields(reflect.TypeOf(blank(kind, phase)).Elem()) {
			if tag, rest, _ := strings.Cut(field.Tag.Get("json"), ","); tag != "" {
				got[tag] = !strings.Contains(rest, "omitempty")
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %v\nwant %v", name, got, want)
		}
	}
}
