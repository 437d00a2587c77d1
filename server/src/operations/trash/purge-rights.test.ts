/** Rights and previews of a purge: one deletion, the trash of a group, the whole trash (T146). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { confirmPassword } from '@passwordbroker/core/contract/account/credentials';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import { PROOF_HEADER } from '@passwordbroker/core/domain/keyring/proof';
import { changedTables, readStored } from '../../authorisation/testing/stored.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { MINUTE } from '../../testing/test-clock.ts';
import { testPerson } from '../../testing/test-person.ts';
import { callWithProof } from '../../testing/test-proof.ts';
import { auditOf, giveRole, makeGroup, putEntry, putField, trash } from '../testing/vault.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterEach(() => app.stop());

const removeGroup = async (g: string) => (await ada.call(groups.remove, { params: { g } })).operation_id;
const confirm = (person: SignedIn) => person.call(confirmPassword, { body: { password: person.password } });

/** A deleted group with an earlier deleted entry, and a deleted entry of another group. */
async function fillTrash() {
  const [g, other] = [await makeGroup(ada, 'G'), await makeGroup(ada, 'Other')];
  const entry = await putEntry(app.deps, g, 'Entry');
  await putField(app.deps, entry, 'password');
  const { sha256 } = await app.deps.bodies.put(Buffer.from('a file'));
  await putField(app.deps, entry, 'file', sha256);
  const earlier = await putEntry(app.deps, g, 'Earlier');
  await putField(app.deps, earlier, 'password');
  const ofEarlier = await trash(app.deps, ada, { groupId: g, entries: [earlier] });
  const ofGroup = await removeGroup(g);
  const ofOther = await trash(app.deps, ada, { groupId: other, entries: [await putEntry(app.deps, other, 'Second')] });
  return { other, ofEarlier, ofGroup, ofOther };
}
const ALL = { items: 3, counts: { entry_groups: 1, entries: 3, fields: 3, files: 1 } };

test('ten minutes after the password a purge needs a proof of the open keyring: of one deletion, of a group, of the whole trash (T146)', async () => {
  const { ofGroup, other } = await fillTrash();
  app.clock.advance(10 * MINUTE);
  const before = await readStored(app.deps);
  const one = { params: { operationId: ofGroup } };
  const ofOther = { params: { g: other }, query: { items: 1 } };
  const all = { params: {}, query: { items: 2 } };
  const refused = { code: 'reauth_required', message: 'Confirm your password first' };
  await expect(ada.call(operations.purge, one)).rejects.toMatchObject(refused);
  await expect(ada.call(operations.emptyGroupTrash, ofOther)).rejects.toMatchObject(refused);
  await expect(ada.call(operations.emptyTrash, all)).rejects.toMatchObject(refused);
  for (const headers of [{ [PROOF_HEADER]: 'v1;ts=1;nonce=AAAA;sig=AAAA' }, { [PROOF_HEADER]: '' }]) {
    await expect(ada.call(operations.purge, { ...one, headers })).rejects.toMatchObject({ code: 'proof_invalid' });
  }
  // A proof with another person's key is invalid.
  await expect(
    callWithProof(app, Object.assign(ada.copy(), await testPerson('bob')), operations.purge, one),
  ).rejects.toThrow();
  expect(changedTables(before, await readStored(app.deps))).toEqual([]);
  await callWithProof(app, ada, operations.purge, one);
  await callWithProof(app, ada, operations.emptyGroupTrash, ofOther);
  expect(await ada.call(operations.trashPurgePreview)).toMatchObject({ items: 0 });
  const again = await fillTrash();
  await callWithProof(app, ada, operations.restore, { params: { operationId: again.ofOther }, body: {} });
  await callWithProof(app, ada, operations.emptyTrash, all);
  expect(await ada.call(operations.trashPurgePreview)).toMatchObject({ items: 0 });
});

