/** What a session can be set to: modes are access levels; the options are mode, model, effort and runtime. */

import type { SessionConfigOption, SessionMode, SessionModeState } from '@agentclientprotocol/sdk/unstable';
import type { ModelEntry } from '../../contract/listing.js';
import { EFFORTS, type Effort, LEVELS, type Level } from '../../contract/vocabulary.js';
import type { Runner } from '../../runner/runner.js';
import type { SessionChoice } from '../core/records.js';

/** The value that leaves a choice to the runtime. */
export const DEFAULT = '_default';

const MODES: Readonly<Record<Level, Omit<SessionMode, 'id'>>> = {
  scoped: { name: 'Ask', description: 'Reads by itself; asks before it changes or runs anything else' },
  read: { name: 'Read only', description: 'Reads files and the web; changes nothing and asks nothing' },
  edit: { name: 'Edit', description: 'Also writes in the working folder; asks nothing' },
  full: { name: 'Full access', description: 'Everything, without asking' },
};

export interface Choosable {
  /** The value of `--runtime`. */
  runtime: string;
  runner: Runner;
  choice: SessionChoice;
  installed: readonly Runner[];
  /** Null while they are not known. */
  models: readonly ModelEntry[] | null;
  /** Whether `full` would be refused whatever is chosen. */
  noFull: boolean;
}

export function levelsOf({ runner, noFull }: Pick<Choosable, 'runner' | 'noFull'>): Level[] {
  return LEVELS.filter((level) => runner.access[level] !== undefined && !(level === 'full' && noFull));
}

export function modes(from: Choosable): SessionModeState {
  return {
    currentModeId: from.choice.access,
    availableModes: levelsOf(from).map((id) => ({ id, ...MODES[id] })),
  };
}

interface Value {
  value: string;
  name: string;
  description?: string;
}

function select(
  about: { id: string; name: string; category: string; description?: string },
  current: string,
  values: readonly Value[],
): SessionConfigOption {
  const known = values.some(({ value }) => value === current);
  const options = known ? [...values] : [...values, { value: current, name: current }];
  return { ...about, type: 'select', currentValue: current, options };
}

export function effortsOf({ runner, choice, models }: Choosable): readonly Effort[] {
  if (!runner.effort) return [];
  const model = models?.find(({ id, resolved_id }) => id === choice.model || resolved_id === choice.model);
  return model?.effort_levels ?? EFFORTS;
}

/** All options, each time: the protocol wants the complete list. */
export function options(from: Choosable): SessionConfigOption[] {
  const { runner, runtime, choice, installed } = from;
  const { access, model, effort } = choice;
  const all = [
    select(
      { id: 'mode', name: 'Access', category: 'mode', description: 'What the agent may do with its own tools' },
      access,
      levelsOf(from).map((id) => ({ value: id, name: MODES[id].name, description: MODES[id].description ?? '' })),
    ),
  ];
  const models = from.models ?? [];
  if (models.length > 0 || model !== null) {
    const values = models.map(({ id, label, description }) => ({
      value: id,
      name: label ?? id,
      ...(description === undefined ? {} : { description }),
    }));
    const own = { value: DEFAULT, name: 'Default', description: `What ${runner.title} takes by itself` };
    all.push(select({ id: 'model', name: 'Model', category: 'model' }, model ?? DEFAULT, [own, ...values]));
  }
  const efforts = effortsOf(from);
  if (efforts.length > 0) {
    const values = efforts.map((value) => ({ value, name: value }));
    const own = { value: DEFAULT, name: 'default' };
    all.push(select({ id: 'effort', name: 'Effort', category: 'thought_level' }, effort ?? DEFAULT, [own, ...values]));
  }
  const runtimes = installed.map(({ id, title }) => ({ value: id, name: title }));
  all.push(
    select(
      {
        id: 'runtime',
        name: 'Agent',
        category: '_runtime',
        description: 'Another agent is told what was said so far; it does not know what the first one read or did',
      },
      runtime,
      runtimes,
    ),
  );
  return all;
}

/** A level that the runtime has: the wanted one, else the first. */
export function levelFor(wanted: Level, from: Pick<Choosable, 'runner' | 'noFull'>): Level {
  const levels = levelsOf(from);
  return levels.includes(wanted) ? wanted : (levels[0] ?? 'scoped');
}
