/**
 * Rows beyond `log_months` are removed behind a signed checkpoint, and the chain stays verifiable
 * (T150, ADR 18).
 */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as site from '@passwordbroker/core/contract/site/site';
import { sealAll } from '../backups/testing/vault.ts';
import { ARCHIVE_PASSWORD } from '../backups/testing/archive.ts';
import { checkRestored } from '../backups/restore/check-restored.ts';
import { EXIT } from '../commands/command.ts';
import { runCommandLine } from '../commands/run.ts';
import { recoverFrom } from '../recovery/recover.ts';
import { RELEASES } from '../releases/testing/released.ts';
import { changeSite } from '../system/site-settings.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { recordEvent } from './audit-log.ts';
import { headText, makeSigner } from './chain/links-and-checkpoints.ts';
import { findCheckpoint, findFirstLink, findLink, removeLinks } from './chain/chain-repository.ts';
import { keptSince } from './retention.ts';
import { readHead } from './chain/sealer.ts';
import { startAudit } from './start-audit.ts';
import { forge } from './testing/forge.ts';
import { verifyChain } from './chain/verify-chain.ts';

const DAY = 24 * 60 * 60_000;
const ORIGIN = { address: '192.0.2.7', agentHash: null, userAgent: '', client: null };

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const act = (login: string) =>
  app.deps.db.transact((tx) =>
    recordEvent(tx, app.deps, { event_type: 'login_failed', actor: null, login, origin: ORIGIN }),
  );

/** Writes one row each day. */
async function pass(days: number) {
  for (let day = 0; day < days; day += 1) {
    app.clock.advance(DAY);
    await act(`day ${day}`);
  }
}

const setMonths = async (log_months: number) => {
  ada = await app.signIn(ada);
  await ada.call(site.changeSettings, { body: { log_months } });
};

/** Runs the job of each minute and of a start. */
async function minute() {
  await sealAll(app);
  await startAudit(app.deps).stop();
}

const times = async () =>
  (await app.deps.db.read.selectFrom('audit_log').select('created_at').orderBy('audit_id').execute()).map(
    ({ created_at }) => created_at,
  );

async function verify(...options: string[]) {
  const said: string[] = [];
  const take = (line: string) => void said.push(line);
  const secret = () => Promise.resolve('');
  const terminal = { say: take, tell: take, secret, knownSecret: secret };
  const code = await runCommandLine(['audit', 'verify', ...options], app.environment, terminal);
  return { code, said };
}

test('log_months counts calendar months; a shorter month keeps no fewer days', () => {
  const since = (time: string, months: number) => keptSince(Date.parse(time), months).toISOString().slice(0, 10);
  expect(since('2026-03-31T23:59:59Z', 1)).toBe('2026-02-28');
  expect(since('2024-03-31T00:00:00Z', 1)).toBe('2024-02-29');
  expect(since('2026-01-15T12:00:00Z', 1)).toBe('2025-12-15');
  expect(since('2026-01-15T12:00:00Z', 25)).toBe('2023-12-15');
});

test('rows stay without log_months; with it older rows are removed and the chain verifies from its checkpoint (T150)', async () => {
  await pass(80);
  await minute();
  expect((await times()).length).toBe(81);
  const old = await findLink(app.deps.db, 20);
  const kept = await findLink(app.deps.db, 75);
  await setMonths(1);
  await minute();

  const since = keptSince(app.clock.now(), 1).getTime();
  const left = await times();
  expect(left.filter((time) => time < since)).toEqual([]);
  expect(left.length).toBeGreaterThan(28);
  const report = await ada.call(audit.verify);
  expect(report).toMatchObject({ ok: true, unsealed: 0, rows: left.length });
  expect(report.checkpoint).toMatchObject({
    before: new Date(since).toISOString(),
    at: new Date(app.clock.now()).toISOString(),
  });
  const { data } = await ada.call(audit.list, { query: { event_type: 'audit_pruned' } });
  expect(data).toMatchObject([
    { login: null, details: { seq: report.checkpoint?.seq, months: 1, rows: report.checkpoint?.seq } },
  ]);
  expect(await ada.call(audit.size)).toMatchObject({
    rows: left.length,
    oldest_at: new Date(Math.min(...left)).toISOString(),
  });

  // The public key is published with the heads in the log output.
  const lines = app.log.map((line) => JSON.parse(line) as { event?: string; key?: string });
  const keys = [
    ...new Set(lines.flatMap(({ event, key }) => (event === 'audit_head' && key !== undefined ? [key] : []))),
  ];
  expect(keys.at(-1)).toBe(report.checkpoint?.key);
  const text = (link: typeof old) => headText({ seq: link?.seq ?? 0, hash: link?.hash.toString('hex') ?? '' });
  const known = await verify('--key', keys[0] ?? '', '--key', keys[1] ?? '', '--head', text(kept), '--head', text(old));
  expect(known.code).toBe(EXIT.done);
  expect(known.said).toContain(`The link of the head ${text(old)} was removed, so it proves nothing any more.`);
  const unknown = await verify('--key', 'ab'.repeat(32));
  expect([unknown.code, unknown.said[0]]).toEqual([
    EXIT.failed,
    expect.stringContaining('is signed with none of the given keys.') as string,
  ]);
});

