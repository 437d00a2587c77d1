/** Reads our own archive. Everything is checked: names, order, digests, counts. */
import type * as z from 'zod/mini';
import { type Bytes, encodeHex, utf8 } from '../../../crypto/bytes.ts';
import { AGE_WORK_FACTOR, ageWorkFactor, openAge } from '../../../crypto/exchange/age-file.ts';
import { digest } from '../../../crypto/exchange/file-ciphers.ts';
import { distinctTags, readDay, tagProblem } from '../../entry-marks.ts';
import { isPeriod, parseTotpSecret } from '../../fields/totp.ts';
import { LIMITS as VAULT } from '../../limits.ts';
import { chunkReader, gunzip } from '../chunk-reader.ts';
import { EXCHANGE_LIMITS as LIMITS, ExchangeError } from '../exchange-error.ts';
import type { Read, ReadOptions } from '../formats.ts';
import { NO_CODE } from '../one-time-password.ts';
import { splitEntry } from '../split-entry.ts';
import {
  type ExchangeTree,
  type PlainContent,
  type TreeEntry,
  type TreeField,
  type TreeGroup,
  skippedCounter,
} from '../tree.ts';
import {
  type Counts,
  Entry,
  FORMAT,
  First,
  Group,
  Head,
  Manifest,
  NAMES,
  type Part,
  type Revision,
  entriesName,
  fileName,
} from './archive-format.ts';
import { type TarPart, readTar } from './tar.ts';

const damaged = () => ExchangeError.unreadable('it is damaged');

export const readArchive: Read = async (file, { password = '' }, { signal, onProgress }) => {
  if (file.size > LIMITS.archiveBytes) throw ExchangeError.largerThan(LIMITS.archiveBytes);
  const workFactor = ageWorkFactor(new Uint8Array(await file.slice(0, 100).arrayBuffer()));
  if (workFactor === null) throw damaged();
  if (workFactor > AGE_WORK_FACTOR) throw ExchangeError.tooMuchWork();
  try {
    const opened = await openAge(password, file.stream());
    if (opened === null) throw ExchangeError.wrong('The password');
    return await treeOf(opened, { signal, onProgress });
  } catch (error) {
    signal?.throwIfAborted();
    // What age and gzip say about a damaged file.
    throw error instanceof ExchangeError ? error : damaged();
  }
};

const UNPACKED = LIMITS.unpackedText + LIMITS.files;

