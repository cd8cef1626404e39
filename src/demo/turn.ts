/** One turn of the demo runtime: session, steps, end. */

import type { End, Incoming, Prompt } from './dialect.js';
import type { Send } from './output.js';
import { readScript } from './script.js';
import type { Play } from './script-context.js';
import { Interrupted, scriptContext } from './script-context.js';
import { keep, recall } from './sessions.js';
import { answerSegment } from './talk.js';
import { NAMES, WORDS } from './words.js';

export interface Turn {
  hear(incoming: Incoming): void;
  done: Promise<void>;
}

/** @param folder where sessions are kept */
export function startTurn(prompt: Prompt, folder: string, cwd: string, send: Send): Turn {
  const early: Incoming[] = [];
  let play: Play | null = null;

  const run = async () => {
    const earlier = prompt.resume ? await recall(folder, prompt.session) : [];
    if (earlier === null) {
      const message = `The demo has no session ${prompt.session}.`;
      const turn = prompt.turn === null ? {} : { turn: prompt.turn };
      return send({ type: 'end', reason: 'error', ...turn, error: { kind: 'session_not_found', message } });
    }
    await send({ type: 'session', id: prompt.session, model: prompt.model });
    try {
      await keep(folder, prompt.session, [...earlier, prompt.text], cwd);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      await send({ type: 'notice', text: `This session can't be resumed: ${why}` });
    }
    const opened = scriptContext(prompt, earlier, cwd, send);
    play = opened;
    for (const heard of early.splice(0)) opened.hear(heard);
    const end = await perform(opened);
    await opened.leave();
    await opened.context.close();
    await send(prompt.turn === null ? end : { ...end, turn: prompt.turn });
  };

  return {
    hear: (incoming) => (play ? play.hear(incoming) : void early.push(incoming)),
    done: run(),
  };
}

async function perform({ context }: Play): Promise<End> {
  try {
    for (const step of readScript(context.prompt.text, NAMES)) {
      await context.close();
      await context.pause(0);
      const word = step.word === null ? undefined : WORDS.get(step.word);
      const end = word ? await word(context, step.rest) : await answerSegment(context, step.rest);
      if (end) return end;
    }
    return { type: 'end', reason: 'end_turn' };
  } catch (error) {
    if (error instanceof Interrupted) return { type: 'end', reason: 'interrupted' };
    const message = error instanceof Error ? error.message : String(error);
    return { type: 'end', reason: 'error', error: { kind: 'other', message } };
  }
}
