/** Members of a group. */
import type { GroupUserWithCertificate } from '@passwordbroker/core/contract/entities';
import type { Role } from '@passwordbroker/core/domain/policy';
import { memberDifferences } from '@passwordbroker/client/vault/trust/listed-members';
import type { Vault, VaultRead, VaultWrite } from '@passwordbroker/client/vault/vault';
import { CommandError, DISPUTED, EXIT } from '../failure.ts';
import { shown } from '../terminal/output.ts';
import { oneGroup } from './find.ts';

export interface Words {
  readonly userId: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly words: readonly string[];
  readonly state: 'unknown' | 'trusted' | 'changed';
}

export interface ListedMembers {
  readonly listed: readonly GroupUserWithCertificate[];
  /** Whether an admin's signed list says the same. */
  readonly isVerified: boolean;
}

/** @param person name, e-mail address or id. @throws CommandError if nobody or several fit */
export async function onePerson(read: Pick<VaultRead, 'people'>, person: string) {
  const [first, second] = (await read.people(person, '')).filter(
    (one) => one.user_id === person || ('email' in one && one.email === person) || one.name === person,
  );
  if (first === undefined) throw new CommandError(EXIT.notFound, 'not_found', `Nobody is called “${person}”.`);
  if (second === undefined) return first;
  throw new CommandError(EXIT.several, 'ambiguous', `Several people are called “${person}”. Use the e-mail address.`);
}

/** @param signedIn rejects unless somebody is signed in */
export function sharingOf(
  { read, memberships }: Pick<Vault, 'read' | 'memberships'>,
  write: () => VaultWrite,
  signedIn: () => Promise<void>,
  isOpen: () => boolean,
) {
  /** Rows that were added, left out or given another role; another key is told when it is used. */
  const falseRows = (groupId: string, listed: readonly GroupUserWithCertificate[]) =>
    memberDifferences(memberships.signed(groupId), listed).filter(
      ({ kind, userId }) =>
        kind === 'added-unsigned' || kind === 'role' || listed.every(({ user_id }) => user_id !== userId),
    );

  return {
    /**
     * Of an open vault, only if they are those of the signed list; of a locked one as the server lists them, not verified.
     * @throws CommandError
     */
    async members({ elements }: { readonly elements: readonly string[] }): Promise<ListedMembers> {
      await signedIn();
      const { id, path } = oneGroup(await read.tree(), elements);
      const listed = await read.members(id);
      if (!isOpen()) return { listed, isVerified: false };
      await read.examine(id);
      if (memberships.trust(id)?.state === 'disputed')
        throw new CommandError(EXIT.notTrusted, 'group_disputed', DISPUTED);
      if (falseRows(id, listed).length === 0) return { listed, isVerified: true };
      // A member may have been added between the two answers.
      const again = await read.members(id);
      const names = falseRows(id, again).map(
        ({ userId }) => again.find(({ user_id }) => user_id === userId)?.user.name ?? userId,
      );
      if (names.length === 0) return { listed: again, isVerified: true };
      throw new CommandError(
        EXIT.notTrusted,
        'group_disputed',
        `The server does not list the members of “${path}” as an admin has signed them: ${names.map(shown).join(', ')}.`,
      );
    },

    /** The words of a person's key, to compare before sharing. @throws CommandError if nobody or several fit */
    async words({ person }: { readonly person: string }): Promise<Words> {
      await signedIn();
      const first = await onePerson(read, person);
      const trust = await read.keyTrust({ userId: first.user_id, name: first.name });
      if (trust.state === 'none')
        throw new CommandError(EXIT.notTrusted, 'no_keys', `${first.name} has no keys yet and has to sign in first.`);
      return { userId: first.user_id, name: first.name, ...trust.current, state: trust.state };
    },

    /** @param how null: the key is trusted already */
    async share(asked: {
      readonly elements: readonly string[];
      readonly words: Words;
      readonly role: Role;
      readonly how: 'words' | 'first-use' | null;
    }): Promise<void> {
      await signedIn();
      const { elements, words, role, how } = asked;
      const group = oneGroup(await read.tree(), elements).id;
      const { members } = write();
      if (how !== null) await members.confirmKey(words, words.fingerprint, how);
      await members.add(group, words, role);
    },

    async unshare({
      elements,
      person,
    }: {
      readonly elements: readonly string[];
      readonly person: string;
    }): Promise<void> {
      await signedIn();
      const group = oneGroup(await read.tree(), elements).id;
      const listed = await read.members(group);
      const byAddress = person.includes('@') ? await read.people(person, '') : [];
      const ids = byAddress.filter((one) => 'email' in one && one.email === person).map(({ user_id }) => user_id);
      const [member, second] = listed.filter(
        ({ user }) => user.user_id === person || user.name === person || ids.includes(user.user_id),
      );
      if (member === undefined) throw new CommandError(EXIT.notFound, 'not_found', `“${person}” is no member.`);
      if (second !== undefined)
        throw new CommandError(
          EXIT.several,
          'ambiguous',
          `Several members are called “${person}”. Use the id: pb members --json`,
        );
      await write().members.remove(group, member.user.user_id);
    },
  };
}
