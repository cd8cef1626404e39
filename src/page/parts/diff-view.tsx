/** Changes: one column or two, and comments on lines that go to the agent. */

import { signal, useSignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import type { DiffFile, DiffLine } from '../../view/diff.js';
import { sideBySide } from '../../view/diff.js';
import { addComment } from '../comments.js';
import { Icon } from './icon.js';
import { Scroll } from './scroll.js';
import { Text } from './text.js';

/** More lines are folded until somebody wants them. */
const FOLDED = 2_000;
const wide = signal(matchMedia('(min-width: 1100px)').matches);
matchMedia('(min-width: 1100px)').addEventListener('change', ({ matches }) => {
  wide.value = matches;
});

const SIGN = { same: ' ', add: '+', del: '−' } as const;

function Line({
  line,
  side,
  comment,
}: {
  line: DiffLine | null;
  side: 'old' | 'fresh' | 'both';
  comment(line: number): void;
}) {
  if (!line) return <div class="diff-line none" />;
  const number = side === 'old' ? line.old : (line.fresh ?? line.old);
  return (
    <div class={`diff-line ${line.kind}`}>
      <button
        type="button"
        class="line-number"
        aria-label={`Comment on line ${number}`}
        onClick={() => number !== null && comment(number)}
      >
        {number}
      </button>
      <span class="sign" aria-hidden="true">
        {SIGN[line.kind]}
      </span>
      <code>
        <Text text={line.text} />
      </code>
    </div>
  );
}

function CommentBox({ path, line, close }: { path: string; line: number; close(): void }) {
  const text = useSignal('');
  const keep = () => {
    if (text.value.trim() !== '') addComment({ path, line, text: text.value.trim() });
    close();
  };
  return (
    <div class="comment-box">
      <label>
        <span class="small muted">
          {path}:{line}
        </span>
        <textarea
          rows={2}
          placeholder="What should be different here?"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) keep();
            if (event.key === 'Escape') close();
          }}
        />
      </label>
      <div class="row end">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" class="primary" onClick={keep}>
          Add to the next message
        </button>
      </div>
    </div>
  );
}

function FileDiff({ file }: { file: DiffFile }) {
  const open = useSignal(file.added + file.removed <= FOLDED);
  const at = useSignal<number | null>(null);
  const comment = (line: number) => {
    at.value = line;
  };
  const rows = (lines: readonly DiffLine[]): ComponentChild =>
    wide.value ? (
      <div class="two">
        {sideBySide(lines).map(({ left, right }, index) => (
          <div class="pair" key={index}>
            <Line line={left} side="old" comment={comment} />
            <Line line={right} side="fresh" comment={comment} />
          </div>
        ))}
      </div>
    ) : (
      lines.map((line, index) => <Line key={index} line={line} side="both" comment={comment} />)
    );
  return (
    <section class="diff" aria-label={file.path}>
      <button type="button" class="diff-head" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
        <Icon name={open.value ? 'down' : 'right'} />
        <code>
          <Text text={file.path} />
        </code>
        <span class="add-count">+{file.added}</span>
        <span class="del-count">−{file.removed}</span>
      </button>
      {open.value && (
        <Scroll look="diff-body" label={`Changes in ${file.path}`}>
          {file.hunks.map((hunk, index) => (
            <div key={index}>
              <div class="hunk">{hunk.title}</div>
              {rows(hunk.lines)}
            </div>
          ))}
        </Scroll>
      )}
      {at.value !== null && <CommentBox path={file.path} line={at.value} close={() => (at.value = null)} />}
    </section>
  );
}

export function DiffView({ files }: { files: readonly DiffFile[] }) {
  return (
    <div class="diffs">
      {files.map((file, index) => (
        <FileDiff key={`${index}:${file.path}`} file={file} />
      ))}
    </div>
  );
}
