/** Writes KDBX 4.0: Argon2id, ChaCha20 outside and inside, gzip. */
import { type Bytes, concat, decodeHex, encodeHex, randomBytes, utf8, wipe } from '../../../crypto/bytes.ts';
import { digest, keyStream } from '../../../crypto/exchange/file-ciphers.ts';
import { rechunk } from '../../../crypto/stream.ts';
import { KEEPASS_LIMITS } from '../../keepass/limits-and-errors.ts';
import { gzip } from '../chunk-reader.ts';
import { EXCHANGE_LIMITS as LIMITS } from '../exchange-error.ts';
import { type ExchangeTree, type SkippedThing, skippedCounter } from '../tree.ts';
import type { WriteOptions } from '../writers.ts';
import { viewOf } from './byte-reader.ts';
import { compositeKey } from './composite-key.ts';
import { entryVersions, isPasskey } from './entry-versions.ts';
import { ARGON2ID, CIPHERS, FIELD, SIGNATURE } from './header.ts';
import { kdbxXml } from './kdbx-xml.ts';
import { INNER, blockKeys, innerStream } from './open-kdbx.ts';

export interface KdbxCost {
  readonly memoryKib: number;
  readonly iterations: number;
  readonly parallelism: number;
}

/** As for our own keys. */
const COST: KdbxCost = { memoryKib: 65_536, iterations: 3, parallelism: 4 };
const BLOCK = 1024 * 1024;

/** @param cost lower in tests alone */
export async function* writeKdbx(
  tree: ExchangeTree,
  { password, now, argon2, signal, onProgress, onUnreadable }: WriteOptions,
  cost: KdbxCost = COST,
): AsyncGenerator<Uint8Array> {
  const [masterSeed, salt, iv, streamKey] = [randomBytes(32), randomBytes(32), randomBytes(12), randomBytes(64)];
  const header = headerOf(masterSeed, iv, dictionaryOf(salt, cost));
  const composite = await compositeKey({ password });
  signal?.throwIfAborted();
  const transformed = await argon2({ type: 'argon2id', password: composite, salt, ...cost, length: 32 });
  const keys = await blockKeys(masterSeed, transformed);
  yield concat(header, await digest('SHA-256', header), await keys.header(header));

  const encrypt = keyStream('ChaCha20', await digest('SHA-256', masterSeed, transformed), iv);
  wipe(composite, transformed);
  const pool = await poolOf(tree);
  const inner = await innerStream('ChaCha20', streamKey);
  const text = { bytes: 0, elements: 0 };
  async function* content() {
    yield* innerHeader(streamKey, pool.files);
    const total = tree.entries.length;
    const onEntry = (done: number) => onProgress?.(done, total);
    for (const piece of kdbxXml(tree, { inner, numberOf: pool.numberOf, now, onEntry })) {
      signal?.throwIfAborted();
      const bytes = utf8(piece);
      text.bytes += bytes.length;
      text.elements += elementsIn(piece);
      yield bytes;
    }
  }
  let index = 0;
  let packed = 0;
  for await (const { bytes } of rechunk(gzip(content()), BLOCK)) {
    if (bytes.length === 0) break;
    packed += bytes.length;
    yield* block((index += 1) - 1, encrypt(bytes));
  }
  yield* block(index, new Uint8Array(0));
  if (!isReadable(text, packed)) onUnreadable?.();

  async function* block(number: number, data: Bytes) {
    const length = u32(data.length);
    yield concat(await keys.block(number, length, data), length, data);
  }
}

/** Other characters `<` are escaped. */
function elementsIn(xml: string): number {
  let count = 0;
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at + 1)) if (xml[at + 1] !== '/') count += 1;
  return count;
}

/** Within the limits of our reader for text; an export is within those for files from the beginning. */
const isReadable = ({ bytes, elements }: { bytes: number; elements: number }, packed: number): boolean =>
  elements <= KEEPASS_LIMITS.elements &&
  bytes <= LIMITS.unpackedText &&
  bytes <= Math.max(LIMITS.ratioFrom, packed * LIMITS.ratio);

function u32(value: number): Bytes {
  const bytes = new Uint8Array(4);
  viewOf(bytes).setUint32(0, value, true);
  return bytes;
}

