/**
 * Restores an archive into a database of its own, checks all of it, and counts. Nothing else is touched: this proves a backup, and it is what a recovery
 * does before it switches.
 */
import { mkdir, open, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupCounts } from '@passwordbroker/core/contract/backups';
import { openBulkWriter } from '../db/bulk-writer.ts';
import type { InsertRows } from '../db/bulk-writer.ts';
import { openDatabase } from '../db/database.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import type { Migration } from '../db/migrate.ts';
import { runningDigest } from '../platform/secrets.ts';
import type { Opener } from './age-head.ts';
import { MOST_BYTES } from './archive-format.ts';
import type { Manifest } from './archive-format.ts';
import { ArchiveError, damaged } from './archive-problem.ts';
import { checkRestored } from './check-restored.ts';
import { readArchive } from './read-archive.ts';
import type { ArchivePart } from './read-archive.ts';
import { rowOf } from './rows.ts';
import type { Row } from './rows.ts';
import { countAll, readNamedBodies } from './snapshot-repository.ts';
import type { Watch } from './write-archive.ts';

export interface RestoreJob {
  readonly path: string;
  readonly opener: Opener | null;
  /** A folder that does not exist yet; whoever asked removes it. */
  readonly scratchDir: string;
  /** Write the sealed files down, durably; else they are only looked at. */
  readonly keepBodies: boolean;
  readonly now: number;
}

export interface Restored {
  readonly counts: BackupCounts;
  readonly manifest: Manifest;
}

const LOAD_PART = 0.85;

/** @throws ArchiveError */
export async function restoreArchive(job: RestoreJob, watch: Watch = {}): Promise<Restored> {
  await mkdir(job.scratchDir, { mode: 0o700 });
  await mkdir(join(job.scratchDir, 'bodies'), { mode: 0o700 });
  const loader = new Loader(job);
  try {
    const { signal } = watch;
    const onProgress = (part: number) => watch.onProgress?.(part * LOAD_PART);
    for await (const part of readArchive({ ...job, onProgress, ...(signal === undefined ? {} : { signal }) })) {
      await loader.take(part);
      signal?.throwIfAborted();
    }
    await loader.finish();
  } finally {
    await loader.close();
  }
  const restored = await proveScratch(job, loader.manifest);
  watch.onProgress?.(1);
  return restored;
}

/** Brings the scratch database up to the schema of this program and looks at all of it. */
async function proveScratch({ scratchDir, now }: RestoreJob, manifest: Manifest): Promise<Restored> {
  const db = await openDatabase({ dataDir: scratchDir, now });
  try {
    await checkRestored(db);
    return { counts: await countAll(db.read), manifest };
  } finally {
    await db.close();
  }
}

/** The migrations that the archive's database had. @throws ArchiveError `newer` */
function migrationsOf(schema: readonly string[]): readonly Migration[] {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  if (schema.some((name) => !known.has(name))) throw new ArchiveError('newer', 'schema');
  const past = MIGRATIONS.slice(0, schema.length);
  if (schema.length === 0 || past.some(({ name }, at) => name !== schema[at])) throw damaged('schema');
  return past;
}

interface Loaded {
  readonly columns: ReadonlySet<string>;
  readonly hash: ReturnType<typeof runningDigest>;
  rows: number;
  bytes: number;
}

/** Puts the parts where they belong, in one transaction of the scratch database. */
class Loader {
  readonly #job: RestoreJob;
  readonly #tables = new Map<string, Loaded>();
  readonly #bodies = { count: 0, bytes: 0, names: runningDigest() };
  #manifest: Manifest | null = null;
  #open: { readonly insert: InsertRows; end(work: Error | null): Promise<void> } | null = null;
  #columns = new Map<string, ReadonlySet<string>>();
  #uncounted = 0;

  constructor(job: RestoreJob) {
    this.#job = job;
  }

  get manifest(): Manifest {
    if (this.#manifest === null) throw damaged('no manifest');
    return this.#manifest;
  }

  async take(part: ArchivePart): Promise<void> {
    switch (part.kind) {
      case 'beginning':
        await this.#begin(part.beginning.schema);
        break;
      case 'table':
        await this.#takeRows(part.table, part.content);
        break;
      case 'body':
        await this.#takeBody(part);
        break;
      case 'manifest':
        this.#manifest = part.manifest;
        break;
    }
  }

  /** Compares what was loaded with what the manifest says, and commits. @throws ArchiveError */
  async finish(): Promise<void> {
    const { tables, bodies } = this.manifest;
    const isSame = Object.entries(tables).every(([table, said]) => {
      const loaded = this.#tables.get(table) ?? { rows: 0, bytes: 0, hash: runningDigest() };
      return loaded.rows === said.rows && loaded.bytes === said.bytes && loaded.hash.digest('hex') === said.sha256;
    });
    const isKnown = [...this.#tables.keys()].every((table) => Object.hasOwn(tables, table));
    if (!isSame || !isKnown) throw damaged('the tables are not those of the manifest');
    if (bodies.count !== this.#bodies.count || bodies.bytes !== this.#bodies.bytes) {
      throw damaged('the files are not those of the manifest');
    }
    const open = this.#open;
    this.#open = null;
    await open?.end(null);
    await this.#compareWithRows();
  }

  /** What is not finished is rolled back. */
  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.end(new Error('not finished'));
  }

  async #begin(schema: readonly string[]): Promise<void> {
    const { scratchDir, now } = this.#job;
    const db = await openDatabase({ dataDir: scratchDir, now, migrations: migrationsOf(schema) });
    try {
      for (const { name, columns } of await db.read.introspection.getTables()) {
        this.#columns.set(name, new Set(columns.map((column) => column.name)));
      }
    } finally {
      await db.close();
    }
    this.#columns.delete('schema_migrations');
    this.#open = await openTransaction(db.path);
  }

