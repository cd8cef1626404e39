/** How the page looks and when it calls. */

import { leave } from '../api.js';
import { DENSITIES, density, notify, THEMES, theme } from '../prefs.js';
import { me } from '../store.js';

export function Settings() {
  return (
    <div class="page narrow">
      <h1>Settings</h1>
      <p>
        <a href="#/runtimes">Runtimes and doctor</a>
      </p>
      <fieldset class="card">
        <legend>Theme</legend>
        {THEMES.map((one) => (
          <label class="choice" key={one}>
            <input type="radio" name="theme" checked={theme.value === one} onChange={() => (theme.value = one)} /> {one}
          </label>
        ))}
      </fieldset>
      <fieldset class="card">
        <legend>Density</legend>
        {DENSITIES.map((one) => (
          <label class="choice" key={one}>
            <input type="radio" name="density" checked={density.value === one} onChange={() => (density.value = one)} />{' '}
            {one}
          </label>
        ))}
      </fieldset>
      <fieldset class="card">
        <legend>Notifications</legend>
        <label class="choice">
          <input
            type="checkbox"
            checked={notify.value}
            onChange={async (event) => {
              const wanted = event.currentTarget.checked;
              notify.value = wanted && (await Notification.requestPermission()) === 'granted';
            }}
          />{' '}
          Say so when an agent waits for an answer and this tab is hidden
        </label>
      </fieldset>
      <section class="card">
        <h2>This visit</h2>
        <p class="muted">
          Version {me.value?.version} · as {me.value?.principal} · access up to {me.value?.access.at(-1)}. A visit lasts
          twelve hours.
        </p>
        <button type="button" onClick={() => void leave()}>
          Leave
        </button>
      </section>
    </div>
  );
}
