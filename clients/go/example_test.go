package turnout_test

import (
	"context"
	"fmt"
	"log"

	turnout "turnout/clients/go"
)

func Example() {
	ctx := context.Background()
	client, err := turnout.New(ctx, turnout.Options{Path: "../../bin/turnout.js"})
	if err != nil {
		log.Fatal(err)
	}
	type sum struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	add := turnout.NewTool("add", "Adds two numbers.", func(_ context.Context, in sum) (any, error) {
		return in.A + in.B, nil
	})
	turn := turnout.Turn{Runtime: "demo", Prompt: `tool add {"a":2,"b":3}`, Tools: []turnout.Tool{add}}
	for event, err := range client.Stream(ctx, turn) {
		if err != nil {
			log.Fatal(err)
		}
		if text, ok := event.(*turnout.Assistant); ok {
			fmt.Print(text.Text)
		}
	}
	// Output: add answered: 5
}
