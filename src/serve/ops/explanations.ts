/** A page of help for every error code: what it means, why it happens, what to do. */

import type { ErrorCode } from '../../contract/error.js';

export const EXPLANATIONS: Readonly<Record<ErrorCode, string>> = {
  auth: `The runtime is not logged in, or its login was refused.

Every runtime keeps a login of its own; Turnout passes it on and never holds it. The message contains the command that logs in;
\`hint\` is that command alone. A key in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY…) counts only for the runtime it belongs to:
keys of other vendors are taken out of its environment. Give one explicitly with --env, or "env" in a request.

Exit code 1. Repeating the same call can't help.`,
  quota: `The account has used up what it may use: a plan's limit, a credit, a spending cap.

Wait until the limit is reset, raise it with the vendor, or use another runtime or model. It differs from rate-limited, where waiting
for seconds or minutes is enough.

Exit code 1. Repeating the same call can't help before the limit is reset.`,
  'rate-limited': `The vendor answered "too many requests" more often than a turn waits for.

Runtimes retry by themselves. Where they say so you see status events with \`retry\`; the fourth retry, or one that brings the waiting
past 60 seconds, ends the turn. \`retry_after_ms\` is the vendor's advice where it gave one.

Exit code 1. Wait, lower the number of turns at once (--concurrency of the server), or use another model.`,
  'missing-binary': `The runtime's program was not found on this machine.

It is looked for in the variable <ID>_CLI_BIN, on the PATH, and in the folders where package managers put programs. The message
contains the install command; \`hint\` is that command alone. \`turnout agent scan\` shows what was found and where.

Exit code 2. Nothing was started.`,
  'no-runner': `There is no runtime of that name.

\`turnout agent scan --all\` lists the names. The message suggests those that look most alike. A runner of your own is loaded with
--runner FILE.

Exit code 2. Nothing was started.`,
  budget: `The turn has used more than --budget-usd, --budget-tokens or --max-tool-calls allow, subagents included.

Cost and tokens are looked at whenever the runtime reports usage, so a turn can end somewhat above the limit. A runtime that reports no cost
can't be held to a budget; a notice says so at the start.

Exit code 1. The runtime was ended.`,
  unsafe: `What was asked for would be dangerous, so nothing was started.

Full access as root needs --allow-root, and full access needs a folder that exists to work in.

Exit code 2.`,
  unsupported: `The runtime can't do what was asked for: an access mode it can't keep, caller tools, an image, a sandbox mode.

A mode that the runtime can't enforce is refused rather than promised. \`turnout agent scan --json\` lists what each runtime can do
(access_modes, caller_tools, sandbox_modes). The message says which part is missing.

Exit code 2. Nothing was started.`,
  'model-unavailable': `The model does not exist, or this account may not use it.

The name given with --model is passed to the runtime as it is. Leave it out to use the runtime's own choice.

Exit code 1. Repeating the same call can't help.`,
  'session-not-found': `The session to be continued is not there.

Runtimes keep sessions themselves, many of them per folder: continue in the folder in which the session began. It may also have been
deleted, or belong to another account. If the runtime answers with another session than the one asked for, that is this error too.

Exit code 1.`,
  'context-full': `The conversation no longer fits into the model's context.

The session is kept. Continue it with a model of a larger context, have the runtime compact it, or begin a new session with a summary.

Exit code 1. Repeating the same call can't help.`,
  'mcp-failed': `A server that --require-mcp names was not ready, so the prompt was given up before the model said anything.

The message has each server's status and, where the runtime tells, the reason. \`all\` means every server of --mcp-config and of the
settings that were loaded.

Exit code 1. Mend the server, or leave it out of --require-mcp.`,
  'output-schema': `The final answer does not fit the JSON Schema, even after one repair round.

The message names the first violation. A smaller schema, a description in each field, or a stronger model helps.

Exit code 1.`,
  'runner-error': `The runtime failed, or said nothing at all, or Turnout itself has a fault.

The message carries the last lines of the runtime's stderr, with secrets masked. A runtime that ends without text, thinking or tool use
has failed whatever its exit code says. --verbose-native copies everything the runtime prints to stderr.

Exit code 1. Trying again may help.`,
  timeout: `A limit of time expired; \`reason\` says which.

deadline: the whole turn (--timeout). idle: no sign of life while nothing was being waited for (--idle-timeout). startup: a phase
before the prompt was taken did not end in time (--startup-timeout); the message names it.

Exit code 124. The runtime and all it started were ended.`,
  interrupted: `The process that ran the turn ended before the turn did: the server was stopped, or died. Only runs of a server end so.
What the agent had said and used until then is in the run; what it did to files stays.
Begin another turn of the same session to go on. Exit code 130.`,
  cancelled: `The turn was cancelled: by a cancel frame or op, a signal, a caller that went away, or the end of the server.

The error is sent when the runtime and all it started are gone; what could not be ended is named by pid.

Exit code 130.`,
  'bad-frame': `A line from the caller was no frame, or answered something that is not open.

The turn goes on. If the line named a call that is open, that call fails, so that the agent does not wait for ever.

It never ends a turn, so it has no exit code.`,
  usage: `The call itself is wrong: an unknown flag, a value that can't be meant, a file that can't be read.

The message names the flag or key. On the command line it is one JSON line on stderr; over the server it is an error line.

Exit code 2. Nothing was started.`,
};
