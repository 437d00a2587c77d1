import { tagKey } from '../entry-marks.ts';
import { LIMITS as VAULT } from '../limits.ts';
import { countUnsupportedOfEntry } from './unsupported.ts';
import { KEEPASS_LIMITS as LIMITS, KeepassError } from './limits-and-errors.ts';
import { contentsOf } from './map-entry.ts';
import {
  type RawBinary,
  type RawEntry,
  type PackedAttachment,
  expiryDay,
  holdableTags,
  readKeepassTime,
} from './raw.ts';
import { type Mark, type OwnContents, type OwnFile, ownContents } from './own-fields.ts';
import type { Resolve } from './references.ts';
import { shorten } from '../exchange/shown-text.ts';
import type { PlainContent, SkippedCounter, TreeField, TreeRevision } from '../exchange/tree.ts';
import { type Bytes, concat, decodeBase64, sameBytes } from '../../crypto/bytes.ts';
import { gunzip } from '../exchange/chunk-reader.ts';

export interface FieldReader {
  read(entry: RawEntry): Promise<TreeField[]>;
}

export function fieldReader(attachments: Attachments, resolve: Resolve, skipped: SkippedCounter): FieldReader {
  let bodies = 0;

  const filesOf = async (versions: readonly RawVersion[]): Promise<Map<string, TreeField>> => {
    const fields = new Map<string, TreeField>();
    const { changes, gone } = changesOver(
      versions.map(({ own, rest, at }) => ({ contents: binariesOf(rest, own), marks: own?.marks, at })),
      (a, b) => isSameBinary(a.binary, b.binary),
    );
    if (gone > 0) skipped.add('attachment', 'removed before, only in the history', gone);
    for (const [key, past] of changes) {
      const revisions: TreeRevision[] = [];
      for (const { content: file, at } of past) {
        if (!attachments.has(file.binary)) skipped.add('attachment', 'its content is not in the file');
        else if ((bodies += 1) > LIMITS.bodies)
          skipped.add('attachment', `beyond the first ${LIMITS.bodies} of one import`);
        else {
          const { title, name } = file;
          const bytes = await attachments.read(file.binary);
          revisions.push({ content: { type: 'file', title, name, bytes }, at });
        }
      }
      if (revisions.length > 0) fields.set(key, { type: 'file', revisions });
    }
    return fields;
  };

  const remark = (kind: string, reason: string) => skipped.add(kind, reason);

  return {
    async read(entry) {
      const held = { tags: new Set(holdableTags(entry.tags).map(tagKey)), expires: expiryDay(entry) };
      const { versions, leftOut } = versionsOf(entry);
      if (leftOut > 0)
        skipped.add('version', `of an entry with more than ${LIMITS.history}, the oldest of them`, leftOut);
      countUnsupportedOfEntry(
        versions.map((version) => version.entry),
        skipped,
      );
      const [{ own, at } = { own: null, at: null }] = versions;
      // Most entries: without history and files.
      if (versions.length === 1 && own === null && entry.binaries.length === 0)
        return [...contentsOf(entry, held, remark, resolve).values()].map((content) => ({
          type: content.type,
          revisions: [{ content, at }],
        }));
      const { changes, gone } = changesOver(
        versions.map(({ entry: version, own, rest, at }) => {
          const found = contentsOf(rest, held, version === entry ? remark : () => undefined, resolve);
          return { contents: own === null ? found : new Map([...own.texts, ...found]), marks: own?.marks, at };
        }),
        isSameContent,
      );
      if (gone > 0) skipped.add('field', 'removed before, only in the history', gone);
      const texts = [...changes.values()].map((past) => fieldOf(past));
      const files = versions.some((version) => version.entry.binaries.length > 0) ? await filesOf(versions) : NO_FILES;
      const order = versions.at(-1)?.own?.keys;
      if (order === undefined) return [...texts, ...files.values()];
      const all = new Map([...[...changes.keys()].map((key, at) => [key, texts[at]] as const), ...files]);
      return [...new Set([...order.map((key) => all.get(key)), ...all.values()])].filter(
        (field) => field !== undefined,
      );
    },
  };
}

const NO_FILES: ReadonlyMap<string, TreeField> = new Map();

const timeOf = (version: RawEntry) => readKeepassTime(version.times.modified);

function fieldOf(past: readonly TreeRevision[]): TreeField {
  const type = past.at(-1)?.content.type ?? 'note';
  return { type, revisions: past.map(({ content, at }) => ({ content: contentAs(type, content), at })) };
}

/** A string that was protected in some versions is a password there and a note elsewhere. */
function contentAs(type: PlainContent['type'], content: PlainContent): PlainContent {
  if (content.type === type || content.type === 'file') return content;
  const { title, value } = content;
  if (type === 'password') return { type, title, login: '', value };
  return type === 'note' ? { type, title, value } : content;
}

function isSameContent(a: PlainContent, b: PlainContent): boolean {
  if (a.type === 'file' || b.type === 'file') return false;
  const logins = a.type === 'password' && b.type === 'password' ? a.login === b.login : true;
  const totps = a.type === 'TOTP' && b.type === 'TOTP' ? a.algorithm === b.algorithm && a.period === b.period : true;
  // The titles of links are counted.
  const titles = a.type === 'link' || a.title === b.title;
  return a.value === b.value && titles && logins && totps;
}

