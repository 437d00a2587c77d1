/**
 * Files that are too large for the memory: they are written to the disk of the server as they come, and are gone when the call has ended. Nothing is
 * written for a caller who may not go on: whatever he has to bring comes before the file, or the file is small.
 */
import { mkdir, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { LOOK_EVERY, demandRoom } from '../../platform/free-space.ts';
import { randomText } from '../../platform/secrets.ts';
import type { ReceivedBody } from './body.ts';

export interface SpooledFile {
  /** Name of the part. */
  readonly part: string;
  /** As the client named it: any text, never a path to use. */
  readonly filename: string;
  /** Where it lies, under a name of ours. */
  readonly path: string;
  readonly size: number;
}

type Members = ReceivedBody['members'];

export const spoolFolder = (dataDir: string) => join(dataDir, 'uploads');

const AT_ONCE = 3;
const RETRY_SECONDS = 10;

/** Places for files on the disk: few for all callers together, and one for each address. */
export class SpoolPlaces {
  readonly #taken = new Set<string>();

  /** @throws AppError `unavailable` when somebody is sending files from there already, or many are from elsewhere */
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

/** The disk or the database has failed, not the sender: the cause is told and logged as that of any other call. */
export class SpoolFailed extends Error {
  constructor(cause: unknown) {
    super('A file could not be spooled', { cause });
    this.name = 'SpoolFailed';
  }
}

/** Work of our own between what comes from the sender. @throws AppError, SpoolFailed */
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
  /** Names of the parts that are files. */
  readonly parts: readonly string[];
  /** Bytes of the whole body as the caller announced it; 0 when he did not. */
  readonly announced: number;
  /** Asked once, with what the body has told so far, before anything is written. */
  readonly admit: (members: Members) => Promise<void>;
  /** The same, when there is a place and room for it: from then on it is an attempt. */
  readonly count: () => Promise<void>;
}

interface HeldFile {
  readonly part: string;
  readonly filename: string;
  readonly chunks: Buffer[];
  size: number;
}

/** Takes the files of one request. `clear` removes them; it must be called, whatever happens. */
export class Spool {
  readonly #sending: Sending;
  readonly #folder: string;
  /** Files of which nothing is on the disk yet: together no more than is read for just anybody. */
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

  /** `count` throws when it is too much; `members` are those that came before. @throws AppError `insufficient_storage`, `unavailable`, what `admit` throws; SpoolFailed */
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
      // Without a name and without a byte it is a form in which no file was chosen.
      if (writing !== null) await ours(this.#end(held, writing));
      else if (filename !== '' || held.size > 0) this.#held.push(held);
    } catch (error) {
      await writing?.close().catch(() => {});
      throw error;
    }
  }

  /** Writes down what is still held; `members` are all there are. @throws as `take` */
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

/** A file on the disk, and what was written since the disk was looked at. */
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
