import { createWriteStream, createReadStream } from 'node:fs';
import { rm, stat, link, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { findLastLink } from '../../audit/chain/chain-repository.ts';
import { openSnapshotOf, type DatabaseSource, type Snapshot } from '../../db/snapshot/source.ts';
import { runningDigest } from '../../platform/ids-and-digests.ts';
import { makeAgeHead } from './age.ts';
import { EncryptPayload, addDigest } from './archive-streams.ts';
import {
  BEGINNING,
  FORMAT,
  MANIFEST,
  PORTION_BYTES,
  PRODUCT,
  bodyEntry,
  tablePart,
  type Beginning,
  type Manifest,
  lineOf,
} from './archive-format.ts';
import {
  countAll,
  measure,
  readNamedBodies,
  readTable,
  refuseUnknownTables,
  type Measure,
  type NamedBody,
} from '../run/snapshot-repository.ts';
import { BACKED_UP } from './tables.ts';
import { writeTar, type TarEntry } from './tar.ts';
import { LOOK_EVERY, hasRoom } from '../../platform/storage/space.ts';
import { ArchiveError } from './archive-problem.ts';
import { openBodiesBeside } from '../../db/bodies/bodies-beside.ts';

export interface ArchiveJob {
  readonly source: DatabaseSource;
  readonly bodiesDir: string;
  /** Used by this job alone. */
  readonly workDir: string;
  /** Must not exist yet. */
  readonly target: string;
  readonly encryption: { readonly recipients: readonly string[]; readonly sealedIdentity: Uint8Array } | null;
  readonly version: string;
  /** Applied migrations. */
  readonly schema: readonly string[];
  readonly now: number;
}

export interface Watch {
  /** From 0 to 1. */
  readonly onProgress?: (part: number) => void;
  readonly signal?: AbortSignal;
}

/** A sealed file may be deleted before it is pinned. */
const ATTEMPTS = 5;
/** Higher levels take three times as long; most content is sealed. */
const QUICK = 1;
/** Estimate for progress and disk space. */
const ROW_BYTES = 400;

/**
 * Returns the size of the synced archive; leaves nothing on failure. @throws ArchiveError `space` while some
 * is left
 */
export async function writeArchive(job: ArchiveJob, watch: Watch = {}): Promise<{ readonly size: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const snapshot = await openSnapshotOf(job.source);
    try {
      await refuseUnknownTables(snapshot.read);
      const pinned = await pinBodies(readNamedBodies(snapshot.read), job);
      await stream(job, snapshot, pinned, watch).finally(() => pinned.close());
      return { size: (await stat(job.target)).size };
    } catch (error) {
      await rm(job.target, { force: true });
      if (!(error instanceof BodyGone) || attempt === ATTEMPTS) throw error;
    } finally {
      await snapshot.close();
      await rm(join(job.workDir, 'pinned'), { recursive: true, force: true });
    }
  }
}

async function stream(job: ArchiveJob, snapshot: Snapshot, pinned: PinnedBodies, watch: Watch): Promise<void> {
  const total = await measure(snapshot.read);
  await demandRoomFor(dirname(job.target), total.bytes + total.rows * ROW_BYTES);
  const age =
    job.encryption === null ? null : await makeAgeHead(job.encryption.recipients, job.encryption.sealedIdentity);
  const file = createWriteStream(job.target, { flags: 'wx', mode: 0o600, flush: true });
  if (age !== null) file.write(age.head);
  const encrypt = age === null ? [] : [new EncryptPayload(age.key)];
  const tar = Readable.from(writeTar(entriesOf({ job, snapshot, pinned, watch, total }), job.now), {
    objectMode: false,
  });
  const streams: (NodeJS.ReadableStream | NodeJS.ReadWriteStream | NodeJS.WritableStream)[] = [
    tar,
    createGzip({ level: QUICK }),
  ];
  streams.push(addDigest(), ...encrypt, keepRoom(dirname(job.target)), file);
  const options = watch.signal === undefined ? {} : { signal: watch.signal };
  await pipeline(streams as [NodeJS.ReadableStream, NodeJS.WritableStream], options);
}

interface Writing {
  readonly job: ArchiveJob;
  readonly snapshot: Snapshot;
  readonly pinned: PinnedBodies;
  readonly watch: Watch;
  readonly total: Measure;
}

