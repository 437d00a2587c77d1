/** What a kind of file loses: the tree beside the one that its reader makes of the file. */
import { sameBytes } from '../../../crypto/bytes.ts';
import {
  type ExchangeTree,
  type PlainContent,
  type SkippedCounter,
  type SkippedThing,
  type TreeEntry,
  type TreeField,
  skippedCounter,
} from '../tree.ts';

const NOUNS = { password: 'password', link: 'link', note: 'note', TOTP: 'one-time password', file: 'file' } as const;

/** @param read the entries that reading the file gives for an entry of `tree`, and the path of its group */
export function lossBetween(
  tree: ExchangeTree,
  read: (entry: TreeEntry) => { readonly entries: readonly TreeEntry[]; readonly path: readonly string[] },
): readonly SkippedThing[] {
  const lost = skippedCounter();
  const paths = pathsOf(tree);
  for (const entry of tree.entries) {
    const { entries, path } = read(entry);
    if (entries.length === 0) lost.add('entry', 'empty', 1, entry.title);
    else compareEntries(entry, entries, lost);
    if (path.join('\n') !== paths[entry.group]?.join('\n')) lost.add('entry', 'in another group there', 1, entry.title);
  }
  return lost.list();
}

/** Names of each group from the one below the root. */
export function pathsOf({ groups }: ExchangeTree): (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  for (const { name, parent } of groups) paths.push(parent === null ? [] : [...(paths[parent] ?? []), name]);
  return paths;
}

function compareEntries(entry: TreeEntry, read: readonly TreeEntry[], lost: SkippedCounter): void {
  const place = entry.title;
  const say = (kind: string, reason: string, count = 1) => lost.add(kind, reason, count, place);
  const [first] = read;
  if (first?.title !== entry.title) say('title', CHANGED);
  const tags = entry.tags.filter((tag) => first?.tags.includes(tag) !== true).length;
  if (tags > 0) say('tag', 'as text in the notes', tags);
  if (entry.expires !== null && first?.expires !== entry.expires) say('due date', 'as text in the notes');
  for (const time of ['created', 'modified'] as const)
    if (toSecond(entry[time]) !== toSecond(first?.[time] ?? null)) say('time', NOT_HELD);
  const left = read.flatMap(({ fields }) => fields);
  const take = (fits: (field: TreeField) => boolean) => left.splice(left.findIndex(fits), 1)[0];
  const open: TreeField[] = [];
  for (const field of entry.fields) {
    const same = left.some((other) => isSameField(field, other))
      ? take((other) => isSameField(field, other))
      : undefined;
    if (same === undefined) open.push(field);
    else compareVersions(field, same, say);
  }
  for (const field of open) {
    const hasValue = (other: TreeField) => holdsValue(other, field);
    const other = left.some(hasValue) ? take(hasValue) : undefined;
    const noun = NOUNS[field.type];
    if (other === undefined) say(noun, isBlank(field) ? 'empty' : NOT_HELD);
    else {
      say(noun, other.type === field.type ? 'under another name there' : 'as another kind of field there');
      compareVersions(field, other, say);
    }
  }
}

const NOT_HELD = 'not in files of this kind';
const CHANGED = 'changed there';

/** Files of other programs know seconds. */
const toSecond = (ms: number | null) => (ms === null ? null : Math.floor(ms / 1000));

/** Of former versions; that the present one is as old as its entry there is not worth a line. */
function compareVersions(
  field: TreeField,
  other: TreeField,
  say: (kind: string, reason: string, count?: number) => void,
): void {
  const missing = field.revisions.length - other.revisions.length;
  if (missing > 0) say('version', NOT_HELD, missing);
  else if (
    field.revisions.slice(0, -1).some(({ content, at }, index) => {
      const read = other.revisions[index];
      return read === undefined || toSecond(read.at) !== toSecond(at) || !isSameContent(content, read.content);
    })
  )
    say('version', 'with another time, name or user name there');
}

const lastOf = ({ revisions }: TreeField): PlainContent | undefined => revisions.at(-1)?.content;

const isBlank = (field: TreeField): boolean => {
  const content = lastOf(field);
  return content !== undefined && 'value' in content && content.value === '';
};

function isSameField(field: TreeField, other: TreeField): boolean {
  const [a, b] = [lastOf(field), lastOf(other)];
  return a !== undefined && b !== undefined && isSameContent(a, b);
}

function isSameContent(a: PlainContent, b: PlainContent): boolean {
  if (a.title !== b.title) return false;
  if (a.type === 'file' || b.type === 'file')
    return a.type === 'file' && b.type === 'file' && a.name === b.name && sameBytes(a.bytes, b.bytes);
  if (a.type === 'TOTP' || b.type === 'TOTP')
    return (
      a.type === 'TOTP' &&
      b.type === 'TOTP' &&
      a.value === b.value &&
      a.algorithm === b.algorithm &&
      a.period === b.period
    );
  const logins = a.type !== 'password' || (b.type === 'password' && a.login === b.login);
  return a.type === b.type && logins && a.value === b.value;
}

/** True if the value stands in it, in whatever kind of field; tags may follow in the notes. */
function holdsValue(other: TreeField, field: TreeField): boolean {
  const [a, b] = [lastOf(field), lastOf(other)];
  if (a === undefined || b === undefined) return false;
  if (a.type === 'file' || b.type === 'file')
    return a.type === b.type && 'bytes' in a && 'bytes' in b && sameBytes(a.bytes, b.bytes);
  return a.value !== '' && (b.value === a.value || (a.type === 'note' && b.value.startsWith(`${a.value}\n\n`)));
}
