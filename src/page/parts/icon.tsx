/** Drawn for us: 16 pixels, a line of 1.5. */

const PATHS = {
  shell: 'M3 4l3.5 4L3 12M8 12h5',
  edit: 'M3 13l.7-3L10.5 3.2a1.4 1.4 0 012 2L5.8 12.2 3 13zM9.5 4.5l2 2',
  read: 'M4 2.5h5L12.5 6v7.5h-8.5zM9 2.5V6h3.5',
  search: 'M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.5 10.5L14 14',
  web: 'M8 14A6 6 0 108 2a6 6 0 000 12zM2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14c-2-2-2.5-4-2.5-6S6 4 8 2z',
  tool: 'M10 3a3.2 3.2 0 00-4 4L2.5 10.5l3 3L9 10a3.2 3.2 0 004-4l-2 2-2-1-1-2z',
  agent: 'M8 8a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM3 13.5c.5-2.5 2.5-4 5-4s4.5 1.5 5 4',
  list: 'M6 4h8M6 8h8M6 12h8M2.5 4h.5M2.5 8h.5M2.5 12h.5',
  plus: 'M8 3v10M3 8h10',
  send: 'M8 13V3M4 7l4-4 4 4',
  stop: 'M4.5 4.5h7v7h-7z',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  check: 'M3 8.5l3.2 3.2L13 5',
  cross: 'M4 4l8 8M12 4l-8 8',
  warn: 'M8 2.5l6 11H2zM8 6.5v3.5M8 12v.2',
  chart: 'M3 13V8M7 13V3M11 13V6M2 13.5h12',
  gear: 'M8 10a2 2 0 100-4 2 2 0 000 4zM8 2v1.5M8 12.5V14M2 8h1.5M12.5 8H14M3.8 3.8l1 1M11.2 11.2l1 1M3.8 12.2l1-1M11.2 4.8l1-1',
  chip: 'M4.5 4.5h7v7h-7zM6.5 2v2.5M9.5 2v2.5M6.5 11.5V14M9.5 11.5V14M2 6.5h2.5M2 9.5h2.5M11.5 6.5H14M11.5 9.5H14',
  play: 'M5 3l7.5 5L5 13z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  chat: 'M2.5 3.5h11v7.5h-6L4.5 13.5V11h-2z',
  copy: 'M5.5 5.5h7.5v8H5.5zM3 10.5v-8h7.5',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
