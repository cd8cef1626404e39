/** The protocol's messages over a pair of Node streams. */

import type { Readable, Writable } from 'node:stream';
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk/unstable';

/** A picture of 20 MiB is 27 in base64. */
const MESSAGE = 64 * 1024 * 1024;

export interface Stdio {
  stream: Stream;
  /** Resolves when the input has come to its end. The stream stays open then, so that answers still go out. */
  ended: Promise<void>;
  /** Resolves when nobody reads the output any more. */
  gone: Promise<void>;
}

export function stdio(input: Readable, output: Writable): Stdio {
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
  const readable = new ReadableStream<Uint8Array>({
    start(controller) {
      input.on('data', (chunk: Buffer) => {
        controller.enqueue(new Uint8Array(chunk));
        if ((controller.desiredSize ?? 0) <= 0) input.pause();
      });
      input.on('end', ended);
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
  return { stream: ndJsonStream(writable, readable, { maxMessageBytes: MESSAGE }), ended: atEnd, gone: atLoss };
}
