/** What an agent does: one line a call, which opens to what went in and came out. */

import { useSignal } from '@preact/signals';
import { filesOfTool } from '../../view/diff.js';
import type { ToolItem, ToolState } from '../../view/item.js';
import { duration } from '../format.js';
import { beside, room } from './beside.js';
import { DiffView } from './diff-view.js';
import { Icon, type IconName } from './icon.js';
import { Scroll } from './scroll.js';
import { still } from './still.js';
import { TerminalText, Text } from './text.js';

const ICONS: Readonly<Record<ToolItem['tool'], IconName>> = {
  shell: 'shell',
  edit: 'edit',
  write: 'edit',
  patch: 'edit',
  read: 'read',
  search: 'search',
  web: 'web',
  mcp: 'tool',
  task: 'agent',
  todo: 'list',
  other: 'tool',
  caller: 'tool',
};

function word(state: ToolState, exitCode: number | null): string {
  if (state === 'running') return 'running';
  if (state === 'ok') return exitCode ? `exit ${exitCode}` : '';
  return state === 'failed' && exitCode !== null ? `exit ${exitCode}` : state;
}

function Details({ item }: { item: ToolItem }) {
  const files = filesOfTool(item.tool, item.input);
  const command = item.tool === 'shell' ? item.input?.['command'] : undefined;
  return (
    <div class="tool-card">
      {files.length > 0 ? (
        <>
          {room.value && (
            <button
              type="button"
              class="quiet open-beside"
              onClick={() => {
                beside.value = { title: 'Changes', files };
              }}
            >
              <Icon name="right" /> Open beside
            </button>
          )}
          <DiffView files={files} />
        </>
      ) : (
        item.input !== null && (
          <Scroll look="io" label="Input">
            <pre>
              <Text text={typeof command === 'string' ? command : JSON.stringify(item.input, null, 2)} />
            </pre>
          </Scroll>
        )
      )}
      {item.output !== '' && (
        <Scroll look="io out" label="Output">
          <pre>
            <TerminalText text={item.output} />
          </pre>
        </Scroll>
      )}
      {item.cut && <p class="small muted">The output was cut to its limit.</p>}
    </div>
  );
}

export const Tool = still(({ item }: { item: ToolItem }) => {
  const open = useSignal(item.tool === 'edit' || item.tool === 'write' || item.tool === 'patch');
  const said = word(item.state, item.exitCode);
  const label = item.label.replace(new RegExp(`^${item.tool} `), '');
  return (
    <div class={`tool tool-${item.state} depth-${Math.min(item.depth, 4)}`}>
      <button type="button" class="tool-line" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
        <Icon name={ICONS[item.tool]} />
        <span class="tool-kind">{item.tool === 'other' || item.tool === 'caller' ? '' : item.tool}</span>
        <code class="tool-label">
          <Text text={label} />
        </code>
        <span class="tool-state">{said}</span>
        <span class="tool-time">{item.durationMs === null ? '' : duration(item.durationMs)}</span>
      </button>
      {open.value && <Details item={item} />}
    </div>
  );
});

/** Reads in a row, as one line. */
export const Reads = still(({ items }: { items: readonly ToolItem[] }) => {
  const open = useSignal(false);
  return (
    <div class="tool">
      <button type="button" class="tool-line" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
        <Icon name="read" />
        <span class="tool-kind">read</span>
        <span class="tool-label">{items.length} files</span>
      </button>
      {open.value && items.map((item) => <Tool key={item.key} item={item} />)}
    </div>
  );
});
