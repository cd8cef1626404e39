/** By what each access mode of a runner is kept, inside the confinement of the operating system and without it. */

/** Modes that the walls keep by themselves where the program has no rules for them. */
const BY_WALLS = ['read', 'edit'];

const ORDER = ['scoped', 'none', 'read', 'edit', 'full'];

/** @returns one entry for each mode that can be asked for: `program`, `both` (walls around it), `os` (they alone), `none` */
export function keptBy(runner) {
  if (runner.unsupported) return [];
  const own = Object.keys(runner.access);
  const walled = runner.confine !== undefined;
  const more = walled && own.includes('full') ? BY_WALLS.filter((mode) => !own.includes(mode)) : [];
  const by = (mode) => (mode === 'full' ? 'none' : walled ? 'both' : 'program');
  const kept = [...own.map((mode) => ({ mode, by: by(mode) })), ...more.map((mode) => ({ mode, by: 'os' }))];
  return kept.sort((a, b) => ORDER.indexOf(a.mode) - ORDER.indexOf(b.mode));
}

/** In a cell: `program + OS`, or what differs between the modes. */
export function keptInWords(runner) {
  const kept = keptBy(runner).filter(({ by }) => by !== 'none');
  const words = { both: 'program + OS', os: 'OS', program: 'program' };
  const groups = Object.keys(words)
    .map((by) => ({ by, modes: kept.filter((one) => one.by === by).map(({ mode }) => mode) }))
    .filter(({ modes }) => modes.length > 0);
  if (groups.length === 1) return words[groups[0].by];
  return groups.map(({ by, modes }) => `${modes.join(', ')}: ${words[by]}`).join('; ') || '–';
}
