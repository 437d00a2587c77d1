/**
 * The hash chain of the audit log: detected changes (T91-T93), and that no request waits for it.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as session from '@passwordbroker/core/contract/account/session';
import { CONTRACT } from '@passwordbroker/core/contract/index';
import { Lease, LEASE_EXPIRES } from '../../platform/leases/lease.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { isOnPostgres } from '../../testing/test-database.ts';
import { insertAuditRow, recordEvent } from '../audit-log.ts';
import { publishHead, readHead, sealWaiting, startSealer } from './sealer.ts';
import { forge } from '../testing/forge.ts';
import { verifyChain } from './verify-chain.ts';

/** One zero byte in the syntax of the database. */
const NOUGHT = isOnPostgres ? String.raw`'\x00'` : "x'00'";

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const NOBODY = { address: '192.0.2.7', agentHash: null, userAgent: '', client: null };
const act = (login = 'x@example.org') =>
  app.deps.db.transact((tx) =>
    recordEvent(tx, app.deps, { event_type: 'login_failed', actor: null, login, origin: NOBODY, details: { n: 1 } }),
  );

async function sealerOf(target: TestApp = app): Promise<Lease> {
  const lease = new Lease(target.deps.db, 'audit-sealer');
  await lease.hold();
  return lease;
}

/** Takes about a second on an idle machine. */
const SOON = { timeout: 20_000, interval: 20 };

/** Ids in the order of the chain. */
const chain = async () =>
  (await app.deps.db.read.selectFrom('audit_chain').select('audit_id').orderBy('seq').execute()).map(
    ({ audit_id }) => audit_id,
  );
const allIds = async () =>
  (await app.deps.db.read.selectFrom('audit_log').select('audit_id').orderBy('audit_id').execute()).map(
    ({ audit_id }) => audit_id,
  );

test('rows are sealed in the order of their ids, over many batches, and the site admin can verify them', async () => {
  expect(await ada.call(audit.verify)).toMatchObject({ ok: true, rows: 0, head: null, first_bad: null, unsealed: 1 });
  for (let row = 0; row < 900; row += 1) await act();
  const lease = await sealerOf();
  expect(await sealWaiting(app.deps, lease)).toBe(901);
  expect(await sealWaiting(app.deps, lease)).toBe(0);
  expect(await chain()).toEqual(await allIds());
  const head = await readHead(app.deps);
  expect(await ada.call(audit.verify)).toMatchObject({ ok: true, rows: 901, head, first_bad: null, unsealed: 0 });
  await act();
  expect(await ada.call(audit.verify)).toMatchObject({ ok: true, rows: 901, head, unsealed: 1 });
});

describe('each change of the database is detected and named (T91)', () => {
  let ids: string[];
  beforeEach(async () => {
    for (let row = 0; row < 9; row += 1) await act(`${row}@example.org`);
    await sealWaiting(app.deps, await sealerOf());
    ids = await chain();
  });

  test.each<[string, (id: (at: number) => string) => string[], string, number]>([
    ['an edited row', (id) => [`update audit_log set login = 'y' where audit_id = '${id(5)}'`], 'edited', 5],
    ['a member made null', (id) => [`update audit_log set details = null where audit_id = '${id(5)}'`], 'edited', 5],
    [
      'an empty text instead of null',
      (id) => [`update audit_log set user_id = '' where audit_id = '${id(5)}'`],
      'edited',
      5,
    ],
    [
      'another time',
      (id) => [`update audit_log set created_at = created_at + 1 where audit_id = '${id(5)}'`],
      'edited',
      5,
    ],
    ['a deleted row', (id) => [`delete from audit_log where audit_id = '${id(5)}'`], 'missing', 5],
    ['an edited link', () => [`update audit_chain set hash = ${NOUGHT} where seq = 5`], 'edited', 5],
    [
      'a link with a wrong predecessor',
      () => [`update audit_chain set prev = ${NOUGHT} where seq = 5`],
      'out of order',
      5,
    ],
    ['a deleted link', () => ['delete from audit_chain where seq = 5'], 'link missing', 6],
    [
      'a row deleted with its link',
      (id) => [`delete from audit_log where audit_id = '${id(5)}'`, 'delete from audit_chain where seq = 5'],
      'link missing',
      6,
    ],
    [
      'a gap closed by renumbering',
      (id) => [
        `delete from audit_log where audit_id = '${id(5)}'`,
        'delete from audit_chain where seq = 5',
        'update audit_chain set seq = seq - 1 where seq > 5',
      ],
      'out of order',
      6,
    ],
    [
      'two rows exchanged',
      (id) => [
        "update audit_chain set audit_id = 'x' where seq = 5",
        `update audit_chain set audit_id = '${id(5)}' where seq = 7`,
        `update audit_chain set audit_id = '${id(7)}' where seq = 5`,
      ],
      'edited',
      7,
    ],
    [
      'two links exchanged',
      () => [
        'update audit_chain set seq = 100 where seq = 5',
        'update audit_chain set seq = 5 where seq = 7',
        'update audit_chain set seq = 7 where seq = 100',
      ],
      'out of order',
      7,
    ],
    ['a deleted first link', () => ['delete from audit_chain where seq = 1'], 'link missing', 2],
  ])('%s', async (_name, statements, damage, at) => {
    const id = (seq: number) => ids[seq - 1] ?? '';
    await forge(app.deps, ...statements(id));
    const report = await verifyChain(app.deps);
    expect(report.findings[0]).toMatchObject({ damage, auditId: id(at) });
    expect(await ada.call(audit.verify)).toMatchObject({ ok: false, first_bad: id(at) });
  });
});

