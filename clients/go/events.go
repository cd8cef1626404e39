package turnout

import "encoding/json"

// Event is one event of a turn: one of the structs of this file, or Unknown. schemas/event.json describes the fields.
type Event interface{ isEvent() }

// Start is the first event. ChildPID is 0 when the turn was refused and nothing was started.
type Start struct {
	Runtime              string     `json:"runtime"`
	RuntimeVersion       *string    `json:"runtime_version,omitempty"`
	Model                string     `json:"model,omitempty"`
	Cwd                  string     `json:"cwd"`
	Resume               string     `json:"resume,omitempty"`
	PID                  int        `json:"pid"`
	ChildPID             int        `json:"child_pid,omitempty"`
	Access               string     `json:"access"`
	AccessGaps           []string   `json:"access_gaps"`
	NativeSandbox        string     `json:"native_sandbox"`
	Approvals            string     `json:"approvals"`
	AsksPermission       bool       `json:"asks_permission"`
	SettingsLoaded       []string   `json:"settings_loaded"`
	Credential           Credential `json:"credential"`
	Confinement          Confined   `json:"confinement"`
	SandboxRequested     string     `json:"sandbox_requested,omitempty"`
	SandboxApplied       string     `json:"sandbox_applied,omitempty"`
	Workspace            string     `json:"workspace,omitempty"`
	StreamsIncrementally bool       `json:"streams_incrementally"`
	Warm                 bool       `json:"warm,omitempty"`
}

// Credential says what the turn is paid with; never the secret.
type Credential struct {
	Kind   string `json:"kind"`
	Source string `json:"source,omitempty"`
}

// Confined says by what the access mode is kept, and what the program can reach.
type Confined struct {
	By      string `json:"by"`
	OS      string `json:"os,omitempty"`
	Network string `json:"network"`
}

// Status is news about the turn: a phase, or a notice with one of the pointers.
type Status struct {
	Phase                string      `json:"phase"`
	Code                 string      `json:"code,omitempty"`
	Message              string      `json:"message,omitempty"`
	MessageTruncated     bool        `json:"message_truncated,omitempty"`
	McpServers           []McpServer `json:"mcp_servers,omitempty"`
	Retry                *Retry      `json:"retry,omitempty"`
	Steer                *Steered    `json:"steer,omitempty"`
	Question             *Settled    `json:"question,omitempty"`
	Fallback             *Fallback   `json:"fallback,omitempty"`
	RuntimeVersion       *string     `json:"runtime_version,omitempty"`
	ChildPID             int         `json:"child_pid,omitempty"`
	AccessGaps           []string    `json:"access_gaps,omitempty"`
	NativeSandbox        string      `json:"native_sandbox,omitempty"`
	Approvals            string      `json:"approvals,omitempty"`
	AsksPermission       bool        `json:"asks_permission,omitempty"`
	SettingsLoaded       []string    `json:"settings_loaded,omitempty"`
	Credential           *Credential `json:"credential,omitempty"`
	StreamsIncrementally bool        `json:"streams_incrementally,omitempty"`
}

// McpServer is the state of one MCP server of the runtime.
type McpServer struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
}

// Retry is a repetition that the runtime itself announced. Unknown is nil.
type Retry struct {
	Attempt int     `json:"attempt"`
	Max     *int    `json:"max"`
	DelayMs *int64  `json:"delay_ms"`
	Code    *string `json:"code"`
}

// Steered says whether guidance reached the agent.
type Steered struct {
	ID        string `json:"id"`
	Delivered bool   `json:"delivered"`
}

// Settled says how a question ended: answered, declined, withdrawn or timed-out.
type Settled struct {
	ID      string `json:"id"`
	Outcome string `json:"outcome"`
}

// Fallback is the change to the next runtime of the list, and why.
type Fallback struct {
	From string `json:"from"`
	To   string `json:"to"`
	Code string `json:"code"`
}

// Session is the id with which the runtime continues: Turn.Resume.
type Session struct {
	SessionID string `json:"session_id"`
}

// Words are what the agent writes: a piece where Start.StreamsIncrementally, else a whole message.
type Words struct {
	Text            string `json:"text"`
	TextTruncated   bool   `json:"text_truncated,omitempty"`
	MessageID       string `json:"message_id"`
	Replaces        string `json:"replaces,omitempty"`
	ParentToolUseID string `json:"parent_tool_use_id,omitempty"`
}

// Assistant is text of the agent's answer.
type Assistant struct{ Words }

// Thinking is text of the agent's reasoning.
type Thinking struct{ Words }

// ToolCall is a call of one of your tools. The client answers it.
type ToolCall struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// ToolResult is what the agent was given.
type ToolResult struct {
	ID            string `json:"id"`
	OK            bool   `json:"ok"`
	Result        Text   `json:"result"`
	TextTruncated bool   `json:"text_truncated,omitempty"`
}

// Text is a text in an object.
type Text struct {
	Text string `json:"text"`
}

