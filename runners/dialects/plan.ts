/**
 * The agent's list of steps, from the tools it keeps it with: `TodoWrite` (whole lists), `TaskCreate` and `TaskUpdate`, or
 * `create_todo_list` and `update_todo_list` (grok-cli 0.0.34).
 */

import type { PlanEntry } from '../../src/contract/event.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import { arr, obj, str } from '../../src/text/json.js';

export interface Plan {
  /** @returns the whole list when a call that succeeded has changed it, else null */
  ended(name: string, input: Json | undefined, detail: JsonObject | undefined): PlanEntry[] | null;
}

function status(word: string | undefined): PlanEntry['status'] {
  return word === 'completed' || word === 'in_progress' ? word : 'pending';
}

function entry(step: Json): PlanEntry[] {
  const content = str(step, 'content') ?? str(step, 'subject');
  return content === undefined ? [] : [{ content, status: status(str(step, 'status')) }];
}

export function plan(): Plan {
  const tasks = new Map<string, PlanEntry>();
  const list = () => [...tasks.values()];

  return {
    ended(name, input, detail) {
      switch (name) {
        case 'TodoWrite':
        case 'todo_write':
          return (arr(input, 'todos') ?? []).flatMap(entry);
        case 'create_todo_list': {
          tasks.clear();
          for (const step of arr(input, 'todos') ?? []) {
            const id = str(step, 'id');
            const [one] = entry(step);
            if (id !== undefined && one !== undefined) tasks.set(id, one);
          }
          return list();
        }
        case 'update_todo_list': {
          for (const step of arr(input, 'updates') ?? []) {
            const id = str(step, 'id') ?? '';
            const known = tasks.get(id);
            if (known === undefined) return null;
            const now = str(step, 'status');
            const content = str(step, 'content') ?? known.content;
            tasks.set(id, { content, status: now === undefined ? known.status : status(now) });
          }
          return list();
        }
        case 'TaskCreate': {
          // Letta Code 0.32 has the step itself there.
          const id = str(detail, 'task', 'id') ?? str(detail, 'taskId');
          const content = str(detail, 'task', 'subject') ?? str(detail, 'subject');
          if (id === undefined || content === undefined) return null;
          tasks.set(id, { content, status: 'pending' });
          return list();
        }
        case 'TaskUpdate': {
          const id = str(input, 'taskId') ?? '';
          const known = tasks.get(id);
          const now = str(detail, 'statusChange', 'to') ?? str(input, 'status');
          if (known === undefined) return null;
          if (now === 'deleted') tasks.delete(id);
          else {
            const content = str(input, 'subject') ?? known.content;
            tasks.set(id, { content, status: now === undefined ? known.status : status(now) });
          }
          return list();
        }
        case 'TaskList': {
          // Tells of steps from an earlier turn of the session too.
          const all = arr(detail, 'tasks');
          if (all === undefined) return null;
          tasks.clear();
          for (const task of all) {
            const id = str(task, 'id');
            const [one] = entry(obj(task) ?? {});
            if (id !== undefined && one !== undefined) tasks.set(id, one);
          }
          return list();
        }
        default:
          return null;
      }
    },
  };
}
