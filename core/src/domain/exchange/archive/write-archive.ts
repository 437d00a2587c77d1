/** Writes our own archive, which loses nothing that an import could take: an age file around a gzipped tar. */
import { type Bytes, encodeHex, utf8 } from '../../../crypto/bytes.ts';
import { sealAge } from '../../../crypto/exchange/age-file.ts';
import { digest } from '../../../crypto/exchange/file-ciphers.ts';
import { writeDay } from '../../entry-marks.ts';
import { parseTotpSecret } from '../../fields/totp.ts';
import { gzip, streamOf, streamed } from '../chunk-reader.ts';
import { EXCHANGE_LIMITS as LIMITS } from '../exchange-error.ts';
import { NO_CODE } from '../one-time-password.ts';
import {
  type ExchangeTree,
  type PlainContent,
  type SkippedThing,
  type TreeEntry,
  type TreeRevision,
  skippedCounter,
} from '../tree.ts';
import type { WriteOptions } from '../writers.ts';
import {
  type Counts,
  type Entry,
  FORMAT,
  type Group,
  NAMES,
  PRODUCT,
  type Part,
  type Revision,
  entriesName,
  fileName,
} from './archive-format.ts';
import { type TarPart, writeTar } from './tar.ts';

/** @param workFactor lower in tests alone */
export async function* writeArchive(
  tree: ExchangeTree,
  { password, now, signal, onProgress }: WriteOptions,
  workFactor?: number,
): AsyncGenerator<Uint8Array> {
  async function* checked() {
    for await (const part of partsOf(withLatestVersions(tree), now, onProgress)) {
      signal?.throwIfAborted();
      yield part;
    }
  }
  yield* streamed(await sealAge(password, streamOf(gzip(writeTar(checked(), now))), workFactor));
}

/** The archive stores everything but versions above the limit; a code that is none is text after an import. */
export function lossOfArchive({ entries }: ExchangeTree): readonly SkippedThing[] {
  const loss = skippedCounter();
  for (const { title, fields } of entries)
    for (const { revisions } of fields) {
      const leftOut = revisions.length - REVISIONS;
      if (leftOut > 0)
        loss.add('version', `of a field with more than ${LIMITS.versions}, the oldest of them`, leftOut, title);
      if (
        revisions
          .slice(-REVISIONS)
          .some(({ content }) => content.type === 'TOTP' && parseTotpSecret(content.value) === null)
      )
        loss.add(...NO_CODE, 1, title);
    }
  return loss.list();
}

/** Former ones and the present one. */
const REVISIONS = LIMITS.versions + 1;

const withLatestVersions = ({ entries, ...tree }: ExchangeTree): ExchangeTree => ({
  ...tree,
  entries: entries.map((entry) => ({
    ...entry,
    fields: entry.fields.map(({ type, revisions }) => ({ type, revisions: revisions.slice(-REVISIONS) })),
  })),
});

/** A portion ends with the entry that reaches it. */
const PORTION = 1024 * 1024;

async function* partsOf(
  tree: ExchangeTree,
  now: number,
  onProgress: WriteOptions['onProgress'],
): AsyncGenerator<TarPart> {
  const manifest: Part[] = [];
  const part = async (name: string, content: Bytes, rows = 1): Promise<TarPart> => {
    manifest.push({ name, bytes: content.length, rows, sha256: encodeHex(await digest('SHA-256', content)) });
    return { name, content };
  };
  const files = await filesOf(tree);
  const counts = countsOf(tree, files);
  const { revisions, fields } = counts;
  const first = { product: PRODUCT, format: FORMAT, created_at: isoOf(now) };
  yield part(NAMES.first, json({ ...first, history: revisions > fields, files: counts.files > 0, counts }));

  const groups = tree.groups.map(({ name, parent, created, modified }, at): Group => {
    const times = { created_at: isoOf(created), updated_at: isoOf(modified) };
    return { g: at + 1, parent: parent === null ? null : parent + 1, name, ...times };
  });
  yield part(NAMES.groups, lines(groups), groups.length);

  let rows: Entry[] = [];
  let size = 0;
  let number = 0;
  for (const [at, entry] of tree.entries.entries()) {
    const row = entryRow(entry, at + 1, files);
    rows.push(row);
    size += JSON.stringify(row).length;
    if (size >= PORTION || at === tree.entries.length - 1) {
      yield part(entriesName((number += 1)), lines(rows), rows.length);
      [rows, size] = [[], 0];
    }
    onProgress?.(at + 1, tree.entries.length);
  }
  for (const [sha256, content] of files.contents) yield part(fileName(sha256), content);
  yield { name: NAMES.last, content: json({ parts: manifest }) };
}

const json = (value: unknown): Bytes => utf8(`${JSON.stringify(value)}\n`);
const lines = (rows: readonly unknown[]): Bytes => utf8(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

const isoOf = <T extends number | null>(ms: T) =>
  (ms === null ? null : new Date(ms).toISOString()) as T extends number ? string : string | null;

interface Files {
  /** By SHA-256. */
  readonly contents: ReadonlyMap<string, Bytes>;
  readonly digests: ReadonlyMap<Bytes, string>;
}

async function filesOf({ entries }: ExchangeTree): Promise<Files> {
  const contents = new Map<string, Bytes>();
  const digests = new Map<Bytes, string>();
  for (const { content } of revisionsOf(entries)) {
    if (content.type !== 'file' || digests.has(content.bytes)) continue;
    const sha256 = encodeHex(await digest('SHA-256', content.bytes));
    digests.set(content.bytes, sha256);
    contents.set(sha256, content.bytes);
  }
  return { contents, digests };
}

const revisionsOf = (entries: readonly TreeEntry[]): TreeRevision[] =>
  entries.flatMap(({ fields }) => fields.flatMap(({ revisions }) => revisions));

function countsOf({ groups, entries }: ExchangeTree, { contents }: Files): Counts {
  return {
    groups: groups.length,
    entries: entries.length,
    fields: entries.reduce((sum, { fields }) => sum + fields.length, 0),
    revisions: revisionsOf(entries).length,
    files: contents.size,
    file_bytes: [...contents.values()].reduce((sum, { length }) => sum + length, 0),
  };
}

function entryRow(entry: TreeEntry, number: number, { digests }: Files): Entry {
  const { group, title, tags, expires, created, modified, fields } = entry;
  return {
    e: number,
    g: group + 1,
    title,
    tags: [...tags],
    expires: expires === null ? null : writeDay(expires),
    created_at: isoOf(created),
    updated_at: isoOf(modified),
    fields: fields.map(({ type, revisions }) => ({
      type,
      revisions: revisions.map(({ content, at }) => revisionOf(content, isoOf(at), digests)),
    })),
  };
}

function revisionOf(content: PlainContent, at: string | null, digests: Files['digests']): Revision {
  const { title } = content;
  if (content.type === 'file') {
    const { name, bytes } = content;
    return { title, at, file: { name, size: bytes.length, sha256: digests.get(bytes) ?? '' } };
  }
  const { value } = content;
  if (content.type === 'password') return { title, at, login: content.login, value };
  if (content.type !== 'TOTP') return { title, at, value };
  const { algorithm, period } = content;
  return { title, at, value, totp: { algorithm, period } };
}