function u64(value: number): Bytes {
  const bytes = new Uint8Array(8);
  viewOf(bytes).setBigUint64(0, BigInt(value), true);
  return bytes;
}

const KDBX_4_0 = Uint8Array.of(0, 0, 4, 0);
const LINE_ENDS = Uint8Array.of(13, 10, 13, 10);

function headerOf(masterSeed: Bytes, iv: Bytes, dictionary: Bytes): Bytes {
  const field = (id: number, value: Uint8Array) => concat(Uint8Array.of(id), u32(value.length), value);
  return concat(
    Uint8Array.from(SIGNATURE),
    KDBX_4_0,
    field(FIELD.cipher, decodeHex(CIPHERS.ChaCha20)),
    field(FIELD.compression, u32(1)),
    field(FIELD.masterSeed, masterSeed),
    field(FIELD.iv, iv),
    field(FIELD.kdf, dictionary),
    field(FIELD.end, LINE_ENDS),
  );
}

/** Type, length and name, length and value. */
function dictionaryOf(salt: Bytes, { memoryKib, iterations, parallelism }: KdbxCost): Bytes {
  const [ofU32, ofU64, ofBytes] = [0x04, 0x05, 0x42];
  const item = (type: number, name: string, value: Uint8Array) =>
    concat(Uint8Array.of(type), u32(name.length), utf8(name), u32(value.length), value);
  return concat(
    Uint8Array.of(0, 1),
    item(ofBytes, '$UUID', decodeHex(ARGON2ID)),
    item(ofBytes, 'S', salt),
    item(ofU32, 'P', u32(parallelism)),
    item(ofU64, 'M', u64(memoryKib * 1024)),
    item(ofU64, 'I', u64(iterations)),
    item(ofU32, 'V', u32(0x13)),
    Uint8Array.of(0),
  );
}

/** Each attachment once. */
async function poolOf({ entries }: ExchangeTree) {
  const files: Bytes[] = [];
  const byDigest = new Map<string, number>();
  const numbers = new Map<Bytes, number>();
  for (const { fields } of entries)
    for (const { revisions } of fields)
      for (const { content } of revisions) {
        if (content.type !== 'file' || numbers.has(content.bytes)) continue;
        const key = encodeHex(await digest('SHA-256', content.bytes));
        const number = byDigest.get(key) ?? files.push(content.bytes) - 1;
        byDigest.set(key, number);
        numbers.set(content.bytes, number);
      }
  return { files, numberOf: (bytes: Bytes) => numbers.get(bytes) ?? 0 };
}

const CHACHA20 = 3;
/** Attachments are to be protected in memory. */
const PROTECTED = Uint8Array.of(1);

function* innerHeader(streamKey: Bytes, files: readonly Bytes[]): Generator<Uint8Array> {
  const head = (id: number, length: number) => concat(Uint8Array.of(id), u32(length));
  yield concat(head(INNER.stream, 4), u32(CHACHA20), head(INNER.key, streamKey.length), streamKey);
  for (const file of files) {
    yield concat(head(INNER.binary, file.length + 1), PROTECTED);
    yield file;
  }
  yield head(INNER.end, 0);
}

/** KeePass holds everything, but less is shown, and an entry has at most 1,000 former versions. */
export function lossOfKdbx({ entries }: ExchangeTree): readonly SkippedThing[] {
  const loss = skippedCounter();
  for (const entry of entries) {
    const { leftOut } = entryVersions(entry);
    if (leftOut > 0) loss.add('version', 'of an entry with more than 1000, the oldest of them', leftOut, entry.title);
    const contents = entry.fields.flatMap(({ revisions }) => revisions.at(-1)?.content ?? []);
    const codes = contents.filter(({ type }) => type === 'TOTP').length;
    if (codes > 1) loss.add('one-time password', MORE, codes - 1, entry.title);
    const passkeys = contents.filter((content) => isPasskey(content)).length;
    if (passkeys > 1) loss.add('passkey', MORE, passkeys - 1, entry.title);
  }
  return loss.list();
}

const MORE = 'beside the first of an entry, which KeePass programs show as text';