describe('the end of the chain, and its sealer (T92)', () => {
  test('a truncated chain and a rebuilt chain contradict a published head', async () => {
    const lease = await sealerOf();
    for (let row = 0; row < 9; row += 1) await act();
    await sealWaiting(app.deps, lease);
    await publishHead(app.deps, 'a key');
    const line = app.log.map((text) => JSON.parse(text) as { event?: string; seq: number; hash: string });
    const published = line.find(({ event }) => event === 'audit_head');
    if (published === undefined) throw new Error('no head in the log');
    expect(published).toMatchObject({ seq: 10, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(await verifyChain(app.deps, { heads: [published] })).toMatchObject({ ok: true });

    const [last = ''] = (await chain()).slice(-1);
    await forge(app.deps, 'delete from audit_chain where seq = 10', `delete from audit_log where audit_id = '${last}'`);
    expect(await verifyChain(app.deps)).toMatchObject({ ok: true, rows: 9 });
    const cut = await verifyChain(app.deps, { heads: [published] });
    expect([cut.ok, cut.findings]).toEqual([false, [{ damage: 'head contradicted', seq: 10, auditId: null }]]);

    const [first = ''] = await chain();
    await forge(
      app.deps,
      `update audit_log set login = 'y' where audit_id = '${first}'`,
      'delete from audit_chain',
      'insert into audit_unsealed (audit_id) select audit_id from audit_log',
    );
    await act();
    await sealWaiting(app.deps, lease);
    expect(await verifyChain(app.deps)).toMatchObject({ ok: true, rows: 10, unsealed: 0 });
    expect((await verifyChain(app.deps, { heads: [published] })).findings[0]).toMatchObject({
      damage: 'head contradicted',
      seq: 10,
    });
  });

  test('without a sealer events are still recorded and listed; a sealer seals them by itself', async () => {
    await ada.request({ path: '/identity/api/login', json: { email: ada.email, password: 'wrong' } });
    const { total, data } = await ada.call(audit.list, { query: { event_type: 'login_failed' } });
    expect([total, data[0]?.login]).toEqual([1, ada.email]);
    expect(await ada.call(audit.verify)).toMatchObject({ ok: true, rows: 0, unsealed: 2 });
    const sealer = startSealer(app.deps);
    const started = performance.now();
    const untilSealed = () => expect.poll(async () => (await verifyChain(app.deps)).unsealed, SOON).toBe(0);
    await untilSealed();
    await act();
    await untilSealed();
    console.log(`two tails sealed after ${Math.round(performance.now() - started)} ms`);
    await act();
    await sealer.stop();
    expect(await verifyChain(app.deps)).toMatchObject({ ok: true, unsealed: 0 });
  });

  test('a row that is committed after 100 later ones is sealed after them', async () => {
    const sealer = startSealer(app.deps);
    // The row has its id, but its transaction is not committed yet.
    const late = app.deps.newId();
    for (let row = 0; row < 100; row += 1) await act();
    await expect.poll(async () => (await verifyChain(app.deps)).unsealed, SOON).toBe(0);
    await app.deps.db.transact((tx) =>
      insertAuditRow(tx, {
        audit_id: late,
        created_at: app.clock.now(),
        event_type: 'imported',
        user_id: null,
        login: null,
        target_type: null,
        target_id: null,
        address: null,
        agent_hash: null,
        details: null,
      }),
    );
    await expect.poll(async () => (await verifyChain(app.deps)).unsealed, SOON).toBe(0);
    await sealer.stop();
    expect((await chain()).at(-1)).toBe(late);
    expect((await allIds()).at(-1)).not.toBe(late);
    expect(await verifyChain(app.deps)).toMatchObject({ ok: true, rows: 102 });
  });

  test('rows of a long transaction and of 100 waiting ones are all sealed afterwards', async () => {
    const sealer = startSealer(app.deps);
    let held = Promise.resolve();
    const letGo = await new Promise<() => void>((isWritten) => {
      held = app.deps.db.transact(async (tx) => {
        await recordEvent(tx, app.deps, { event_type: 'imported', actor: null, origin: NOBODY });
        await new Promise<void>((resolve) => isWritten(resolve));
      });
    });
    const others = Array.from({ length: 100 }, () => act());
    // Reading does not wait for the transaction and does not see it.
    expect(await verifyChain(app.deps)).toMatchObject({ ok: true });
    expect(
      await app.deps.db.read.selectFrom('audit_log').selectAll().where('event_type', '=', 'imported').execute(),
    ).toEqual([]);
    letGo();
    await Promise.all([held, ...others]);
    await expect.poll(async () => (await verifyChain(app.deps)).unsealed, SOON).toBe(0);
    await sealer.stop();
    expect(await verifyChain(app.deps)).toMatchObject({ ok: true, rows: 102 });
  });

  test('a new sealer continues where the dead one stopped, and the dead one cannot seal any more', async () => {
    const dead = await sealerOf();
    await sealWaiting(app.deps, dead);
    let at = 0;
    const heir = new Lease(app.deps.db, 'audit-sealer', { elapsed: () => at });
    expect(await heir.hold()).toBe(false);
    at += LEASE_EXPIRES;
    expect(await heir.hold()).toBe(true);
    await act();
    await expect(sealWaiting(app.deps, dead)).rejects.toThrow('taken over');
    expect(await verifyChain(app.deps)).toMatchObject({ rows: 1, unsealed: 1 });
    expect(await sealWaiting(app.deps, heir)).toBe(1);
    expect(await verifyChain(app.deps)).toMatchObject({ ok: true, rows: 2, unsealed: 0 });
  });

  test('an unsealed mark for a row that has a link already, as after a restore, causes no second link', async () => {
    const lease = await sealerOf();
    await sealWaiting(app.deps, lease);
    const before = await chain();
    await app.deps.db.transact((tx) =>
      tx
        .insertInto('audit_unsealed')
        .values({ audit_id: before[0] ?? '' })
        .execute(),
    );
    expect(await sealWaiting(app.deps, lease)).toBe(0);
    expect(await chain()).toEqual(before);
    await act();
    expect(await sealWaiting(app.deps, lease)).toBe(1);
    expect(await verifyChain(app.deps)).toMatchObject({ ok: true, unsealed: 0 });
  });
});

describe('rows cannot be changed (T93)', () => {
  test.each([
    'update audit_log set login = null',
    'delete from audit_log',
    `update audit_chain set hash = ${NOUGHT}`,
    'delete from audit_chain',
    ...(isOnPostgres
      ? [
          'insert into audit_log select * from audit_log on conflict (audit_id) do update set login = excluded.login',
          'insert into audit_chain select * from audit_chain on conflict (seq) do update set hash = excluded.hash',
          'truncate audit_chain',
        ]
      : [
          'insert or replace into audit_log select * from audit_log',
          'insert or replace into audit_chain select * from audit_chain',
          'insert or replace into audit_chain select seq + 100, audit_id, prev, hash from audit_chain',
        ]),
  ])('%s', async (statement) => {
    await sealWaiting(app.deps, await sealerOf());
    const { sql } = await import('kysely');
    const before = [await allIds(), await chain()];
    await expect(app.deps.db.transact((tx) => sql.raw(statement).execute(tx))).rejects.toThrow('append-only');
    expect([await allIds(), await chain()]).toEqual(before);
  });

  test('not by any call of the API', async () => {
    const unsafe = Object.values(CONTRACT).filter(
      ({ method, path }) => method !== 'GET' && /auditLog|entryGroup\/history/.test(path),
    );
    expect(unsafe).toEqual([]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await ada.request({ method, path: '/system/api/auditLog' })).status).toBe(405);
    }
    await ada.call(session.me);
  });
});
