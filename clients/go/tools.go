package turnout

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Tool is a function that the agent can call. Make one with NewTool, or fill it in with a schema of your own.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the arguments.
	Schema json.RawMessage
	// Run answers a call: a string as it is, anything else as JSON. The agent reads an error's text. The context ends
	// when the answer is no longer needed.
	Run func(ctx context.Context, args json.RawMessage) (any, error)
}

// NewTool makes a tool of a function whose argument is a struct: field names and types become the schema. Fields with
// `omitempty` are optional; a tag `doc:"…"` describes one to the agent. It panics for a type without a JSON Schema.
func NewTool[In any](name, description string, run func(context.Context, In) (any, error)) Tool {
	schema, err := json.Marshal(schemaOf(reflect.TypeFor[In](), name))
	if err != nil {
		panic(err)
	}
	return Tool{Name: name, Description: description, Schema: schema, Run: func(ctx context.Context, args json.RawMessage) (any, error) {
		var in In
		if err := json.Unmarshal(args, &in); err != nil {
			return nil, fmt.Errorf("invalid arguments for %s: %w", name, err)
		}
		return run(ctx, in)
	}}
}

func schemaOf(t reflect.Type, where string) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{schemaOf(t.Elem(), where), map[string]any{"type": "null"}}}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return map[string]any{"type": "integer"}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice, reflect.Array:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem(), where)}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem(), where)}
	case reflect.Interface:
		return map[string]any{}
	case reflect.Struct:
		return structSchema(t, where)
	default:
		panic(fmt.Sprintf("turnout: %s: no JSON Schema for %s", where, t))
	}
}

func structSchema(t reflect.Type, where string) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, field := range reflect.VisibleFields(t) {
		if !field.IsExported() || field.Anonymous {
			continue
		}
		name, rest, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if name == "" {
			name = field.Name
		}
		schema := schemaOf(field.Type, where+"."+name)
		if doc := field.Tag.Get("doc"); doc != "" {
			schema["description"] = doc
		}
		properties[name] = schema
		if !strings.Contains(rest, "omitempty") && !strings.Contains(rest, "omitzero") {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

func answerText(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	default:
		text, err := json.Marshal(v)
		return string(text), err
	}
}
