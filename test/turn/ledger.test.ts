import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ledger } from '../../src/turn/ledger.js';

const spent = (
  input: number | null,
  output: number | null,
  costUsd: number | null = null,
  cached: number | null = null,
) => ({
  input,
  output,
  costUsd,
  cached,
});

test('nothing known is no event and null totals', () => {
  const book = ledger();
  assert.is(book.last(), null);
  assert.is(book.known(), false);
  assert.is(book.totals().input_tokens, null);
});

test('an unknown cost stays null beside known tokens', () => {
  const book = ledger();
  book.spend('delta', spent(3, 4));
  assert.equal(book.last(), { v: 1, type: 'usage', input_tokens: 3, output_tokens: 4, cost_usd: null });
});

test('running totals become deltas, and a shrinking one never a negative', () => {
  const book = ledger();
  assert.is(book.spend('turn', spent(10, 1)), null);
  assert.is(book.spend('turn', spent(25, 3))?.input_tokens, 10, 'the report before is due now');
  assert.is(book.spend('turn', spent(20, 3)), null, 'what shrank is no further call');
  assert.is(book.last()?.input_tokens, 10);
  assert.is(book.spend('turn', spent(5, 3)), null);
  assert.is(book.last(), null);
  assert.is(book.totals().input_tokens, 20, 'what was told can’t be taken back: deltas and totals agree');
});

test('a process total is taken up by the next process', () => {
  const book = ledger();
  book.spend('process', spent(10, 1, 0.1));
  book.newProcess();
  book.spend('process', spent(5, 2, 0.2));
  assert.equal(book.totals(), { input_tokens: 15, output_tokens: 3, cached_tokens: null, cost_usd: 0.3 });
});

test('a session total counts from its baseline, and is unknown without one', () => {
  const book = ledger();
  book.spend('session', spent(null, null, 5));
  assert.is(book.totals().cost_usd, null);
  book.baseline('session', spent(null, null, 4));
  book.spend('session', spent(null, null, 5));
  assert.is(book.totals().cost_usd, 1);
});

test('a null is made good by a later report', () => {
  const book = ledger();
  book.spend('delta', spent(1, 1));
  book.spend('delta', spent(2, 1));
  book.spend('process', spent(null, null, 0.5));
  assert.equal(book.last(), { v: 1, type: 'usage', input_tokens: 2, output_tokens: 1, cost_usd: 0.5 });
  assert.is(book.totals().cost_usd, 0.5);
});

test('a cost or output that comes late joins the report held back: no report has zero tokens it does not mean', () => {
  const book = ledger();
  assert.is(book.spend('turn', spent(1200, 1)), null);
  assert.is(book.spend('turn', spent(1200, 2, 0.003)), null, 'the same call, better known');
  assert.equal(book.last(), { v: 1, type: 'usage', input_tokens: 1200, output_tokens: 2, cost_usd: 0.003 });
});

test('costs alone are told as they grow', () => {
  const book = ledger();
  book.spend('turn', spent(null, null, 0.1));
  assert.is(book.spend('turn', spent(null, null, 0.3))?.cost_usd, 0.1);
  assert.is(book.last()?.cost_usd, 0.2);
});

test('a real zero is told once as zero', () => {
  const book = ledger();
  book.spend('delta', spent(0, 0, 0));
  assert.equal(book.last(), { v: 1, type: 'usage', input_tokens: 0, output_tokens: 0, cost_usd: 0 });
  assert.is(book.last(), null);
});

test('tokens are whole numbers, and what is no number of tokens is not counted', () => {
  const book = ledger();
  book.spend('delta', spent(3.7, 1e300));
  book.spend('delta', spent(-1, Number.NaN));
  book.spend('delta', spent(2, null));
  assert.equal([book.totals().input_tokens, book.totals().output_tokens], [5, null]);
});

test('a session total below its baseline counts as nothing, and takes nothing from what comes after', () => {
  const book = ledger();
  book.baseline('session', spent(null, null, 4));
  book.spend('session', spent(null, null, 3));
  assert.is(book.totals().cost_usd, 0);
  book.spend('delta', spent(null, null, 2));
  assert.is(book.totals().cost_usd, 2);
});

test.run();
