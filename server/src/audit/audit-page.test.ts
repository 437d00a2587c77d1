/** The admin log and its export (docs/spec/api.md §3.11). */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUDIT_EVENTS } from '@passwordbroker/core/contract/site/audit-events';
import type { AuditEvent } from '@passwordbroker/core/contract/site/audit-events';
import * as audit from '@passwordbroker/core/contract/site/audit';
import { Lease } from '../platform/leases/lease.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { recordEvent } from './audit-log.ts';
import { sealWaiting } from './chain/sealer.ts';

/** Time between two rows; short enough to keep the session alive. */
const STEP = 30_000;
const BOB = '0192a1b2-0000-7000-8000-000000000001';
const FIELD = '0192a1b2-0000-7000-8000-000000000002';

let app: TestApp;
let ada: SignedIn;
let began: number;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  began = app.clock.now();
  const act = async (event_type: AuditEvent, email: string | null, more: object = {}) => {
    app.clock.advance(STEP);
    const actor = email === null ? null : { userId: BOB, email };
    const origin = { address: '192.0.2.7', agentHash: 'ab', userAgent: 'x', client: null };
    await app.deps.db.transact((tx) => recordEvent(tx, app.deps, { event_type, actor, origin, ...more }));
  };
  for (let row = 0; row < 30; row += 1) await act('login', `100%_${row}@example.org`);
  await act('field_revealed', 'Bob@Example.org', { target_type: 'field', target_id: FIELD, details: { rev: 3 } });
  await act('purged', null, { target_type: 'field', target_id: FIELD });
});
afterAll(() => app.stop());

const list = (query: object) => ada.call(audit.list, { query });
const events = async (query: object) => (await list(query)).data.map(({ event_type }) => event_type);

test('rows come newest first, in the page envelope, with exactly the members of the contract', async () => {
  const page = await ada.call(audit.adminLog, { query: { perPage: 2 } });
  expect(page).toMatchObject({ current_page: 1, last_page: 17, per_page: 2, total: 33 });
  expect(page.data[0]).toMatchObject({ event_type: 'purged', login: null, user_id: null, target_id: FIELD });
  expect(page.data[1]).toEqual({
    audit_id: expect.any(String) as string,
    created_at: new Date(began + 31 * STEP).toISOString(),
    event_type: 'field_revealed',
    login: 'Bob@Example.org',
    user_id: BOB,
    target_type: 'field',
    target_id: FIELD,
    address: '192.0.2.7',
    details: { rev: 3 },
  });
});

test.each([1, 2, 7, 100])('pages of %i rows together equal the whole list', async (perPage) => {
  const whole = (await list({ perPage: 100 })).data.map(({ audit_id }) => audit_id);
  const walked: string[] = [];
  for (let page = 1; page <= Math.ceil(33 / perPage); page += 1) {
    const { data, total, last_page } = await list({ perPage, page });
    expect([total, last_page]).toEqual([33, Math.ceil(33 / perPage)]);
    walked.push(...data.map(({ audit_id }) => audit_id));
  }
  expect(walked).toEqual(whole);
  expect((await list({ perPage, page: 34 })).data).toEqual([]);
});

describe('filters', () => {
  test.each([
    ['an event', { event_type: 'field_revealed' }, ['field_revealed']],
    ['a person and an event', { user_id: BOB, event_type: 'field_revealed' }, ['field_revealed']],
    ['a person without matches', { user_id: FIELD }, []],
    ['a target', { target_id: FIELD }, ['purged', 'field_revealed']],
    ['a part of an event type', { q: 'reveal' }, ['field_revealed']],
    ['a part of a login, in any case', { q: 'BOB@exam' }, ['field_revealed']],
    ['both', { q: 'pur', target_id: FIELD }, ['purged']],
    ['characters with a meaning in the database', { q: '%', perPage: 1 }, ['login']],
    ['no wildcard', { q: '1__%' }, []],
    ['a quote', { q: "' or 1=1 --" }, []],
    ['blank', { q: '  ', perPage: 1 }, ['purged']],
  ])('%s', async (_name, query, expected) => {
    expect(await events(query)).toEqual(expected);
  });

  test('frequent and rare logins, with other filters', async () => {
    // 30 rows of one kind, those whose number contains a 1, and one more.
    expect((await list({ q: 'example' })).total).toBe(32);
    expect((await list({ q: '_2@' })).total).toBe(1);
    expect((await list({ q: '_2', event_type: 'login' })).total).toBe(11);
    expect((await list({ q: '_2', event_type: 'purged' })).total).toBe(0);
  });

  test('a wildcard is an ordinary character', async () => {
    expect((await list({ q: '100%_1' })).total).toBe(11);
    expect((await list({ q: '100__1' })).total).toBe(0);
  });

  test('from is inclusive, to is exclusive', async () => {
    const at = (steps: number) => new Date(began + steps * STEP).toISOString();
    expect(await events({ from: at(31) })).toEqual(['purged', 'field_revealed']);
    expect(await events({ from: at(31), to: at(32) })).toEqual(['field_revealed']);
    expect((await list({ to: at(1) })).total).toBe(1);
    expect((await list({ from: '2026-03-01' })).total).toBe(33);
    expect((await list({ to: '2026-03-01' })).total).toBe(0);
  });

  test.each([
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-13-40' }, 'to'],
    [{ event_type: 'nothing' }, 'event_type'],
    [{ user_id: 'x' }, 'user_id'],
    [{ perPage: '101' }, 'perPage'],
    [{ page: '0' }, 'page'],
  ] as [Record<string, string>, string][])('%j is refused', async (query, key) => {
    const path = `/system/api/auditLog?${new URLSearchParams(query).toString()}`;
    const answer = await ada.request({ path });
    expect([answer.status, Object.keys(answer.json<{ errors: object }>().errors)]).toEqual([422, [key]]);
  });
});

