/** What a session can be set to: modes are access mode; the options are mode, model, effort and runtime. */

import type { SessionConfigOption, SessionMode, SessionModeState } from '@agentclientprotocol/sdk/unstable';
import type { ModelEntry } from '../../contract/listing.js';
import { ACCESS_MODES, type AccessMode, EFFORTS, type Effort } from '../../contract/vocabulary.js';
import type { Runner } from '../../runner/runner.js';
import type { SessionChoice } from '../../runs/records.js';

/** The value that leaves a choice to the runtime. */
export const DEFAULT = '_default';

const MODES: Readonly<Record<AccessMode, Omit<SessionMode, 'id'>>> = {
  scoped: { name: 'Ask', description: 'Reads by itself; asks before it changes or runs anything else' },
  none: { name: 'No tools', description: 'Answers with what it is told; only your own tools and servers' },
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

export function modesOf({ runner, noFull }: Pick<Choosable, 'runner' | 'noFull'>): AccessMode[] {
  return ACCESS_MODES.filter((mode) => runner.access[mode] !== undefined && !(mode === 'full' && noFull));
}

export function modes(from: Choosable): SessionModeState {
  return {
    currentModeId: from.choice.access,
    availableModes: modesOf(from).map((id) => ({ id, ...MODES[id] })),
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
      modesOf(from).map((id) => ({ value: id, name: MODES[id].name, description: MODES[id].description ?? '' })),
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

/** A mode that the runtime has: the wanted one, else the first. */
export function modeFor(wanted: AccessMode, from: Pick<Choosable, 'runner' | 'noFull'>): AccessMode {
  const modes = modesOf(from);
  return modes.includes(wanted) ? wanted : (modes[0] ?? 'scoped');
}
