//go:build !windows

package turnout

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps a Ctrl-C of the terminal from turnout: this program decides what it means.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// terminate and kill reach the group; it may be gone already.
func terminate(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }
func kill(command *exec.Cmd)      { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
