/** One thing that happened in a turn. */

import type { Item as AnyItem, AskedItem, PlanItem, QuestionItem, TextItem } from '../../view/item.js';
import { Icon } from './icon.js';
import { Markdown } from './markdown.js';
import { Patch } from './patch.js';
import { still } from './still.js';
import { Text } from './text.js';
import { Tool } from './tool.js';

function Said({ item }: { item: TextItem }) {
  if (item.replaced) return <p class="notice">The answer started again.</p>;
  if (item.kind === 'thinking')
    return (
      <details class={`thinking depth-${Math.min(item.depth, 4)}`}>
        <summary>Thinking</summary>
        <div class="muted pre">
          <Text text={item.text} joiners />
        </div>
      </details>
    );
  return (
    <div class={`depth-${Math.min(item.depth, 4)}`}>
      <Markdown text={item.text} />
    </div>
  );
}

const STEPS = { pending: 'to do', in_progress: 'now', completed: 'done' } as const;

function Plan({ item }: { item: PlanItem }) {
  return (
    <section class="card" aria-label="Plan">
      <ol class="plan">
        {item.entries.map(({ content, status }, index) => (
          <li key={index} class={`step-${status}`}>
            <span class="step-state">{STEPS[status]}</span> <Text text={content} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What was asked; the answer itself stands above the composer while it is open. */
function Asked({ item }: { item: QuestionItem }) {
  return (
    <p class="notice">
      <Icon name="warn" /> Asked for permission: <Text text={item.label} />
    </p>
  );
}

function Inquired({ item }: { item: AskedItem }) {
  return (
    <section class="card" aria-label="Question">
      {item.title !== null && (
        <p>
          <strong>
            <Text text={item.title} />
          </strong>
        </p>
      )}
      {item.questions.map(({ id, question }) => (
        <p key={id}>
          <Text text={question} />
        </p>
      ))}
      {item.url !== null && (
        <p>
          <Text text={item.url} />
        </p>
      )}
      {item.outcome !== null && <p class="muted small">{item.outcome}</p>}
    </section>
  );
}

export const Item = still(({ item }: { item: AnyItem }) => {
  switch (item.kind) {
    case 'text':
    case 'thinking':
      return <Said item={item} />;
    case 'tool':
      return <Tool item={item} />;
    case 'plan':
      return <Plan item={item} />;
    case 'patch':
      return <Patch item={item} />;
    case 'question':
      return <Asked item={item} />;
    case 'asked':
      return <Inquired item={item} />;
    case 'notice':
      return (
        <p class="notice">
          <Text text={item.text} />
        </p>
      );
    case 'agent':
      return (
        <p class="notice">
          <Icon name="agent" /> <Text text={item.title} /> · {item.state}
        </p>
      );
    case 'gap':
      return (
        <p class="notice gap">
          Events {item.from} to {item.to} are no longer kept.
        </p>
      );
    case 'error':
      return (
        <section class="card bad" role="alert">
          <p>
            <strong>{item.code}</strong>
          </p>
          <p class="pre">
            <Text text={item.text} />
          </p>
          {item.hint !== null && (
            <p>
              Try: <code>{item.hint}</code>
            </p>
          )}
        </section>
      );
    default: {
      const never: never = item;
      return never;
    }
  }
});
