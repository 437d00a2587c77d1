/**
 * Checks names, sizes and disk space of all files before it writes the first (docs/spec/threats.md §3.1.28).
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transact } from '../../db/database.ts';
import { LOOK_EVERY, hasRoom } from '../../platform/storage/space.ts';
import { runningDigest } from '../../platform/ids-and-digests.ts';
import { FILE_OVERHEAD } from '../archive/archive-format.ts';
import type { Manifest } from '../archive/archive-format.ts';
import { ArchiveError, damaged } from '../archive/archive-problem.ts';
import type { ArchivePart } from '../archive/read-archive.ts';
import { measureNamedBodies, readNamedBodies } from '../run/snapshot-repository.ts';
import type { NamedBody } from '../run/snapshot-repository.ts';

type BodyPart = Extract<ArchivePart, { kind: 'body' }>;

export class RestoredFiles {
  readonly #rows: Transact;
  readonly #folder: string;
  readonly #isKept: boolean;
  readonly #named: AsyncIterator<NamedBody>;
  #isRoomFor = false;
  #count = 0;
  #bytes = 0;
  #unlooked = 0;

  constructor(rows: Transact, scratchDir: string, isKept: boolean) {
    this.#rows = rows;
    this.#folder = join(scratchDir, 'bodies');
    this.#isKept = isKept;
    this.#named = readNamedBodies(rows, 'all')[Symbol.asyncIterator]();
  }

  /** @throws ArchiveError `damaged` unless it is the next referenced file; `space` */
  async take({ sha256, size, content }: BodyPart): Promise<void> {
    const next = await this.#named.next();
    if (next.done === true || next.value.sha256 !== sha256 || next.value.size !== size) {
      throw damaged('a file that no revision names, or another one');
    }
    await this.#charge(size);
    const hash = runningDigest();
    // Safe in a path: parsed as 64 hex digits.
    const file = this.#isKept ? await open(join(this.#folder, sha256), 'wx', 0o600) : null;
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
    this.#count += 1;
    this.#bytes += size;
  }

  /** @throws ArchiveError `damaged` if files are missing or differ */
  async finish({ count, bytes }: Manifest['bodies']): Promise<void> {
    if ((await this.#named.next()).done !== true) throw damaged('a file is missing');
    if (count !== this.#count || bytes !== this.#bytes) throw damaged('the files are not those of the manifest');
  }

  async #charge(size: number): Promise<void> {
    if (!this.#isKept) return;
    this.#unlooked += size + FILE_OVERHEAD;
    if (this.#isRoomFor && this.#unlooked < LOOK_EVERY) return;
    const { count, bytes } = this.#isRoomFor
      ? { count: 1, bytes: LOOK_EVERY }
      : await measureNamedBodies(this.#rows, 'all');
    if (!(await hasRoom(this.#folder, { bytes: bytes + count * FILE_OVERHEAD, files: count }))) {
      throw new ArchiveError('space', 'files');
    }
    this.#isRoomFor = true;
    this.#unlooked = 0;
  }
}
