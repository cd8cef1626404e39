/** What runs, and what waits. */

import { useSignal } from '@preact/signals';
import { cost, firstLine, folder } from '../format.js';
import { type Card, isOver, type Status as RunStatus } from '../model.js';
import { Approval } from '../parts/approval.js';
import { Question } from '../parts/question.js';
import { Glyph, Status } from '../parts/status.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';
import { newestFirst, runs, runtimes, waiting } from '../store.js';

function Row({ run }: { run: Card }) {
  return (
    <li>
      <a class="run-row" href={`#/s/${encodeURIComponent(run.session_id)}`}>
        <Glyph runtime={run.runtime} />
        <span class="run-main">
          <span class="run-title">
            <Text text={firstLine(run.prompt)} joiners />
          </span>
          <span class="run-sub muted small">
            {run.runtime}
            {run.model === null ? '' : ` · ${run.model}`} · <span title={run.cwd}>{folder(run.cwd)}</span>
          </span>
        </span>
        <span class="run-side">
          <Status status={run.status} />
          <span class="small muted numbers">
            <When at={run.created_at} /> · {run.cost_usd === null ? 'cost unknown' : cost(run.cost_usd)}
          </span>
        </span>
      </a>
    </li>
  );
}

type Filter = 'all' | 'active' | 'waiting' | 'failed';
const FILTERS: readonly Filter[] = ['all', 'active', 'waiting', 'failed'];
const fits = (filter: Filter, status: RunStatus): boolean =>
  filter === 'all' ||
  (filter === 'active' && !isOver(status)) ||
  (filter === 'waiting' && status === 'waiting_for_approval') ||
  (filter === 'failed' && (status === 'failed' || status === 'interrupted'));

function Empty() {
  const others = (runtimes.value ?? []).filter(({ installed, builtin }) => installed && builtin !== true);
  return (
    <div class="empty">
      <p>
        <strong>Nothing has run yet.</strong>
      </p>
      <p class="muted">
        {others.length > 0
          ? `${others.map(({ id }) => id).join(', ')} can be used here.`
          : 'No agent program is installed here. The built-in demo works without an account.'}
      </p>
      <p>
        <a class="button primary" href="#/new">
          Begin
        </a>
      </p>
    </div>
  );
}

export function Home() {
  const filter = useSignal<Filter>('all');
  const words = useSignal('');
  const wanted = words.value.toLowerCase();
  const shown = newestFirst.value.filter(
    (run) =>
      fits(filter.value, run.status) &&
      `${run.prompt} ${run.runtime} ${run.cwd} ${run.model ?? ''}`.toLowerCase().includes(wanted),
  );
  return (
    <div class="page">
      <header class="page-head">
        <h1>Runs</h1>
        <a class="button primary" href="#/new">
          New
        </a>
      </header>
      {waiting.value.length > 0 && (
        <section aria-label="Waiting for you">
          <h2>Waiting for you</h2>
          {waiting.value.flatMap((run) => [
            ...run.questions.map((question) => (
              <Approval key={`${run.run_id}:${question.id}`} run={run} question={question} where />
            )),
            ...run.asked.map((asked) => <Question key={`${run.run_id}:${asked.id}`} run={run} asked={asked} where />),
          ])}
        </section>
      )}
      <div class="filters">
        <input
          id="search"
          type="search"
          placeholder="Search"
          aria-label="Search runs"
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value;
          }}
        />
        <fieldset class="segments">
          <legend class="sr">Which runs</legend>
          {FILTERS.map((one) => (
            <button type="button" key={one} aria-pressed={filter.value === one} onClick={() => (filter.value = one)}>
              {one}
            </button>
          ))}
        </fieldset>
      </div>
      {runs.value === null ? (
        <p class="muted late">Loading…</p>
      ) : newestFirst.value.length === 0 ? (
        <Empty />
      ) : shown.length === 0 ? (
        <p class="empty muted">No run fits.</p>
      ) : (
        <ul class="run-list">
          {shown.map((run) => (
            <Row key={run.run_id} run={run} />
          ))}
        </ul>
      )}
    </div>
  );
}
