/** What a search found. */

export interface Located {
  /** Where it stands, before links were followed. */
  found: string;
  /** With all links followed. */
  real: string;
  source: 'variable' | 'path' | 'place' | 'builtin';
  /** For people: what was passed over on the way, and what kind of program this is. */
  notes: string[];
}

export interface Missing {
  missing: true;
  notes: string[];
}

export function isMissing(answer: Located | Missing): answer is Missing {
  return 'missing' in answer;
}
