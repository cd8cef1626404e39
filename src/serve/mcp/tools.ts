/** All tools: how they are announced, and what does them. */

import type { CallToolResult, InputRequiredResult, Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../contract/vocabulary.js';
import type { Call } from './call.js';
import { agentExec, agentStart } from './exec.js';
import { agentModels, agentScan, sessionsList } from './list-tools.js';
import { agentApprove, agentEvents, agentGet, agentSteer, agentStop } from './run-tools.js';
import { execInput, LOOK_INPUT, LOOK_OUTPUT, type ObjectSchema, RUN_INPUT, RUN_OUTPUT } from './schemas.js';
import type { McpSettings } from './settings.js';

/** @throws RequestError, CoreError, UsageError */
type Work = (fields: JsonObject, call: Call) => Promise<CallToolResult | InputRequiredResult>;

export interface McpTool {
  announced: Tool;
  work: Work;
}

const LOOKS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
const RUNS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
const STEERS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

function tool(
  name: string,
  title: string,
  description: string,
  schemas: { input: ObjectSchema; output: ObjectSchema },
  annotations: ToolAnnotations,
  work: Work,
): McpTool {
  const announced = { name, title, description, inputSchema: schemas.input, outputSchema: schemas.output, annotations };
  return { announced, work };
}

/** Always in the same order. */
export function tools(settings: McpSettings): McpTool[] {
  const exec = execInput(settings);
  return [
    tool(
      'agent_scan',
      'List agents',
      'Lists the agent programs (Claude Code, Codex and others) that are installed on this machine and can be given work.',
      { input: LOOK_INPUT.scan, output: LOOK_OUTPUT.scan },
      LOOKS,
      agentScan,
    ),
    tool(
      'agent_models',
      'List models',
      'Lists the models that an agent program itself offers. It is started for that.',
      { input: LOOK_INPUT.models, output: LOOK_OUTPUT.models },
      LOOKS,
      agentModels,
    ),
    tool(
      'agent_exec',
      'Run an agent',
      'Gives another agent a task and waits for its answer. It works with its own tools in a folder of this machine and ' +
        'knows only what the prompt says. Continue with the session_id that comes back.',
      { input: exec, output: RUN_OUTPUT.exec },
      RUNS,
      agentExec,
    ),
    tool(
      'agent_start',
      'Start an agent',
      'Like agent_exec, but answers at once: the run goes on by itself. Look at it with agent_get or agent_events.',
      { input: exec, output: RUN_OUTPUT.start },
      RUNS,
      agentStart,
    ),
    tool(
      'agent_get',
      'State of a run',
      'Tells how a run stands: status, answer, cost, and questions that wait for agent_approve.',
      { input: RUN_INPUT.get, output: RUN_OUTPUT.get },
      LOOKS,
      agentGet,
    ),
    tool(
      'agent_events',
      'Events of a run',
      'Reads what an agent did, event by event. Go on with after_seq: next_seq.',
      { input: RUN_INPUT.events, output: RUN_OUTPUT.events },
      LOOKS,
      agentEvents,
    ),
    tool(
      'agent_steer',
      'Steer a run',
      'Gives a running agent guidance, where its runtime takes any.',
      { input: RUN_INPUT.steer, output: RUN_OUTPUT.steer },
      STEERS,
      agentSteer,
    ),
    tool(
      'agent_approve',
      'Answer a question',
      'Answers a permission question of a run. Allowing may be left to the person, who is then asked.',
      { input: RUN_INPUT.approve, output: RUN_OUTPUT.approve },
      { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      agentApprove,
    ),
    tool(
      'agent_stop',
      'Stop a run',
      'Ends a run and everything it started.',
      { input: RUN_INPUT.stop, output: RUN_OUTPUT.stop },
      { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      agentStop,
    ),
    tool(
      'sessions_list',
      'List sessions',
      'Lists conversations with agents that can be continued or read.',
      { input: LOOK_INPUT.sessions, output: LOOK_OUTPUT.sessions },
      LOOKS,
      sessionsList,
    ),
  ];
}