test('the preview counts everything that goes, including earlier deletions inside and files (T146)', async () => {
  const { other, ofEarlier, ofGroup, ofOther } = await fillTrash();
  const preview = (operationId: string) => ada.call(operations.purgePreview, { params: { operationId } });
  expect(await preview(ofGroup)).toEqual({ items: 1, counts: { entry_groups: 1, entries: 2, fields: 3, files: 1 } });
  expect(await preview(ofEarlier)).toEqual({ items: 1, counts: { entry_groups: 0, entries: 1, fields: 1, files: 0 } });
  expect(await preview(ofOther)).toEqual({ items: 1, counts: { entry_groups: 0, entries: 1, fields: 0, files: 0 } });
  expect(await ada.call(operations.trashPurgePreview)).toEqual(ALL);
  expect(await ada.call(operations.groupPurgePreview, { params: { g: other } })).toMatchObject({
    items: 1,
    counts: { entries: 1 },
  });
  expect(await bob.call(operations.trashPurgePreview)).toMatchObject({ items: 0, counts: { entries: 0 } });
  await expect(bob.call(operations.purgePreview, { params: { operationId: ofGroup } })).rejects.toMatchObject({
    code: 'forbidden',
  });
});

test('emptying the trash removes what was counted and records each deletion; if the trash has changed it removes nothing (T146)', async () => {
  const { ofEarlier, ofGroup, ofOther, other } = await fillTrash();
  const empty = (items: number) => ada.call(operations.emptyTrash, { query: { items } });
  const before = await readStored(app.deps);
  for (const items of [2, 4]) {
    await expect(empty(items)).rejects.toMatchObject({
      code: 'conflict',
      message: 'The trash has changed: it has 3 deleted items now. Check it again.',
    });
  }
  for (const query of ['', '?items=', '?items=0', '?items=-1', '?items=5001', '?items=x', '?items=3&items=4']) {
    const answer = await ada.request({ method: 'DELETE', path: `/passwordBroker/api/trash${query}` });
    expect([query, answer.status >= 400 && answer.status < 500]).toEqual([query, true]);
  }
  expect(changedTables(before, await readStored(app.deps))).toEqual([]);
  expect(await empty(3)).toEqual({ purged: 3 });
  for (const operationId of [ofEarlier, ofGroup, ofOther]) {
    await expect(ada.call(operations.restore, { params: { operationId }, body: {} })).rejects.toMatchObject({
      code: 'not_found',
    });
  }
  const rows = app.deps.db.read.selectFrom('audit_log').select('user_id').where('event_type', '=', 'purged');
  expect(await rows.execute()).toEqual([ada, ada, ada].map(({ userId }) => ({ user_id: userId })));
  expect((await ada.call(groups.get, { params: { g: other } })).entryGroup.name).toBe('Other');
});

test('deletions the caller may not purge stay: entries as a moderator, groups with a part of another admin (T146)', async () => {
  const g = await makeGroup(ada, 'G');
  await giveRole(app.deps, g, bob.userId, 'moderator');
  const own = await makeGroup(bob, 'Own');
  const entry = await putEntry(app.deps, own, 'Mine');
  await trash(app.deps, bob, { groupId: own, entries: [entry] });
  await trash(app.deps, bob, { groupId: g, entries: [await putEntry(app.deps, g, 'Hers')] });
  expect(await bob.call(operations.trashPurgePreview)).toMatchObject({ items: 1, counts: { entries: 1 } });
  await confirm(bob);
  expect(await bob.call(operations.emptyTrash, { query: { items: 1 } })).toEqual({ purged: 1 });
  await expect(bob.call(operations.emptyGroupTrash, { params: { g }, query: { items: 1 } })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(await auditOf(app.deps, 'purged', entry)).toHaveLength(1);
  expect(await ada.call(operations.groupPurgePreview, { params: { g } })).toMatchObject({ items: 1 });
});

test('emptied twice at the same time: the second call is refused because the trash has changed', async () => {
  await fillTrash();
  const empty = () => ada.call(operations.emptyTrash, { query: { items: 3 } });
  const ended = await Promise.allSettled([empty(), empty()]);
  expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
