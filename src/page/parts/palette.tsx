/** Everything by keyboard: the palette, and the list of keys. */

import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { firstLine } from '../format.js';
import { theme } from '../prefs.js';
import { go } from '../route.js';
import { sessions, waiting } from '../store.js';

export const dialog = signal<'palette' | 'keys' | null>(null);

interface Entry {
  name: string;
  run(): void;
}

function entries(): Entry[] {
  const to = (name: string, path: string): Entry => ({ name, run: () => go(path) });
  return [
    ...waiting.value.map((run) => to(`Answer: ${firstLine(run.prompt)}`, `/s/${encodeURIComponent(run.session_id)}`)),
    to('New session', '/new'),
    to('Runs', '/'),
    to('Usage', '/usage'),
    to('Runtimes', '/runtimes'),
    to('Settings', '/settings'),
    { name: 'Light theme', run: () => (theme.value = 'light') },
    { name: 'Dark theme', run: () => (theme.value = 'dark') },
    { name: 'Keys', run: () => (dialog.value = 'keys') },
    ...sessions.value.map((run) => to(firstLine(run.prompt), `/s/${encodeURIComponent(run.session_id)}`)),
  ];
}

const KEYS: readonly [string, string][] = [
  ['Ctrl K', 'Command palette'],
  ['?', 'This list'],
  ['n', 'New session'],
  ['g', 'Runs'],
  ['/', 'Search'],
  ['j k', 'Next and previous run'],
  ['Enter', 'Send; Shift Enter begins a line'],
  ['↑', 'Edit what was sent last, in an empty message'],
  ['Esc Esc', 'Stop the turn, in the message'],
  ['a d', 'Allow once, deny: on a card that has the focus'],
  ['Esc', 'Close'],
];

function Palette() {
  const words = useSignal('');
  const at = useSignal(0);
  const found = entries()
    .filter(({ name }) => name.toLowerCase().includes(words.value.toLowerCase()))
    .slice(0, 12);
  const pick = (entry: Entry | undefined) => {
    dialog.value = null;
    entry?.run();
  };
  return (
    <>
      <input
        class="palette-input"
        placeholder="Go to, or do"
        aria-label="Command"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={`palette-${at.value}`}
        value={words.value}
        onInput={(event) => {
          words.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') at.value = Math.min(at.value + 1, found.length - 1);
          else if (event.key === 'ArrowUp') at.value = Math.max(at.value - 1, 0);
          else if (event.key === 'Enter') pick(found[at.value]);
          else return;
          event.preventDefault();
        }}
      />
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Commands">
        {found.map((entry, index) => (
          <button
            type="button"
            role="option"
            id={`palette-${index}`}
            key={`${index}:${entry.name}`}
            aria-selected={index === at.value}
            tabIndex={-1}
            onClick={() => pick(entry)}
          >
            {entry.name}
          </button>
        ))}
      </div>
    </>
  );
}

export function Dialogs() {
  const box = useRef<HTMLDialogElement>(null);
  const shown = useRef(dialog.value);
  const open = dialog.value;
  useEffect(() => {
    if (open !== null) shown.current = open;
    if (open !== null && box.current?.open === false) box.current.showModal();
    if (open !== null) box.current?.querySelector('input')?.focus();
    if (open === null) box.current?.close();
  }, [open]);
  return (
    <dialog
      ref={box}
      class="palette"
      aria-label={open === 'keys' ? 'Keys' : 'Command palette'}
      onClose={() => {
        // The event comes late: another one may be asked for by then.
        if (dialog.value === shown.current) dialog.value = null;
      }}
    >
      {open === 'palette' && <Palette />}
      {open === 'keys' && (
        <>
          <h2>Keys</h2>
          <dl class="keys">
            {KEYS.map(([key, what]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          <button type="button" onClick={() => (dialog.value = null)}>
            Close
          </button>
        </>
      )}
    </dialog>
  );
}

/** A neighbour of the run that has the focus. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.run-row')];
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? rows.indexOf(focused) : -1;
  rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.focus();
}

/** Keys that work wherever nobody is writing. */
export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      dialog.value = dialog.value === 'palette' ? null : 'palette';
      return;
    }
    const { target } = event;
    const writing = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (writing || event.ctrlKey || event.metaKey || event.altKey || dialog.value !== null) return;
    const act = ACTS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

const ACTS: Readonly<Record<string, () => void>> = {
  '?': () => {
    dialog.value = 'keys';
  },
  n: () => go('/new'),
  g: () => go('/'),
  '/': () => document.getElementById('search')?.focus(),
  j: () => step(1),
  k: () => step(-1),
};
