/**
 * A server that shows other lists between a proposal and the decision, to an account of release 1.0 in a
 * browser without memory (docs/spec/crypto.md §13; Q8).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import { decodeBase64, encodeBase64, utf8 } from '@passwordbroker/core/crypto/bytes';
import { open, seal } from '@passwordbroker/core/crypto/seal';
import { startTestApp, type SignedIn, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { answerLists, asOf, listsOf } from '../../testing/forged-lists.node.ts';
import { vaultOf } from '../../testing/real-vault.node.ts';
import { takeIn } from '../../testing/take-in.node.ts';
import { addSecret, groupWithSecret, mateOf, signUpAll, type Mate } from '../../testing/team.node.ts';

let app: TestApp;
let [ada, bob]: SignedIn[] = [];
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = await signUpAll(app, ['ada', 'bob']);
}, 60_000);
afterAll(() => app.stop());

/** The same keys in the format of release 1.0, without a trust record. */
async function asOf10({ keyring }: SignedIn, bundle: KeyBundle): Promise<KeyBundle> {
  const { keyset } = bundle;
  if (keyset === null) throw new Error('The account has keys');
  const { userId, fingerprint } = keyring;
  const place = { userId, keysetVersion: keyset.version, fingerprint };
  const { userKey } = keyring.keys();
  const plain = await open('keyset', userKey, place, decodeBase64(keyset.blob_base64));
  const { trust: _, ...former } = JSON.parse(new TextDecoder().decode(plain)) as Record<string, unknown>;
  const blob = await seal('keyset', userKey, place, utf8(JSON.stringify(former)));
  return { ...bundle, keyset: { ...keyset, blob_base64: encodeBase64(blob) }, documents: [] };
}

test('the decision applies to what was proposed, not to what the server shows afterwards', async () => {
  const her = await mateOf(ada!);
  const path = await groupWithSecret(her, 'x');
  const group = path.entryGroupId;
  await takeIn(her, group, bob!, 'moderator');
  await her.write.members.changeRole(group, bob!.userId, 'member');
  const all = await listsOf(her, group, 0);
  const bundle = await asOf10(ada!, await her.http.call(keyBundle));

  const real = vaultOf(ada!);
  const fresh = Object.assign(real, {
    person: ada!,
    read: real.vault.read,
    write: real.vault.write,
  }) as unknown as Mate;
  const showing = (seq: number) => {
    answerLists(fresh, group, () => asOf(all, seq));
    const lists = fresh.forge;
    fresh.forge = (asked, honest) =>
      asked.includes('/keyBundle') && !asked.includes('documents') ? bundle : lists?.(asked, honest);
  };
  showing(2);
  await fresh.keyring.unlock(ada!.masterPassword);
  const { groups } = await fresh.write.trust.proposeRecord();
  const proposed = groups.find(({ groupId }) => groupId === group);
  expect(proposed?.people.find(({ userId }) => userId === bob!.userId)?.role).toBe('member');
  showing(1);
  await fresh.write.trust.setUpRecord({ groupIds: [group], userIds: [] });
  // The list shown in between is not accepted; otherwise the group would be forked.
  await expect(addSecret(fresh, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'rolled-back' });
});
