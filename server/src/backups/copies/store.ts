/** What a second target can do. Every operation throws CopyFailed. */
import type { FileDigest } from '../file-digest.ts';

export interface Store {
  /** Reads the file back, not further than `most` bytes and a piece; null when there is none of that name. */
  digest(name: string, most: number): Promise<FileDigest | null>;
  /** Whether the file of this name is the file `source`, and no copy of it. */
  isSource(name: string, source: string): Promise<boolean>;
  /** Stores the file `source`, which has this digest, under a name that is free. */
  put(name: string, source: string, digest: FileDigest): Promise<void>;
  /** Removing what is not there is no error. */
  remove(name: string): Promise<void>;
}
