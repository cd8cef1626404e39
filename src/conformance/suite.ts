/** All scenarios, one after another, against one program. */

import { startFakeModel } from './fake-model.js';
import { SCENARIOS, verdict } from './scenarios.js';
import { call, type Subject } from './subject.js';

export interface Finding {
  id: string;
  rule: string;
  passed: boolean;
  /** What is wrong; null when it passed. */
  fault: string | null;
  duration_ms: number;
}

export interface SuiteOptions extends Pick<Subject, 'command' | 'runtime' | 'env' | 'limitMs'> {
  /** Ids of scenarios; all when absent. */
  only?: readonly string[];
  /** Hears each finding as it comes. */
  heard?(finding: Finding): void;
}

/** Made for each run; looks like a key, so that what masks keys masks it. */
const keyOf = (): string => `sk-ant-api03-${Math.random().toString(36).slice(2).padEnd(40, 'x')}`;

/** @throws when the program can't be started */
export async function runSuite({ only, heard, ...given }: SuiteOptions): Promise<Finding[]> {
  const model = await startFakeModel();
  const findings: Finding[] = [];
  try {
    const subject: Subject = { ...given, modelUrl: model.url, key: keyOf() };
    for (const scenario of SCENARIOS) {
      if (only && !only.includes(scenario.id)) continue;
      const began = performance.now();
      const fault = verdict(scenario, await call(subject, scenario.call(subject)), subject);
      const { id, rule } = scenario;
      const finding = { id, rule, passed: fault === null, fault, duration_ms: Math.round(performance.now() - began) };
      findings.push(finding);
      heard?.(finding);
    }
    return findings;
  } finally {
    await model.close();
  }
}
