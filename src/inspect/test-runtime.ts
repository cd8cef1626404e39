/** `agent test`: asks a runtime for one word, to see whether its program, its login and its model work. */

import { performance } from 'node:perf_hooks';
import type { ErrorCode } from '../contract/error.js';
import type { Event } from '../contract/event.js';
import type { TestReport } from '../contract/listing.js';
import type { SandboxFallback, SandboxMode } from '../contract/vocabulary.js';
import type { StdioOptions } from '../exec/exec-stdio.js';
import { execTurn } from '../exec/exec-turn.js';
import { ownArgv } from '../exec/own-argv.js';
import { VERSION } from '../exec/version.js';
import { collector } from '../host/result.js';
import { privateDir } from '../process/temp-files.js';
import type { Runner } from '../runner/runner.js';

export interface TestOptions extends Pick<StdioOptions, 'adapt' | 'say'> {
  runtime: string;
  model: string | null;
  timeoutMs: number;
  sandbox: SandboxMode | null;
  sandboxFallback: SandboxFallback;
  /** `--env`. */
  env: Readonly<Record<string, string>>;
  ambient: NodeJS.ProcessEnv;
  runners?: readonly Runner[];
  signal?: AbortSignal;
}

/** What a runtime is asked. */
export const TEST_PROMPT = 'Answer with the single word ok';
/** Whether an answer is the word that was asked for. */
export const isTestWord = (reply: string | null): boolean => /^\W*ok\W*$/i.test(reply ?? '');
/** A runtime may look around before it answers. */
const ROUNDS = 3;

function statusOf(code: ErrorCode | null, reply: string | null): TestReport['status'] {
  switch (code) {
    case null:
      return isTestWord(reply) ? 'ok' : 'ok_unexpected';
    case 'auth':
    case 'quota':
    case 'timeout':
      return code;
    case 'rate-limited':
      return 'rate_limited';
    case 'model-unavailable':
      return 'model_unavailable';
    case 'missing-binary':
      return 'missing_binary';
    default:
      return 'error';
  }
}

/** The exit code that goes with a report. */
export function testExit(report: TestReport): number {
  if (report.status === 'ok' || report.status === 'ok_unexpected') return 0;
  return report.status === 'timeout' ? 124 : 1;
}

/** Runs one small turn in a fresh folder that is removed afterwards. Never throws. */
export async function testRuntime(options: TestOptions): Promise<TestReport> {
  const scratch = await privateDir();
  const began = performance.now();
  const since = () => Math.round(performance.now() - began);
  const collected = collector();
  let first: number | null = null;
  const seen: { start?: Extract<Event, { type: 'start' }> } = {};
  try {
    const turn = execTurn({
      request: {
        runtime: options.runtime,
        prompt: TEST_PROMPT,
        system: null,
        model: options.model,
        effort: null,
        cwd: scratch.path,
        resume: null,
        access: 'scoped',
        sandbox: options.sandbox,
        sandboxFallback: options.sandboxFallback,
        allowBashPrefix: [],
        approvals: 'deny',
        toolsOn: false,
        tools: [],
        toolTimeoutMs: 0,
        maxTurns: ROUNDS,
        budgetUsd: null,
        settings: [],
        mcpServers: [],
        outputSchema: null,
      },
      limits: { timeoutMs: options.timeoutMs, idleMs: 0, startupMs: 0 },
      env: options.env,
      ambient: options.ambient,
      allowRoot: false,
      turnout: ownArgv(),
      version: VERSION,
      ...(options.runners ? { runners: options.runners } : {}),
      ...(options.adapt ? { adapt: options.adapt } : {}),
      emit(told) {
        const event = options.say?.(told) ?? told;
        collected.hear(event);
        if (event.type === 'start') seen.start = event;
        if (event.type === 'assistant' || event.type === 'thinking') first ??= since();
      },
    });
    options.signal?.addEventListener('abort', () => turn.cancel(), { once: true });
    await turn.done;
  } finally {
    await scratch.remove();
  }
  const result = collected.result();
  const { start } = seen;
  const reply = result.text?.trim() ?? null;
  const { error } = result;
  // What was never started cost nothing; else what is not known stays unknown.
  const spent = start?.child_pid === undefined ? 0 : null;
  return {
    v: 1,
    runtime: start?.runtime ?? options.runtime,
    model: options.model,
    status: statusOf(error?.code ?? null, reply),
    reply,
    latency_first_ms: first,
    latency_ms: since(),
    input_tokens: result.totals.input_tokens ?? spent,
    output_tokens: result.totals.output_tokens ?? spent,
    cost_usd: result.totals.cost_usd ?? spent,
    cost_estimated: false,
    runtime_version: start?.runtime_version ?? null,
    native_sandbox: start?.native_sandbox ?? null,
    sandbox_applied: start?.sandbox_applied ?? null,
    error:
      error === null
        ? null
        : {
            code: error.code,
            message: error.message,
            ...(error.code === 'auth' && error.hint !== undefined ? { login_hint: error.hint } : {}),
          },
  };
}
