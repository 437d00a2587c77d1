import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupCounts } from '@passwordbroker/core/contract/site/backups';
import type { Transact } from '../../db/database.ts';
import { openDatabase } from '../../db/open.ts';
import type { Opener } from '../archive/age.ts';
import { type Manifest, MOST_BYTES, rowsOf, type Row } from '../archive/archive-format.ts';
import { checkRestored } from './check-restored.ts';
import { readArchive, type ArchivePart } from '../archive/read-archive.ts';
import { countAll } from '../run/snapshot-repository.ts';
import type { Watch } from '../archive/write-archive.ts';
import { findLastLink } from '../../audit/chain/chain-repository.ts';
import { MIGRATIONS } from '../../db/schema/migrations/index.ts';
import type { Migration } from '../../db/schema/migrate.ts';
import { LOOK_EVERY, hasRoom } from '../../platform/storage/space.ts';
import { runningDigest } from '../../platform/ids-and-digests.ts';
import { ArchiveError, asDamage, damaged } from '../archive/archive-problem.ts';
import { RestoredFiles } from './restored-files.ts';
import { BACKED_UP } from '../archive/tables.ts';
import { openBulkWriter, type InsertRows } from '../../db/bulk/writer.ts';

interface RestoreJob {
  readonly path: string;
  readonly opener: Opener | null;
  /** Must not exist yet; the caller removes it. */
  readonly scratchDir: string;
  /** False: only check the sealed files. */
  readonly keepBodies: boolean;
  readonly now: number;
}

interface Restored {
  readonly counts: BackupCounts;
  readonly manifest: Manifest;
}

const LOAD_PART = 0.85;

