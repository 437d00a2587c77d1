import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batchForm, sealedBatch } from '../../import/testing/sealed-batch.ts';
import type { TestBatch } from '../../import/testing/sealed-batch.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { listBodies, readBody, replaceBody } from '../../testing/test-bodies.ts';
import { MINUTE } from '../../testing/test-clock.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let made: TestBatch;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  made = await sealedBatch(ada.keyring, app.clock.now());
  const answer = await ada.request({ path: '/passwordBroker/api/import', multipart: batchForm(made) });
  expect(answer.status, answer.text).toBe(201);
});
afterAll(() => app.stop());

/** Path of the password (0) or the file (1) of the batch. */
function pathOf(at: number): string {
  const field = made.batch.fields[at]!;
  const entry = made.batch.entries.find((one) => one.entry_id === field.entry_id)!;
  return `/passwordBroker/api/entryGroups/${entry.entry_group_id}/entries/${entry.entry_id}/fields/${field.field_id}`;
}
const decrypt = (who: SignedIn, path: string, master_password: unknown = who.masterPassword) =>
  who.request({ path: `${path}/decrypted`, json: { master_password } });
const plain = (text: string) => Buffer.from(text, 'base64').toString();

const witnessed = async () => ({
  history: await app.deps.db.read
    .selectFrom('field_history')
    .select(['rev', 'user_id', 'field_id'])
    .where('event_type', '=', 'decrypted')
    .orderBy('field_edit_log_id')
    .execute(),
  audit: await app.deps.db.read
    .selectFrom('audit_log')
    .select(['event_type', 'user_id', 'target_id'])
    .where('event_type', 'in', ['field_revealed', 'mp_used_on_server', 'mass_reveal'])
    .orderBy('audit_id')
    .execute(),
});

describe('a value sealed by a client', () => {
  test('is decrypted for a script, and the reveal is recorded', async () => {
    const before = await witnessed();
    const answer = await decrypt(ada, pathOf(0));
    expect([answer.status, plain(answer.text)]).toEqual([200, 'new secret']);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    const after = await witnessed();
    const { field_id } = made.batch.fields[0]!;
    expect(after.history.slice(before.history.length)).toEqual([{ rev: 2, user_id: ada.userId, field_id }]);
    expect(after.audit.slice(before.audit.length)).toEqual([
      { event_type: 'field_revealed', user_id: ada.userId, target_id: field_id },
      { event_type: 'mp_used_on_server', user_id: ada.userId, target_id: null },
    ]);
    const { user } = (await ada.request({ path: '/identity/api/me' })).json<{ user: { mp_exposed_at: string } }>();
    expect(user.mp_exposed_at).toBe(new Date(app.clock.now()).toISOString());
  });

  test('is decrypted at each earlier revision through the history', async () => {
    const { field_id } = made.batch.fields[0]!;
    const rows = await app.deps.db.read
      .selectFrom('field_history')
      .select(['field_edit_log_id', 'event_type', 'rev'])
      .where('field_id', '=', field_id)
      .orderBy('field_edit_log_id')
      .execute();
    const [created, updated, revealed] = rows;
    const reveal = (logId: string | undefined) => decrypt(ada, `${pathOf(0)}/history/${logId}`);
    expect(plain((await reveal(created?.field_edit_log_id)).text)).toBe('old secret');
    expect(plain((await reveal(updated?.field_edit_log_id)).text)).toBe('new secret');
    expect(revealed?.event_type).toBe('decrypted');
    expect((await reveal(revealed?.field_edit_log_id)).status).toBe(404);
    expect((await reveal(crypto.randomUUID())).status).toBe(404);
    expect((await witnessed()).history.slice(-2).map((row) => row.rev)).toEqual([1, 2]);
  });

  test('a file is returned completely', async () => {
    expect(plain((await decrypt(ada, pathOf(1))).text)).toBe('plain file text');
  });
});

