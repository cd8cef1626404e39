#!/usr/bin/env bash
# A host in bash with jq: hands one tool to an agent, runs it when asked, prints the answer.
#   bash examples/host.sh demo 'tool add {"a":2,"b":3}'
set -euo pipefail

runtime=${1:-demo}
prompt=${2:-'tool add {"a":2,"b":3}'}
read -ra turnout <<<"${TURNOUT:-turnout}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
jq -n '{type: "object", properties: {a: {type: "number"}, b: {type: "number"}}, required: ["a", "b"]}
  | [{name: "add", description: "Adds two numbers.", schema: .}]' >"$folder/tools.json"

# Events come on ${agent[0]}, frames go to ${agent[1]}.
coproc agent {
  exec "${turnout[@]}" agent exec --runtime "$runtime" --prompt "$prompt" --tools stdio --tools-file "$folder/tools.json"
}
exec 3>&"${agent[1]}"
code=1
while IFS= read -r event; do
  case $(jq -r .type <<<"$event") in
    tool_call)
      jq -c '{v: 1, type: "tool_result", id, ok: true, result: {text: (.args.a + .args.b | tostring)}}' <<<"$event" >&3
      ;;
    assistant) jq -j .text <<<"$event" ;;
    error) jq -r '"\(.code): \(.message)"' <<<"$event" >&2 ;;
    done) code=$(jq .exit_code <<<"$event") ;;
  esac
done <&"${agent[0]}"
echo
exit "$code"
