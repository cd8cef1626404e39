// limit: 180s
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readContract } from '../../src/jobs/contract-file.js';
import { placesOf } from '../../src/workspace/paths.js';
import { type Agent, CONTRACT, HOST, put, refused, withJobs } from './stage.js';

const maker: Agent = async ({ cwd }) => {
  put(cwd, 'made.txt', 'made\n');
  return 'done';
};

test('a project without a contract, or with one that is wrong, is refused before there is a job', async () => {
  await withJobs(
    maker,
    async (stage) => {
      await refused('verification_required', stage.submit());
      const wrong = [
        'version: 2\n',
        'version: turnout.coding-config.v1\nchecks: []\n',
        'version: turnout.coding-config.v1\nchecks: [{name: a, argv: "make test"}]\n',
        'version: turnout.coding-config.v1\nchecks: [{name: a, argv: [x], shell: true}]\n',
        'version: turnout.coding-config.v1\nchecks: [{name: a, argv: [x], required: false}]\n',
        'version: turnout.coding-config.v1\nchecks: [{name: a, argv: [x]}, {name: a, argv: [y]}]\n',
        'version: [unclosed\n',
      ];
      for (const text of wrong) {
        stage.one.write('.turnout/coding.yaml', text);
        await refused('verification_contract_invalid', stage.submit());
      }
      assert.equal(stage.jobs.list({ limit: 9 }, HOST), []);
      stage.one.write('.flyto/coding.yaml', CONTRACT('true').replace('turnout.', 'flyto.'));
      stage.one.git('rm', '-rq', '--cached', '--ignore-unmatch', '.turnout');
      stage.one.git('clean', '-qfd', '.turnout');
      const job = await stage.until((await stage.submit()).job_id, 'awaiting_audit');
      assert.is(job.rounds[0]?.checks[0]?.name, 'unit');
    },
    { script: null },
  );
});

test('the checks are those of the base: an agent that rewrites them changes nothing', () => {
  const cheats: Agent = async ({ cwd }) => {
    put(cwd, '.turnout/coding.yaml', CONTRACT('true'));
    return 'all green';
  };
  return withJobs(
    cheats,
    async (stage) => {
      const { job_id } = await stage.submit({ max_attempts: 1 });
      await stage.jobs.idle();
      const { state, failure, rounds } = stage.jobs.get(job_id, HOST);
      assert.equal([state, failure?.code, failure?.phase], ['failed', 'checks_failed', 'checks']);
      assert.equal(rounds[0]?.checks[0]?.exit_code, 3);
    },
    { script: 'exit 3' },
  );
});

test('while a check fails and attempts are left, the implementer tries again in its session, with what was printed', () => {
  const prompts: string[] = [];
  const learns: Agent = async ({ cwd, prompt, plan }) => {
    prompts.push(prompt);
    put(cwd, 'made.txt', plan.request.resume === null ? 'wrong\n' : 'right\n');
    return 'done';
  };
  return withJobs(
    learns,
    async (stage) => {
      const job = await stage.until((await stage.submit()).job_id, 'awaiting_audit');
      assert.is(job.rounds.length, 2);
      assert.equal(
        job.rounds.map(({ checks }) => checks[0]?.passed),
        [false, true],
      );
      assert.match(prompts[1] ?? '', 'unit: exit code 1\nexpected right');
    },
    { script: 'grep -q right made.txt || { echo expected right; exit 1; }' },
  );
});

test('checks see exactly the revision, and what they write is not part of the change', () => {
  const messy: Agent = async ({ cwd }) => {
    put(cwd, 'made.txt', 'made\n');
    put(cwd, 'ignored-by-git.tmp', 'x');
    put(cwd, '.gitignore', '*.tmp\nignored/\n.env\n');
    return 'done';
  };
  return withJobs(
    messy,
    async (stage) => {
      const job = await stage.until((await stage.submit()).job_id, 'awaiting_audit');
      await stage.audit(job, 'rework');
      const again = await stage.until(job.job_id, 'awaiting_audit');
      assert.equal(
        again.files.map(({ path }) => path),
        ['.gitignore', 'made.txt'],
      );
    },
    { script: 'test -f made.txt && test ! -e ignored-by-git.tmp && echo report > report.txt' },
  );
});

test('a check that takes too long is ended with all it started; keys of the user are not in its environment', async () => {
  const contract = `version: turnout.coding-config.v1
checks:
  - {name: slow, argv: [sh, -c, "sleep 60 & sleep 60"], timeout_seconds: 0.3, required: false}
  - {name: missing, argv: [no-such-program-here], required: false}
  - {name: env, argv: [sh, -c, "test -z \\"$SOME_API_KEY\\" && test \\"$CI\\" = 1"]}
`;
  await withJobs(
    maker,
    async (stage) => {
      stage.one.write('.turnout/coding.yaml', contract);
      const job = await stage.until((await stage.submit()).job_id, 'awaiting_audit');
      const checks = job.rounds[0]?.checks ?? [];
      assert.equal(
        checks.map(({ name, passed, exit_code }) => [name, passed, exit_code]),
        [
          ['slow', false, null],
          ['missing', false, null],
          ['env', true, 0],
        ],
      );
      assert.match(checks[0]?.error ?? '', 'ended after 300 ms');
      assert.match(checks[1]?.error ?? '', 'no-such-program-here');
    },
    { script: null },
  );
});

test('without checks a job says that nothing was verified', () =>
  withJobs(
    maker,
    async (stage) => {
      const job = await stage.until((await stage.submit()).job_id, 'awaiting_audit');
      assert.equal(job.rounds[0]?.checks, []);
      await stage.audit(job, 'accept');
      assert.match(
        Buffer.from(JSON.parse(stage.jobs.receipt(job.job_id, HOST)).payload, 'base64').toString(),
        '"verified":false',
      );
    },
    { script: null, checks: 'none' },
  ));

test('the base holds what was not committed, the contract too', () =>
  withJobs(maker, async (stage) => {
    const job = await stage.until((await stage.submit()).job_id, 'awaiting_audit');
    const { tree } = placesOf(job.workspace ?? '', stage.one.env);
    // What an agent does to the file afterwards does not count either.
    writeFileSync(join(tree, '.turnout/coding.yaml'), CONTRACT('exit 9'));
    assert.is(job.contract_sha256, (await readContract(Buffer.from(stage.one.read('.turnout/coding.yaml')))).sha256);
  }));

test.run();