describe('a refused request reveals nothing and records nothing', () => {
  const refused = async (answering: ReturnType<typeof decrypt>, status: number, code: string) => {
    const answer = await answering;
    expect([answer.status, answer.json()['code']]).toEqual([status, code]);
  };

  test.each([
    ['a wrong master password', 'wrong', 'master_password_invalid'],
    ['none', undefined, 'validation'],
  ])('%s', async (_, given, code) => {
    const before = await witnessed();
    const json = given === undefined ? {} : { master_password: given };
    await refused(ada.request({ path: `${pathOf(0)}/decrypted`, json }), 422, code);
    expect(await witnessed()).toEqual(before);
  });

  test('a person outside the group, and a wrong parent', async () => {
    const before = await witnessed();
    await refused(decrypt(bob, pathOf(0)), 403, 'forbidden');
    const { field_id } = made.batch.fields[1]!;
    await refused(decrypt(ada, pathOf(0).replace(/[^/]+$/, field_id)), 404, 'not_found');
    expect(await witnessed()).toEqual(before);
  });

  test.each([
    ['value', 'field_revisions', 'value'],
    ['wrapped key', 'field_revisions', 'cek_wrapped'],
    ['grant', 'group_grants', 'wrapped'],
    ['roster', 'group_rosters', 'bytes'],
    ['signature of the roster', 'group_rosters', 'sig'],
  ] as const)('a damaged %s is reported as damaged (T80)', async (_, table, column) => {
    const before = await witnessed();
    const { db } = app.deps;
    // One statement for all rows of the table, before and after: flips the last bit of every value.
    const rows = await db.read
      .selectFrom(table as 'field_revisions')
      .select(column as 'value')
      .execute();
    const flip = async () => {
      for (const row of rows) {
        const bytes = row[column as 'value'];
        const flipped = Buffer.from(bytes);
        flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
        await db.transact((tx) =>
          tx
            .updateTable(table as 'field_revisions')
            .set({ [column]: flipped })
            .where(column as 'value', '=', bytes)
            .execute(),
        );
        row[column as 'value'] = flipped;
      }
    };
    await flip();
    await refused(decrypt(ada, pathOf(0)), 422, 'integrity_error');
    expect(await witnessed()).toEqual(before);
    await flip();
    expect((await decrypt(ada, pathOf(0))).status).toBe(200);
  });

  test('a file body that is damaged, truncated, or missing', async () => {
    const [name = ''] = await listBodies(app);
    const whole = await readBody(app, name);
    const damaged = Buffer.from(whole);
    damaged[50] = (damaged[50] ?? 0) ^ 1;
    for (const content of [damaged, whole.subarray(0, -1), Buffer.alloc(0)]) {
      await replaceBody(app, name, content);
      await refused(decrypt(ada, pathOf(1)), 422, 'integrity_error');
    }
    await app.deps.bodies.remove(name);
    await refused(decrypt(ada, pathOf(1)), 422, 'integrity_error');
    await replaceBody(app, name, whole);
    expect((await decrypt(ada, pathOf(1))).status).toBe(200);
  });

  test('refused while the site or the person forbids it, before a key is derived (T73)', async () => {
    const setting = (value: string) =>
      app.deps.db.transact((tx) =>
        tx
          .insertInto('site_settings')
          .values({ name: 'server_crypto', value, updated_at: 0 })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
          .execute(),
      );
    const optOut = (value: 0 | 1) =>
      app.deps.db.transact((tx) =>
        tx.updateTable('users').set({ server_crypto_opt_out: value }).where('user_id', '=', ada.userId).execute(),
      );
    await setting('off');
    await refused(decrypt(ada, pathOf(0)), 403, 'server_crypto_disabled');
    await refused(decrypt(ada, pathOf(0), ''), 403, 'server_crypto_disabled');
    await setting('allowed');
    await optOut(1);
    await refused(decrypt(ada, pathOf(0)), 403, 'server_crypto_disabled');
    await optOut(0);
    expect((await decrypt(ada, pathOf(0))).status).toBe(200);
  });
});

test('the 201st reveal in ten minutes raises one alarm and still succeeds (T96)', async () => {
  app.clock.advance(11 * MINUTE);
  for (let at = 0; at < 202; at += 1) {
    const answer = await decrypt(ada, pathOf(0));
    expect(answer.status).toBe(200);
  }
  const { audit } = await witnessed();
  expect(audit.filter((row) => row.event_type === 'mass_reveal')).toHaveLength(1);
});
