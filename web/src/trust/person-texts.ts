/** Names from the trust record, or marked as the server's. */
import type { ListedPerson } from '@passwordbroker/core/domain/trust/list-difference';
import { TRUST_TEXTS as TEXTS } from '../texts/groups/trust.ts';
import { useMemo, useEffect, useState } from 'react';
import { useMembers } from '../members/table/use-members.ts';
import { wordsOf } from '@passwordbroker/client/keyring/words-of';
import type { KeyWords } from '@passwordbroker/client/vault/groups/people';

/** By user id. */
export type ServerNames = ReadonlyMap<string, string>;

type Named = Pick<ListedPerson, 'userId' | 'name' | 'known'>;

/** `you`, `Bob`, or `a person whom the server calls “Bob”`. */
export function personName({ userId, name, known }: Named, names: ServerNames): string {
  if (known === 'own') return TEXTS.you;
  const shown = names.get(userId);
  return name ?? (shown === undefined ? TEXTS.unnamed(userId) : TEXTS.somebody(shown));
}

/** `you, Ada, “Bob” (names in quotation marks are the server’s)` */
export function peopleNames(people: readonly Named[], names: ServerNames): string {
  const isServers = ({ userId, name, known }: Named) => known !== 'own' && name === null && names.has(userId);
  const listed = people.map((person) =>
    isServers(person) ? TEXTS.quoted(names.get(person.userId) ?? '') : personName(person, names),
  );
  const text = listed.join(', ');
  return people.some(isServers) ? TEXTS.serversNames(text) : text;
}

/** For people whom the trust record does not name. */
export function useServerNames(groupId: string): { readonly names: ServerNames; readonly isLoading: boolean } {
  const { users, state } = useMembers(groupId);
  const names = useMemo(() => new Map(users.map(({ user_id, user }) => [user_id, user.name])), [users]);
  return { names, isLoading: state === 'required loading' || state === 'loading' };
}

/**
 * The eight words of each fingerprint; empty until their large list is loaded.
 * @param fingerprints 64 lower-case hex characters each, separated by spaces
 */
export function useKeyWords(fingerprints: string): ReadonlyMap<string, KeyWords> {
  const [known, setKnown] = useState<ReadonlyMap<string, KeyWords>>(new Map());
  useEffect(() => {
    let isWanted = true;
    const all = fingerprints.split(' ').filter((text) => text !== '');
    void Promise.all(all.map(async (one) => [one, await wordsOf(one)] as const)).then((rows) => {
      if (isWanted) setKnown(new Map(rows));
    });
    return () => {
      isWanted = false;
    };
  }, [fingerprints]);
  return known;
}
