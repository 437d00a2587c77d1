/** What a device keeps of the lists that it has accepted and of the pins that it has seen, against a server that shows others (crypto.md §9, §13). */
import { beforeEach, describe, expect, test } from 'vitest';
import type { SignedIn } from '../../../server/src/testing/test-app.ts';
import { answerLists, asOf, listsOf } from '../testing/forged-lists.node.ts';
import { withOwnGroup } from '../testing/own-group.node.ts';
import { shelfInMemory } from '../testing/shelf-in-memory.ts';
import { takeIn } from '../testing/take-in.node.ts';
import { groupWithSecret, mateOf, type Mate } from '../testing/team.node.ts';
import type { FieldPath } from './vault.ts';

let [ada, bob, eve, mallory]: SignedIn[] = [];
let her: Mate;
let path: FieldPath;
let group: string;
withOwnGroup(
  (people) => ([ada, bob, eve, mallory] = people),
  (own) => ({ her, path, group } = own),
);
/** Ada and Eve are admins. Three lists: Ada alone, with Eve, with Bob. */
beforeEach(async () => {
  await takeIn(her, group, eve!, 'admin');
  await takeIn(her, group, bob!, 'member');
});

describe('what the device keeps', () => {
  test('cannot be read: every group is at first use again, and remembered from then on', async () => {
    const shelf = shelfInMemory();
    const before = await mateOf(ada!, shelf);
    await before.read.reveal(path);
    const place = `${ada!.userId} ${ada!.keyring.fingerprint}`;
    const stored = await shelf.rosters(place);
    await shelf.replaceRosters(place, stored!.version, {
      version: stored!.version + 1,
      blob_base64: stored!.blob_base64,
    });
    const all = await listsOf(before, group, 0);
    const again = await mateOf(ada!, shelf);
    answerLists(again, group, () => asOf(all, 1));
    await again.read.reveal(path);
    expect(again.vault.memberships.trust(group)).toBe('accepted');
    expect((await shelf.rosters(place))?.version).toBe(stored!.version + 2);
  });

  test('is written by two tabs at once: what each has accepted stays', async () => {
    const shelf = shelfInMemory();
    const paths = await Promise.all(['a', 'b', 'c', 'd'].map((text) => groupWithSecret(her, text)));
    const [here, there] = await Promise.all([mateOf(ada!, shelf), mateOf(ada!, shelf)]);
    await Promise.all(paths.map((one, at) => (at % 2 === 0 ? here : there).read.reveal(one)));
    const later = await mateOf(ada!, shelf);
    await Promise.all(paths.map((one) => later.read.reveal(one)));
    expect(later.requests.filter((request) => request.endsWith('roster?from=0'))).toHaveLength(4);
  });
});

describe('the list of pins', () => {
  const isBundle = (asked: string) => asked.endsWith('/identity/api/keyBundle');

  test('is written by two devices at once: both pins are in it', async () => {
    const fresh = [await mateOf(bob!), await mateOf(bob!)] as const;
    const trusts = await Promise.all([fresh[0].read.keyTrust(eve!), fresh[1].read.keyTrust(mallory!)]);
    const [one, two] = trusts.map((trust) => (trust.state === 'unknown' ? trust.current.fingerprint : ''));
    await fresh[0].write.members.confirmKey(eve!, one!, 'words');
    await fresh[1].write.members.confirmKey(mallory!, two!, 'qr');
    const later = await mateOf(bob!);
    expect(await later.read.keyTrust(eve!)).toMatchObject({ state: 'trusted', how: 'words' });
    expect(await later.read.keyTrust(mallory!)).toMatchObject({ state: 'trusted', how: 'qr' });
  });

  test('older than one that this device has seen, or damaged: nobody is trusted, nothing is wrapped, until a person goes on', async () => {
    const old = await mateOf(ada!, her.shelf);
    const documents: unknown[] = [];
    her.keyring.lock();
    her.forge = (asked, answer) => {
      if (isBundle(asked)) documents.push((answer as { documents: unknown }).documents);
      return answer;
    };
    await her.keyring.unlock(ada!.masterPassword);
    her.forge = null;
    const known = await her.read.keyTrust(mallory!);
    const fingerprint = known.state === 'none' ? '' : known.current.fingerprint;
    // A pin more than there was when the answer was recorded.
    await her.write.members.confirmKey({ ...mallory!, name: `${mallory!.name} ${group}` }, fingerprint, 'words');
    old.keyring.lock();
    const cases = [documents[0], [{ name: 'pins', version: 99, blob_base64: 'AAAA' }]];
    for (const forged of cases) {
      const again = await mateOfLying(ada!, her.shelf, (asked, answer) =>
        isBundle(asked) ? { ...(answer as object), documents: forged } : answer,
      );
      await expect(again.read.keyTrust(bob!)).rejects.toMatchObject({ code: 'pins' });
      const adding = again.write.members.add(group, { userId: mallory!.userId, fingerprint }, 'member');
      await expect(adding).rejects.toMatchObject({ code: 'pins' });
      // What was accepted before is still read.
      expect((await again.read.reveal(path)).text).toBe('q8-Rf3');
    }
    const later = await mateOfLying(ada!, her.shelf, (asked, answer) =>
      isBundle(asked) ? { ...(answer as object), documents: documents[0] } : answer,
    );
    await later.write.members.confirmPins();
    expect(await later.read.keyTrust(bob!)).toMatchObject({ state: 'trusted' });
  });
});

/** A device whose server lies from the first answer on. */
async function mateOfLying(person: SignedIn, shelf: Mate['shelf'], forge: Mate['forge']): Promise<Mate> {
  const mate = await mateOf(person, shelf);
  mate.keyring.lock();
  mate.forge = forge;
  await mate.keyring.unlock(person.masterPassword);
  return mate;
}
