/** A KeePass XML 2.x file as groups, entries and fields. The same code in the browser's worker and in the server's thread. */
import type { Bytes } from '../../crypto/bytes.ts';
import { LIMITS } from '../limits.ts';
import { attachmentReader } from './attachments.ts';
import { decodeXml } from './decode.ts';
import { KeepassError } from './errors.ts';
import { contentsOf, shownTitle } from './map-entry.ts';
import type { RawEntry, RawFile, RawGroup } from './raw.ts';
import { createXmlReader } from './read-xml.ts';
import { fieldsOver } from './revisions.ts';
import { readKeepassTime } from './times.ts';
import {
  type KeepassTree,
  type SkippedCounter,
  type TreeEntry,
  type TreeField,
  type TreeGroup,
  skippedCounter,
} from './tree.ts';

const NO_RECYCLE_BIN = 'AAAAAAAAAAAAAAAAAAAAAA==';
const PIECE = 256 * 1024;

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes read so far. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/**
 * Reads a whole file, given in one piece or as it arrives.
 * @throws KeepassError, or the signal's reason when aborted
 */
export async function readKeepassXml(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  { signal, onProgress }: ReadOptions = {},
): Promise<KeepassTree> {
  const reader = createXmlReader();
  let done = 0;
  async function* watched() {
    for await (const bytes of source instanceof Uint8Array ? pieces(source) : source) {
      signal?.throwIfAborted();
      yield bytes;
      done += bytes.length;
      onProgress?.(done);
    }
  }
  for await (const text of decodeXml(watched())) reader.write(text);
  return treeOf(reader.end(), signal);
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** Groups and entries, flat, without the recycle bin. */
async function treeOf(file: RawFile, signal: AbortSignal | undefined): Promise<KeepassTree> {
  const skipped = skippedCounter();
  const groups: TreeGroup[] = [];
  const entries: TreeEntry[] = [];
  const attachments = attachmentsOf(file);
  const bin = file.recycleBin.isOn && file.recycleBin.uuid !== NO_RECYCLE_BIN ? file.recycleBin.uuid : '';

  const walk = async (raw: RawGroup, parent: number | null, depth: number): Promise<void> => {
    signal?.throwIfAborted();
    const isTooDeep = depth > LIMITS.treeDepth;
    // Beyond the vault's depth the entries stay in the deepest group that there can be: nothing is lost.
    const at = isTooDeep && parent !== null ? parent : groups.length;
    if (isTooDeep) skipped.add('group', `nested deeper than ${LIMITS.treeDepth}: its entries are in the group above`);
    else groups.push(groupOf(raw, parent));
    for (const entry of raw.entries) entries.push(await entryOf(entry, at, attachments, skipped));
    for (const child of raw.groups) {
      if (bin !== '' && child.uuid === bin) countBin(child, skipped);
      else await walk(child, at, depth + 1);
    }
  };
  await walk(file.root, null, 1);
  return { groups, entries, skipped: skipped.list() };
}

function countBin(bin: RawGroup, skipped: SkippedCounter): void {
  const count = (group: RawGroup): number =>
    group.entries.length + group.groups.reduce((sum, child) => sum + count(child), 0);
  const entries = count(bin);
  if (entries > 0) skipped.add('entry', 'in the recycle bin', entries);
}

function groupOf(raw: RawGroup, parent: number | null): TreeGroup {
  return {
    name: shownTitle(raw.name),
    parent,
    created: readKeepassTime(raw.times.created),
    modified: readKeepassTime(raw.times.modified),
  };
}

type Attachments = ReturnType<typeof attachmentsOf>;

/** Each attachment of the pool is unpacked once, however many entries name it. */
function attachmentsOf({ pool }: RawFile) {
  const reader = attachmentReader();
  const unpacked = new Map<string, Promise<Bytes>>();
  return {
    read(binary: RawEntry['binaries'][number]): Promise<Bytes> | null {
      if (binary.ref === null) return reader.read(binary);
      const packed = pool.get(binary.ref);
      if (packed === undefined) return null;
      const known = unpacked.get(binary.ref) ?? reader.read(packed);
      unpacked.set(binary.ref, known);
      return known;
    },
  };
}

async function entryOf(
  raw: RawEntry,
  group: number,
  attachments: Attachments,
  skipped: SkippedCounter,
): Promise<TreeEntry> {
  const title = raw.strings.find(({ key }) => key === 'Title')?.value ?? '';
  const versions = [...raw.history, raw].map((version) => ({
    contents: contentsOf(version),
    at: readKeepassTime(version.times.modified),
  }));
  return {
    group,
    title: shownTitle(title),
    created: readKeepassTime(raw.times.created),
    modified: readKeepassTime(raw.times.modified),
    fields: [...fieldsOver(versions, skipped), ...(await filesOf(raw, attachments, skipped))],
  };
}

/** Attachments as they are now. Older versions of one are left out, and said so. */
async function filesOf(raw: RawEntry, attachments: Attachments, skipped: SkippedCounter): Promise<TreeField[]> {
  const fields: TreeField[] = [];
  const at = readKeepassTime(raw.times.modified);
  for (const binary of raw.binaries) {
    const bytes = await attachments.read(binary);
    if (bytes === null) {
      skipped.add('attachment', 'its bytes are not in the file');
      continue;
    }
    const name = binary.name.trim() === '' ? 'attachment' : binary.name.slice(0, LIMITS.fileName);
    const content = { type: 'file', title: name.slice(0, LIMITS.title), name, bytes } as const;
    fields.push({ type: 'file', revisions: [{ content, at }] });
  }
  const present = new Set(raw.binaries.map(identityOf));
  const older = new Set(
    raw.history.flatMap((version) => version.binaries.map(identityOf)).filter((one) => !present.has(one)),
  );
  if (older.size > 0) skipped.add('attachment', 'an older version, only in the history', older.size);
  return fields;
}

const identityOf = ({ name, ref, text }: RawEntry['binaries'][number]) => `${name}\n${ref ?? text.length}`;
