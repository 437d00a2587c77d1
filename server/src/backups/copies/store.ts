/** What a second target can do. Every operation throws CopyFailed. */
import type { FileDigest } from '../file-digest.ts';

export interface Store {
  /** Reads the file back, not further than `most` bytes and a piece; null when there is none of that name. */
  digest(name: string, most: number): Promise<FileDigest | null>;
  /** Stores the file `source`, which has this digest, under a name that is free. */
  put(name: string, source: string, digest: FileDigest): Promise<void>;
  /** Removing what is not there is no error. */
  remove(name: string): Promise<void>;
}
