/** What the runs, sessions and capabilities call themselves: our own names, or those that clients of hermes-agent look for. */

export const COMPATS = ['hermes'] as const;
export type Compat = (typeof COMPATS)[number];

export interface Names {
  /** In front of types of objects: `turnout.run`. */
  prefix: string;
  platform: string;
  /** The model that stands for whichever runtime answers. */
  model: string;
  /** The headers that name a session, and what it belongs to. */
  session: string;
  key: string;
}

const OURS: Names = {
  prefix: 'turnout',
  platform: 'turnout',
  model: 'turnout',
  session: 'X-Turnout-Session-Id',
  key: 'X-Turnout-Session-Key',
};

/** As in hermes-agent 0.19.0. */
const HERMES: Names = {
  prefix: 'hermes',
  platform: 'hermes-agent',
  model: 'hermes-agent',
  session: 'X-Hermes-Session-Id',
  key: 'X-Hermes-Session-Key',
};

export const namesOf = (compat: Compat | undefined): Names => (compat === 'hermes' ? HERMES : OURS);
