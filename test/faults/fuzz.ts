/** Properties that hold for whatever comes in: bytes, frames, tool files, and what runtimes print. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { UsageError } from '../../src/contract/error.js';
import { LIMITS } from '../../src/contract/limits.js';
import type { Json } from '../../src/contract/vocabulary.js';
import { turnTools } from '../../src/exec/prepare-tools.js';
import { type Recording, readRecordings } from '../../src/record/recording.js';
import { RefusedToday, replay } from '../../src/record/replay.js';
import { runners } from '../../src/registry/registry.js';
import { place } from '../../src/request/place.js';
import { asFlags } from '../../src/request/spelling.js';
import { toolList } from '../../src/request/tools.js';
import type { Runner } from '../../src/runner/runner.js';
import { parseJson } from '../../src/text/json.js';
import { lineSplitter } from '../../src/text/lines.js';
import { nativeLines } from '../../src/text/native-lines.js';
import { toolbox } from '../../src/tools/toolbox.js';
import { readFrame } from '../../src/turn/frames.js';
import { orderFault } from '../contract/order.js';
import { MUTATIONS, mutate } from './mutate.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();

export interface Property {
  name: string;
  /** Its share of the runs. */
  share: number;
  check(runs: number, seed: number | undefined): Promise<void>;
}

const json = () => fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

/** Bytes in which line ends, half characters and long runs are frequent. */
const bytes = () =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom('\n', '\r\n', '\r', '\ufeff', 'é', '😀', '\u2028', '\0').map((text) => [...Buffer.from(text)]),
        fc.array(fc.nat(255), { maxLength: 12 }),
        fc.tuple(fc.constantFrom(0x61, 0xe6, 0xf0), fc.nat(80)).map(([byte, many]) => Array<number>(many).fill(byte)),
      ),
      { maxLength: 60 },
    )
    .map((parts) => Uint8Array.from(parts.flat()));

function framing(runs: number, seed: number | undefined): void {
  const property = fc.property(
    bytes(),
    fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 40 }),
    fc.boolean(),
    (all, sizes, cut) => {
      const max = 64;
      const lines: string[] = [];
      let dropped = 0;
      const splitter = lineSplitter({
        max,
        long: cut ? 'cut' : 'drop',
        onLine: (line) => lines.push(line),
        onDropped: () => dropped++,
      });
      let from = 0;
      for (const size of sizes) {
        splitter.push(all.subarray(from, from + size));
        from += size;
      }
      splitter.push(all.subarray(from));
      splitter.end();
      const rows = Buffer.from(all).toString('latin1').split('\n');
      if (rows.at(-1) === '') rows.pop();
      const long = rows.filter((row) => row.length > max).length;
      if (dropped !== long) throw new Error(`${dropped} were dropped, ${long} are too long`);
      if (lines.length !== rows.length - (cut ? 0 : long)) throw new Error(`${lines.length} lines of ${rows.length}`);
      for (const line of lines) if (line.includes('\n')) throw new Error('a line end inside a line');
    },
  );
  fc.assert(property, { numRuns: runs, seed });
}

function frames(runs: number, seed: number | undefined): void {
  const word = fc.constantFrom('tool_result', 'permission_result', 'steer', 'cancel', 'x', null, 3);
  const frame = fc.record(
    {
      v: json(),
      type: word,
      id: fc.oneof(fc.string(), json()),
      ok: json(),
      result: json(),
      choice: json(),
      text: json(),
      message: json(),
    },
    { requiredKeys: ['type'] },
  );
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    frame.map((one) => JSON.stringify(one)),
    fc.tuple(frame, fc.nat()).map(([one, at]) => JSON.stringify(one).slice(0, at)),
  );
  fc.assert(
    fc.property(line, (text) => {
      const read = readFrame(text);
      if ('bad' in read && (typeof read.bad !== 'string' || read.bad === '')) throw new Error('says nothing');
      for (const one of nativeLines(text))
        if (parseJson(text) !== undefined && parseJson(one) === undefined) throw new Error('lost');
    }),
    { numRuns: runs, seed },
  );
}

