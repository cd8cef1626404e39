/** What an agent asks a person: its choices or a field for words, and the answer. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Answers, AskedQuestion, QuestionEvent } from '../../contract/question.js';
import { given } from '../../text/answers.js';
import { call } from '../api.js';
import type { Card } from '../model.js';
import { SETTLE_MS } from './approval.js';
import { Text } from './text.js';
import { Left, When } from './when.js';

/** Beside the choices stands a field for an answer of one's own. */
const OWN = '\0own';

/** What was chosen and written in one part, read from the form when it is sent. */
function answerOf(form: HTMLFormElement, { id, choices, multi_select }: AskedQuestion): string | string[] | null {
  const data = new FormData(form);
  const text = String(data.get(`text:${id}`) ?? '');
  if (!choices) return text === '' ? null : text;
  const chosen = data.getAll(`choice:${id}`).map(String);
  const answers = chosen.flatMap((one) => (one !== OWN ? [one] : text === '' ? [] : [text]));
  if (multi_select) return answers.length === 0 ? null : answers;
  return answers[0] ?? null;
}

function Field({ part, label }: { part: AskedQuestion; label: string }) {
  const name = `text:${part.id}`;
  const required = part.required === true && !part.choices;
  if (part.secret)
    return <input type="password" name={name} aria-label={label} required={required} autocomplete="off" />;
  const keyed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (event.currentTarget instanceof HTMLTextAreaElement) event.currentTarget.form?.requestSubmit();
  };
  return <textarea rows={1} name={name} aria-label={label} required={required} enterkeyhint="send" onKeyDown={keyed} />;
}

function Choices({ part }: { part: AskedQuestion }) {
  const type = part.multi_select ? 'checkbox' : 'radio';
  const required = part.required === true && !part.multi_select;
  const name = `choice:${part.id}`;
  return (
    <>
      {part.choices?.map(({ value, label, description }) => (
        <label class="choice" key={value}>
          <input type={type} name={name} value={value} required={required} />
          <span>
            <Text text={label ?? value} />
            {description !== undefined && (
              <span class="muted small">
                {' '}
                · <Text text={description} />
              </span>
            )}
          </span>
        </label>
      ))}
      {part.other && (
        <label class="choice">
          <input type={type} name={name} value={OWN} required={required} />
          <Field part={part} label={`Your own answer to: ${part.question}`} />
        </label>
      )}
    </>
  );
}

function Part({ part }: { part: AskedQuestion }) {
  // Whoever writes an answer of their own means it, so its choice is taken too.
  const chosen = (event: Event) => {
    const { target, currentTarget } = event;
    if (!part.other || !(currentTarget instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
    if (!target.matches('textarea, [type="password"]')) return;
    const own = [...currentTarget.querySelectorAll('input')].find(({ value }) => value === OWN);
    if (own) own.checked = true;
  };
  return (
    <fieldset class="asked" onInput={chosen}>
      <legend>
        {part.header !== undefined && (
          <span class="muted small">
            <Text text={part.header} /> ·{' '}
          </span>
        )}
        <Text text={part.question} />
        {part.multi_select && <span class="muted small"> (several)</span>}
        {part.required && <span class="muted small"> (required)</span>}
      </legend>
      {part.choices ? <Choices part={part} /> : <Field part={part} label={part.question} />}
    </fieldset>
  );
}

/** Only what a browser opens as a page; anything else stays text. */
function Address({ url }: { url: string }) {
  if (!/^https?:/i.test(url)) return <Text text={url} />;
  return (
    <a href={url} title={url} rel="noreferrer noopener" target="_blank">
      <Text text={url} />
    </a>
  );
}

export function Question({ run, asked, where = false }: { run: Card; asked: QuestionEvent; where?: boolean }) {
  const settled = useSignal(false);
  const sent = useSignal<'answered' | 'declined' | null>(null);
  const failed = useSignal('');
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = true;
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);
  const send = async (how: 'answered' | 'declined', answers: Answers) => {
    if (sent.value !== null || !settled.value) return;
    sent.value = how;
    failed.value = '';
    try {
      await call('POST', `/runs/${encodeURIComponent(run.run_id)}`, { type: 'answer', answers, question: asked.id });
    } catch (error) {
      sent.value = null;
      failed.value = error instanceof Error ? error.message : String(error);
    }
  };
  const opens = asked.questions.length === 0;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = event.currentTarget;
    const answers: Answers = opens
      ? { page: 'opened' }
      : Object.fromEntries(asked.questions.map((part) => [part.id, answerOf(form, part)]));
    if (given(answers) !== null) return void send('answered', answers);
    failed.value = 'Nothing is answered yet. Answer at least one question, or decline.';
  };
  return (
    <form
      class="approval"
      data-settled={settled.value}
      aria-label={`${run.runtime} asks a question`}
      onSubmit={submit}
      autocomplete="off"
    >
      <p class="approval-head">
        <strong>{run.runtime}</strong> asks
        {asked.title !== undefined && (
          <>
            {': '}
            <strong>
              <Text text={asked.title} />
            </strong>
          </>
        )}
        <span class="muted small">
          {asked.source === 'mcp' && ' · for an MCP server'} · asked <When at={run.updated_at} ago />
          {asked.timeout_ms !== undefined && (
            <>
              {' · '}
              <Left until={run.updated_at + asked.timeout_ms} />
            </>
          )}
          {where && (
            <>
              {' '}
              · <a href={`#/s/${encodeURIComponent(run.session_id)}`}>open</a>
            </>
          )}
        </span>
      </p>
      {asked.url !== undefined && (
        <p>
          <Address url={asked.url} />
        </p>
      )}
      {asked.questions.map((part) => (
        <Part key={part.id} part={part} />
      ))}
      {failed.value !== '' && (
        <p class="error" role="alert">
          {failed.value}
        </p>
      )}
      <div class="row end">
        <button type="button" disabled={sent.value !== null} onClick={() => void send('declined', {})}>
          {sent.value === 'declined' ? 'Sent' : 'Decline'}
        </button>
        <button type="submit" class="primary" disabled={sent.value !== null}>
          {sent.value === 'answered' ? 'Sent' : opens ? 'Opened' : 'Answer'}
        </button>
      </div>
    </form>
  );
}
