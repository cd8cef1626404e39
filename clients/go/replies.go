package turnout

import (
	"context"
	"fmt"
)

// hear collects an event and answers what it asks; answers are found in goroutines of their own.
func (r *Running) hear(event Event) {
	r.collected.hear(event)
	switch e := event.(type) {
	case *ToolCall:
		go r.answerCall(r.began(e.ID), e)
	case *PermissionRequest:
		go r.answerPermission(r.began(e.ID), e)
	case *Question:
		go r.answerQuestion(r.began(e.ID), e)
	case *ToolResult:
		r.settled(e.ID)
	}
}

// began gives the context of an answer: it ends when the answer is no longer needed.
func (r *Running) began(id string) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.calls[id] = cancel
	return ctx
}

// settled reports whether the answer was still waited for.
func (r *Running) settled(id string) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	cancel, waiting := r.calls[id]
	if waiting {
		cancel()
		delete(r.calls, id)
	}
	return waiting
}

func (r *Running) answerCall(ctx context.Context, call *ToolCall) {
	text, err := r.runTool(ctx, call)
	if err != nil {
		text = err.Error()
	}
	if r.settled(call.ID) {
		r.send(map[string]any{"v": 1, "type": "tool_result", "id": call.ID, "ok": err == nil, "result": Text{text}})
	}
}

func (r *Running) runTool(ctx context.Context, call *ToolCall) (text string, err error) {
	// A tool that panics fails its call, not the program.
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s panicked: %v", call.Name, fault)
		}
	}()
	for _, one := range r.turn.Tools {
		if one.Name == call.Name {
			value, err := one.Run(ctx, call.Args)
			if err != nil {
				return "", err
			}
			return answerText(value)
		}
	}
	return "", fmt.Errorf("there is no handler for %s", call.Name)
}

func (r *Running) answerPermission(ctx context.Context, question *PermissionRequest) {
	decision := Decision{Choice: Deny}
	if r.turn.OnPermission != nil {
		decision = r.turn.OnPermission(ctx, question)
	}
	frame := map[string]any{"v": 1, "type": "permission_result", "id": question.ID, "choice": decision.Choice}
	switch decision.Choice {
	case AllowOnce, AllowSession, Deny:
	default:
		decision.Message = fmt.Sprintf("the host answered %q; expected allow_once, allow_session or deny", decision.Choice)
		frame["choice"] = Deny
	}
	if decision.Message != "" {
		frame["message"] = decision.Message
	}
	r.settled(question.ID)
	r.send(frame)
}

func (r *Running) answerQuestion(ctx context.Context, question *Question) {
	answers := Answers{}
	if r.turn.OnQuestion != nil {
		if given := r.turn.OnQuestion(ctx, question); given != nil {
			answers = given
		}
	}
	r.settled(question.ID)
	r.send(map[string]any{"v": 1, "type": "question_result", "id": question.ID, "answers": answers})
}
