/**
 * The two forms of every call, generated from the table: when calls with a master password are
 * refused, and what a proof is bound to.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { openField } from '@passwordbroker/core/domain/fields/field';
import { siteRulesOf } from '@passwordbroker/core/domain/sites/site-rules';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { sealedField } from '../testing/sealed-place.ts';
import type { TestRequest } from '../testing/test-client.ts';
import { REQUESTS, requestOf } from './testing/requests.ts';
import { changedTables, readStored } from './testing/stored.ts';
import { TABLE } from './testing/table.ts';
import type { TableCall } from './testing/table.ts';
import { type World, startWorld } from './testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.app.stop());

const made = TABLE.filter(({ name }) => REQUESTS[name] !== undefined);
const PLAIN = made.filter(({ name }) =>
  /with a master password|without one|a file$|decrypted$|masterPassword$|trustedKeys$|G\/trust$/.test(name),
);
const SEALED = made.filter(({ name }) => /· .*sealed$|\/envelope$/.test(name) && !/registration|import/.test(name));
const adminBy = (mode: 'cookie' | 'bearer') => world.callers.find((caller) => caller.name === `Ad by ${mode}`)!;
const siteAdmin = () => world.callers.find(({ name }) => name === 'SA by cookie')!;

async function prepared(call: TableCall, caller: ReturnType<typeof adminBy>, now = world.app.clock.now()) {
  const sending = await (await REQUESTS[call.name]!.make(world))(caller);
  return { sending, request: await requestOf(call, caller, sending, now) };
}

/** Number of key derivations during the work. */
async function derivations(work: () => Promise<void>): Promise<number> {
  const { kdf } = world.app.deps;
  let count = 0;
  const argon2id: typeof kdf.argon2id = (...input) => ((count += 1), kdf.argon2id(...input));
  Object.assign(world.app.deps, { kdf: { ...kdf, argon2id } });
  await work();
  Object.assign(world.app.deps, { kdf });
  return count;
}

const setting = (value: string) =>
  world.app.deps.db.transact((tx) =>
    tx
      .insertInto('site_settings')
      .values({ name: 'server_crypto', value, updated_at: 0 })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  );
const optOut = (value: 0 | 1) =>
  world.app.deps.db.transact((tx) =>
    tx
      .updateTable('users')
      .set({ server_crypto_opt_out: value })
      .where('user_id', '=', world.people.Ad.userId)
      .execute(),
  );

describe.each([
  ['the site has it off', () => setting('off'), () => setting('allowed')],
  ['the person has opted out', () => optOut(1), () => optOut(0)],
])('while %s (T73)', (why, switchOff, switchOn) => {
  beforeAll(() => switchOff());
  afterAll(() => switchOn());

  test('every call with a master password is refused, by cookie and bearer token, before a key is derived', async () => {
    expect(PLAIN.length).toBeGreaterThan(14);
    const wrong: string[] = [];
    const derived = await derivations(async () => {
      for (const call of PLAIN) {
        if (/registration|invite/.test(call.name) && why === 'the person has opted out') continue;
        for (const mode of ['cookie', 'bearer'] as const) {
          const caller = /registration/.test(call.name) ? siteAdmin() : adminBy(mode);
          // Preparing a call may need a master password, but none of these does.
          const { request } = await prepared(call, caller);
          const before = await readStored(world.app.deps);
          const answer = await caller.send(request);
          const changed = changedTables(before, await readStored(world.app.deps));
          const isRefused = answer.status === 403 && answer.json()['code'] === 'server_crypto_disabled';
          if (!isRefused || changed.length > 0)
            wrong.push(`${call.name}: ${answer.text.slice(0, 120)} ${changed.join()}`);
        }
      }
    });
    expect(wrong).toEqual([]);
    expect(derived).toBe(0);
  });

  test('a client with its own keys works as before', async () => {
    expect(SEALED.length).toBeGreaterThan(10);
    for (const call of SEALED) {
      const { request } = await prepared(call, adminBy('cookie'));
      const { status, text } = await adminBy('cookie').send(request);
      expect([call.name, status < 300 ? 'ok' : text]).toEqual([call.name, 'ok']);
    }
  });

  test('another person is affected only by the setting of the site', async () => {
    const { people, secret } = world;
    const call = people.Me.call(fields.decrypted, {
      params: secret,
      body: { master_password: people.Me.masterPassword },
    });
    const refused = why === 'the site has it off';
    const code = await call.then(
      () => 'opened',
      (error: unknown) => (error as { code?: string }).code ?? 'opened',
    );
    expect(code).toBe(refused ? 'server_crypto_disabled' : 'opened');
  });
});

