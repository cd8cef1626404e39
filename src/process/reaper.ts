/** What ends the runtime when we are killed with no chance to do it ourselves: a small shell that waits for our pipe to close. */

import { type StdioOptions, spawn } from 'node:child_process';
import { Socket } from 'node:net';

export interface Reaper {
  /** The process group to end. */
  watch(pgid: number): void;
  /** All is in order: the reaper leaves without doing anything. */
  dismiss(): void;
}

/** Nothing of ours: the marker in here would make the reaper kill itself. */
const ENV = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin', LC_ALL: 'C' };

/**
 * Arguments: marker entry, private folder or nothing. Lines on descriptor 3: `g PGID`, `q`; end of file means we are dead.
 * (Not on stdin: Node closes that of a child as soon as the child, here the shell that starts the orphan, has exited.)
 * It runs as an orphan in a session of its own, so neither a KILL of our group nor an outer turn that ends its
 * descendants hits it. Written for dash, bash and busybox: dash wants `kill -s`, busybox may know no part of a second.
 */
export const REAPER_SCRIPT = String.raw`
trap '' HUP INT QUIT TERM PIPE
mark=$1 dir=$2
nap() { sleep 0.05 2>/dev/null || { sleep 1; turns=$((turns + 10)); }; }
strike() { for pid in $2; do kill -s "$1" "$pid" 2>/dev/null; done; }
descendants() {
  ps -axo pid=,ppid= 2>/dev/null | awk -v root="$1" '
    { parent[$1] = $2 }
    END {
      ours[root] = 1
      do { more = 0; for (p in parent) if (!(p in ours) && parent[p] in ours) { ours[p] = 1; more = 1 } } while (more)
      for (p in ours) if (p != root) print p
    }'
}
marked() {
  if printf 'a\0' | grep -qzxF a 2>/dev/null; then
    for file in $(grep -lszxF -e "$mark" /proc/[0-9]*/environ 2>/dev/null); do
      file=\${file#/proc/}; echo "\${file%/environ}"
    done
  else
    for file in /proc/[0-9]*; do
      tr '\0' '\n' 2>/dev/null <"$file/environ" | grep -qxF -e "$mark" && echo "\${file#/proc/}"
    done
  fi
}
guard() {
  group=
  while read -r word value; do
    case $word in
      g) group=$value ;;
      q) exit 0 ;;
    esac
  done
  if [ -n "$group" ]; then
    kids=$(descendants "$group")
    kill -s TERM -- "-$group" 2>/dev/null
    strike TERM "$kids"
    turns=0
    while kill -s 0 -- "-$group" 2>/dev/null && [ "$turns" -lt 10 ]; do turns=$((turns + 1)); nap; done
    kill -s KILL -- "-$group" 2>/dev/null
    strike KILL "$kids"
  fi
  if [ -r /proc/self/environ ]; then
    turns=0 quiet=0
    while [ "$quiet" -lt 2 ] && [ "$turns" -lt 60 ]; do
      turns=$((turns + 1))
      found=$(marked)
      if [ -n "$found" ]; then quiet=0; strike KILL "$found"; else quiet=$((quiet + 1)); fi
      nap
    done
  fi
  case $dir in */turnout-*) rm -rf -- "$dir" ;; esac
}
guard <&3 3<&- &
`.replaceAll('\\$', '$');

/** Starts it before the runtime, so that no moment is unwatched on Linux: until `watch` the marker alone is known. */
export function startReaper(options: { marker: { name: string; value: string }; privateDir?: string }): Reaper {
  // The kernel ends all processes of a namespace with its process 1, so that one needs no reaper; and an orphan of ours
  // would become our own child there, which Node never waits for: a zombie a turn.
  if (process.platform === 'win32' || process.pid === 1) return { watch: () => undefined, dismiss: () => undefined };
  const { marker, privateDir } = options;
  // The script goes through a variable, so that a list of processes shows a name instead of it.
  const args = ['-c', 'eval "$REAPER_SCRIPT"', 'turnout-reaper', `${marker.name}=${marker.value}`, privateDir ?? ''];
  const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'pipe'];
  const shell = spawn('/bin/sh', args, { detached: true, stdio, env: { ...ENV, REAPER_SCRIPT }, cwd: '/' });
  shell.on('error', () => undefined);
  shell.unref();
  const pipe = shell.stdio[3];
  if (!(pipe instanceof Socket)) return { watch: () => undefined, dismiss: () => undefined };
  // Without a shell, or after somebody killed the reaper, the turn goes on unguarded: nobody could be told now.
  pipe.on('error', () => undefined);
  pipe.unref();
  return {
    watch: (pgid) => void pipe.write(`g ${pgid}\n`),
    dismiss: () => void pipe.end('q\n'),
  };
}