async function toolFiles(runs: number, seed: number | undefined): Promise<void> {
  const schema = fc.record(
    {
      type: fc.constantFrom<Json>('object', 'string', 7, null, ['object']),
      properties: json(),
      required: json(),
      $ref: fc.constantFrom<Json>('#', '#/nowhere', 'https://example.com/x', 3),
      $schema: fc.constantFrom<Json>(
        'http://json-schema.org/draft-07/schema#',
        'https://json-schema.org/draft/2020-12/schema',
        'x',
      ),
      pattern: fc.constantFrom<Json>('(', '.*', 1),
      additionalProperties: json(),
    },
    { requiredKeys: [] },
  );
  const tool = fc.record(
    {
      name: fc.oneof(fc.string(), fc.string({ unit: 'binary' }), json()),
      description: fc.oneof(fc.string(), json()),
      schema: fc.oneof(schema, json()),
    },
    { requiredKeys: [] },
  );
  const file = fc.oneof(fc.array(tool, { maxLength: 4 }), json());
  await fc.assert(
    fc.asyncProperty(file, json(), async (value, args) => {
      let tools: ReturnType<typeof toolList.value>;
      try {
        tools = toolList.value(JSON.parse(JSON.stringify(value)), place(asFlags, ['tools']));
      } catch (error) {
        if (error instanceof UsageError) return;
        throw error;
      }
      const box = await toolbox(tools, () => {});
      const object = typeof args === 'object' && args !== null && !Array.isArray(args) ? args : { args };
      for (const one of tools) box.violation(one.name, object);
      if (new Set(box.offered.map(({ name }) => name)).size !== tools.length)
        throw new Error('a name is offered twice');
    }),
    { numRuns: runs, seed },
  );
}

interface Capture {
  name: string;
  runner: Runner;
  recording: Recording;
}

/** Every recorded turn of every runner. */
export function captures(): Capture[] {
  return runners.flatMap((runner) => {
    const folder = join(root, 'fixtures', runner.id);
    let names: string[] = [];
    try {
      names = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
    } catch {
      // This runner has none.
    }
    return names.flatMap((name) =>
      readRecordings(readFileSync(join(folder, name), 'utf8')).map((recording) => ({
        name: `${runner.id}/${name}`,
        runner,
        recording,
      })),
    );
  });
}

/** @throws an Error that says what rule the damaged turn broke */
export async function survives({ name, runner }: Capture, recording: Recording): Promise<void> {
  const { tools } = await turnTools({
    runner,
    request: recording.request,
    machine: recording.machine,
    version: '0.0.0',
    transport: 'none',
    privateDir: () => Promise.reject(new Error('a replay opens no socket')),
    notice: () => {},
  });
  const { events, exitCode } = await replay(recording, runner, { tools });
  const wire = JSON.parse(JSON.stringify(events));
  const fault = orderFault(wire);
  if (fault !== null) throw new Error(`${name}: the stream ${fault}`);
  const last = events.at(-1);
  if (last?.type !== 'done' || last.exit_code !== exitCode) throw new Error(`${name}: the exit code differs`);
  for (const event of events) {
    if (Buffer.byteLength(JSON.stringify(event)) >= LIMITS.eventLine)
      throw new Error(`${name}: ${event.type} is too long`);
    const counted = event.type === 'usage' || event.type === 'result' ? [event.input_tokens, event.output_tokens] : [];
    if (event.type === 'result') {
      counted.push(
        event.peak_context_tokens ?? null,
        ...Object.values(event.model_usage ?? {}).flatMap((one) => Object.values(one)),
      );
    }
    if (counted.some((one) => one !== null && !Number.isInteger(one)))
      throw new Error(`${name}: tokens with a fraction`);
    if (event.type === 'error' && event.message.includes('turnout itself failed'))
      throw new Error(`${name}: ${event.message}`);
  }
}

async function dialects(runs: number, seed: number | undefined): Promise<void> {
  const all = captures();
  const mutation = fc.record({ kind: fc.constantFrom(...MUTATIONS), line: fc.nat(), place: fc.nat(), value: fc.nat() });
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.array(mutation, { minLength: 1, maxLength: 5 }), async (which, mutations) => {
      const capture = all[which % all.length];
      if (!capture) throw new Error('there is no capture');
      try {
        await survives(capture, mutations.reduce(mutate, capture.recording));
      } catch (error) {
        if (error instanceof RefusedToday) return;
        throw error;
      }
    }),
    { numRuns: runs, seed, interruptAfterTimeLimit: undefined },
  );
}

export const PROPERTIES: readonly Property[] = [
  { name: 'framing of bytes', share: 0.3, check: async (runs, seed) => framing(runs, seed) },
  { name: 'frames of a host', share: 0.2, check: async (runs, seed) => frames(runs, seed) },
  { name: 'tool files', share: 0.1, check: toolFiles },
  { name: 'what runtimes print', share: 0.4, check: dialects },
];
