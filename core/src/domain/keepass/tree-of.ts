/** Groups and entries of a file, flat, parents first, without the recycle bin. */
import { LIMITS as VAULT } from '../limits.ts';
import { countFileAsides, countGroupAsides, titleOf } from './asides.ts';
import { attachmentsOf } from './attachments.ts';
import { type FieldReader, fieldReader } from './entry-fields.ts';
import { KeepassError } from './errors.ts';
import { KEEPASS_LIMITS as LIMITS } from './limits.ts';
import type { RawEntry, RawFile, RawGroup } from './raw.ts';
import { isShortened, shownTitle } from './shorten.ts';
import { splitEntry } from './split-entry.ts';
import { readKeepassTime } from './times.ts';
import { type KeepassTree, type SkippedCounter, type TreeEntry, type TreeGroup, skippedCounter } from './tree.ts';

/** KeePass writes an id of zeros where there is no recycle bin. */
const NO_BIN = 'AAAAAAAAAAAAAAAAAAAAAA==';
const TOO_LARGE = 'too large for one here, so it goes on as “Title (2)”';

/** @throws KeepassError for attachments, or the signal's reason when aborted */
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
    // Beyond the vault's depth the entries stay in the deepest group that there can be: none is lost.
    if (isTooDeep) skipped.add('group', `below level ${VAULT.treeDepth}, so its entries are in the group above`);
    else groups.push(groupOf(raw, parent, skipped));
    countGroupAsides(raw, skipped);
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
  countFileAsides(file, skipped);
  return { groups, entries, skipped: skipped.list() };
}

/** The first group with this id below the root: ids may be equal in a damaged file, and only one of them is the bin. */
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
  return { group, title: shownTitle(titleOf(raw)), ...timesOf(raw), fields: await fields.read(raw) };
}

const timesOf = ({ times }: RawGroup | RawEntry) => ({
  created: readKeepassTime(times.created),
  modified: readKeepassTime(times.modified),
});
