/** The worker wraps the key and signs the next list; the server changes access (docs/spec/api.md §3.7). */
import * as members from '@passwordbroker/core/contract/groups/members';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { InputOf, OutputOf } from '../../keyring/calls.ts';
import { KeyringError, trustError } from '../../keyring/keyring-error.ts';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import type { ListedMembers } from '../trust/listed-members.ts';
import type { ManyGroups } from './many-groups.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { Rotate } from './online-rotation.ts';
import type { Admitted, ConfirmedPerson, MemberWrites } from './people.ts';
import { shownKeysOf } from '../trust/shown-keys.ts';
import type { TrustSync } from '../trust/trust-sync.ts';

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
        lists.took(groupId, user);
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
    return keys.underPresent([groupId], once, STALE);
  }

  /** In an unsigned group the server cannot detect an outdated list, so it is read again. */
  const rowsFor = (groupId: string, newcomer: string | null) =>
    newcomer !== null && keyring.memberships.signed(groupId) === null ? lists.read(groupId) : lists.recent(groupId);

  async function admit(groupId: string, person: ConfirmedPerson, role: Role, isNew: boolean): Promise<Admitted> {
    const adding = (evenUnfinished: boolean) =>
      act(
        groupId,
        async (listed) => {
          const own = listed.find(({ certificate }) => certificate.user_id === person.userId);
          const key = own ?? (await lists.keyOf(person.userId));
          if (key === null) throw trustError('key_unconfirmed', { userIds: [person.userId] });
          return keyring.call('addMember', { groupId, person, role, key, listed, evenUnfinished });
        },
        isNew ? person.userId : null,
      );
    try {
      return await adding(false);
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
      keyring.take(await keyring.call('decideKeys', { people: [{ userId, name, fingerprint }], how }));
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
