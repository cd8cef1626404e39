// Package turnout runs any coding agent on this machine through an installed turnout: typed events, tools, approvals
// and questions, listings, and the runs of a server. It needs no other module.
//
//	client, err := turnout.New(ctx, turnout.Options{})
//	result, err := client.Exec(ctx, turnout.Turn{Runtime: "demo", Prompt: "say hello"})
package turnout
