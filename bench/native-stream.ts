/** What Claude Code prints in a long answer: deltas, a few words each. */

const MIB = 2 ** 20;
const CHUNK = 64 * 1024;
export const BYTES = 24 * MIB;
const TEXT = 'The quick brown fox jumps over the lazy dog; ';

const line = (object: object): string => `${JSON.stringify(object)}\n`;
/** As Claude Code 2.1.332 prints one. */
const delta = (text: string): string =>
  line({
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    session_id: '7a3c2f0e-6d7c-4a55-9f41-0a8c5b1d2e3f',
    parent_tool_use_id: null,
    uuid: '0d3b8f0a-3d0c-4f0e-8c46-5b1d2e3f7a3c',
    api_message_id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
  });

/** Deltas of 5 to 45 characters, cut into chunks as a pipe cuts them. */
export function nativeStream(): Uint8Array[] {
  const opening =
    line({ type: 'control_response', response: { subtype: 'success', request_id: 'turnout-hello', response: {} } }) +
    line({ type: 'system', subtype: 'init', session_id: 's1', mcp_servers: [] }) +
    line({ type: 'user', message: { role: 'user', content: [] }, session_id: 's1', isReplay: true }) +
    line({ type: 'stream_event', event: { type: 'message_start', message: { id: 'm1' } }, session_id: 's1' });
  const block = Array.from({ length: 9 }, (_, index) => delta(TEXT.slice(0, 5 * (index + 1)))).join('');
  const all = Buffer.from(opening + block.repeat(Math.ceil(BYTES / block.length)));
  const chunks: Uint8Array[] = [];
  for (let from = 0; from < all.length; from += CHUNK) chunks.push(all.subarray(from, from + CHUNK));
  return chunks;
}
