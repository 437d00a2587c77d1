/** Names of people on signed lists: from the trust record, or marked as the server's. */
import type { ListedPerson } from '@passwordbroker/core/domain/trust/list-difference';
import { TRUST_TEXTS as TEXTS } from '../texts/groups/trust.ts';

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
