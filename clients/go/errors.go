package turnout

import "fmt"

// Error is what went wrong outside a turn. Code is one of the protocol's error codes, Hint a command that helps.
type Error struct {
	Code, Message, Hint string
	Cause               error
}

func (e *Error) Error() string { return e.Message }
func (e *Error) Unwrap() error { return e.Cause }

// UsageError is a wrong call: nothing was started. Path names the option as the flag is called.
type UsageError struct{ Message, Path, Rule, Hint string }

func (e *UsageError) Error() string { return e.Message }

// TurnError is a turn that failed. Result holds what it said and used before.
type TurnError struct {
	Failure
	Result *Result
}

func (e *TurnError) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// ServerError is a refusal of the server. Status is 200 when the refusal is in the answer itself.
type ServerError struct {
	Code, Message string
	Status        int
}

func (e *ServerError) Error() string { return e.Message }
