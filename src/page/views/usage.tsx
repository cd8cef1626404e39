/** Tokens and cost. What nobody reported is unknown, never 0. */

import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../api.js';
import { cost, tokens } from '../format.js';
import { Icon } from '../parts/icon.js';

interface Group {
  key: string;
  runs: number;
  unknown_cost: number;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
}
type By = 'day' | 'runtime' | 'model' | 'session';
const BY: readonly By[] = ['day', 'runtime', 'model', 'session'];

const groups = signal<readonly Group[] | null>(null);

function Bars({ of }: { of: readonly Group[] }) {
  const most = Math.max(...of.map(({ cost_usd }) => cost_usd ?? 0), 0.000001);
  const wide = 100 / Math.max(of.length, 1);
  return (
    <svg class="bars" viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true">
      {of.map(({ key, cost_usd }, index) => {
        const high = cost_usd === null ? 0 : Math.max((cost_usd / most) * 38, 0.5);
        return <rect key={key} x={index * wide + wide * 0.1} y={40 - high} width={wide * 0.8} height={high} />;
      })}
    </svg>
  );
}

const quoted = (value: string | number): string => `"${String(value).replaceAll('"', '""')}"`;
const csv = (of: readonly Group[]): string =>
  [['key', 'runs', 'input_tokens', 'output_tokens', 'cost_usd', 'runs_with_unknown_cost']]
    .concat(
      of.map((one) =>
        [one.key, one.runs, one.input_tokens ?? '', one.output_tokens ?? '', one.cost_usd ?? '', one.unknown_cost].map(
          quoted,
        ),
      ),
    )
    .map((row) => `${row.join(',')}\r\n`)
    .join('');

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = 'turnout-usage.csv';
  anchor.click();
  URL.revokeObjectURL(url);
}

export function Usage() {
  const by = useSignal<By>('day');
  const failed = useSignal('');
  useEffect(() => {
    call<{ groups: Group[] }>('GET', `/spent?by=${by.value}&days=30`).then(
      ({ groups: found }) => {
        groups.value = by.value === 'day' ? found.toSorted((a, b) => (a.key < b.key ? -1 : 1)) : found;
      },
      (error: unknown) => {
        failed.value = error instanceof Error ? error.message : String(error);
      },
    );
  }, [by.value]);
  const shown = groups.value ?? [];
  return (
    <div class="page">
      <header class="page-head">
        <h1>Usage</h1>
        <button type="button" onClick={() => save(csv(shown))}>
          <Icon name="down" /> CSV
        </button>
      </header>
      <fieldset class="segments">
        <legend class="sr">Group by</legend>
        {BY.map((one) => (
          <button type="button" key={one} aria-pressed={by.value === one} onClick={() => (by.value = one)}>
            {one}
          </button>
        ))}
      </fieldset>
      {failed.value !== '' && (
        <p class="error" role="alert">
          {failed.value}
        </p>
      )}
      {groups.value !== null && shown.length === 0 && <p class="empty muted">Nothing was used in the last 30 days.</p>}
      {shown.length > 0 && (
        <>
          <div class="card">
            <Bars of={shown} />
          </div>
          <div class="scroll">
            <table class="figures">
              <caption class="sr">Tokens and cost of the last 30 days by {by.value}</caption>
              <thead>
                <tr>
                  <th scope="col">{by.value}</th>
                  <th scope="col">Runs</th>
                  <th scope="col">Tokens in</th>
                  <th scope="col">Tokens out</th>
                  <th scope="col">Cost</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((one) => (
                  <tr key={one.key}>
                    <th scope="row">{one.key}</th>
                    <td>{one.runs}</td>
                    <td>{tokens(one.input_tokens)}</td>
                    <td>{tokens(one.output_tokens)}</td>
                    <td>
                      {cost(one.cost_usd)}
                      {one.cost_usd !== null && one.unknown_cost > 0 && (
                        <span class="muted"> + {one.unknown_cost} unknown</span>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </div>
  );
}