test('months later a new checkpoint replaces the former one', async () => {
  await pass(40);
  await setMonths(1);
  await minute();
  await pass(40);
  await minute();
  const { ok, checkpoint } = await verifyChain(app.deps);
  expect([ok, checkpoint?.before]).toEqual([true, keptSince(app.clock.now(), 1).toISOString()]);
  await pass(1);
  await minute();
  ada = await app.signIn(ada);
  const { data } = await ada.call(audit.list, { query: { event_type: 'audit_pruned' } });
  expect(data.length).toBe(2);
  expect(await verifyChain(app.deps)).toMatchObject({ ok: true });
});

describe('the triggers', () => {
  beforeEach(async () => {
    await pass(40);
    await setMonths(1);
    await minute();
  });

  test.each(['delete from audit_log', 'delete from audit_chain', 'update audit_log set login = null'])(
    '%s is refused for rows that no checkpoint covers (T93)',
    async (statement) => {
      const before = await times();
      await expect(app.deps.db.transact((tx) => sql.raw(statement).execute(tx))).rejects.toThrow('append-only');
      expect(await times()).toEqual(before);
    },
  );

  test('a checkpoint that is not sealed allows no deletion', async () => {
    const head = await readHead(app.deps);
    if (head === null) throw new Error('no head');
    const details = { ...(await (await makeSigner()).sign({ ...head, before: 'x' })), seq: head.seq };
    await app.deps.db.transact((tx) =>
      recordEvent(tx, app.deps, { event_type: 'audit_pruned', actor: null, origin: ORIGIN, details }),
    );
    await expect(app.deps.db.transact((tx) => removeLinks(tx, head.seq))).rejects.toThrow('append-only');
  });
});

describe('verification names the damage of a pruned chain', () => {
  let first: number;
  beforeEach(async () => {
    await pass(40);
    await setMonths(1);
    await minute();
    first = (await findFirstLink(app.deps.db))?.seq ?? 0;
    expect(first).toBeGreaterThan(1);
  });
  const damage = async () => (await verifyChain(app.deps)).findings.map((finding) => [finding.damage, finding.seq]);
  const idOf = async (seq: number) => (await findLink(app.deps.db, seq))?.audit_id ?? '';
  const checkpointId = async () => (await findCheckpoint(app.deps.db))?.audit_id ?? '';

  test('one more row removed at the beginning', async () => {
    await forge(
      app.deps,
      `delete from audit_log where audit_id = '${await idOf(first)}'`,
      `delete from audit_chain where seq = ${first}`,
    );
    expect(await damage()).toEqual([['link missing', first + 1]]);
  });

  test('a first row that was edited', async () => {
    await forge(app.deps, `update audit_log set login = 'y' where audit_id = '${await idOf(first)}'`);
    expect(await damage()).toEqual([['edited', first]]);
  });

  test('a checkpoint that was edited or removed', async () => {
    const id = await checkpointId();
    const later = `replace(details, '"seq":${first - 1}', '"seq":${first}')`;
    await forge(
      app.deps,
      `update audit_log set details = ${later} where audit_id = '${id}'`,
      `delete from audit_log where audit_id = '${await idOf(first)}'`,
      `delete from audit_chain where seq = ${first}`,
    );
    expect((await damage()).map(([what]) => what)).toEqual(['checkpoint unsigned', 'out of order', 'edited']);
    await forge(app.deps, `update audit_log set details = null where audit_id = '${id}'`);
    expect((await damage()).map(([what]) => what)).toContain('link missing');
  });

  test('a checkpoint by an intruder fits the chain, but has an unknown key', async () => {
    const link = await findLink(app.deps.db, first + 5);
    const statement = {
      seq: link?.seq ?? 0,
      hash: link?.hash.toString('hex') ?? '',
      before: '2027-01-01T00:00:00.000Z',
    };
    const signer = await makeSigner();
    const details = await signer.sign(statement);
    await app.deps.db.transact((tx) =>
      recordEvent(tx, app.deps, { event_type: 'audit_pruned', actor: null, origin: ORIGIN, details: { ...details } }),
    );
    await sealAll(app);
    const published = (await verifyChain(app.deps)).checkpoint?.key;
    expect(published).toBe(signer.key);
    await app.deps.db.transact((tx) => removeLinks(tx, statement.seq));
    expect(await verifyChain(app.deps)).toMatchObject({ ok: true });
    const keys = app.log.flatMap((line) => {
      const { key } = JSON.parse(line) as { key?: string };
      return key === undefined ? [] : [key];
    });
    expect((await verifyChain(app.deps, { keys })).findings).toMatchObject([
      { damage: 'checkpoint of an unknown key' },
    ]);
  });
});

