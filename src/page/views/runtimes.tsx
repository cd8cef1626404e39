/** What is installed here, and what speaks against a turn. */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Check, Doctor } from '../../contract/doctor.js';
import { call } from '../api.js';
import type { Runtime } from '../model.js';
import { copied, copyText } from '../parts/copy.js';
import { Icon } from '../parts/icon.js';
import { Glyph } from '../parts/status.js';
import { Text } from '../parts/text.js';
import { runtimes } from '../store.js';

const doctor = signal<Doctor | null>(null);

function Command({ text }: { text: string }) {
  return (
    <button type="button" class="quiet command" onClick={() => void copyText(text)}>
      <code>{text}</code> <Icon name="copy" /> {copied.value === text ? 'Copied' : <span class="sr">Copy</span>}
    </button>
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