// ToolActivityStart begins a native tool. Input is null when it is not known.
type ToolActivityStart struct {
	Phase           string          `json:"phase"`
	ID              string          `json:"id"`
	Name            string          `json:"name"`
	Kind            string          `json:"kind"`
	Input           json.RawMessage `json:"input"`
	ParentToolUseID *string         `json:"parent_tool_use_id"`
}

// ToolActivityEnd ends a native tool; every start gets exactly one.
type ToolActivityEnd struct {
	Phase           string `json:"phase"`
	ID              string `json:"id"`
	Name            string `json:"name"`
	OK              bool   `json:"ok"`
	Output          string `json:"output"`
	OutputTruncated bool   `json:"output_truncated"`
	DurationMs      int64  `json:"duration_ms"`
	Denied          bool   `json:"denied,omitempty"`
	Cancelled       bool   `json:"cancelled,omitempty"`
	ExitCode        *int   `json:"exit_code,omitempty"`
}

// Subagent is news of an agent that the agent started.
type Subagent struct {
	Phase        string         `json:"phase"`
	ID           string         `json:"id"`
	ToolUseID    string         `json:"tool_use_id"`
	SubagentType string         `json:"subagent_type,omitempty"`
	Description  string         `json:"description,omitempty"`
	Prompt       string         `json:"prompt,omitempty"`
	Summary      string         `json:"summary,omitempty"`
	Usage        *SubagentUsage `json:"usage,omitempty"`
	LastTool     string         `json:"last_tool,omitempty"`
	Status       string         `json:"status,omitempty"`
}

// SubagentUsage is what a subagent used; unknown is nil.
type SubagentUsage struct {
	TotalTokens *int64 `json:"total_tokens,omitempty"`
	ToolUses    *int64 `json:"tool_uses,omitempty"`
	DurationMs  *int64 `json:"duration_ms,omitempty"`
}

// Plan is the whole plan each time it changes.
type Plan struct {
	Entries []PlanEntry `json:"entries"`
}

// PlanEntry is one step: pending, in_progress or completed.
type PlanEntry struct {
	Content string `json:"content"`
	Status  string `json:"status"`
}

// Patch is what a turn with Isolate changed. Path is the patch file.
type Patch struct {
	Workspace string      `json:"workspace"`
	Base      string      `json:"base"`
	Files     []PatchFile `json:"files"`
	Digest    string      `json:"digest"`
	Path      string      `json:"path"`
	Truncated bool        `json:"truncated,omitempty"`
}

// PatchFile is one changed file; the counts of a binary file are nil.
type PatchFile struct {
	Path    string `json:"path"`
	Status  string `json:"status"`
	Added   *int   `json:"added"`
	Removed *int   `json:"removed"`
	Binary  bool   `json:"binary,omitempty"`
}

// PermissionRequest asks whether a native tool may run: Turn.OnPermission answers.
type PermissionRequest struct {
	ID        string          `json:"id"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Name      string          `json:"name"`
	Kind      string          `json:"kind"`
	Input     json.RawMessage `json:"input"`
	Choices   []Choice        `json:"choices"`
}

// Question is what the agent asks a person: Turn.OnQuestion answers.
type Question struct {
	ID        string          `json:"id"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Source    string          `json:"source"`
	Title     string          `json:"title,omitempty"`
	Questions []AskedQuestion `json:"questions"`
	URL       string          `json:"url,omitempty"`
	TimeoutMs *int64          `json:"timeout_ms,omitempty"`
}

// AskedQuestion is one question; free text without Choices.
type AskedQuestion struct {
	ID          string           `json:"id"`
	Question    string           `json:"question"`
	Header      string           `json:"header,omitempty"`
	Choices     []QuestionChoice `json:"choices,omitempty"`
	MultiSelect bool             `json:"multi_select,omitempty"`
	Other       bool             `json:"other,omitempty"`
	Secret      bool             `json:"secret,omitempty"`
	Required    bool             `json:"required,omitempty"`
}

// QuestionChoice is one answer to choose.
type QuestionChoice struct {
	Value       string `json:"value"`
	Label       string `json:"label,omitempty"`
	Description string `json:"description,omitempty"`
}

// Usage is what was used since the last Usage; unknown is nil.
type Usage struct {
	InputTokens  *int64   `json:"input_tokens"`
	OutputTokens *int64   `json:"output_tokens"`
	CachedTokens *int64   `json:"cached_tokens,omitempty"`
	CostUSD      *float64 `json:"cost_usd"`
}

