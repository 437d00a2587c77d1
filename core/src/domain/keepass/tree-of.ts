import { isShortened, shownTitle } from '../exchange/shown-text.ts';
import { splitEntry, TOO_LARGE } from '../exchange/split-entry.ts';
import { LIMITS as VAULT } from '../limits.ts';
import { countUnsupportedOfFile, countUnsupportedOfGroup, titleOf } from './unsupported.ts';
import { attachmentsOf, type FieldReader, fieldReader } from './entry-fields.ts';
import { KeepassError, KEEPASS_LIMITS as LIMITS } from './limits-and-errors.ts';
import { type RawEntry, type RawFile, type RawGroup, expiryDay, holdableTags } from './raw.ts';
import { ownName, ownTimes } from './own-fields.ts';
import { resolver } from './references.ts';
import {
  type ExchangeTree,
  type SkippedCounter,
  type TreeEntry,
  type TreeGroup,
  skippedCounter,
} from '../exchange/tree.ts';

const NO_BIN = 'AAAAAAAAAAAAAAAAAAAAAA==';

/**
 * Flattens groups and entries: parents first, without the recycle bin.
 * @throws KeepassError, or the signal's reason if aborted
 */
export async function treeOf(file: RawFile, signal?: AbortSignal): Promise<ExchangeTree> {
  const skipped = skippedCounter();
  const groups: TreeGroup[] = [];
  const entries: TreeEntry[] = [];
  const fields = fieldReader(attachmentsOf(file.pool), resolver(file.root), skipped);
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
  return { name: ownName(raw) ?? shownTitle(raw.name), parent, ...ownTimes(raw) };
}

async function entryOf(raw: RawEntry, group: number, fields: FieldReader): Promise<TreeEntry> {
  const marks = { tags: holdableTags(raw.tags), expires: expiryDay(raw) };
  return { group, title: shownTitle(titleOf(raw)), ...marks, ...ownTimes(raw), fields: await fields.read(raw) };
}
