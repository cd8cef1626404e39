/** `/health`: whether the server is there and does its work. For everybody, so it says nothing about what runs. */

import type { RenderProblem } from '../listen/problem.js';
import type { Surface } from '../listen/surface.js';

const problem: RenderProblem = ({ status, message }) => ({ status, body: { kind: 'error', message } });

export interface HealthOptions {
  version: string;
  /** Why the server can't do its work, in a word for everybody; null when it can. */
  degraded(): string | null;
  /** What the server calls itself. */
  platform: string;
}

export function healthSurface({ version, degraded, platform }: HealthOptions): Surface {
  return {
    name: 'health',
    under: ['/health'],
    problem,
    routes: [
      {
        method: 'GET',
        path: '/health',
        auth: 'public',
        whileDraining: true,
        handle({ draining }) {
          const reason = degraded();
          const status = draining ? 'draining' : reason === null ? 'ok' : 'degraded';
          return Response.json({ status, ...(reason === null ? {} : { reason }), platform, version });
        },
      },
    ],
  };
}
