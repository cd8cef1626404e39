/** Where a person writes. It is never locked: while a turn runs, what is sent guides it or waits for its end. */

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError, call } from '../api.js';
import { comments, withComments } from '../comments.js';
import { draftOf, type Picture, picturesOf, sent } from '../draft.js';
import type { Card } from '../model.js';
import { isOver } from '../model.js';
import { go } from '../route.js';
import { me, runtimes } from '../store.js';
import { Icon } from './icon.js';

interface Props {
  /** null: a new session. */
  session: string | null;
  /** The turn under way, if there is one. */
  running: Card | null;
  /** What was sent last in this session. */
  last: string | null;
}

interface Begun {
  run_id: string;
  session_id: string;
}

function Pickers({ session, cwdFixed }: { session: string; cwdFixed: boolean }) {
  const draft = draftOf(session);
  const { runtime, model, access, cwd } = draft.value;
  const set = (what: Partial<typeof draft.value>) => {
    draft.value = { ...draft.value, ...what };
  };
  const usable = (runtimes.value ?? []).filter(
    ({ installed, execution_supported }) => installed && execution_supported,
  );
  return (
    <div class="pickers">
      {!cwdFixed && (
        <label>
          <span class="sr">Runtime</span>
          <select value={runtime} onChange={(event) => set({ runtime: event.currentTarget.value })}>
            {usable.map(({ id, version }) => (
              <option key={id} value={id}>
                {id} {version ?? ''}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        <span class="sr">Model</span>
        <input
          placeholder="its own model"
          value={model}
          size={14}
          onInput={(event) => set({ model: event.currentTarget.value })}
        />
      </label>
      <label>
        <span class="sr">Access</span>
        <select value={access} onChange={(event) => set({ access: event.currentTarget.value })}>
          {(me.value?.access ?? ['scoped']).map((mode) => (
            <option key={mode} value={mode}>
              {mode}
            </option>
          ))}
        </select>
      </label>
      {!cwdFixed && (
        <label class="grow">
          <span class="sr">Folder</span>
          <input
            placeholder={me.value?.cwd ?? 'folder'}
            value={cwd}
            onInput={(event) => set({ cwd: event.currentTarget.value })}
          />
        </label>
      )}
    </div>
  );
}

export function Composer({ session, running, last }: Props) {
  const name = session ?? 'new';
  const draft = draftOf(name);
  const pictures = useSignal<Picture[]>([]);
  const said = useSignal('');
  const busy = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const leaving = useSignal(false);
  const active = running !== null && !isOver(running.status) ? running : null;
  const steers = active !== null && (runtimes.value?.find(({ id }) => id === active.runtime)?.steer ?? false);

  useEffect(() => {
    const box = field.current;
    if (!box) return;
    box.style.height = 'auto';
    box.style.height = `${Math.min(box.scrollHeight, 240)}px`;
  }, [draft.value.text]);
  useEffect(() => {
    const usable = (runtimes.value ?? []).filter(({ installed }) => installed);
    if (draft.value.runtime === '' && usable[0])
      draft.value = { ...draft.value, runtime: (usable.find(({ builtin }) => builtin !== true) ?? usable[0]).id };
    const modes = me.value?.access ?? [];
    const [first] = modes;
    if (first !== undefined && !modes.some((mode) => mode === draft.value.access))
      draft.value = { ...draft.value, access: first };
  }, [runtimes.value, me.value]);

  const begin = async (prompt: string) => {
    const { key, runtime, model, access, cwd } = draft.value;
    const begun = await call<Begun>('POST', '/turns', {
      prompt,
      key,
      access,
      ...(session === null ? { runtime: runtime === '' ? 'auto' : runtime } : { session }),
      ...(model === '' ? {} : { model }),
      ...(session === null && cwd !== '' ? { cwd } : {}),
      ...(pictures.value.length > 0 ? { images: pictures.value } : {}),
    });
    said.value = active ? 'This waits for the end of the turn.' : '';
    if (session === null) go(`/s/${encodeURIComponent(begun.session_id)}`);
  };
  const send = async () => {
    const prompt = withComments(draft.value.text, comments.value);
    if (prompt === '' || busy.value) return;
    busy.value = true;
    said.value = '';
    try {
      if (active && steers && pictures.value.length === 0) {
        await call('POST', `/runs/${encodeURIComponent(active.run_id)}`, { type: 'steer', text: prompt });
        said.value = 'Sent to the agent as guidance.';
      } else await begin(prompt);
      sent(draft);
      pictures.value = [];
      comments.value = [];
    } catch (error) {
      const lost = !(error instanceof ApiError);
      said.value = lost ? 'The server could not be reached. Your text is kept; send it again.' : error.message;
    } finally {
      busy.value = false;
      field.current?.focus();
    }
  };
  const stop = () => {
    if (active) void call('POST', `/runs/${encodeURIComponent(active.run_id)}`, { type: 'cancel' });
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const twice = leaving.value;
    leaving.value = event.key === 'Escape' && active !== null && !twice;
    if (event.key === 'Escape' && active) {
      if (twice) stop();
      said.value = twice ? '' : 'Press Esc once more to stop the turn.';
    } else if (event.key === 'ArrowUp' && draft.value.text === '' && last !== null) {
      event.preventDefault();
      draft.value = { ...draft.value, text: last };
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <form
      class="composer"
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {comments.value.length > 0 && (
        <p class="small muted">
          {comments.value.length} {comments.value.length === 1 ? 'comment' : 'comments'} on lines will be sent along.{' '}
          <button type="button" class="quiet" onClick={() => (comments.value = [])}>
            Drop
          </button>
        </p>
      )}
      {pictures.value.length > 0 && (
        <p class="row">
          {pictures.value.map(({ media_type, data }, index) => (
            <img key={index} class="thumb" alt={`Attachment ${index + 1}`} src={`data:${media_type};base64,${data}`} />
          ))}
          <button type="button" class="quiet" onClick={() => (pictures.value = [])}>
            Remove
          </button>
        </p>
      )}
      <textarea
        ref={field}
        rows={1}
        aria-label="Message"
        placeholder={active ? (steers ? 'Guide the agent…' : 'Write the next message…') : 'What should be done?'}
        value={draft.value.text}
        onInput={(event) => {
          draft.value = { ...draft.value, text: event.currentTarget.value };
        }}
        onPaste={(event) => {
          const files = event.clipboardData?.files;
          if (!files || files.length === 0) return;
          event.preventDefault();
          void picturesOf(files).then((more) => {
            pictures.value = [...pictures.value, ...more].slice(0, 8);
          });
        }}
        onKeyDown={keyed}
      />
      <div class="composer-foot">
        <Pickers session={name} cwdFixed={session !== null} />
        <div class="row">
          {active && (
            <button type="button" onClick={stop} disabled={active.status === 'stopping'}>
              <Icon name="stop" /> Stop
            </button>
          )}
          <button type="submit" class="primary" disabled={busy.value}>
            <Icon name="send" /> {active ? (steers ? 'Guide' : 'Queue') : 'Send'}
          </button>
        </div>
      </div>
      <p class="small muted said" role="status">
        {said.value}
      </p>
    </form>
  );
}
