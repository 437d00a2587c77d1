/** What a service account reads. It keeps no record on the server, and nobody can be asked. */
import * as fields from '@passwordbroker/core/contract/entries/fields';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { type VaultKeyring, withGroups } from '../keyring/groups/group-openings.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import type { Http } from '../transport/http.ts';
import { fieldParams, onlineReveals } from './entries/online-reveals.ts';
import { groupPaths } from './groups/group-paths.ts';
import { openManyGroups } from './groups/many-groups.ts';
import { plainReads, treesOf } from './online.ts';
import { type OnlineKeys, onlineKeys } from './online-keys.ts';
import type { VaultRead } from './vault.ts';

type ServiceReads = Pick<
  VaultRead,
  'tree' | 'entries' | 'entriesById' | 'search' | 'history' | 'reveal' | 'revealSeveral' | 'openFile'
>;

/**
 * @param pins fingerprints whose lists of members count. Empty: a list of a new group counts at first use
 * @returns reads that throw KeyringError 'key_mismatch' for a group whose list does not count
 */
export function serviceVault(http: Http, locks: Keyring, pins: readonly string[]): { readonly read: ServiceReads } {
  const keyring = withGroups(locks);
  const many = openManyGroups(http);
  const fetchTrees = treesOf(http);
  const paths = groupPaths(
    () => fetchTrees(),
    (groupId) => keyring.forgetGroup(groupId),
  );
  const roster = async (groupId: string, from: number | null): Promise<RosterAnswer> => {
    // From the first list on, because a pinned key may have signed only that one.
    const answer = await many.roster(groupId, pins.length > 0 ? (from ?? 0) : from);
    await decidePinned(keyring, answer, pins);
    return answer;
  };
  const keys = onlineKeys(http, keyring, { paths, many: { roster } });
  const counted: OnlineKeys = {
    ...keys,
    async open(groupId, version, signal) {
      await keys.open(groupId, version, signal);
      await requireCounted(keyring, groupId, pins.length > 0);
    },
  };
  return {
    read: {
      async tree(signal) {
        const trees = await fetchTrees(signal);
        paths.setTrees(trees);
        return trees;
      },
      ...plainReads(http),
      history: (path, signal, continued = {}) =>
        http.call(fields.history, { params: fieldParams(path), query: continued, signal }),
      ...onlineReveals(http, keyring, counted),
    },
  };
}

/** The worker verifies each certificate; a fingerprint in the answer alone says nothing. */
async function decidePinned(keyring: VaultKeyring, { rosters }: RosterAnswer, pins: readonly string[]): Promise<void> {
  const shown = new Map(rosters.map(({ signer_certificate: one }) => [one?.fpr ?? '', one] as const));
  for (const [fingerprint, certificate] of shown) {
    if (certificate === null || !pins.includes(fingerprint)) continue;
    const { user_id: userId } = certificate;
    const { state, current } = await keyring.call('judgeKey', { userId, name: '', certificate });
    if (current.fingerprint !== fingerprint || state !== 'unknown') continue;
    await keyring.call('decideKeys', { people: [{ userId, name: '', fingerprint }], how: 'words' });
  }
}

/** @throws KeyringError 'key_mismatch' */
async function requireCounted(keyring: VaultKeyring, groupId: string, isPinned: boolean): Promise<void> {
  const details = keyring.memberships.details(groupId);
  if (details === undefined) return;
  const { trust, newest } = details;
  if (trust.state === 'confirmed') return trust.how === 'remembered' ? undefined : store(keyring);
  if (isPinned || trust.state === 'disputed' || trust.state === 'locked')
    throw new KeyringError({ code: 'key_mismatch', detail: 'why' in trust ? trust.why : trust.state });
  if (trust.state !== 'unconfirmed' || trust.why !== 'new' || newest === null) return;
  // Remembered on this device: a list that does not follow from it is disputed next time.
  const { hash, signer: shown } = newest;
  const signer = { userId: shown.userId, fingerprint: shown.fingerprint, name: shown.name ?? '' };
  keyring.applyJudgements(await keyring.call('confirmSigner', { groupId, hash, signer, how: 'first-use' }));
  await store(keyring);
}

/** What a rule accepted is stored some time later, and the process may end before. */
const store = async (keyring: VaultKeyring): Promise<void> =>
  void (await keyring.call('decideKeys', { people: [], how: 'words' }));
