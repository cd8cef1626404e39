/** What is installed here, and what speaks against a turn. */

import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Check, Doctor } from '../../contract/doctor.js';
import { call } from '../api.js';
import { isOver, type Runtime } from '../model.js';
import { copied, copyText } from '../parts/copy.js';
import { Icon } from '../parts/icon.js';
import { Glyph, Status } from '../parts/status.js';
import { Text } from '../parts/text.js';
import { me, runs, runtimes } from '../store.js';

const doctor = signal<Doctor | null>(null);

function Command({ text }: { text: string }) {
  return (
    <button type="button" class="quiet command" onClick={() => void copyText(text)}>
      <code>{text}</code> <Icon name="copy" /> {copied.value === text ? 'Copied' : <span class="sr">Copy</span>}
    </button>
  );
}

interface Begun {
  run_id: string;
  session_id: string;
}

/** One short turn, to see whether the runtime answers. It asks first: the turn may cost money. */
function Test({ runtime }: { runtime: Runtime }) {
  const asked = useSignal(false);
  const begun = useSignal<Begun | null>(null);
  const failed = useSignal('');
  // The narrowest mode that both allow: a test changes nothing.
  const access = me.value?.access.find((mode) => runtime.access_modes.includes(mode));
  const start = async () => {
    asked.value = false;
    failed.value = '';
    try {
      begun.value = await call<Begun>('POST', '/turns', {
        runtime: runtime.id,
        prompt: 'Reply with the word ok and nothing else.',
        ...(access === undefined ? {} : { access }),
      });
    } catch (error) {
      failed.value = error instanceof Error ? error.message : String(error);
    }
  };
  const run = begun.value === null ? undefined : runs.value?.get(begun.value.run_id);
  if (asked.value)
    return (
      <p class="row small">
        This sends one short prompt, which may cost money.
        <button type="button" class="primary" onClick={() => void start()}>
          Send it
        </button>
        <button type="button" onClick={() => (asked.value = false)}>
          Cancel
        </button>
      </p>
    );
  return (
    <p class="row small">
      <button
        type="button"
        disabled={begun.value !== null && (run === undefined || !isOver(run.status))}
        onClick={() => (asked.value = true)}
      >
        Test
      </button>
      {begun.value !== null && (
        <a href={`#/s/${encodeURIComponent(begun.value.session_id)}`}>
          {run === undefined ? 'Started' : <Status status={run.status} />}
        </a>
      )}
      {run?.error && <Text text={run.error.message} />}
      {failed.value !== '' && (
        <span class="error" role="alert">
          {failed.value}
        </span>
      )}
    </p>
  );
}

function Row({ runtime }: { runtime: Runtime }) {
  const { id, installed, version, newer_than_tested, access_modes, install_hint, login_hint } = runtime;
  return (
    <li class="runtime">
      <Glyph runtime={id} />
      <div>
        <strong>{id}</strong>
        <p class="small">
          {installed ? (version ?? 'installed, version unknown') : 'not installed'}
          {newer_than_tested === true ? ' · newer than any version tested' : ''} · access {access_modes.join(', ')}
        </p>
        {!installed && install_hint !== '' && <Command text={install_hint} />}
        {installed && login_hint !== null && <Command text={login_hint} />}
        {installed && runtime.execution_supported && <Test runtime={runtime} />}
      </div>
    </li>
  );
}

function Finding({ check }: { check: Check }) {
  return (
    <li class={`finding finding-${check.status}`}>
      <span class="finding-state">{check.status}</span>
      <span>
        <strong>{check.component}</strong> <Text text={check.message} />
        {check.fix !== null && <Command text={check.fix} />}
      </span>
    </li>
  );
}

export function Runtimes() {
  useEffect(() => {
    call<Doctor>('GET', '/doctor').then(
      (found) => {
        doctor.value = found;
      },
      () => {},
    );
  }, []);
  const all = (runtimes.value ?? []).toSorted((a, b) => Number(b.installed) - Number(a.installed));
  const findings = (doctor.value?.results ?? []).filter(({ status }) => status === 'fail' || status === 'warn');
  return (
    <div class="page">
      <h1>Runtimes</h1>
      <ul class="plain">
        {all.map((runtime) => (
          <Row key={runtime.id} runtime={runtime} />
        ))}
      </ul>
      <h2>Doctor</h2>
      {doctor.value === null ? (
        <p class="muted late">Looking…</p>
      ) : findings.length === 0 ? (
        <p class="muted">Nothing speaks against a turn on this machine.</p>
      ) : (
        <ul class="plain">
          {findings.map((check, index) => (
            <Finding key={index} check={check} />
          ))}
        </ul>
      )}
    </div>
  );
}
