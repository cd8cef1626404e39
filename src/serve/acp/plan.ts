/** One prompt of an open session → a turn that can be started. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentBlock } from '@agentclientprotocol/sdk/unstable';
import { UsageError } from '../../contract/error.js';
import type { SettingsSource } from '../../contract/vocabulary.js';
import { type PrivateDir, privateDir } from '../../process/temp-files.js';
import { planOptions } from '../../request/from-options.js';
import type { Core } from '../../runs/core.js';
import type { TurnPlan } from '../../runs/plan.js';
import { type Prompt, readPrompt } from './content.js';
import { invalid } from './errors.js';
import type { Opened } from './open-sessions.js';
import { asksUser } from './settings.js';

export interface PlanOptions {
  core: Core;
  session: Opened;
  blocks: readonly ContentBlock[];
  settings: readonly SettingsSource[];
  allowRoot: boolean;
  /** Whether the client's MCP servers are handed on. */
  servers: boolean;
}

export interface Planned {
  plan: TurnPlan;
  prompt: Prompt;
  /** Removes what was written for the turn. */
  clean(): Promise<void>;
}

/** Some runtimes take pictures by path. */
async function writePictures(pictures: Prompt['pictures']): Promise<{ dir: PrivateDir; paths: string[] }> {
  const dir = await privateDir();
  const paths = await Promise.all(
    pictures.map(async ({ data }, index) => {
      const path = join(dir.path, `image-${index + 1}`);
      await writeFile(path, Buffer.from(data, 'base64'), { flag: 'wx', mode: 0o600 });
      return path;
    }),
  );
  return { dir, paths };
}

/** @throws RequestError invalid params */
export async function planTurn(options: PlanOptions): Promise<Planned> {
  const { core, session, blocks } = options;
  const { runner, choice } = session;
  const prompt = readPrompt(blocks, runner.images ? null : `${runner.title} takes no images`);
  const written = prompt.pictures.length > 0 ? await writePictures(prompt.pictures) : null;
  const clean = async () => written?.dir.remove();
  try {
    const { request, limits, refuse } = planOptions(
      {
        runtime: session.runtime,
        prompt: prompt.text,
        cwd: session.cwd,
        access: choice.access,
        settings: options.settings,
        ...(choice.model === null ? {} : { model: choice.model }),
        ...(choice.effort === null ? {} : { effort: choice.effort }),
        ...(written ? { images: written.paths } : {}),
      },
      [],
      core.ambient,
    );
    return {
      prompt,
      clean,
      plan: {
        request: {
          ...request,
          commands: true,
          ...(runner.asksQuestions ? { questions: 'stdio' as const } : {}),
          approvals: asksUser(runner, choice) ? 'stdio' : 'deny',
          mcpServers: options.servers ? session.servers : [],
        },
        limits,
        env: {},
        allowRoot: options.allowRoot,
        goesOn: true,
        ...(refuse ? { refuse } : {}),
      },
    };
  } catch (error) {
    await clean();
    if (error instanceof UsageError) throw invalid(error.message);
    throw error;
  }
}
