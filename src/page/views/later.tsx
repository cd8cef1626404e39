/** Views that are loaded when they are first shown, so that the page itself begins small. */

import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';

type View<Props> = ComponentType<Props>;

function later<Props extends object>(load: () => Promise<View<Props>>): { View: View<Props>; fetch(): void } {
  const loaded = signal<View<Props> | null>(null);
  const failed = signal(false);
  let asked = false;
  const fetch = () => {
    if (asked) return;
    asked = true;
    load().then(
      (found) => {
        loaded.value = found;
      },
      () => {
        asked = false;
        failed.value = true;
      },
    );
  };
  const View = (props: Props) => {
    const Loaded = loaded.value;
    if (Loaded) return <Loaded {...props} />;
    if (failed.value)
      return (
        <p class="empty" role="alert">
          This view could not be loaded.{' '}
          <button type="button" onClick={() => location.reload()}>
            Try again
          </button>
        </p>
      );
    fetch();
    return <p class="empty muted late">Loading…</p>;
  };
  return { View, fetch };
}

const session = later(async () => (await import('./session.js')).SessionView);
export const SessionView = session.View;
export const NewSession = later(async () => (await import('./session.js')).NewSession).View;
export const Replay = later(async () => (await import('./replay.js')).Replay).View;
export const Usage = later(async () => (await import('./usage.js')).Usage).View;
export const Runtimes = later(async () => (await import('./runtimes.js')).Runtimes).View;
export const Settings = later(async () => (await import('./settings.js')).Settings).View;

/** What is shown next, most likely. */
export const prefetch = (): void => session.fetch();
