/**
 * The same walls as a profile for `sandbox-exec` of macOS. It knows no private folders: what bubblewrap empties can be read
 * there and not written, and what it puts in the place of another needs the program's own variable. No turn uses it until
 * the test beside it has held on a Mac; until then a confinement by the operating system is refused there.
 */

import { dirname } from 'node:path';
import { type Walls, within } from './walls.js';

/** Longer literals are cut in silence. */
const MOST_BYTES = 1025;

/** What a process needs to find users, write logs, resolve names and check certificates; nothing that starts others. */
const SERVICES = [
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.opendirectoryd.membership',
  'com.apple.bsd.dirhelper',
  'com.apple.logd',
  'com.apple.system.notification_center',
  'com.apple.SecurityServer',
  'com.apple.securityd.xpc',
  'com.apple.trustd.agent',
] as const;

/** Written to by nearly everything, and no files. */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper'] as const;

/** @throws for a path that a profile can't hold: left out, it would be a hole */
function quoted(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path) || Buffer.byteLength(path) > MOST_BYTES) {
    throw new Error(`a profile can't hold this path: ${JSON.stringify(path.slice(0, 200))}`);
  }
  return `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
}

const subpath = (path: string): string => `(subpath ${quoted(path)})`;
const literal = (path: string): string => `(literal ${quoted(path)})`;

/** Folders above a path: one that is renamed would carry it out of its rule. */
function above(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) folders.push(folder);
  return folders;
}

/** Volumes of a Mac mostly ignore case; rules do not. */
function bothCases(path: string): string[] {
  const small = path.toLowerCase();
  return small === path ? [path] : [path, small];
}

function rule(verdict: 'allow' | 'deny', operations: string, filters: readonly string[]): string[] {
  return filters.length === 0 ? [] : [`(${verdict} ${operations}\n  ${[...new Set(filters)].join('\n  ')})`];
}

/**
 * The last rule that matches decides.
 * @param walls paths with links followed (`/private/tmp`, not `/tmp`)
 * @param temp a private temporary folder of the turn
 * @throws for a path that a profile can't hold
 */
export function seatbeltProfile(walls: Omit<Walls, 'start'>, temp: string): string {
  const writable = [
    ...(walls.writes ? [walls.cwd] : []),
    ...walls.seen.filter((one) => one.writable).map((one) => one.from),
    ...walls.replaced.map((one) => one.by),
    ...(walls.turn?.writable ? [walls.turn.at] : []),
    temp,
  ];
  const fixed = [...walls.git, ...walls.seen.filter((one) => !one.writable).map((one) => one.from)];
  const held = fixed.filter((path) => writable.some((folder) => within(path, folder)));
  const holding = held.flatMap(above).filter((path) => writable.some((folder) => within(path, folder)));
  const closed = walls.closed.flatMap((one) => bothCases(one.at));
  const needed = walls.ground.filter((path) => walls.closed.some((one) => within(path, one.at)));
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-read*)',
    ...rule('allow', 'file-write*', [...writable.map(subpath), ...DEVICES.map(literal)]),
    ...rule('deny', 'file-write*', held.flatMap(bothCases).map(subpath)),
    ...rule('deny', 'file-write-unlink file-write-create', [...held, ...holding].flatMap(bothCases).map(literal)),
    // Late, since the working folder may lie around it; programs that lie in it can still be read.
    ...rule('deny', 'file-read* file-write*', closed.map(subpath)),
    ...rule('allow', 'file-read*', needed.map(subpath)),
    '(allow system-socket (socket-domain AF_UNIX))',
    ...(walls.turn === null ? [] : [`(allow network-outbound (remote unix-socket ${subpath(walls.turn.at)}))`]),
    ...(walls.network === 'open' ? ['(allow network*)', '(allow system-socket)'] : []),
    ...rule(
      'allow',
      'mach-lookup',
      SERVICES.map((name) => `(global-name "${name}")`),
    ),
    '',
  ].join('\n');
}