/** Names may repeat. */
function binariesOf({ binaries }: RawEntry, own: OwnContents | null): Map<string, OwnFile> {
  const named = new Map<string, OwnFile>(own?.files);
  const counts = new Map<string, number>();
  for (const binary of binaries) {
    const count = (counts.get(binary.name) ?? 0) + 1;
    counts.set(binary.name, count);
    const name = shorten(binary.name.trim(), VAULT.fileName) || 'attachment';
    named.set(`${binary.name}\n${count}`, { binary, title: shorten(name, VAULT.title), name });
  }
  return named;
}

function isSameBinary(a: RawBinary, b: RawBinary): boolean {
  const [one, other] = [a.packed.content, b.packed.content];
  const isSame = typeof one === 'string' || typeof other === 'string' ? one === other : sameBytes(one, other);
  return a.ref === b.ref && isSame;
}

interface RawVersion {
  readonly entry: RawEntry;
  /** Null unless our own writer made the entry. */
  readonly own: OwnContents | null;
  /** The entry without what `own` has. */
  readonly rest: RawEntry;
  readonly at: number | null;
}

interface Version<T> {
  readonly contents: ReadonlyMap<string, T>;
  readonly marks: ReadonlyMap<string, Mark> | undefined;
  readonly at: number | null;
}

interface Change<T> {
  readonly content: T;
  readonly at: number | null;
}

/** Former versions, oldest first, then the present one. */
function versionsOf(entry: RawEntry): { versions: RawVersion[]; leftOut: number } {
  const own = ownContents(entry);
  const present = { entry, own, rest: own?.rest ?? entry, at: timeOf(entry) };
  if (entry.history.length === 0) return { versions: [present], leftOut: 0 };
  const timed = entry.history.map((version) => ({ version, at: timeOf(version) }));
  // Merged databases may be out of order.
  if (timed.every(({ at }) => at !== null)) timed.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const kept = timed.slice(-LIMITS.history).map(({ version }) => version);
  const former = kept.map((version): RawVersion => {
    // Some programs forget `CustomData` in the history.
    const own = present.own && (ownContents(version) ?? ownContents({ ...version, unsupported: entry.unsupported }));
    return { entry: version, own, rest: own?.rest ?? version, at: timeOf(version) };
  });
  return { versions: [...former, present], leftOut: timed.length - kept.length };
}

/**
 * One revision for each change of the present version's contents.
 * @param versions oldest first. @returns `gone`: number of keys that the present version no longer has
 */
function changesOver<T>(
  versions: readonly Version<T>[],
  isSame: (a: T, b: T) => boolean,
): { changes: Map<string, Change<T>[]>; gone: number } {
  const changes = new Map<string, Change<T>[]>();
  const marked = new Map<string, Mark>();
  for (const { contents, marks, at } of versions) {
    for (const [key, content] of contents) {
      const before = changes.get(key);
      const last = before?.at(-1);
      const mark = marks?.get(key);
      // Another program that changes a value keeps the mark.
      const isMarked = mark !== undefined && mark.revision !== marked.get(key)?.revision;
      if (mark !== undefined) marked.set(key, mark);
      const change = { content, at: isMarked ? mark.at : at };
      if (before === undefined || last === undefined) changes.set(key, [change]);
      else if (isMarked || !isSame(last.content, content)) before.push(change);
    }
  }
  const present = [...(versions.at(-1)?.contents.keys() ?? [])];
  const kept = new Map(present.map((key) => [key, changes.get(key) ?? []]));
  return { changes: kept, gone: changes.size - kept.size };
}

interface Attachments {
  has(binary: RawBinary): boolean;
  /** Counts towards the limit on each use. @throws KeepassError */
  read(binary: RawBinary): Promise<Bytes>;
}

export function attachmentsOf(pool: ReadonlyMap<string, PackedAttachment>): Attachments {
  const unpacked = new Map<string, Bytes>();
  let total = 0;
  const counted = (bytes: Bytes) => {
    total += bytes.length;
    if (total > LIMITS.attachments) throw KeepassError.unreadable('the attachments together are too large');
    return bytes;
  };
  return {
    has: ({ ref }) => ref === null || pool.has(ref),
    async read({ ref, packed }) {
      const known = ref === null ? undefined : unpacked.get(ref);
      if (known !== undefined) return counted(known);
      const source = ref === null ? packed : pool.get(ref);
      if (source === undefined) throw KeepassError.unreadable('an attachment is missing');
      const bytes = await unpack(source);
      if (ref !== null) unpacked.set(ref, bytes);
      return counted(bytes);
    },
  };
}

async function unpack({ content, isCompressed }: PackedAttachment): Promise<Bytes> {
  const packed = typeof content === 'string' ? decode(content) : content;
  const bytes = isCompressed ? await unzipped(packed) : packed;
  if (bytes.length > LIMITS.attachment) throw KeepassError.unreadable('an attachment is too large');
  return bytes;
}

function decode(text: string): Bytes {
  try {
    return decodeBase64(/\s/.test(text) ? text.replaceAll(/\s/g, '') : text);
  } catch {
    throw KeepassError.unreadable('an attachment is damaged');
  }
}

async function unzipped(packed: Bytes): Promise<Bytes> {
  const most = Math.max(LIMITS.ratioFrom, packed.length * LIMITS.ratio);
  const pieces: Uint8Array[] = [];
  const check = (bytes: number) => {
    if (bytes > most) throw KeepassError.unreadable('an attachment unpacks to an implausible size');
    if (bytes > LIMITS.attachment) throw KeepassError.unreadable('an attachment is too large');
  };
  try {
    for await (const piece of gunzip(new Blob([packed]).stream(), check)) pieces.push(piece);
    return concat(...pieces);
  } catch (error) {
    throw error instanceof KeepassError ? error : KeepassError.unreadable('an attachment is damaged');
  }
}
