/** What bubblewrap's complaints mean for a person, and what to do. */

const IN_CONTAINER = 'in a container, let the container be the wall: --confine none';

const KNOWN: readonly (readonly [pattern: RegExp, text: string])[] = [
  [
    /Can't mount proc/,
    `a container hides parts of /proc here, and without a /proc of its own a program would see the others' environment; ${IN_CONTAINER}`,
  ],
  [
    /nesting depth|ENOSPC|max_\w*_namespaces/,
    'this process already runs inside such a confinement, which allows no other one inside: --confine none',
  ],
  [
    /setting up uid map: Permission denied|Failed RTM_NEWADDR/,
    'this system lets only programs with an AppArmor profile make user namespaces: install a profile for bwrap ' +
      `(with the rule \`userns,\`), or use --confine none; ${IN_CONTAINER}`,
  ],
  [
    /No permissions to create (a )?new namespace|Creating new namespace failed|Operation not permitted/,
    `this host or container forbids user namespaces; ${IN_CONTAINER}`,
  ],
  [/Unknown option --disable-userns/, 'this bubblewrap is too old: version 0.8 or newer is needed; or --confine none'],
];

export const NOT_INSTALLED =
  'confinement needs bubblewrap (bwrap), which is not installed: apt install bubblewrap, or dnf install bubblewrap; or --confine none';

/** @param stderr what bubblewrap printed @returns a text for people, with its last line quoted */
export function explainBwrap(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const line = lines.findLast((one) => one.startsWith('bwrap:')) ?? lines.findLast((one) => one !== '') ?? '';
  const known = KNOWN.find(([pattern]) => pattern.test(line));
  const meaning = known?.[1] ?? 'bubblewrap does not work here; --confine none runs without it';
  return line === '' ? meaning : `${meaning} (${line})`;
}