async function* entriesOf({ job, snapshot, pinned, watch, total }: Writing): AsyncGenerator<TarEntry> {
  const { read } = snapshot;
  const created_at = new Date(job.now).toISOString();
  const schema = [...job.schema];
  let done = 0;
  const advance = (bytes: number) => {
    done += bytes;
    watch.onProgress?.(Math.min(1, done / (total.rows * ROW_BYTES + total.bytes)));
  };
  const beginning: Beginning = { product: PRODUCT, format: FORMAT, version: job.version, schema, created_at };
  yield jsonEntry(BEGINNING, beginning);

  const tables: Manifest['tables'] = {};
  for (const { table } of BACKED_UP) {
    const hash = runningDigest();
    const written = { rows: 0, bytes: 0 };
    let part = 0;
    for await (const { bytes, rows } of portionsOf(readTable(read, table))) {
      part += 1;
      hash.update(bytes);
      written.rows += rows;
      written.bytes += bytes.length;
      yield { name: tablePart(table, part), size: bytes.length, content: [bytes] };
      advance(rows * ROW_BYTES);
    }
    // The manifest is trusted; only the database can tell that no row is missing.
    if (written.rows !== total.rowsOf.get(table)) throw new Error(`Not every row of ${table} was read once`);
    tables[table] = { ...written, sha256: hash.digest('hex') };
  }

  const bodies = { count: 0, bytes: 0 };
  for await (const { sha256, size } of readNamedBodies(read)) {
    yield { name: bodyEntry(sha256), size, content: pinned.open(sha256) as AsyncIterable<Uint8Array> };
    bodies.count += 1;
    bodies.bytes += size;
    advance(size);
  }

  const head = await findLastLink(read);
  const audit_head = head === undefined ? null : { seq: head.seq, hash: head.hash.toString('hex') };
  const manifest: Manifest = { schema, created_at, tables, bodies, counts: await countAll(read), audit_head };
  yield jsonEntry(MANIFEST, manifest);
}

function jsonEntry(name: string, value: unknown): TarEntry {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  return { name, size: bytes.length, content: [bytes] };
}

/** Tar headers need sizes in advance. */
async function* portionsOf(pages: AsyncIterable<readonly Readonly<Record<string, unknown>>[]>) {
  let lines: string[] = [];
  let length = 0;
  const take = () => {
    const portion = { bytes: Buffer.from(lines.join('')), rows: lines.length };
    lines = [];
    length = 0;
    return portion;
  };
  for await (const page of pages) {
    for (const row of page) {
      const line = lineOf(row);
      lines.push(line);
      length += line.length;
      if (length >= PORTION_BYTES) yield take();
    }
  }
  if (lines.length > 0) yield take();
}

/** @throws ArchiveError `space` */
export async function demandRoomFor(folder: string, bytes: number): Promise<void> {
  if (!(await hasRoom(folder, { bytes, files: 1 }))) throw new ArchiveError('space', 'archive');
}

/** Fails with ArchiveError `space` before the disk's reserve is used. */
export function keepRoom(folder: string): Transform {
  let allowed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const pass = () => {
        allowed -= chunk.length;
        done(null, chunk);
      };
      if (allowed >= chunk.length) return pass();
      allowed = Math.max(LOOK_EVERY, chunk.length);
      demandRoomFor(folder, allowed).then(pass, done);
    },
  });
}

class BodyGone extends Error {
  constructor(sha256: string) {
    super(`The sealed file ${sha256} is missing.`);
    this.name = 'BodyGone';
  }
}

interface PinnedBodies {
  open(sha256: string): Readable;
  close(): Promise<void>;
}

interface ArchiveFolders {
  readonly source: DatabaseSource;
  readonly bodiesDir: string;
  readonly workDir: string;
}

/** Pins by hard links, so that they outlive a deletion. @throws BodyGone */
async function pinBodies(
  bodies: AsyncIterable<NamedBody>,
  { source, bodiesDir, workDir }: ArchiveFolders,
): Promise<PinnedBodies> {
  if (source.dialect === 'postgres') return pinOnServer(source.path);
  const folder = join(workDir, 'pinned');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Without links, a deleted file fails the attempt; the next has a new snapshot.
  let canLink = true;
  for await (const { sha256 } of bodies) {
    if (!canLink) break;
    try {
      await link(join(bodiesDir, sha256), join(folder, sha256));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code === 'ENOENT') throw new BodyGone(sha256);
      if (code !== 'EEXIST') canLink = false;
    }
  }
  return { open: (sha256) => createReadStream(join(canLink ? folder : bodiesDir, sha256)), async close() {} };
}

/** Rows cannot be pinned: a deleted one fails the attempt. */
async function pinOnServer(path: string): Promise<PinnedBodies> {
  const bodies = await openBodiesBeside(path, '');
  return {
    open: (sha256) => Readable.from(orGone(sha256, bodies.open(sha256)), { objectMode: false }),
    close: () => bodies.close(),
  };
}

async function* orGone(sha256: string, body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw isGone ? new BodyGone(sha256) : error;
  }
}
