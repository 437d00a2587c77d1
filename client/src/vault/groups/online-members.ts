/** The worker wraps the key and signs the next list; the server changes access (docs/spec/api.md §3.7). */
import { LIMITS } from '@passwordbroker/core/domain/limits';
import * as access from '@passwordbroker/core/contract/groups/access';
import * as members from '@passwordbroker/core/contract/groups/members';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { InputOf, OutputOf } from '../../keyring/calls.ts';
import { KeyringError, trustError } from '../../keyring/keyring-error.ts';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import { type ListedMembers, shownKeysOf } from '../trust/listed-members.ts';
import type { ManyGroups } from './many-groups.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { Rotate } from './online-rotation.ts';
import type { Admitted, ConfirmedPerson, MemberWrites, KeyState, PeopleReads } from './people.ts';
import type { TrustSync } from '../trust/trust-sync.ts';
import * as people from '@passwordbroker/core/contract/users/people';
import type { JudgedKey } from '../../keyring/groups/member-calls.ts';

type Acts = Omit<MemberWrites, 'rotate'>;
type Listed = InputOf<'addMember'>['listed'];
type Body = OutputOf<'addMember'>;

/** Conflicts with a concurrent change. */
const STALE = ['key_version_conflict', 'roster_conflict', 'rewrap_set_mismatch'] as const;

interface Parts {
  readonly keys: OnlineKeys;
  readonly sync: TrustSync;
  readonly lists: ListedMembers;
  readonly many: ManyGroups;
  readonly rotate: Rotate;
  readonly onRemoved: (groupId: string) => void;
}

export function onlineMembers(
  http: Http,
  keyring: VaultKeyring,
  { keys, sync, lists, many, rotate, onRemoved }: Parts,
): Acts {
  /** @param newcomer returned unchanged if already a member */
  function act(
    groupId: string,
    make: (listed: Listed) => Promise<Body>,
    newcomer: string | null = null,
  ): Promise<Admitted> {
    const once = async () => {
      try {
        const rows = await rowsFor(groupId, newcomer);
        const present = rows.find(({ user_id }) => user_id === newcomer);
        if (present !== undefined) return { user: present, isNew: false };
        let sent: Partial<Body> = {};
        const user = await many.change(groupId, async () => {
          const body = await make(await shownKeysOf(http, rows, lists.formerOf));
          sent = body;
          return body;
        });
        lists.updateCached(groupId, user);
        await keyring.keepOwnList(groupId, sent);
        sync.soon();
        return { user, isNew: true };
      } catch (failure) {
        // The next attempt reads everything again.
        keyring.forgetGroup(groupId);
        lists.forget(groupId);
        lists.forgetKeys();
        throw failure;
      }
    };
    lists.recent(groupId).catch(() => undefined);
    return keys.withCurrentKeys([groupId], once, STALE);
  }

  /** In an unsigned group the server cannot detect an outdated list, so it is read again. */
  const rowsFor = (groupId: string, newcomer: string | null) =>
    newcomer !== null && keyring.memberships.signed(groupId) === null ? lists.read(groupId) : lists.recent(groupId);

  async function admit(groupId: string, person: ConfirmedPerson, role: Role, isNew: boolean): Promise<Admitted> {
    const adding = (allowUnfinishedRotation: boolean) =>
      act(
        groupId,
        async (listed) => {
          const own = listed.find(({ certificate }) => certificate.user_id === person.userId);
          const key = own ?? (await lists.keyOf(person.userId));
          if (key === null) throw trustError('key_unconfirmed', { userIds: [person.userId] });
          return keyring.call('addMember', { groupId, person, role, key, listed, allowUnfinishedRotation });
        },
        isNew ? person.userId : null,
      );
    try {
      // What was read before may have a former key: it is read again once.
      return await adding(false).catch((failure: unknown) => {
        if (failure instanceof KeyringError && failure.code === 'key_changed') return adding(false);
        throw failure;
      });
    } catch (failure) {
      const isUnfinished = failure instanceof KeyringError && failure.code === 'rotation_unfinished';
      if (!isUnfinished) throw failure;
      // Rotates first, so that a new member can read the whole history. Values that nobody can open stay.
      const { skipped } = await rotate(groupId);
      keyring.forgetGroup(groupId);
      return adding(skipped > 0);
    }
  }

  return {
    async confirmKey({ userId, name }, fingerprint, how) {
      keyring.applyJudgements(await keyring.call('decideKeys', { people: [{ userId, name, fingerprint }], how }));
      await sync.flush();
    },

    add: async (groupId, person, role) => (await admit(groupId, person, role, false)).user,

    addNew: (groupId, person, role) => admit(groupId, person, role, true),

    prepare(groupId) {
      keys.open(groupId).catch(() => undefined);
      lists.recent(groupId).catch(() => undefined);
    },

    changeRole: async (groupId, userId, role) =>
      (await act(groupId, (listed) => keyring.call('changeRole', { groupId, userId, role, listed }))).user,

    async remove(g, u) {
      // Recorded first, so that no key is made for this person even if the server ignores the removal.
      if (keyring.isOpen()) await keyring.call('noteRemoval', { groupId: g, userId: u });
      await http.call(members.remove, { params: { g, u } });
      lists.forget(g);
      keyring.forgetGroup(g);
      sync.soon();
      onRemoved(g);
    },
  };
}

