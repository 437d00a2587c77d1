/** Files that are too large for the memory: they are written to the disk of the server as they come, and are gone when the call has ended. */
import { createWriteStream } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@passwordbroker/core/contract/problem';
import { storageFailure } from '../db/failures.ts';
import { randomText } from '../platform/secrets.ts';

export interface SpooledFile {
  /** Name of the part. */
  readonly part: string;
  /** As the client named it: any text, never a path to use. */
  readonly filename: string;
  /** Where it lies, under a name of ours. */
  readonly path: string;
  readonly size: number;
}

export const spoolFolder = (dataDir: string) => join(dataDir, 'uploads');

const AT_ONCE = 3;
/** What is left of the disk for everything else. */
const FREE_BYTES = 64 * 1024 * 1024;
let spooling = 0;

/** Takes the files of one request. `clear` removes them; it must be called, whatever happens. */
export class Spool {
  readonly #folder: string;
  readonly #parts: readonly string[];
  readonly files: SpooledFile[] = [];

  /** @throws AppError `unavailable` when others are sending files already */
  constructor(dataDir: string, parts: readonly string[]) {
    if (spooling >= AT_ONCE) throw new AppError('unavailable', { retryAfter: 10 });
    spooling += 1;
    this.#folder = join(spoolFolder(dataDir), randomText(12));
    this.#parts = parts;
  }

  expects(part: string): boolean {
    return this.#parts.includes(part);
  }

  /** `count` throws when it is too much. @throws AppError `insufficient_storage` */
  async take(part: string, filename: string, content: Readable, count: (bytes: number) => void): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, String(this.files.length));
    let size = 0;
    const counting = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        try {
          size += chunk.length;
          count(chunk.length);
          done(null, chunk);
        } catch (error) {
          done(error as Error);
        }
      },
    });
    const { bavail, bsize } = await statfs(this.#folder);
    if (bavail * bsize < FREE_BYTES) throw new AppError('insufficient_storage');
    await pipeline(content, counting, createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch((error: unknown) => {
      throw storageFailure(error) === 'insufficient_storage' ? new AppError('insufficient_storage') : error;
    });
    this.files.push({ part, filename, path, size });
  }

  async clear(): Promise<void> {
    spooling -= 1;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
