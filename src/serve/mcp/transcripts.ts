/** What was said in a session, as a resource. */

import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import type { Message } from '../../runs/records.js';
import type { McpSettings } from './settings.js';

const BASE = 'turnout://sessions/';
const MOST = 100;
const TYPE = 'text/markdown';

export const transcriptUri = (session: string): string => `${BASE}${encodeURIComponent(session)}`;

/** The newest hundred; older ones can be read by their address. */
export async function listTranscripts({ core, caller }: McpSettings): Promise<ListResourcesResult> {
  const resources = (await core.sessions.list({ limit: MOST }, caller)).map((one) => ({
    uri: transcriptUri(one.session_id),
    name: one.session_id,
    title: one.title === '' ? one.session_id : one.title,
    description: `${one.runtime} in ${one.cwd}`,
    mimeType: TYPE,
  }));
  return { resources };
}

export function transcriptTemplates(): ListResourceTemplatesResult {
  return {
    resourceTemplates: [
      {
        uriTemplate: `${BASE}{session_id}`,
        name: 'transcript',
        title: 'Transcript of a session',
        description: 'What was asked and answered in a session that sessions_list names.',
        mimeType: TYPE,
      },
    ],
  };
}

function markdown({ role, text, at }: Message): string {
  return `## ${role === 'user' ? 'Prompt' : 'Answer'} (${new Date(at).toISOString()})\n\n${text}\n`;
}

/** @throws ResourceNotFoundError */
export async function readTranscript({ core, caller }: McpSettings, uri: string): Promise<ReadResourceResult> {
  const found = uri.startsWith(BASE) ? await core.sessions.get(decoded(uri.slice(BASE.length)), caller) : null;
  if (!found) throw new ResourceNotFoundError(uri);
  const head = `# ${found.title}\n\n${found.runtime} in ${found.cwd}\n`;
  const said = (await core.sessions.transcript(found.session_id, caller)).map(markdown);
  return { contents: [{ uri, mimeType: TYPE, text: [head, ...said].join('\n') }] };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