async function treeOf(
  opened: ReadableStream<Uint8Array>,
  { signal, onProgress }: Pick<ReadOptions, 'signal' | 'onProgress'>,
): Promise<ExchangeTree> {
  const unpacked = gunzip(opened, (bytes) => {
    signal?.throwIfAborted();
    if (bytes > UNPACKED) throw ExchangeError.unpacksToMoreThan(UNPACKED);
  });
  const reader = chunkReader(unpacked);
  const found = new Contents();
  const parts: Part[] = [];
  const most = (name: string) => (name.startsWith('files/') ? LIMITS.file : LIMITS.unpackedText);
  let manifest: readonly Part[] | null = null;
  for await (const part of readTar(reader, most)) {
    if (manifest !== null) throw damaged();
    if (part.name === NAMES.last) {
      manifest = parse(Manifest, textOf(part)).parts;
      continue;
    }
    const sha256 = encodeHex(await digest('SHA-256', part.content));
    parts.push({ name: part.name, bytes: part.content.length, rows: found.take(part, sha256), sha256 });
    onProgress?.(found.entries.length, found.counts?.entries ?? 0);
  }
  if (manifest === null) throw ExchangeError.unreadable('it is cut off');
  if (JSON.stringify(manifest) !== JSON.stringify(parts)) throw damaged();
  return found.end();
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** @throws TypeError for bytes that are no text */
const textOf = ({ content }: TarPart): string => decoder.decode(content);

function parse<T>(schema: z.ZodMiniType<T>, text: string): T {
  const result = schema.safeParse(JSON.parse(text));
  if (!result.success) throw damaged();
  return result.data;
}

/** What the parts hold, in their order. */
class Contents {
  counts: Counts | null = null;
  readonly groups: TreeGroup[] = [];
  readonly entries: TreeEntry[] = [];
  readonly #skipped = skippedCounter();
  /** Fields that the archive does not have. */
  #keptTexts = 0;
  readonly #files = new Map<string, Bytes>();
  /** Files that entries name, with their sizes. */
  readonly #wanted = new Map<string, number>();
  readonly #count = { portions: 0, entries: 0, fields: 0, revisions: 0, fileBytes: 0 };
  /** Their bytes come after the entries. */
  readonly #unfilled: { readonly content: { bytes: Bytes }; readonly sha256: string }[] = [];

  /** Returns the number of rows. */
  take(part: TarPart, sha256: string): number {
    const { name } = part;
    if (this.counts === null) return this.#takeHead(part);
    if (name === NAMES.groups && this.groups.length === 0) return this.#takeGroups(part);
    const isNext = name === entriesName(this.#count.portions + 1) && this.#files.size === 0;
    if (isNext && this.groups.length > 0) return this.#takeEntries(part);
    if (name === fileName(sha256)) return this.#takeFile(part, sha256);
    throw damaged();
  }

  #takeHead({ name, content }: TarPart): number {
    if (name !== NAMES.first) throw damaged();
    const text = decoder.decode(content);
    if (parse(First, text).format > FORMAT)
      throw new ExchangeError('unsupported', 'The file was made by a newer version of PasswordBroker.');
    this.counts = parse(Head, text).counts;
    return 1;
  }

  #takeGroups(part: TarPart): number {
    const depths: number[] = [];
    for (const [at, row] of rowsOf(Group, part).entries()) {
      const parent = row.parent === null ? null : row.parent - 1;
      const depth = parent === null ? 1 : (depths[parent] ?? Infinity) + 1;
      if (row.g !== at + 1 || (parent === null) !== (at === 0) || depth > VAULT.treeDepth) throw damaged();
      depths.push(depth);
      const times = { created: timeOf(row.created_at), modified: timeOf(row.updated_at) };
      this.groups.push({ name: row.name, parent, ...times });
    }
    if (this.groups.length > LIMITS.groups) throw ExchangeError.unreadable('it has too many groups');
    if (this.groups.length === 0) throw damaged();
    return this.groups.length;
  }

  #takeEntries(part: TarPart): number {
    const rows = rowsOf(Entry, part);
    for (const row of rows) {
      if (row.e !== (this.#count.entries += 1) || this.groups[row.g - 1] === undefined) throw damaged();
      const expires = row.expires === null ? null : readDay(row.expires);
      const hasTags =
        row.tags.every((tag) => tagProblem(tag) === null) && distinctTags(row.tags).length === row.tags.length;
      if ((expires === null) !== (row.expires === null) || !hasTags) throw damaged();
      const fields = row.fields.flatMap((field) => this.#fieldsOf(field, row.title));
      const [created, modified] = [timeOf(row.created_at), timeOf(row.updated_at)];
      const { title, tags } = row;
      this.entries.push(...splitEntry({ group: row.g - 1, title, tags, expires, created, modified, fields }));
    }
    if (this.entries.length > LIMITS.entries) throw ExchangeError.unreadable('it has too many entries');
    if (this.#count.fields + this.#keptTexts > LIMITS.fields) throw ExchangeError.unreadable('it has too many fields');
    this.#count.portions += 1;
    return rows.length;
  }

  /** One field, and a second one for former codes that are none. */
  #fieldsOf({ type, revisions }: Entry['fields'][number], entry: string): TreeField[] {
    this.#count.fields += 1;
    this.#count.revisions += revisions.length;
    if (revisions.length > LIMITS.versions + 1) throw ExchangeError.unreadable('it has too many versions of a field');
    const read = revisions.map((one) => ({ content: this.#contentOf(type, one), at: timeOf(one.at) }));
    const texts = read.filter(({ content }) => content.type !== type);
    if (texts.length === 0) return [{ type, revisions: read }];
    this.#skipped.add(...NO_CODE, 1, entry);
    if (read.at(-1)?.content.type !== type)
      return [{ type: 'password', revisions: read.map(({ content, at }) => ({ content: asText(content), at })) }];
    this.#keptTexts += 1;
    const codes = read.filter(({ content }) => content.type === type);
    return [
      { type, revisions: codes },
      { type: 'password', revisions: texts },
    ];
  }

  /** Exactly the members of its type; a code that is none is a password. */
  #contentOf(type: PlainContent['type'], { title, login, value, totp, file }: Revision): PlainContent {
    const given = [login, value, totp, file].filter((member) => member !== undefined).length;
    if (type === 'file' && file !== undefined && given === 1) {
      const known = this.#wanted.get(file.sha256);
      if ((known ?? file.size) !== file.size || file.size > LIMITS.file) throw damaged();
      this.#wanted.set(file.sha256, file.size);
      const content = { type, title, name: file.name, bytes: new Uint8Array(0) };
      if (this.#unfilled.push({ content, sha256: file.sha256 }) > LIMITS.fileCount)
        throw ExchangeError.unreadable(`it has more than ${LIMITS.fileCount} files`);
      return content;
    }
    if (value === undefined || (value.length * 3 > LIMITS.text && utf8(value).length > LIMITS.text)) throw damaged();
    if (type === 'password' && login !== undefined && given === 2) return { type, title, login, value };
    if (type === 'TOTP' && totp !== undefined && given === 2) {
      const { algorithm, period } = totp;
      if (!isPeriod(period)) throw damaged();
      const parsed = parseTotpSecret(value);
      if (parsed === null) return { type: 'password', title, login: '', value };
      return { type, title, value: parsed.secret, algorithm, period };
    }
    if ((type === 'note' || type === 'link') && given === 1) return { type, title, value };
    throw damaged();
  }

  #takeFile({ content }: TarPart, sha256: string): number {
    if (this.#wanted.get(sha256) !== content.length || this.#files.has(sha256)) throw damaged();
    if ((this.#count.fileBytes += content.length) > LIMITS.files) throw ExchangeError.unpacksToMoreThan(LIMITS.files);
    this.#files.set(sha256, content);
    return 1;
  }

  end(): ExchangeTree {
    for (const { content, sha256 } of this.#unfilled) content.bytes = this.#files.get(sha256) ?? content.bytes;
    const { entries, fields, revisions, fileBytes } = this.#count;
    const files = this.#files.size;
    const counted: Counts = { groups: this.groups.length, entries, fields, revisions, files, file_bytes: fileBytes };
    const isWhole = files === this.#wanted.size && this.groups.length > 0;
    if (!isWhole || JSON.stringify(counted) !== JSON.stringify(this.counts)) throw damaged();
    return { groups: this.groups, entries: this.entries, skipped: this.#skipped.list() };
  }
}

const asText = (content: PlainContent): PlainContent =>
  content.type === 'TOTP' ? { type: 'password', title: content.title, login: '', value: content.value } : content;

function rowsOf<T>(schema: z.ZodMiniType<T>, part: TarPart): T[] {
  const text = textOf(part);
  if (text !== '' && !text.endsWith('\n')) throw damaged();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => parse(schema, line));
}

const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));
