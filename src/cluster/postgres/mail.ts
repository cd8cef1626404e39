/** Commands on their way to a worker, and how they fared. */

import { asReceipt } from '../../runs/store/rows.js';
import type { Engine } from '../engine.js';
import { decode } from '../stored.js';
import type { PgBase } from './connect.js';

/** Letters that are taken at once. */
const SOME = 200;

type Mail = Pick<Engine, 'post' | 'mail' | 'taken' | 'putReceipt' | 'receipt'>;

export function pgMail({ all, one, step }: PgBase): Mail {
  return {
    post: (run, mail, letter) =>
      step(async (on) => {
        const before = await on.one('SELECT receipt FROM receipts WHERE mail = $1', mail);
        const receipt = before ? asReceipt(String(before['receipt'])) : null;
        if (receipt) return { kind: 'receipt', receipt };
        const row = await on.one('SELECT over, epoch, worker FROM runs WHERE id = $1 FOR UPDATE', run);
        if (!row || row['over'] === true) return { kind: 'over' };
        const json = JSON.stringify(letter);
        if (Number(row['epoch']) === 0) {
          if (letter.type !== 'steer') return { kind: 'queued' };
          await on.all('INSERT INTO box (run, mail, letter) VALUES ($1, $2, $3)', run, mail, json);
          const nth = Number((await on.one('SELECT count(*) AS n FROM box WHERE run = $1', run))?.['n']);
          const kept = JSON.stringify({ ok: true, id: `s${nth}`, did: true });
          await on.all('INSERT INTO receipts (mail, receipt) VALUES ($1, $2)', mail, kept);
          return { kind: 'kept', nth };
        }
        const name = String(row['worker']);
        const worker = name.slice(0, name.lastIndexOf('#'));
        const put =
          'INSERT INTO mail (worker, run, epoch, mail, letter) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING';
        await on.all(put, worker, run, Number(row['epoch']), mail, json);
        await on.tell(`mail:${worker}`);
        return { kind: 'posted' };
      }),
    async mail(worker, after) {
      const sql = 'SELECT * FROM mail WHERE worker = $1 AND place > $2 ORDER BY place LIMIT $3';
      return (await all(sql, worker, Number(after ?? 0), SOME)).map((row) => ({
        place: String(row['place']),
        run: String(row['run']),
        epoch: Number(row['epoch']),
        mail: String(row['mail']),
        letter: decode('letter', String(row['letter'])),
      }));
    },
    async taken(worker, places) {
      if (places.length > 0)
        await all('DELETE FROM mail WHERE worker = $1 AND place = ANY($2::bigint[])', worker, places);
    },
    putReceipt: (run, mail, receipt) =>
      step(async (on) => {
        const put = 'INSERT INTO receipts (mail, receipt) VALUES ($1, $2) ON CONFLICT DO NOTHING';
        await on.all(put, mail, JSON.stringify(receipt));
        await on.all("DELETE FROM receipts WHERE at < now() - interval '1 day'");
        await on.tell(`run:${run}`);
      }),
    async receipt(mail) {
      const row = await one('SELECT receipt FROM receipts WHERE mail = $1', mail);
      return row === null ? null : asReceipt(String(row['receipt']));
    },
  };
}