/** Restores into a scratch database and checks everything. @throws ArchiveError */
export async function restoreArchive(job: RestoreJob, watch: Watch = {}): Promise<Restored> {
  await mkdir(job.scratchDir, { mode: 0o700 });
  await mkdir(join(job.scratchDir, 'bodies'), { mode: 0o700 });
  const loader = new ArchiveLoader(job);
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

async function proveScratch({ scratchDir, now }: RestoreJob, manifest: Manifest): Promise<Restored> {
  const db = await openDatabase({ dataDir: scratchDir, now, isScratch: true });
  try {
    await checkRestored(db);
    return { counts: await countAll(db.read), manifest };
  } finally {
    await db.close();
  }
}

interface LoadJob {
  readonly scratchDir: string;
  readonly keepBodies: boolean;
  readonly now: number;
}

interface Loaded {
  readonly hash: ReturnType<typeof runningDigest>;
  rows: number;
  bytes: number;
}

const nothing = (): Loaded => ({ hash: runningDigest(), rows: 0, bytes: 0 });

interface Open extends ScratchTransaction {
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  readonly files: RestoredFiles;
}

/** Loads parts in one transaction, in archive order. Always call `close`. */
class ArchiveLoader {
  readonly #job: LoadJob;
  readonly #tables = new Map<string, Loaded>();
  #open: Open | null = null;
  #manifest: Manifest | null = null;
  #unlooked = LOOK_EVERY;

  constructor(job: LoadJob) {
    this.#job = job;
  }

  get manifest(): Manifest {
    if (this.#manifest === null) throw damaged('no manifest');
    return this.#manifest;
  }

  async take(part: ArchivePart): Promise<void> {
    switch (part.kind) {
      case 'beginning':
        this.#open = await this.#begin(part.beginning.schema);
        break;
      case 'table':
        await this.#takeRows(part.table, part.content);
        break;
      case 'body':
        await this.#begun().files.take(part);
        break;
      case 'manifest':
        this.#manifest = part.manifest;
        break;
    }
  }

  /** Compares the content with the manifest and commits. @throws ArchiveError */
  async finish(): Promise<void> {
    const { manifest } = this;
    const { rows, columns, files } = this.#begun();
    // It lists empty tables, too.
    const isComplete = Object.keys(manifest.tables).length === columns.size;
    const isSame = [...columns.keys()].every((table) => {
      const said = manifest.tables[table];
      const loaded = this.#tables.get(table) ?? nothing();
      return loaded.rows === said?.rows && loaded.bytes === said.bytes && loaded.hash.digest('hex') === said.sha256;
    });
    if (!isComplete || !isSame) throw damaged('the tables are not those of the manifest');
    await files.finish(manifest.bodies);
    if (!isSameCount(manifest.counts, await countAll(rows, 'all')))
      throw damaged('the counts are not those of the manifest');
    const head = await findLastLink(rows);
    const { seq = null, hash = null } = manifest.audit_head ?? {};
    if (seq !== (head?.seq ?? null) || hash !== (head?.hash.toString('hex') ?? null)) {
      throw damaged('the head of the audit log is not that of the manifest');
    }
    await this.#end(null);
  }

  /** Rolls back unless `finish` has committed. */
  async close(): Promise<void> {
    await this.#end(new Error('not finished'));
  }

  async #end(error: Error | null): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.end(error);
  }

  #begun(): Open {
    if (this.#open === null) throw damaged('no beginning');
    return this.#open;
  }

  async #begin(schema: readonly string[]): Promise<Open> {
    const { scratchDir, keepBodies, now } = this.#job;
    const db = await openDatabase({ dataDir: scratchDir, now, migrations: migrationsOf(schema) });
    const ours = new Set<string>(BACKED_UP.map(({ table }) => table));
    const columns = new Map<string, ReadonlySet<string>>();
    try {
      for (const { name, columns: of } of await db.read.introspection.getTables()) {
        if (ours.has(name)) columns.set(name, new Set(of.map((column) => column.name)));
      }
    } finally {
      await db.close();
    }
    const transaction = await openTransaction(db.path);
    return { ...transaction, columns, files: new RestoredFiles(transaction.rows, scratchDir, keepBodies) };
  }

  async #takeRows(table: string, content: AsyncIterable<Buffer>): Promise<void> {
    const { columns, insert } = this.#begun();
    const known = columns.get(table);
    if (known === undefined) throw damaged('a table that none of ours has');
    const loaded = this.#tables.get(table) ?? nothing();
    this.#tables.set(table, loaded);
    const bytes = await gathered(content, MOST_BYTES.table);
    await this.#spend(bytes.length);
    loaded.hash.update(bytes);
    loaded.bytes += bytes.length;
    const rows = rowsOf(bytes, known);
    if (rows === null) throw damaged(`a row of ${table}`);
    loaded.rows += rows.length;
    // Both fit the schema that the database reports.
    await insert(table as never, rows as readonly Row[] as never).catch((error: unknown) => {
      throw asDamage(error, table);
    });
  }

  /** A hostile archive must not fill the disk. */
  async #spend(bytes: number): Promise<void> {
    this.#unlooked += bytes;
    if (this.#unlooked < LOOK_EVERY) return;
    this.#unlooked = 0;
    if (!(await hasRoom(this.#job.scratchDir, { bytes: LOOK_EVERY, files: 0 })))
      throw new ArchiveError('space', 'rows');
  }
}

/** @throws ArchiveError `newer` */
function migrationsOf(schema: readonly string[]): readonly Migration[] {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  if (schema.some((name) => !known.has(name))) throw new ArchiveError('newer', 'schema');
  const past = MIGRATIONS.slice(0, schema.length);
  if (schema.length === 0 || past.some(({ name }, at) => name !== schema[at])) throw damaged('schema');
  return past;
}

function isSameCount(said: BackupCounts, found: BackupCounts): boolean {
  return (Object.keys(found) as (keyof BackupCounts)[]).every((name) => said[name] === found[name]);
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

interface ScratchTransaction {
  readonly rows: Transact;
  readonly insert: InsertRows;
  /** Commits, or rolls back with this error. @throws ArchiveError */
  end(work: Error | null): Promise<void>;
}

async function openTransaction(path: string): Promise<ScratchTransaction> {
  const writer = await openBulkWriter(path);
  let end = (_error: Error | null) => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error === null ? resolve() : reject(error));
  });
  let whole: Promise<void> = Promise.resolve();
  const { rows, insert } = await new Promise<Pick<ScratchTransaction, 'rows' | 'insert'>>((resolve, reject) => {
    whole = writer.transact((own, given) => {
      resolve({ rows: own, insert: given });
      return ended;
    });
    whole.catch(reject);
  });
  return {
    rows,
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