describe('a proof (T115)', () => {
  const OF_PROOF: readonly string[] = [
    'POST G/users · sealed',
    'POST B/groupUsers',
    'POST B/releases',
    'POST G/rotate · sealed',
    'POST G/roster · sealed',
    'GET G/rotate',
    'POST G/rotate/rewraps',
    'POST G/entries/bulkEdit/wraps',
    'POST G/entries/bulkEdit/move · sealed',
    'PATCH E · sealed',
    'DELETE F · sealed',
    'PUT /identity/api/keyBundle/slots/:slotType',
    'DELETE /identity/api/keyBundle/slots/:slotType',
    'PUT /identity/api/keyBundle/documents/:name',
    'PUT /identity/api/keyBundle',
  ];
  test.each(OF_PROOF)('%s: is bound to session, path, body and time, and valid once', async (name) => {
    const call = TABLE.find((row) => row.name === name)!;
    const [caller, other] = [adminBy('cookie'), adminBy('bearer')];
    const now = world.app.clock.now();
    const { sending, request } = await prepared(call, caller);
    expect(sending.proof).toBe(true);
    const { headers = {} } = sending;
    const proved = async (by: typeof caller, as: TestRequest, at = now) => ({
      ...request,
      headers: { ...headers, ...(await by.proofFor(as, at)) },
    });
    const seconds = Math.floor(now / 1000);
    const cases: [string, TestRequest, object][] = [
      ['none', { ...request, headers }, { errors: { master_password: ['MasterPassword is missing'] } }],
      ['of another session', await proved(other, request), { code: 'proof_invalid' }],
      ['for another path', await proved(caller, { ...request, path: `${request.path}x` }), { code: 'proof_invalid' }],
      ['for another method', await proved(caller, { ...request, method: 'TRACE' }), { code: 'proof_invalid' }],
      ['for another body', await proved(caller, { ...request, json: { x: 1 } }), { code: 'proof_invalid' }],
      [
        '91 seconds old',
        await proved(caller, request, now - 91_000),
        { code: 'proof_expired', details: { server_time: seconds } },
      ],
      ['malformed', { ...request, headers: { ...headers, 'x-pb-proof': 'v1;' } }, { code: 'proof_invalid' }],
    ];
    for (const [what, sent, expected] of cases) {
      const before = await readStored(world.app.deps);
      const answer = await caller.send(sent);
      expect({ what, ...answer.json() }).toMatchObject({ what, ...expected });
      expect([what, changedTables(before, await readStored(world.app.deps))]).toEqual([what, []]);
    }
    const first = await caller.send(request);
    // New keys are sent with a stale version (412), so that nothing changes.
    expect(first.status === 412 ? 'told' : first.status < 300).toBe(name.endsWith('/keyBundle') ? 'told' : true);
    const after = await readStored(world.app.deps);
    const again = await caller.send(request);
    // A moved or deleted field is not found before the proof is checked.
    const isGone = name === 'DELETE F · sealed' || name === 'PATCH E · sealed';
    expect([again.status, again.json()['code']]).toEqual(isGone ? [404, 'not_found'] : [403, 'proof_replayed']);
    expect(changedTables(after, await readStored(world.app.deps))).toEqual([]);
  });
});

describe('values written in one form can be read in the other, byte for byte (T78)', () => {
  const text = utf8('Пароль ☂ 𝄞 é');
  const contents: FieldContent[] = [
    { type: 'password', title: 'T ☂', login: 'ö', value: text },
    { type: 'link', title: '', value: utf8('https://例え.example/?q=1#x') },
    { type: 'note', title: 'n', value: utf8('☂'.repeat(349_525)) },
    { type: 'TOTP', title: 't', value: utf8('JBSWY3DPEHPK3PXP'), totp: { algorithm: 'sha256', period: 60 } },
  ];

  test.each(contents.map((content) => [content.type, content] as const))('%s', async (type, content) => {
    if (content.type === 'file') throw new Error('files have a test of their own');
    const { people, g } = world;
    const { Ad } = people;
    const master = { master_password: Ad.masterPassword };
    const totp =
      content.type === 'TOTP' ? { totp_hash_algorithm: content.totp.algorithm, totp_timeout: content.totp.period } : {};
    const login = content.type === 'password' ? { login: content.login } : {};
    const value = Buffer.from(content.value).toString();
    const byApi = await Ad.call(fields.create, {
      params: g,
      body: { type, title: content.title, value, ...login, ...totp, ...master },
    });
    const params = { g: g.g, e: g.e, f: byApi.field_id };
    const envelope = await Ad.call(fields.envelope, { params });
    const place = { entryGroupId: g.g, entryId: g.e, fieldId: byApi.field_id, type, rev: 1 };
    const sites = content.type === 'link' ? { sites: siteRulesOf(value) } : {};
    expect(await openField(g.groupKey, place, envelope)).toEqual({ ...content, ...sites });
    const bySeal = await Ad.call(fields.create, { params: g, body: { ...(await sealedField(g, content)), ...totp } });
    const [row] = await Ad.call(fields.history, { params: { ...params, f: bySeal.field_id } });
    const path = `/passwordBroker/api/entryGroups/${g.g}/entries/${g.e}/fields/${bySeal.field_id}`;
    for (const way of ['/decrypted', `/history/${row?.field_edit_log_id}/decrypted`]) {
      const answer = await Ad.request({ path: path + way, json: master });
      expect(Buffer.compare(Buffer.from(answer.text, 'base64'), Buffer.from(content.value))).toBe(0);
    }
  });
});
