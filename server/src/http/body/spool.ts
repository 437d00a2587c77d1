/** Files on disk, written only after the caller is admitted. */
import { mkdir, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { LOOK_EVERY, demandRoom } from '../../platform/storage/space.ts';
import { randomText } from '../../platform/ids-and-digests.ts';

export interface SpooledFile {
  readonly part: string;
  /** Chosen by the client; never a path. */
  readonly filename: string;
  readonly path: string;
  readonly size: number;
}

type Members = Record<string, unknown>;

export const spoolFolder = (dataDir: string) => join(dataDir, 'uploads');

const AT_ONCE = 3;
const RETRY_SECONDS = 10;

/** Three spools at a time, one per address. */
export class SpoolPlaces {
  readonly #taken = new Set<string>();

  /** @throws AppError `unavailable` */
  take(address: string): void {
    if (this.#taken.has(address) || this.#taken.size >= AT_ONCE) {
      throw new AppError('unavailable', { retryAfter: RETRY_SECONDS });
    }
    this.#taken.add(address);
  }

  release(address: string): void {
    this.#taken.delete(address);
  }
}

/** See `cause`. */
export class SpoolFailed extends Error {
  constructor(cause: unknown) {
    super('A file could not be spooled', { cause });
    this.name = 'SpoolFailed';
  }
}

async function ours<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof AppError ? error : new SpoolFailed(error);
  }
}

interface Sending {
  readonly dataDir: string;
  readonly places: SpoolPlaces;
  readonly address: string;
  readonly parts: readonly string[];
  readonly announced: number;
  /** Called once, before any write. */
  readonly admit: (members: Members) => Promise<void>;
  /** Called once a place and disk space are free. */
  readonly count: () => Promise<void>;
}

interface HeldFile {
  readonly part: string;
  readonly filename: string;
  readonly chunks: Buffer[];
  size: number;
}

/** The caller must call `clear`, which removes the files. */
export class Spool {
  readonly #sending: Sending;
  readonly #folder: string;
  /** In memory. */
  readonly #held: HeldFile[] = [];
  #heldBytes = 0;
  #isAdmitted = false;
  #hasPlace = false;
  #hasFolder = false;
  readonly files: SpooledFile[] = [];

  constructor(sending: Sending) {
    this.#sending = sending;
    this.#folder = join(spoolFolder(sending.dataDir), randomText(12));
  }

  expects(part: string): boolean {
    return this.#sending.parts.includes(part);
  }

  /**
   * @param members those before this file
   * @throws AppError `insufficient_storage`, `unavailable`, errors of `admit` and `count`; SpoolFailed
   */
  async take(
    { part, filename, content }: { readonly part: string; readonly filename: string; readonly content: Readable },
    count: (bytes: number) => void,
    members: () => Members,
  ): Promise<void> {
    const held: HeldFile = { part, filename, chunks: [], size: 0 };
    let writing: Writing | null = null;
    try {
      for await (const chunk of content) {
        const bytes = chunk as Buffer;
        count(bytes.length);
        if (writing !== null) {
          await ours(writing.add(bytes));
          continue;
        }
        held.chunks.push(bytes);
        held.size += bytes.length;
        this.#heldBytes += bytes.length;
        if (this.#heldBytes <= LIMITS.bodyBytes) continue;
        await ours(this.#admit(members()));
        await ours(this.#writeHeld());
        writing = await ours(this.#begin(held));
      }
      // A form without a chosen file sends an empty part.
      if (writing !== null) await ours(this.#end(held, writing));
      else if (filename !== '' || held.size > 0) this.#held.push(held);
    } catch (error) {
      await writing?.close().catch(() => {});
      throw error;
    }
  }

  /** Writes files still in memory. Throws like `take`. */
  async finish(members: Members): Promise<void> {
    if (this.#held.length === 0) return;
    await ours(this.#admit(members));
    await ours(this.#writeHeld());
  }

  async clear(): Promise<void> {
    if (!this.#hasPlace) return;
    this.#hasPlace = false;
    try {
      if (this.#hasFolder) await rm(this.#folder, { recursive: true, force: true });
    } finally {
      this.#sending.places.release(this.#sending.address);
    }
  }

  async #admit(members: Members): Promise<void> {
    if (this.#isAdmitted) return;
    const { admit, count, places, address, dataDir, announced } = this.#sending;
    await admit(members);
    this.#isAdmitted = true;
    places.take(address);
    this.#hasPlace = true;
    await demandRoom(dataDir, { bytes: announced, files: 1 });
    await count();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    this.#hasFolder = true;
  }

  async #writeHeld(): Promise<void> {
    for (const held of this.#held.splice(0)) await this.#end(held, await this.#begin(held));
  }

  async #begin({ chunks }: HeldFile): Promise<Writing> {
    const path = join(this.#folder, String(this.files.length));
    const writing = new Writing(path, await open(path, 'wx', 0o600));
    for (const chunk of chunks.splice(0)) await writing.add(chunk);
    return writing;
  }

  async #end({ part, filename }: HeldFile, writing: Writing): Promise<void> {
    await writing.close();
    this.files.push({ part, filename, path: writing.path, size: writing.size });
  }
}

/** Checks free space every LOOK_EVERY bytes. */
class Writing {
  readonly path: string;
  readonly #file: FileHandle;
  size = 0;
  #unlooked = 0;

  constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  async add(chunk: Buffer): Promise<void> {
    this.size += chunk.length;
    this.#unlooked += chunk.length;
    if (this.#unlooked >= LOOK_EVERY) {
      this.#unlooked = 0;
      await demandRoom(this.path, { bytes: 0, files: 0 });
    }
    await this.#file.writeFile(chunk);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
