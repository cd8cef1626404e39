/**
 * Turns and their tool calls as spans, by OpenTelemetry's semantic conventions for generative AI (1.45, in development
 * there): `invoke_agent` with `execute_tool` below it. What was said, given to a tool or returned by one is not in them.
 */

import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { DoneEvent, ErrorEvent, Event, ResultEvent, StartEvent, ToolActivityEvent } from '../../contract/event.js';
import type { WatchTurn } from '../../runs/watch-turn.js';

/** Only what is known: null and undefined are left out. */
function known(attributes: Record<string, string | number | string[] | null | undefined>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value]],
    ),
  );
}

function ended(span: Span, error: string | null, message?: string): void {
  if (error !== null) {
    span.setAttribute('error.type', error);
    span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
  }
  span.end();
}

/** The model that answered, where it is known and one. */
function modelOf({ model_usage }: ResultEvent): string | null {
  const [first, ...more] = Object.keys(model_usage ?? {});
  return first !== undefined && more.length === 0 ? first : null;
}

interface Tools {
  begin(id: string, name: string, type: 'function' | 'extension', parent: string | null): void;
  end(id: string, error: string | null): void;
  /** Those that were under way when the turn ended. */
  endAll(): void;
}

function toolSpans(tracer: Tracer, turn: Context): Tools {
  const open = new Map<string, Span>();
  return {
    begin(id, name, type, parent) {
      const above = parent === null ? undefined : open.get(parent);
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.call.id': id,
        'gen_ai.tool.type': type,
      };
      const context = above ? trace.setSpan(turn, above) : turn;
      open.set(id, tracer.startSpan(`execute_tool ${name}`, { kind: SpanKind.INTERNAL, attributes }, context));
    },
    end(id, error) {
      const span = open.get(id);
      open.delete(id);
      if (span) ended(span, error);
    },
    endAll() {
      for (const span of open.values()) ended(span, 'interrupted');
      open.clear();
    },
  };
}

function activity(tools: Tools, event: ToolActivityEvent): void {
  if (event.phase === 'start') return tools.begin(event.id, event.name, 'extension', event.parent_tool_use_id);
  const error = event.denied ? 'denied' : event.cancelled ? 'cancelled' : event.ok ? null : '_OTHER';
  tools.end(event.id, error);
}

const startAttributes = (event: StartEvent): Attributes =>
  known({
    'gen_ai.agent.name': event.runtime,
    'gen_ai.provider.name': event.runtime,
    'gen_ai.agent.version': event.runtime_version,
    'gen_ai.request.model': event.model,
  });

const doneAttributes = ({ stop_reason, totals }: DoneEvent): Attributes =>
  known({
    'gen_ai.response.finish_reasons': [stop_reason],
    'gen_ai.usage.input_tokens': totals?.input_tokens,
    'gen_ai.usage.output_tokens': totals?.output_tokens,
    'gen_ai.usage.cache_read.input_tokens': totals?.cached_tokens,
    'turnout.cost_usd': totals?.cost_usd,
  });

export function turnSpans(tracer: Tracer): WatchTurn {
  return (plan) => {
    const { runtime } = plan.request;
    const attributes = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': runtime,
      'gen_ai.agent.name': runtime,
    };
    const span = tracer.startSpan(`invoke_agent ${runtime}`, { kind: SpanKind.CLIENT, attributes }, ROOT_CONTEXT);
    const tools = toolSpans(tracer, trace.setSpan(ROOT_CONTEXT, span));
    let fault: ErrorEvent | null = null;
    return (event: Event) => {
      switch (event.type) {
        case 'start':
          span.updateName(`invoke_agent ${event.runtime}`);
          span.setAttributes(startAttributes(event));
          return;
        case 'session':
          span.setAttribute('gen_ai.conversation.id', event.session_id);
          return;
        case 'tool_call':
          return tools.begin(event.id, event.name, 'function', null);
        case 'tool_result':
          return tools.end(event.id, event.ok ? null : '_OTHER');
        case 'tool_activity':
          return activity(tools, event);
        case 'error':
          if (event.code !== 'bad-frame') fault = event;
          return;
        case 'result':
          span.setAttributes(known({ 'gen_ai.response.model': modelOf(event) }));
          return;
        case 'done':
          tools.endAll();
          span.setAttributes(doneAttributes(event));
          return ended(span, fault?.code ?? null);
        case 'status':
        case 'assistant':
        case 'thinking':
        case 'subagent':
        case 'plan':
        case 'patch':
        case 'permission_request':
        case 'question':
        case 'usage':
          return;
        default: {
          const never: never = event;
          throw new Error(`unknown event ${JSON.stringify(never)}`);
        }
      }
    };
  };
}
