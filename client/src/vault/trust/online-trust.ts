import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { roster } from '@passwordbroker/core/contract/groups/entry-groups';
import { setup } from '@passwordbroker/core/contract/site/system';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import type { InputOf } from '../../keyring/calls.ts';
import type { RejudgedGroups } from '../../keyring/groups/member-calls.ts';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import type { GroupPaths } from '../groups/group-paths.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { SignAgain, Rotate } from '../groups/online-rotation.ts';
import type { MemberWrites } from '../groups/people.ts';
import type { AccountTrust, TrustReads, TrustWrites } from './trust.ts';
import { trustSync, type TrustSync } from './trust-sync.ts';

/** Minimum time between reads of the record for unconfirmed groups. */
const READ_AGAIN_MS = 600_000;

export interface AccountWatch extends TrustReads {
  readonly sync: TrustSync;
  refresh(): Promise<void>;
}

export function watchTrust(http: Http, keyring: VaultKeyring): AccountWatch {
  const { memberships } = keyring;
  let account: AccountTrust | undefined;
  let readAt = 0;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };

  async function refresh(): Promise<void> {
    if (!keyring.isOpen()) return;
    const next = await keyring.call('accountTrust', null).catch(() => account);
    if (JSON.stringify(next) === JSON.stringify(account)) return;
    account = next;
    tell();
  }
  const sync = trustSync(http, keyring, () => void refresh());

  memberships.subscribe(tell);
  keyring.onAccepted(() => sync.later());
  // Another browser of this account may have confirmed the group.
  keyring.onUnconfirmed(async () => {
    if (Date.now() - readAt < READ_AGAIN_MS) return;
    readAt = Date.now();
    await sync.read().catch(() => undefined);
  });
  async function openedOnline(): Promise<void> {
    await refresh();
    // A newer record is put back at once; other changes can wait.
    if (account?.state === 'behind') sync.soon();
    else sync.later();
    const site = await http.call(setup).catch(() => null);
    // Without an answer only the record's own setting is used.
    if (site === null || !keyring.isOpen()) return;
    const isStrict = site.require_verified_members === true;
    const judged = await keyring.call('setSiteTrust', { isStrict }).catch(() => null);
    if (judged !== null) keyring.applyJudgements(judged);
    await refresh();
  }

  keyring.onLocked(() => {
    account = undefined;
    tell();
  });
  keyring.onOpened((bundle) => {
    readAt = 0;
    if (bundle === null) void refresh();
    else void openedOnline();
  });
  return {
    sync,
    refresh,
    details: (groupId) => memberships.details(groupId),
    account: () => account,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

type Proposed = Pick<InputOf<'setUpRecord'>, 'groups' | 'pins'>;

interface Parts {
  readonly keys: OnlineKeys;
  readonly paths: GroupPaths;
  readonly watch: AccountWatch;
  readonly rotate: Rotate;
  readonly signAgain: SignAgain;
  readonly remove: MemberWrites['remove'];
}

export function onlineTrust(http: Http, keyring: VaultKeyring, parts: Parts): TrustWrites {
  const { keys, paths, watch, rotate, signAgain, remove } = parts;
  const { sync } = watch;

  /** Applies a decision, shows it at once, and writes the record; a failed write stays pending. */
  async function decided<T extends RejudgedGroups>(decide: () => Promise<T>): Promise<T> {
    const judged = await decide();
    keyring.applyJudgements(judged);
    await watch.refresh();
    await sync.flush();
    return judged;
  }

  const openAgain = async (groupId: string) => {
    keyring.forgetGroup(groupId);
    await keys.open(groupId).catch(() => undefined);
  };

  let proposed: Proposed | null = null;

  async function readToPropose(): Promise<Proposed> {
    const [all, { documents }] = await Promise.all([http.call(groups.listAll), http.call(keyBundle)]);
    const shown: InputOf<'setUpRecord'>['groups'][number][] = [];
    for (const { entry_group_id: groupId } of all) {
      const answer = await http.call(roster, { params: { g: groupId } });
      shown.push({ groupId, path: await paths.pathOf(groupId), roster: answer });
    }
    return { groups: shown, pins: documents.find(({ name }) => name === 'pins') ?? null };
  }

  return {
    async confirmSigner(groupId, { hash, signer }, how) {
      await keys.open(groupId);
      await decided(() => keyring.call('confirmSigner', { groupId, hash, signer, how }));
    },

    async signMembers(groupId, members) {
      await rotate(groupId, { confirmed: members });
    },

    async goOn(groupId, hash, compared) {
      await keys.open(groupId);
      const { next } = await decided(() => keyring.call('goOn', { groupId, hash, compared: compared ?? null }));
      await openAgain(groupId);
      // If this fails, the next list that is signed here supersedes the former ones.
      if (next === 'sign') await signAgain(groupId).catch(() => undefined);
      if (next === 'rotate') await rotate(groupId, { force: true }).catch(() => undefined);
    },

    async decideReturned(groupId, hash, userId, decision) {
      await keys.open(groupId);
      const isOut = decision === 'keep-out';
      await decided(() => keyring.call('decideReturned', { groupId, hash, userId, isOut }));
      await openAgain(groupId);
      if (isOut) await remove(groupId, userId);
    },

    async answerLastUse(isRight) {
      await decided(() => keyring.call('answerLastUse', { isRight }));
    },

    async readAgain() {
      await sync.flush();
      await sync.read();
    },

    async beginNewRecord() {
      await decided(() => keyring.call('beginRecord', null));
    },

    async proposeRecord() {
      proposed = await readToPropose();
      return keyring.call('proposeRecord', proposed);
    },

    async setUpRecord({ groupIds, userIds }) {
      // The lists that the person has seen, even if the server shows others now.
      const shown = proposed;
      if (shown === null) throw new Error('Nothing was proposed');
      await decided(() => keyring.call('setUpRecord', { ...shown, groupIds, userIds }));
    },

    async recordWords() {
      await sync.flush();
      await sync.read();
      return keyring.call('recordWords', null);
    },

    async compareBrowsers(isSame) {
      await decided(() => keyring.call('compareBrowsers', { isSame }));
    },

    async setStrict(isStrict) {
      await decided(() => keyring.call('setStrict', { isStrict }));
    },
  };
}
