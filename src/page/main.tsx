/** The page: lets the visitor in, then shows what the address names. */

import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { ApiError, admitted, enter } from './api.js';
import { CodeBlock } from './parts/code-block.js';
import { Frame } from './parts/frame.js';
import { Dialogs, listenForKeys } from './parts/palette.js';
import { notify } from './prefs.js';
import { route } from './route.js';
import { follow, lookAround, waiting } from './store.js';
import { Home } from './views/home.js';
import { NewSession, prefetch, Replay, Runtimes, SessionView, Settings, Usage } from './views/later.js';

const broken = signal('');

function View() {
  const at = route.value;
  switch (at.view) {
    case 'home':
      return <Home />;
    case 'new':
      return <NewSession />;
    case 'session':
      return <SessionView key={at.id} id={at.id} />;
    case 'run':
      return <Replay key={at.id} id={at.id} />;
    case 'usage':
      return <Usage />;
    case 'runtimes':
      return <Runtimes />;
    case 'settings':
      return <Settings />;
    default: {
      const never: never = at;
      return never;
    }
  }
}

function Door() {
  return (
    <main class="door">
      <h1>Turnout</h1>
      <p>This page needs an invitation. Run this where the server runs, and open the address that it prints:</p>
      <CodeBlock text="turnout page" language="" />
      <p class="small muted">
        An address works once, within a minute. A visit lasts twelve hours, or until the server ends.
      </p>
    </main>
  );
}

function App() {
  if (broken.value !== '')
    return (
      <main class="door">
        <h1>The page could not begin</h1>
        <p role="alert">{broken.value}</p>
        <button type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </main>
    );
  if (admitted.value === null) return <main class="door late" aria-busy="true" />;
  if (!admitted.value) return <Door />;
  return (
    <>
      <Frame>
        <View />
      </Frame>
      <Dialogs />
    </>
  );
}

const say = (error: unknown) => {
  // The visit is over: the door says what to do.
  if (error instanceof ApiError && error.status === 401) return;
  broken.value = error instanceof Error ? error.message : String(error);
};

/** Whom a notification was shown for. */
const called = new Set<string>();
effect(() => {
  for (const run of waiting.value) {
    const things = [
      ...run.questions.map(({ id, name }) => ({ id, what: `asks to use ${name}` })),
      ...run.asked.map(({ id }) => ({ id, what: 'asks a question' })),
    ];
    for (const { id, what } of things) {
      const key = `${run.run_id}:${id}`;
      if (called.has(key) || !notify.value || document.visibilityState === 'visible') continue;
      called.add(key);
      new Notification('An agent waits for you', { body: `${run.runtime} ${what}`, tag: key });
    }
  }
});

let following = new AbortController();
effect(() => {
  following.abort();
  if (admitted.value !== true) return;
  following = new AbortController();
  follow(following.signal).catch(say);
  lookAround().then(prefetch, say);
});

const root = document.getElementById('app');
if (root) render(<App />, root);
listenForKeys();
enter().catch(say);
