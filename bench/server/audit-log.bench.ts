/**
 * The audit log with 300,000 rows: sealing, pages with each filter (first, middle, last), verifying the chain,
 * the export. `answer` is the time of the whole request inside the server.
 */
import { AUDIT_EVENTS } from '@passwordbroker/core/contract/site/audit-events';
import { publishHead, sealWaiting } from '../../server/src/audit/chain/sealer.ts';
import { Lease } from '../../server/src/platform/leases/lease.ts';
import { startTestApp } from '../../server/src/testing/test-app.ts';
import { percentile, printTable } from '../tools/table.ts';

const ROWS = 300_000;
const PEOPLE = 400;
const ROUNDS = 15;
const LIMIT_MS = 100;
const PORTION = 2000;

async function measure(work: () => Promise<unknown>): Promise<{ p50: number; p95: number }> {
  await work();
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    await work();
    samples.push(performance.now() - started);
  }
  return { p50: percentile(samples, 0.5), p95: percentile(samples, 0.95) };
}

const seconds = async (work: () => Promise<unknown>) => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};

const app = await startTestApp();
try {
  const ada = await app.signUp('ada');
  const people = Array.from({ length: PEOPLE }, (_, at) => ({
    id: app.deps.newId(),
    login: `person.${at}@example.org`,
  }));
  const targets = Array.from({ length: 5000 }, () => app.deps.newId());
  const begin = app.clock.now() - 90 * 24 * 3_600_000;
  const step = Math.floor((app.clock.now() - begin) / ROWS);
  const insert = await seconds(async () => {
    for (let start = 0; start < ROWS; start += PORTION) {
      await app.deps.db.transact(async (tx) => {
        const rows = Array.from({ length: PORTION }, (_, offset) => {
          const at = start + offset;
          const person = people[(at * 7919) % PEOPLE] ?? people[0]!;
          // Most events are reveals and sign-ins.
          const event =
            at % 3 === 0 ? 'field_revealed' : at % 5 === 0 ? 'login' : AUDIT_EVENTS[at % AUDIT_EVENTS.length];
          return {
            audit_id: app.deps.newId(),
            created_at: begin + at * step,
            event_type: event ?? 'login',
            user_id: person.id,
            login: person.login,
            target_type: 'field',
            target_id: targets[(at * 31) % targets.length] ?? null,
            address: '192.0.2.7',
            agent_hash: '0'.repeat(64),
            details: '{"rev":1}',
          };
        });
        for (let part = 0; part < rows.length; part += 500) {
          await tx
            .insertInto('audit_log')
            .values(rows.slice(part, part + 500))
            .execute();
        }
      });
    }
  });
  const lease = new Lease(app.deps.db, 'audit-sealer');
  await lease.hold();
  const seal = await seconds(() => sealWaiting(app.deps, lease));
  await publishHead(app.deps, '');

  const middle = new Date(begin + (ROWS / 2) * step).toISOString();
  const filters = [
    ['none', ''],
    ['event, frequent', 'event_type=field_revealed'],
    ['event, rare', 'event_type=mass_reveal'],
    ['person', `user_id=${people[5]?.id}`],
    ['target', `target_id=${targets[9]}`],
    ['half of the time', `from=${middle}`],
    ['event and time', `event_type=login&to=${middle}`],
    ['event and person', `event_type=field_revealed&user_id=${people[5]?.id}`],
    ['text, everywhere', 'q=example'],
    ['text, one person', 'q=person.77@'],
    ['text, an event', 'q=reveal'],
    ['text, nowhere', 'q=zzyzx'],
  ] as const;
  const rows = [];
  for (const [filter, query] of filters) {
    const path = (page: number) => `/system/api/auditLog?perPage=100&page=${page}${query === '' ? '' : `&${query}`}`;
    const first = (await ada.request({ path: path(1) })).json<{ total: number; last_page: number }>();
    const pages: Record<string, number> = { first: 1, middle: Math.ceil(first.last_page / 2), last: first.last_page };
    const measured: Record<string, number> = {};
    let worst = 0;
    for (const [name, page] of Object.entries(pages)) {
      const { p50, p95 } = await measure(() => ada.request({ path: path(page) }));
      measured[`${name} p50 ms`] = p50;
      measured[`${name} p95 ms`] = p95;
      worst = Math.max(worst, p95);
    }
    rows.push({
      filter,
      rows: String(first.total),
      ...measured,
      [`under ${LIMIT_MS} ms`]: worst < LIMIT_MS ? 'yes' : 'NO',
    });
  }
  printTable(`Pages of 100 of ${ROWS} rows`, rows);

  const reports: { ok: boolean; rows: number; unsealed: number }[] = [];
  const verify = await seconds(async () => {
    reports.push((await ada.request({ path: '/system/api/auditLog/verify' })).json());
  });
  const sizes: number[] = [];
  const exported = async (format: string) => {
    const answer = await ada.request({ path: `/system/api/auditLog/export?format=${format}` });
    sizes.push(answer.bytes.length);
  };
  const ndjson = await seconds(() => exported('ndjson'));
  const cef = await seconds(() => exported('cef'));
  const rate = (took: number) => Math.round(ROWS / took).toString();
  printTable('All of it', [
    { what: 'insert', seconds: insert, 'rows a second': rate(insert) },
    { what: 'seal', seconds: seal, 'rows a second': rate(seal) },
    { what: `verify (${JSON.stringify(reports[0])})`, seconds: verify, 'rows a second': rate(verify) },
    {
      what: `export NDJSON (${((sizes[0] ?? 0) / 1e6).toFixed(0)} MB)`,
      seconds: ndjson,
      'rows a second': rate(ndjson),
    },
    { what: `export CEF (${((sizes[1] ?? 0) / 1e6).toFixed(0)} MB)`, seconds: cef, 'rows a second': rate(cef) },
  ]);
} finally {
  await app.stop();
}
