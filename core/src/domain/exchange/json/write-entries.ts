/** Choosing which field of an entry goes to which place of another program. */
import { utf8, type Bytes } from '../../../crypto/bytes.ts';
import type { TreeEntry, TreeField } from '../tree.ts';
import { fileField, shownTime } from '../tree-builder.ts';
import { passkeyIn } from './passkey.ts';

/** Takes a field out of the list, first one that has the title; null if there is none. */
export function pick(
  rest: TreeField[],
  kind: TreeField['type'] | ((field: TreeField, isLast: boolean) => boolean),
  title?: string,
  fits: (field: TreeField) => boolean = () => true,
): TreeField | null {
  const isKind = (field: TreeField, isLast: boolean) =>
    typeof kind === 'function' ? kind(field, isLast) : field.type === kind && fits(field);
  const hasTitle = ({ revisions }: TreeField) => title === undefined || revisions.at(-1)?.content.title === title;
  let at = rest.findIndex((field) => isKind(field, false) && hasTitle(field));
  if (at === -1 && title !== 'Notes') at = rest.findIndex((field) => isKind(field, true));
  return at === -1 ? null : (rest.splice(at, 1)[0] ?? null);
}

/** The password to sign in with: of that name, else the first with a user name. A PIN is none. */
export function isMainPassword(field: TreeField, isLast: boolean): boolean {
  const content = field.revisions.at(-1)?.content;
  if (content?.type !== 'password' || passkeyIn(field) !== null) return false;
  if (content.login === '' && content.value === '') return false;
  return content.title === 'Password' || (isLast && content.login !== '');
}

/** Lines for what the other program has no place for. */
export function shownMarks({ tags, expires }: TreeEntry, withTags = true): string {
  return [
    ...(withTags && tags.length > 0 ? [`Tags: ${tags.join(', ')}`] : []),
    ...(expires === null ? [] : [`Expires: ${shownTime(expires)}`]),
  ].join('\n');
}

/** The files of an entry under names that differ: 'a.txt', 'a (2).txt'. */
export function uniqueNames({ fields }: TreeEntry): { name: string; bytes: Bytes }[] {
  const taken = new Set<string>();
  return fields.flatMap(({ revisions }) => {
    const content = revisions.at(-1)?.content;
    if (content?.type !== 'file') return [];
    let name = safeName(content.name);
    for (let number = 2; taken.has(name); number += 1)
      name = safeName(content.name).replace(/(\.[^.]*)?$/, (extension) => ` (${number})${extension}`);
    taken.add(name);
    return [{ name, bytes: content.bytes }];
  });
}

/** As `fileField` reads it, without half surrogates, which have no UTF-8. */
function safeName(name: string): string {
  const content = fileField(name, new Uint8Array(0)).revisions[0]?.content;
  return new TextDecoder().decode(utf8(content?.type === 'file' ? content.name : name));
}
