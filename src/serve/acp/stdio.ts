/** The protocol's messages over a pair of Node streams. */

import type { Readable, Writable } from 'node:stream';
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk/unstable';
import { unblock } from '../../process/unblock-stdout.js';
import { lineSplitter } from '../../text/lines.js';
import { idOfOversized } from '../../text/oversized.js';

/** A picture of 20 MiB is 27 in base64. */
const MESSAGE = 64 * 1024 * 1024;
const NEWLINE = 1;
const INVALID_REQUEST = -32600;

export interface Stdio {
  stream: Stream;
  /** Resolves when the input has come to its end. The stream stays open then, so that answers still go out. */
  ended: Promise<void>;
  /** Resolves when nobody reads the output any more. */
  gone: Promise<void>;
}

export function stdio(input: Readable, output: Writable): Stdio {
  unblock(output);
  let ended = () => {};
  let gone = () => {};
  const atEnd = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const atLoss = new Promise<void>((resolve) => {
    gone = resolve;
  });
  output.on('error', gone);
  output.on('close', gone);
  const encoder = new TextEncoder();
  /** A message that is too large is one request that fails; all others go on. */
  const refuse = (id: string | number | null) => {
    const message = `the message is larger than ${MESSAGE} bytes`;
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } })}\n`);
  };
  const readable = new ReadableStream<Uint8Array>({
    start(controller) {
      const lines = lineSplitter({
        max: MESSAGE,
        onLine: (text) => controller.enqueue(encoder.encode(`${text}\n`)),
        onDropped: (_, head) => refuse(idOfOversized(head)),
      });
      input.on('data', (chunk: Buffer) => {
        lines.push(chunk);
        if ((controller.desiredSize ?? 0) <= 0) input.pause();
      });
      input.on('end', () => {
        lines.end();
        ended();
      });
      input.on('error', ended);
    },
    pull: () => void input.resume(),
  });
  const writable = new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise((resolve, reject) => {
        output.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
  });
  return {
    stream: ndJsonStream(writable, readable, { maxMessageBytes: MESSAGE + NEWLINE }),
    ended: atEnd,
    gone: atLoss,
  };
}
