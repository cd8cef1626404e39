/** What the person chose for this browser. */

import { effect, signal } from '@preact/signals';

const THEMES = ['system', 'light', 'dark'] as const;
const DENSITIES = ['comfortable', 'compact'] as const;
export type Theme = (typeof THEMES)[number];
export type Density = (typeof DENSITIES)[number];

const kept = <Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word =>
  words.find((one) => one === localStorage.getItem(`turnout-${name}`)) ?? words[0];

export const theme = signal<Theme>(kept('theme', THEMES));
export const density = signal<Density>(kept('density', DENSITIES));
export const notify = signal(kept('notify', ['off', 'on']) === 'on');
/** How much of the main column the right pane takes, in percent. */
export const pane = signal(Number(localStorage.getItem('turnout-pane') ?? 40));
export { DENSITIES, THEMES };

effect(() => {
  localStorage.setItem('turnout-theme', theme.value);
  localStorage.setItem('turnout-density', density.value);
  localStorage.setItem('turnout-notify', notify.value ? 'on' : 'off');
  localStorage.setItem('turnout-pane', String(pane.value));
  document.documentElement.dataset['theme'] = theme.value;
  document.documentElement.dataset['density'] = density.value;
});
