/** What a turn changed in its private copy. */

import { useSignal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type DiffFile, filesOfPatch } from '../../view/diff.js';
import type { PatchItem } from '../../view/item.js';
import { call } from '../api.js';
import { beside, room } from './beside.js';
import { DiffView } from './diff-view.js';
import { Text } from './text.js';

/** The run that is shown. */
export const RunShown = createContext('');

interface Fetched {
  text: string;
  cut: boolean;
}

export function Patch({ item }: { item: PatchItem }) {
  const run = useContext(RunShown);
  const files = useSignal<readonly DiffFile[] | null>(null);
  const said = useSignal('');
  const show = async () => {
    try {
      const { text, cut } = await call<Fetched>('GET', `/runs/${encodeURIComponent(run)}/patch`);
      const found = filesOfPatch(text);
      if (room.value) beside.value = { title: 'Changes in the private copy', files: found };
      else files.value = found;
      said.value = cut ? 'The patch is longer than what is shown.' : '';
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error);
    }
  };
  return (
    <section class="card" aria-label="Changes">
      <p>
        {item.files.length} {item.files.length === 1 ? 'file' : 'files'} changed in a private copy. Land them:{' '}
        <code>turnout workspace land {item.workspace}</code>
      </p>
      {files.value !== null ? (
        <DiffView files={files.value} />
      ) : (
        <>
          <ul class="plain">
            {item.files.map(({ path, added, removed }) => (
              <li key={path}>
                <code>
                  <Text text={path} />
                </code>{' '}
                {added === null ? 'binary' : <span class="add-count">+{added}</span>}{' '}
                {removed === null ? '' : <span class="del-count">−{removed}</span>}
              </li>
            ))}
          </ul>
          <button type="button" onClick={() => void show()}>
            Show the changes
          </button>
        </>
      )}
      {said.value !== '' && (
        <p class="small muted" role="status">
          {said.value}
        </p>
      )}
    </section>
  );
}
