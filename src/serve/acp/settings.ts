/** What a session can be set to: modes are the access mode and who is asked beyond it; the options are mode, model, effort and runtime. */

import type { SessionConfigOption, SessionMode, SessionModeState } from '@agentclientprotocol/sdk/unstable';
import type { ModelEntry } from '../../contract/listing.js';
import { ACCESS_MODES, type AccessMode, EFFORTS, type Effort } from '../../contract/vocabulary.js';
import type { Runner } from '../../runner/runner.js';
import type { SessionChoice } from '../../runs/records.js';

/** The value that leaves a choice to the runtime. */
export const DEFAULT = '_default';

/** An access mode, and whether the user is asked about what it does not allow. */
export type ModeId = AccessMode | 'edit-unasked';

const MODE_IDS = ACCESS_MODES.flatMap((mode): ModeId[] => (mode === 'edit' ? ['edit', 'edit-unasked'] : [mode]));

const MODES: Readonly<Record<ModeId, Omit<SessionMode, 'id'>>> = {
  scoped: { name: 'Ask', description: 'Reads by itself; asks before it changes or runs anything else' },
  none: { name: 'No tools', description: 'Answers with what it is told; only your own tools and servers' },
  read: { name: 'Read only', description: 'Reads files and the web; changes nothing and asks nothing' },
  edit: { name: 'Edit', description: 'Also writes in the working folder; asks before it does anything else' },
  'edit-unasked': {
    name: 'Edit, ask nothing',
    description:
      'Writes in the working folder; anything else is refused, or runs confined where the system can do that',
  },
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

function modesOf({ runner, noFull }: Pick<Choosable, 'runner' | 'noFull'>): AccessMode[] {
  return ACCESS_MODES.filter((mode) => runner.access[mode] !== undefined && !(mode === 'full' && noFull));
}

/** What a mode of the list stands for. */
export const choiceOf = (mode: ModeId): Pick<SessionChoice, 'access' | 'unasked'> =>
  mode === 'edit-unasked' ? { access: 'edit', unasked: true } : { access: mode };

export const modeIdOf = ({ access, unasked }: Pick<SessionChoice, 'access' | 'unasked'>): ModeId =>
  access === 'edit' && unasked ? 'edit-unasked' : access;

/** Whether the user is asked about what the mode does not allow. */
export function asksUser(runner: Runner, { access, unasked }: SessionChoice): boolean {
  return (access === 'scoped' || (access === 'edit' && !unasked)) && runner.access[access]?.asks === true;
}

/** The modes of a list: where a runtime asks nothing at `edit`, there is one of them. */
export function modeIds(from: Pick<Choosable, 'runner' | 'noFull'>): ModeId[] {
  const has = modesOf(from);
  const asks = from.runner.access.edit?.asks === true;
  return MODE_IDS.filter((id) => has.includes(choiceOf(id).access) && (id !== 'edit-unasked' || asks));
}

function about(id: ModeId, { runner }: Pick<Choosable, 'runner'>): Omit<SessionMode, 'id'> {
  if (id !== 'edit' || runner.access.edit?.asks === true) return MODES[id];
  return { name: MODES.edit.name, description: MODES['edit-unasked'].description ?? '' };
}

export function modes(from: Choosable): SessionModeState {
  return {
    currentModeId: modeIdOf(from.choice),
    availableModes: modeIds(from).map((id) => ({ id, ...about(id, from) })),
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
  const { model, effort } = choice;
  const all = [
    select(
      { id: 'mode', name: 'Access', category: 'mode', description: 'What the agent may do with its own tools' },
      modeIdOf(choice),
      modeIds(from).map((id) => {
        const { name, description } = about(id, from);
        return { value: id, name, description: description ?? '' };
      }),
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
