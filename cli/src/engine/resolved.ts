/** Fields of references by one call to the server, where each names one field. */
import type { ResolvedField } from '@passwordbroker/core/contract/entries/resolve';
import type { NamedPlace, Resolve } from '@passwordbroker/client/vault/entries/resolve';
import type { ResolvedPath } from '@passwordbroker/client/vault/vault';
import { encodeElement, type Reference } from '../references.ts';

export type ResolvedReference = ResolvedPath & {
  readonly path: string;
  readonly field: Pick<ResolvedField, 'field_id' | 'type' | 'title' | 'rev'>;
};

/**
 * As `fieldsFor` finds them for passwords. null: a reference names none or several, or a file, of which the list says
 * more; or the server cannot do it.
 */
export async function resolvedFor(
  resolve: Resolve,
  references: readonly Reference[],
): Promise<readonly ResolvedReference[] | null> {
  const places: NamedPlace[] = [];
  const placesOf = references.map(({ elements }) => {
    const [first, second, last] = [elements.slice(0, -2), elements.at(-2), elements.at(-1)];
    const own: { readonly at: number; readonly place: NamedPlace }[] = [];
    const add = (place: NamedPlace) => own.push({ at: places.push(place) - 1, place });
    if (second === undefined || last === undefined) return own;
    if (first.length > 0) add({ groups: [...first], entry: second, field: last });
    add({ groups: [...first, second], entry: last });
    return own;
  });
  const matches = places.length === 0 ? null : await resolve(places);
  if (matches === null) return null;
  const found: ResolvedReference[] = [];
  for (const [at, own] of placesOf.entries()) {
    const [only, ...more] = own.flatMap(({ at: place, place: asked }) => fittingOf(asked, matches[place] ?? []));
    if (only === undefined || more.length > 0 || only.type === 'file') return null;
    const { entry_group_id: entryGroupId, entry_id: entryId, ...field } = only;
    const path = (references[at]?.elements ?? []).map(encodeElement).join('/');
    found.push({ entryGroupId, entryId, field, path });
  }
  return found;
}

/** What a place means among its matches, none of which has another id or name than was asked for. */
function fittingOf({ groups, entry, field }: NamedPlace, matches: readonly ResolvedField[]): readonly ResolvedField[] {
  const isPlaced = (one: ResolvedField) =>
    isOrNoId(groups.at(-1), one.entry_group_id) && isOrNoId(entry, one.entry_id) && isOrNoId(field, one.field_id);
  const placed = matches.filter(isPlaced);
  if (field === undefined) {
    const passwords = placed.filter(({ type }) => type === 'password');
    return passwords.length > 0 ? passwords : placed;
  }
  if (field.startsWith('id:')) return placed;
  return placed.filter(({ type, title }) => title.normalize('NFC') === field || type === field);
}

const isOrNoId = (element: string | undefined, id: string) =>
  element === undefined || !element.startsWith('id:') || element.slice(3).toLowerCase() === id;
