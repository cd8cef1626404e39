package agenthost

// Class says whom a runtime may be served to.
type Class int

const (
	// Unconfined: nothing that a host knows of stands between the model and the machine.
	Unconfined Class = iota
	// Sandboxed: a sandbox of the operating system around its writes.
	Sandboxed
	// ChatOnly: no native tool runs. It may be served to others.
	ChatOnly
)

// Agent is an entry of `agent scan --json`.
type Agent struct {
	ID            string   `json:"id"`
	Installed     bool     `json:"installed"`
	SandboxModes  []string `json:"sandbox_modes"`
	NativeSandbox string   `json:"native_sandbox"`
	Approvals     string   `json:"approvals"`
	Reports       map[string]struct {
		NativeSandbox string `json:"native_sandbox"`
		Approvals     string `json:"approvals"`
	} `json:"sandbox_mode_reports"`
}

// ClassOf sorts what `start` or a scan reports. Words that are not known are not trusted.
func ClassOf(nativeSandbox string) Class {
	switch nativeSandbox {
	case "monomind":
		return ChatOnly
	case "read-only", "workspace-write":
		return Sandboxed
	default:
		return Unconfined
	}
}

// Class at a sandbox mode, as its report says.
func (a Agent) Class(mode string) Class {
	report, known := a.Reports[mode]
	if !known {
		return Unconfined
	}
	return ClassOf(report.NativeSandbox)
}