test('each event is listed as soon as its request is answered', async () => {
  await app.guest().request({ path: '/identity/api/login', json: { email: ada.email, password: 'wrong' } });
  expect((await list({ perPage: 1 })).data[0]).toMatchObject({ event_type: 'login_failed', login: ada.email });
});

describe('export', () => {
  const text = async (query: string) => {
    const answer = await ada.request({ path: `/system/api/auditLog/export?${query}` });
    expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'application/octet-stream',
      'no-store',
    ]);
    return { ...answer, lines: answer.text.split('\n').filter((line) => line !== '') };
  };

  test('NDJSON: all members that the chain covers, with the links', async () => {
    const lease = new Lease(app.deps.db, 'audit-sealer');
    await lease.hold();
    await sealWaiting(app.deps, lease);
    const { lines, headers } = await text(`format=ndjson&target_id=${FIELD}`);
    expect(headers['content-disposition']).toBe('attachment; filename="audit-log.ndjson"');
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows.map(({ event_type }) => event_type)).toEqual(['field_revealed', 'purged']);
    expect(rows[0]).toMatchObject({
      login: 'Bob@Example.org',
      agent_hash: 'ab',
      details: { rev: 3 },
      seq: 32,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  test('the export is recorded without the search text', async () => {
    const secret = 'CANARY-searched-for';
    await text(`format=cef&q=${secret}`);
    const row = await app.deps.db.read
      .selectFrom('audit_log')
      .select(['user_id', 'details'])
      .where('event_type', '=', 'audit_exported')
      .orderBy('audit_id', 'desc')
      .executeTakeFirst();
    expect(row?.user_id).toBe(ada.userId);
    expect(JSON.parse(row?.details ?? '')).toEqual({ format: 'cef', q: true });
  });

  test('CEF: hostile text stays inside its member and line', async () => {
    const actor = { userId: BOB, email: 'a|b=c\\d\r\nCEF:0|x' };
    const origin = { address: '2001:db8::1', agentHash: null, userAgent: '', client: null };
    await app.deps.db.transact((tx) => recordEvent(tx, app.deps, { event_type: 'mass_reveal', actor, origin }));
    const { lines } = await text('format=cef&event_type=mass_reveal');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^CEF:0\|PasswordBroker\|PasswordBroker\|[\d.]+\|mass_reveal\|mass reveal\|8\|rt=\d+ externalId=/,
    );
    expect(lines[0]).toContain(String.raw`suser=a|b\=c\\d\r\nCEF:0|x c6a2Label=Source IPv6 Address c6a2=2001:db8::1`);
  });

  test('CSV: every cell is quoted, and no text is a formula', async () => {
    const origin = { address: '192.0.2.9', agentHash: null, userAgent: '', client: null };
    for (const email of ['=HYPERLINK("x")', '+1', '-1', '@x', '\t=1', 'a,"b"\r\n=c']) {
      const event = { event_type: 'token_created', actor: { userId: BOB, email }, origin } as const;
      await app.deps.db.transact((tx) => recordEvent(tx, app.deps, event));
    }
    const answer = await text('format=csv&event_type=token_created');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="audit-log.csv"');
    expect(answer.text).toMatch(/^created_at,event_type,login,user_id,/);
    const logins = [...answer.text.matchAll(/"token_created","((?:[^"]|"")*)",/g)].map(([, login]) => login);
    expect(logins).toEqual([`'=HYPERLINK(""x"")`, `'+1`, `'-1`, `'@x`, `'\t=1`, 'a,""b""\r\n=c']);
  });

  test('many rows come in order, each once', async () => {
    await app.deps.db.transact(async (tx) => {
      const origin = { address: '', agentHash: null, userAgent: '', client: null };
      for (let row = 0; row < 1200; row += 1) {
        await recordEvent(tx, app.deps, { event_type: 'restored', actor: null, origin, details: { row } });
      }
    });
    const { lines } = await text('format=ndjson&event_type=restored');
    const rows = lines.map((line) => (JSON.parse(line) as { details: { row: number } }).details.row);
    expect(rows).toEqual(Array.from({ length: 1200 }, (_, at) => at));
  });

  test('without a format: 422', async () => {
    expect((await ada.request({ path: '/system/api/auditLog/export' })).status).toBe(422);
  });
});

test('every event type of the contract can be filtered by, and is explained in docs/spec/api.md', async () => {
  const page = readFileSync(new URL('../../../docs/spec/api.md', import.meta.url), 'utf8');
  expect(AUDIT_EVENTS.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  for (const event_type of AUDIT_EVENTS) await list({ event_type, perPage: 1 });
});