  async #takeRows(table: string, content: AsyncIterable<Buffer>): Promise<void> {
    const columns = this.#columns.get(table);
    if (columns === undefined || this.#open === null) throw damaged('a table that is none of ours');
    const loaded = this.#tables.get(table) ?? { columns, hash: runningDigest(), rows: 0, bytes: 0 };
    this.#tables.set(table, loaded);
    const bytes = await gathered(content, MOST_BYTES.table);
    await this.#spend(bytes.length);
    loaded.hash.update(bytes);
    loaded.bytes += bytes.length;
    const lines = bytes.toString('utf8').split('\n');
    if (lines.pop() !== '') throw damaged('a table ends in the middle of a row');
    const rows = lines.map((line) => rowOf(line, columns));
    if (rows.includes(null)) throw damaged(`a row of ${table}`);
    loaded.rows += rows.length;
    // Names and columns are those that the engine itself has told.
    await this.#open.insert(table as never, rows as readonly Row[] as never).catch((error: unknown) => {
      throw asDamage(error, table);
    });
  }

  async #takeBody({ sha256, size, content }: Extract<ArchivePart, { kind: 'body' }>): Promise<void> {
    await this.#spend(this.#job.keepBodies ? size : 0);
    const hash = runningDigest();
    // The name was read as 64 hex digits: nothing else of the archive is part of a path.
    const path = join(this.#job.scratchDir, 'bodies', sha256);
    const file = this.#job.keepBodies ? await open(path, 'wx', 0o600) : null;
    try {
      for await (const chunk of content) {
        hash.update(chunk);
        await file?.writeFile(chunk);
      }
      await file?.sync();
    } finally {
      await file?.close();
    }
    if (hash.digest('hex') !== sha256) throw damaged('a sealed file');
    this.#bodies.count += 1;
    this.#bodies.bytes += size;
    this.#bodies.names.update(`${sha256} ${size}\n`);
  }

  /** Every file that a revision names must be there, and no other. */
  async #compareWithRows(): Promise<void> {
    const db = await openDatabase({ dataDir: this.#job.scratchDir, now: this.#job.now, migrations: this.#past() });
    try {
      const names = runningDigest();
      for await (const { sha256, size } of readNamedBodies(db.read)) names.update(`${sha256} ${size}\n`);
      if (names.digest('hex') !== this.#bodies.names.digest('hex'))
        throw damaged('files that no revision names, or lacks');
    } finally {
      await db.close();
    }
  }

  #past(): readonly Migration[] {
    return migrationsOf(this.manifest.schema);
  }

  /** Looks at the disk from time to time: what comes out of a hostile archive must not fill it. */
  async #spend(bytes: number): Promise<void> {
    this.#uncounted += bytes;
    if (this.#uncounted < LOOK_EVERY) return;
    this.#uncounted = 0;
    const { bavail, blocks, bsize } = await statfs(this.#job.scratchDir);
    if (bavail * bsize < 2 * LOOK_EVERY || bavail / blocks < FREE_AT_LEAST) throw new ArchiveError('space', 'scratch');
  }
}

const LOOK_EVERY = 32 * 1024 * 1024;
/** As the readiness check has it. */
const FREE_AT_LEAST = 0.05;

/** A transaction that is open until it is told to end, with or without an error. */
async function openTransaction(path: string) {
  const writer = await openBulkWriter(path);
  let end = (_error: Error | null) => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error === null ? resolve() : reject(error));
  });
  let whole: Promise<void> = Promise.resolve();
  const insert = await new Promise<InsertRows>((resolve, reject) => {
    whole = writer.transact((_tx, given) => {
      resolve(given);
      return ended;
    });
    whole.catch(reject);
  });
  return {
    insert,
    async end(error: Error | null) {
      end(error);
      await whole.catch((reason: unknown) => {
        if (reason !== error) throw asDamage(reason, 'the commit');
      });
      await writer.close();
    },
  };
}

async function gathered(content: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > most) throw damaged('a portion');
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

/** What the engine refuses is the archive's fault, unless the disk is full. */
function asDamage(error: unknown, place: string): unknown {
  if (error instanceof ArchiveError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return new ArchiveError('space', place);
  return code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_MISMATCH' || code === 'SQLITE_ERROR'
    ? damaged(`${place}: ${code}`)
    : error;
}