test('an interrupted removal leaves a valid chain at every moment, and continues', async () => {
  await pass(45);
  await setMonths(1);
  await sealAll(app);
  // The process dies after its checkpoint is sealed, before it removes rows.
  const before = keptSince(app.clock.now(), 1).toISOString();
  const link = await findLink(app.deps.db, 12);
  const statement = { seq: 12, hash: link?.hash.toString('hex') ?? '', before };
  const details = { ...(await (await makeSigner()).sign(statement)) };
  await app.deps.db.transact((tx) =>
    recordEvent(tx, app.deps, { event_type: 'audit_pruned', actor: null, origin: ORIGIN, details }),
  );
  await sealAll(app);
  for (const upTo of [1, 7, 11]) {
    await app.deps.db.transact((tx) => removeLinks(tx, upTo));
    expect(await verifyChain(app.deps)).toMatchObject({ ok: true });
  }
  await minute();
  expect((await findFirstLink(app.deps.db))?.seq).toBe(13);
  expect(await verifyChain(app.deps)).toMatchObject({ ok: true });
});

test('a broken chain is not pruned: the evidence stays, and the log output says so', async () => {
  await pass(45);
  await setMonths(1);
  await sealAll(app);
  const row = await findLink(app.deps.db, 5);
  await forge(app.deps, `update audit_log set login = 'y' where audit_id = '${row?.audit_id ?? ''}'`);
  const before = await times();
  await minute();
  expect(await times()).toEqual(before);
  expect(app.log.join('\n')).toContain('its chain is broken');
});

test('log_months that was set in the database without the settings removes nothing (T150)', async () => {
  await pass(45);
  const setInDatabase = (value: string) =>
    app.deps.db.transact((tx) =>
      tx
        .insertInto('site_settings')
        .values({ name: 'log_months', value, updated_at: 0 })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute(),
    );
  const before = await times();
  await setInDatabase('1');
  await minute();
  expect(await times()).toEqual(before);
  expect(app.log.join('\n')).toContain('no sealed row says that log_months was set');
  await setInDatabase('0');
  await setMonths(12);
  await setInDatabase('1');
  await minute();
  expect((await times()).slice(0, before.length)).toEqual(before);
  await setMonths(2);
  await setMonths(1);
  await minute();
  expect((await times())[0]).toBeGreaterThanOrEqual(keptSince(app.clock.now(), 1).getTime());
});

test('rows that a receiver of the log has not confirmed stay', async () => {
  await app.stop();
  app = await startTestApp({ environment: { AUDIT_WEBHOOK_URL: 'http://127.0.0.1:9/' } });
  ada = await app.signUp('ada');
  await pass(45);
  await setMonths(1);
  await app.deps.db.transact((tx) => tx.insertInto('audit_pushes').values({ receiver: 'webhook', seq: 6 }).execute());
  await minute();
  expect((await findFirstLink(app.deps.db))?.seq).toBe(7);
});

test('the log of release 1.0 is pruned like any other, and a restored log stays valid', async () => {
  await app.stop();
  app = await startTestApp();
  const path = join(RELEASES, '1.0.0', 'backup.tar.gz.age');
  await recoverFrom(app.deps, { path, password: ARCHIVE_PASSWORD, origin: ORIGIN });
  app.clock.advance(4000 * DAY);
  await changeSite(app.deps, { actor: null, origin: ORIGIN }, { log_months: 1 });
  await minute();
  expect(await verifyChain(app.deps)).toMatchObject({ ok: true, rows: 2, checkpoint: { seq: 5 } });
  await checkRestored(app.deps.db);
});
