/** `turnout acp --check`: whether an editor that starts us would get an agent. */

import { locate } from '../../discovery/locate.js';
import { isMissing } from '../../discovery/located.js';
import { pickRuntime } from '../../exec/pick-runtime.js';
import { type AcpOptions, acpCore, openAcpStore } from './serve.js';

export interface Checked {
  ok: boolean;
  /** For people, one thing a line. */
  lines: string[];
}

/** Starts no runtime and writes nothing but an empty store. Never throws. */
export async function check(options: AcpOptions): Promise<Checked> {
  const lines: string[] = [];
  let ok = true;
  const fault = (text: string) => {
    ok = false;
    lines.push(`fail  ${text}`);
  };
  try {
    const store = await openAcpStore(options);
    lines.push(`ok    sessions are kept in ${store.name}`);
    const core = acpCore(store, options);
    const picked = await pickRuntime(options.runtime, core.runners, core.places());
    const located = picked && picked.runner.bins.length > 0 ? await locate(picked.runner, picked.places) : null;
    store.close();
    if (!picked) fault(options.runtime === 'auto' ? 'no agent program was found' : `no runtime ${options.runtime}`);
    else if (picked.runner.unsupported !== undefined) fault(picked.runner.unsupported);
    else if (located && isMissing(located))
      fault(`${picked.runner.title} is not installed; to install it: ${picked.runner.installHint}`);
    else {
      lines.push(`ok    ${picked.runner.title}${located ? ` at ${located.found}` : ', built in'}`);
      if (picked.runner.loginHint !== null) lines.push(`      its login: ${picked.runner.loginHint}`);
    }
  } catch (error) {
    fault(error instanceof Error ? error.message : String(error));
  }
  return { ok, lines };
}