// TurnEnd is the event `result`: the runtime's own end of the turn.
type TurnEnd struct {
	Subtype           string                `json:"subtype"`
	Runtime           string                `json:"runtime,omitempty"`
	IsError           bool                  `json:"is_error"`
	StopReason        string                `json:"stop_reason"`
	Text              *string               `json:"text,omitempty"`
	Output            *string               `json:"output,omitempty"`
	TextOmitted       bool                  `json:"text_omitted,omitempty"`
	TextTruncated     bool                  `json:"text_truncated,omitempty"`
	OutputTruncated   bool                  `json:"output_truncated,omitempty"`
	Structured        json.RawMessage       `json:"structured,omitempty"`
	InputTokens       *int64                `json:"input_tokens"`
	OutputTokens      *int64                `json:"output_tokens"`
	CostUSD           *float64              `json:"cost_usd"`
	ModelUsage        map[string]ModelUsage `json:"model_usage,omitempty"`
	UnexpectedModels  []string              `json:"unexpected_models,omitempty"`
	Effort            string                `json:"effort,omitempty"`
	AgentLaunches     *AgentLaunches        `json:"agent_launches,omitempty"`
	PeakContextTokens *int64                `json:"peak_context_tokens,omitempty"`
	ContextWarning    bool                  `json:"context_warning,omitempty"`
}

// ModelUsage counts the tokens of one model.
type ModelUsage struct {
	Input         int64 `json:"input"`
	Output        int64 `json:"output"`
	CacheRead     int64 `json:"cache_read"`
	CacheCreation int64 `json:"cache_creation"`
}

// AgentLaunches counts the subagents of the turn.
type AgentLaunches struct {
	Total  int64 `json:"total"`
	Review int64 `json:"review"`
}

// Failure is the event `error`.
type Failure struct {
	Code             string  `json:"code"`
	Message          string  `json:"message"`
	MessageTruncated bool    `json:"message_truncated,omitempty"`
	Fatal            bool    `json:"fatal"`
	Reason           string  `json:"reason,omitempty"`
	Hint             string  `json:"hint,omitempty"`
	RetryAfterMs     *int64  `json:"retry_after_ms,omitempty"`
	ResetsAt         string  `json:"resets_at,omitempty"`
	Unread           *Unread `json:"unread,omitempty"`
}

// Unread counts the runtime's lines that could not be read.
type Unread struct {
	Count int64  `json:"count"`
	Last  string `json:"last"`
}

// Done is the last event.
type Done struct {
	ExitCode   int     `json:"exit_code"`
	StopReason string  `json:"stop_reason"`
	DurationMs int64   `json:"duration_ms"`
	Totals     *Totals `json:"totals,omitempty"`
}

// Totals is what the whole turn used; unknown is nil.
type Totals struct {
	InputTokens  *int64   `json:"input_tokens"`
	OutputTokens *int64   `json:"output_tokens"`
	CachedTokens *int64   `json:"cached_tokens"`
	CostUSD      *float64 `json:"cost_usd"`
}

// Unknown is an event of a newer turnout. Ignore what you don't know.
type Unknown struct {
	Type string
	Raw  json.RawMessage
}

func (*Start) isEvent()             {}
func (*Status) isEvent()            {}
func (*Session) isEvent()           {}
func (*Assistant) isEvent()         {}
func (*Thinking) isEvent()          {}
func (*ToolCall) isEvent()          {}
func (*ToolResult) isEvent()        {}
func (*ToolActivityStart) isEvent() {}
func (*ToolActivityEnd) isEvent()   {}
func (*Subagent) isEvent()          {}
func (*Plan) isEvent()              {}
func (*Patch) isEvent()             {}
func (*PermissionRequest) isEvent() {}
func (*Question) isEvent()          {}
func (*Usage) isEvent()             {}
func (*TurnEnd) isEvent()           {}
func (*Failure) isEvent()           {}
func (*Done) isEvent()              {}
func (*Unknown) isEvent()           {}

// blank returns an empty event of that type and phase; nil for one of a newer turnout.
func blank(name, phase string) Event {
	switch name {
	case "start":
		return &Start{}
	case "status":
		return &Status{}
	case "session":
		return &Session{}
	case "assistant":
		return &Assistant{}
	case "thinking":
		return &Thinking{}
	case "tool_call":
		return &ToolCall{}
	case "tool_result":
		return &ToolResult{}
	case "tool_activity":
		if phase == "end" {
			return &ToolActivityEnd{}
		}
		return &ToolActivityStart{}
	case "subagent":
		return &Subagent{}
	case "plan":
		return &Plan{}
	case "patch":
		return &Patch{}
	case "permission_request":
		return &PermissionRequest{}
	case "question":
		return &Question{}
	case "usage":
		return &Usage{}
	case "result":
		return &TurnEnd{}
	case "error":
		return &Failure{}
	case "done":
		return &Done{}
	default:
		return nil
	}
}

// readEvent returns nil for what is not an event of protocol 1.
func readEvent(line []byte) Event {
	var head struct {
		V           int
		Type, Phase string
	}
	if json.Unmarshal(line, &head) != nil || head.V != 1 || head.Type == "" {
		return nil
	}
	event := blank(head.Type, head.Phase)
	if event == nil || json.Unmarshal(line, event) != nil {
		return &Unknown{Type: head.Type, Raw: append(json.RawMessage(nil), line...)}
	}
	return event
}
