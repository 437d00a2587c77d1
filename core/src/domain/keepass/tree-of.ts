import { hasTooManyFields, hasTooMuchText, textSize, LIMITS as VAULT } from '../limits.ts';
import { countUnsupportedOfFile, countUnsupportedOfGroup, titleOf } from './unsupported.ts';
import { attachmentsOf, type FieldReader, fieldReader } from './entry-fields.ts';
import { KeepassError, KEEPASS_LIMITS as LIMITS } from './limits-and-errors.ts';
import {
  type RawEntry,
  type RawFile,
  type RawGroup,
  expiryDay,
  holdableTags,
  isShortened,
  readKeepassTime,
  shorten,
  shownTitle,
} from './raw.ts';
import {
  type KeepassTree,
  type SkippedCounter,
  type TreeEntry,
  type TreeField,
  type TreeGroup,
  skippedCounter,
} from './tree.ts';

const NO_BIN = 'AAAAAAAAAAAAAAAAAAAAAA==';
const TOO_LARGE = 'too large for one entry, so it continues in “Title (2)”';

/**
 * Flattens groups and entries: parents first, without the recycle bin.
 * @throws KeepassError, or the signal's reason if aborted
 */
export async function treeOf(file: RawFile, signal?: AbortSignal): Promise<KeepassTree> {
  const skipped = skippedCounter();
  const groups: TreeGroup[] = [];
  const entries: TreeEntry[] = [];
  const fields = fieldReader(attachmentsOf(file.pool), skipped);
  const bin = file.recycleBin === NO_BIN || file.recycleBin === '' ? null : binOf(file.root, file.recycleBin);
  let count = 0;

  const walk = async (raw: RawGroup, parent: number | null, depth: number): Promise<void> => {
    signal?.throwIfAborted();
    const isTooDeep = depth > VAULT.treeDepth && parent !== null;
    const at = isTooDeep ? parent : groups.length;
    // Entries go into the deepest allowed group.
    if (isTooDeep) skipped.add('group', `below level ${VAULT.treeDepth}, so its entries are in the group above`);
    else groups.push(groupOf(raw, parent, skipped));
    countUnsupportedOfGroup(raw, skipped);
    for (const entry of raw.entries) {
      const read = await entryOf(entry, at, fields);
      if ((count += read.fields.length) > LIMITS.fields) throw KeepassError.unreadable('it has too many fields');
      const parts = splitEntry(read);
      if (parts.length > 1) skipped.add('entry', TOO_LARGE);
      entries.push(...parts);
    }
    for (const child of raw.groups) {
      if (child === bin) countBin(child, skipped);
      else await walk(child, at, depth + 1);
    }
  };
  await walk(file.root, null, 1);
  countUnsupportedOfFile(file, skipped);
  return { groups, entries, skipped: skipped.list() };
}

function binOf({ groups }: RawGroup, uuid: string): RawGroup | null {
  for (const group of groups) {
    const found = group.uuid === uuid ? group : binOf(group, uuid);
    if (found !== null) return found;
  }
  return null;
}

function countBin(bin: RawGroup, skipped: SkippedCounter): void {
  if (bin.entries.length > 0) skipped.add('entry', 'in the recycle bin', bin.entries.length);
  for (const child of bin.groups) {
    skipped.add('group', 'in the recycle bin');
    countBin(child, skipped);
  }
}

function groupOf(raw: RawGroup, parent: number | null, skipped: SkippedCounter): TreeGroup {
  if (isShortened(raw.name)) skipped.add('group name', `cut to ${VAULT.name} characters`);
  return { name: shownTitle(raw.name), parent, ...timesOf(raw) };
}

async function entryOf(raw: RawEntry, group: number, fields: FieldReader): Promise<TreeEntry> {
  const marks = { tags: holdableTags(raw.tags), expires: expiryDay(raw) };
  return { group, title: shownTitle(titleOf(raw)), ...marks, ...timesOf(raw), fields: await fields.read(raw) };
}

const timesOf = ({ times }: RawGroup | RawEntry) => ({
  created: readKeepassTime(times.created),
  modified: readKeepassTime(times.modified),
});

/** Splits a large entry into `Title`, `Title (2)` and so on. */
export function splitEntry(entry: TreeEntry): readonly TreeEntry[] {
  const parts: TreeEntry[] = [];
  let title = entry.title;
  let fields: TreeField[] = [];
  let text = title.length;
  for (const field of entry.fields) {
    const more = textSizeOf(field);
    if (hasTooManyFields({ fields: fields.length + 1 }) || hasTooMuchText({ text: text + more })) {
      parts.push({ ...entry, title, fields });
      title = numbered(entry.title, parts.length + 1);
      fields = [];
      text = title.length;
    }
    fields.push(field);
    text += more;
  }
  return parts.length === 0 ? [entry] : [...parts, { ...entry, title, fields }];
}

function numbered(title: string, number: number): string {
  const suffix = ` (${number})`;
  return `${shorten(title, VAULT.title - suffix.length)}${suffix}`;
}

function textSizeOf({ revisions }: TreeField): number {
  const content = revisions.at(-1)?.content;
  if (content === undefined) return 0;
  const { title } = content;
  if (content.type === 'password') return textSize({ title, login: content.login });
  return textSize(content.type === 'file' ? { title, file_name: content.name } : { title });
}
