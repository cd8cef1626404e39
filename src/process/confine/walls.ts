/** The walls around one process, as plain data, and the arguments of bubblewrap that build them. */

/** Absolute paths with links followed, all of them of things that exist. */
export interface Walls {
  cwd: string;
  /** Where the program starts; `cwd` in nearly all cases. */
  start: string;
  /** Whether `cwd` may be written. */
  writes: boolean;
  home: string;
  /** Folders that are empty, private and gone at the end. */
  empty: readonly string[];
  /** Private folders of ours that stand at the place of another. */
  replaced: readonly { at: string; by: string }[];
  /** What is seen inside `empty` and `replaced`: sessions may be written, configuration only read. */
  seen: readonly { at: string; from: string; writable: boolean }[];
  /** What can't be read. */
  closed: readonly { at: string; folder: boolean }[];
  /** What is needed although something above covers it: programs, our own files. Read-only. */
  ground: readonly string[];
  /** The turn's own folder; null when it has none. */
  turn: { at: string; writable: boolean } | null;
  /** What stays read-only inside `cwd`: what git takes its configuration from. */
  git: readonly string[];
  /** `none` has a loopback of its own and nothing else. */
  network: 'open' | 'none';
  /** A sandbox of the program's own must be possible inside. */
  nests: boolean;
  uid0: boolean;
}

/** Sockets in these answer in spite of a read-only file system, so their whole folders are replaced by empty ones. */
const SHARED = ['/tmp', '/var/tmp', '/run'] as const;

/** Whether a path lies in a folder, or is it. */
export function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/**
 * What bubblewrap is called with, up to the program. The order counts: a later mount covers an earlier one. Without
 * a user namespace root could remount the root folder writable; without a process namespace something could stay.
 * @param statusFd where it writes the pid of the namespace's first process
 */
export function bwrapArgs(walls: Walls, statusFd: number): string[] {
  const own = [...walls.empty, ...walls.replaced.map(({ at }) => at), ...walls.closed.map(({ at }) => at)];
  const inside = (path: string, folders: readonly string[]) => folders.some((folder) => within(path, folder));
  const ground = [...new Set(walls.ground)];
  const ofShared = ground.filter((path) => inside(path, SHARED) && !inside(path, own) && !within(path, walls.cwd));
  const bind = (path: string, writable: boolean, from = path) => [writable ? '--bind' : '--ro-bind', from, path];
  return [
    '--die-with-parent',
    ...['--unshare-user', '--cap-drop', 'ALL'],
    ...(walls.nests ? (walls.uid0 ? ['--cap-add', 'CAP_SETFCAP'] : []) : ['--disable-userns']),
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...(walls.network === 'none' ? ['--unshare-net'] : []),
    ...['--json-status-fd', String(statusFd)],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...SHARED.flatMap((folder) => ['--tmpfs', folder]),
    ...(SHARED.some((folder) => within(walls.home, folder)) ? bind(walls.home, false) : []),
    ...ofShared.flatMap((path) => bind(path, false)),
    // Before state and secrets: the working directory may be the home folder, and hold them.
    ...bind(walls.cwd, walls.writes),
    ...walls.empty.flatMap((folder) => ['--tmpfs', folder]),
    ...walls.replaced.flatMap(({ at, by }) => bind(at, true, by)),
    ...walls.seen.flatMap(({ at, from, writable }) => bind(at, writable, from)),
    ...walls.closed.flatMap(({ at, folder }) => (folder ? ['--tmpfs', at] : ['--ro-bind', '/dev/null', at])),
    ...ground.filter((path) => inside(path, own)).flatMap((path) => bind(path, false)),
    ...(walls.turn === null ? [] : bind(walls.turn.at, walls.turn.writable)),
    ...walls.git.flatMap((path) => bind(path, false)),
    ...['--chdir', walls.start],
  ];
}
