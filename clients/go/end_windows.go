package turnout

import (
	"os/exec"
	"syscall"
)

const createNoWindow = 0x08000000

func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | createNoWindow}
}

// There is no softer way to end a program without a console; it may be gone already.
func terminate(command *exec.Cmd) { _ = command.Process.Kill() }
func kill(command *exec.Cmd)      { _ = command.Process.Kill() }