export function onlinePeople(
  http: Http,
  keyring: VaultKeyring,
  { readKey }: Pick<ListedMembers, 'readKey'>,
): PeopleReads {
  return {
    async people(query, excludeGroupId, signal) {
      const exclude = excludeGroupId === '' ? {} : { entryGroupExclude: excludeGroupId };
      const { data } = await http.call(people.search, { query: { q: query, ...exclude }, signal });
      return data;
    },

    async keyTrust({ userId, name }, signal) {
      // While locked, an answer could not be judged.
      if (!keyring.isOpen()) throw new KeyringError({ code: 'locked' });
      const shown = await readKey(userId, signal);
      if (shown === null) return { state: 'none' };
      return keyring.call('judgeKey', { userId, name, ...shown });
    },

    async keyStates(listed) {
      if (!keyring.isOpen()) throw new KeyringError({ code: 'locked' });
      const names = new Map(listed.map(({ user_id, user }) => [user_id, user.name]));
      const judged = (await shownKeysOf(http, listed)).map(async (shown) => {
        const userId = shown.certificate.user_id;
        const judgement = await keyring.call('judgeKey', { userId, name: names.get(userId) ?? '', ...shown });
        return [userId, keyStateOf(judgement)] as const;
      });
      const withoutKeys = listed.map(({ user_id }) => [user_id, 'none'] as const);
      return new Map<string, KeyState>([...withoutKeys, ...(await Promise.all(judged))]);
    },

    async ownKey() {
      const { fingerprint, words } = await keyring.call('ownKey', null);
      return { fingerprint, words };
    },

    departures: (of, page, signal) =>
      typeof of === 'string'
        ? http.call(members.formerMembers, { params: { g: of }, query: { page, perPage: LIMITS.pageMax }, signal })
        : http.call(members.formerMembersOfAll, {
            query: { page, perPage: LIMITS.pageMax, user_id: of.userId ?? undefined },
            signal,
          }),

    departure: (g, d, signal) => http.call(members.formerMember, { params: { g, d }, signal }),

    opened: (g, u, signal) => http.call(members.opened, { params: { g, u }, signal }),

    access: (g, entryId, signal) =>
      http.call(access.whoCanRead, { params: { g }, query: { entry_id: entryId ?? undefined }, signal }),

    preview: (act, signal) => http.call(access.preview, { body: { act }, signal }),
  };
}

function keyStateOf(judged: JudgedKey): KeyState {
  if (judged.state !== 'trusted') return judged.state;
  return judged.how === 'first-use' || judged.how === 'api' ? 'for now' : 'verified';
}
