/** What stands around every view: the rail, the bar of a phone, and the state of the connection. */

import { effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { link, offlineSince } from '../connection.js';
import { firstLine } from '../format.js';
import { route } from '../route.js';
import { sessions, waiting } from '../store.js';
import { Icon, type IconName } from './icon.js';
import { dialog } from './palette.js';
import { Status } from './status.js';
import { Text } from './text.js';
import { When } from './when.js';

const PLACES: readonly { to: string; view: string; name: string; icon: IconName }[] = [
  { to: '#/', view: 'home', name: 'Runs', icon: 'list' },
  { to: '#/usage', view: 'usage', name: 'Usage', icon: 'chart' },
  { to: '#/runtimes', view: 'runtimes', name: 'Runtimes', icon: 'chip' },
  { to: '#/settings', view: 'settings', name: 'Settings', icon: 'gear' },
];

function Connection() {
  const since = offlineSince.value;
  const word = { connecting: 'Connecting', live: 'Live', late: 'Catching up', offline: 'Offline' }[link.value];
  return (
    <p class={`connection connection-${link.value}`} role="status">
      <span class="dot" aria-hidden="true" /> {word}
      {since !== null && link.value !== 'live' && (
        <>
          {' '}
          since <When at={since} />
        </>
      )}
    </p>
  );
}

function Rail() {
  const here = route.value;
  return (
    <nav class="rail" aria-label="Main">
      <div class="brand">
        <a href="#/">Turnout</a>
        <button
          type="button"
          class="quiet"
          aria-label="Command palette"
          title="Ctrl K"
          onClick={() => (dialog.value = 'palette')}
        >
          <Icon name="search" />
        </button>
        <a class="button quiet" href="#/new" aria-label="New session" title="n">
          <Icon name="plus" />
        </a>
      </div>
      {waiting.value.length > 0 && (
        <a class="waiting-link" href="#/">
          <Icon name="warn" /> {waiting.value.length} waiting for you
        </a>
      )}
      <ul class="rail-list">
        {sessions.value.slice(0, 60).map((run) => (
          <li key={run.session_id}>
            <a
              href={`#/s/${encodeURIComponent(run.session_id)}`}
              aria-current={here.view === 'session' && here.id === run.session_id ? 'page' : undefined}
            >
              <Status status={run.status} short />
              <span class="rail-title">
                <Text text={firstLine(run.prompt)} joiners />
              </span>
              <span class="small muted numbers">
                <When at={run.updated_at} />
              </span>
            </a>
          </li>
        ))}
      </ul>
      <div class="rail-foot">
        {PLACES.map(({ to, view, name, icon }) => (
          <a key={to} href={to} aria-current={here.view === view ? 'page' : undefined}>
            <Icon name={icon} /> {name}
          </a>
        ))}
        <Connection />
      </div>
    </nav>
  );
}

/** Where the screen is too narrow for the rail, it comes over the rest. */
const drawer = signal(false);
effect(() => {
  void route.value;
  drawer.value = false;
});
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') drawer.value = false;
});

function Tabs() {
  const here = route.value.view;
  const count = waiting.value.length;
  return (
    <nav class="tabs" aria-label="Views">
      <button type="button" aria-expanded={drawer.value} onClick={() => (drawer.value = !drawer.value)}>
        <Icon name="more" /> Sessions
      </button>
      <a href="#/" aria-current={here === 'home' ? 'page' : undefined}>
        <Icon name="list" /> Runs{count > 0 && <span class="badge">{count}</span>}
      </a>
      <a href="#/new" aria-current={here === 'new' || here === 'session' ? 'page' : undefined}>
        <Icon name="chat" /> Chat
      </a>
      <a href="#/usage" aria-current={here === 'usage' ? 'page' : undefined}>
        <Icon name="chart" /> Usage
      </a>
      <a href="#/settings" aria-current={here === 'settings' ? 'page' : undefined}>
        <Icon name="gear" /> Settings
      </a>
    </nav>
  );
}

export function Frame({ children }: { children: ComponentChildren }) {
  return (
    <div class="frame" data-drawer={drawer.value ? 'open' : 'closed'}>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        To the content
      </button>
      <Rail />
      {drawer.value && (
        <button type="button" class="backdrop" aria-label="Close the list" onClick={() => (drawer.value = false)} />
      )}
      <main id="main" tabIndex={-1}>
        {link.value === 'offline' && (
          <p class="banner" role="alert">
            The server can't be reached. Nothing is lost: what happens is shown as soon as it can.
          </p>
        )}
        {children}
      </main>
      <Tabs />
    </div>
  );
}
