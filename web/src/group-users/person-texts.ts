/** People of signed lists in words: by the name of the trust record, or saying that the name is the server's. */
import type { ListedPerson } from '@passwordbroker/core/domain/trust/list-difference';
import { TRUST_TEXTS as TEXTS } from '../texts/trust.ts';

/** Names that the server gives, by user id. */
export type ServerNames = ReadonlyMap<string, string>;

/** `Bob`, `you`, or `somebody whom the server calls “Bob”`. */
function personName({ userId, name, known }: Pick<ListedPerson, 'userId' | 'name' | 'known'>, names: ServerNames) {
  if (known === 'own') return TEXTS.you;
  const shown = names.get(userId);
  return name ?? (shown === undefined ? TEXTS.unnamed(userId) : TEXTS.somebody(shown));
}

export const peopleNames = (people: readonly ListedPerson[], names: ServerNames) =>
  people.map((person) => personName(person, names)).join(', ');
